// SPDX-License-Identifier: Apache-2.0
#include "plan/single_communication.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "plan/transfer_steps.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

constexpr std::int64_t kAlignment = 64;

/// How a device takes part: per tensor, whether it is a source, and which target it is of (-1:
/// none).
using Part = std::vector<std::pair<bool, std::int32_t>>;

std::map<DeviceId, Part> parts_of(const ReshardProblem& problem) {
  std::map<DeviceId, Part> parts;
  const auto part = [&](DeviceId device, std::size_t tensor) -> std::pair<bool, std::int32_t>& {
    return parts.try_emplace(device, Part(problem.tensors.size(), {false, -1}))
        .first->second[tensor];
  };
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    for (DeviceId device : tensor.source_mesh.devices) part(device, t).first = true;
    for (std::size_t g = 0; g < tensor.targets.size(); ++g) {
      for (DeviceId device : tensor.targets[g].mesh.devices) {
        std::int32_t& target = part(device, t).second;
        if (target >= 0)
          throw Error("device " + std::to_string(device) + " is of two targets of tensor " +
                      std::to_string(t));
        target = static_cast<std::int32_t>(g);
      }
    }
  }
  return parts;
}

/// The mesh of the only end that has just these devices, else one axis.
Mesh mesh_for(const std::vector<DeviceId>& devices, const ReshardProblem& problem) {
  const auto fits = [&](const Mesh& mesh) {
    return std::is_permutation(mesh.devices.begin(), mesh.devices.end(), devices.begin(),
                               devices.end());
  };
  for (const ReshardTensor& tensor : problem.tensors) {
    if (fits(tensor.source_mesh)) return tensor.source_mesh;
    for (const ReshardTarget& target : tensor.targets) {
      if (fits(target.mesh)) return target.mesh;
    }
  }
  return {{{"device", std::ssize(devices)}}, devices};
}

std::int32_t add_buffer(Role& role, const Shape& tile, bool persistent) {
  role.buffers.push_back({tile, role.arena_bytes, persistent});
  role.arena_bytes += (num_bytes(tile) + kAlignment - 1) / kAlignment * kAlignment;
  return static_cast<std::int32_t>(role.buffers.size()) - 1;
}

Shape tile_shape(const Shape& whole, const ShardingSpec& spec, const Mesh& mesh) {
  return {whole.dtype, tile_dims(whole.dims, spec, mesh)};
}

void add_start_and_wait(Role& role, std::vector<std::int32_t> inputs,
                        std::vector<std::int32_t> outputs) {
  Instruction start{.kind = InstructionKind::start,
                    .index = 0,
                    .inputs = std::move(inputs),
                    .outputs = std::move(outputs)};
  Instruction wait{.kind = InstructionKind::wait, .index = 0, .inputs = {}, .outputs = {}};
  role.instructions = {std::move(start), std::move(wait)};
}

/// What the devices of a role hold of each tensor.
Role make_role(const std::vector<DeviceId>& devices, const Part& part,
               const ReshardProblem& problem) {
  Role role{.mesh = mesh_for(devices, problem)};
  const auto own_mesh = [&](const Mesh& mesh) { return mesh == role.mesh ? Mesh{} : mesh; };
  std::vector<std::int32_t> inputs(part.size(), -1), outputs(part.size(), -1);
  for (std::size_t t = 0; t < part.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    const auto number = static_cast<std::int32_t>(t);
    if (part[t].first) {
      inputs[t] =
          add_buffer(role, tile_shape(tensor.shape, tensor.source_spec, tensor.source_mesh), true);
      role.inputs.push_back({.input = number,
                             .buffer = inputs[t],
                             .global = tensor.shape,
                             .spec = tensor.source_spec,
                             .initializer = distinct_values(tensor.shape.dtype, 1),
                             .kind = InputKind::batch,
                             .mesh = own_mesh(tensor.source_mesh)});
    }
    if (part[t].second >= 0) {
      const ReshardTarget& target = tensor.targets[at(part[t].second)];
      outputs[t] = add_buffer(role, tile_shape(tensor.shape, target.spec, target.mesh), false);
      role.outputs.push_back(
          {number, outputs[t], tensor.shape, target.spec, own_mesh(target.mesh)});
    }
  }
  add_start_and_wait(role, std::move(inputs), std::move(outputs));
  return role;
}

TransferEnd end_of(const std::vector<Role>& roles, const ShardingSpec& spec, const Mesh& mesh) {
  const auto own =
      std::find_if(roles.begin(), roles.end(), [&](const Role& role) { return role.mesh == mesh; });
  if (own == roles.end()) return {-1, spec, mesh};
  return {static_cast<std::int32_t>(own - roles.begin()), spec, {}};
}

bool adds_up(CommunicationKind kind) {
  return kind == CommunicationKind::all_reduce || kind == CommunicationKind::reduce_scatter;
}

/// Operand, result, and how both lie as parts of a whole: one input and one output tensor.
struct CollectiveShapes {
  std::vector<std::int64_t> operand, result;  ///< of one device
  std::vector<std::int64_t> inputs, outputs;  ///< whole
  std::int32_t output_split = -1;             ///< dim of the output; -1: replicated
};

/// `count` elements in a rank's largest buffer, `n` ranks. The input is split along dim 0.
CollectiveShapes shapes_of(CommunicationKind kind, std::int64_t count, std::int64_t n) {
  const std::int64_t part = count / n;
  switch (kind) {
    case CommunicationKind::all_gather: return {{part}, {n, part}, {count}, {n, part}, -1};
    case CommunicationKind::reduce_scatter: return {{n, part}, {part}, {n * n, part}, {count}, 0};
    case CommunicationKind::all_to_all: return {{n, part}, {n, part}, {n * n, part}, {n, count}, 1};
    default: return {{count}, {count}, {n * count}, {count}, -1};
  }
}

void check_problem(const CollectiveProblem& problem) {
  const std::int64_t width = dtype_bytes(problem.dtype), n = std::ssize(problem.group);
  const bool whole = problem.kind == CommunicationKind::all_reduce;
  if (n < 1 || problem.bytes < 1 || problem.bytes % (whole ? width : width * n) != 0) {
    throw Error(std::to_string(problem.bytes) + " bytes are not a whole number of " +
                dtype_name(problem.dtype) + " elements" +
                (whole ? "" : " for each of " + std::to_string(n) + " devices"));
  }
}

}  // namespace

Initializer distinct_values(DType dtype, std::int64_t num_terms) {
  if (is_floating(dtype)) return {Initializer::Kind::uniform, -1, 1};
  double limit = 0x1p31;
  if (dtype == DType::pred) limit = 2;
  if (dtype == DType::s8 || dtype == DType::u8) limit = 127;
  const double most = std::max(2.0, limit / static_cast<double>(num_terms));
  return {Initializer::Kind::uniform_integer, 0,
          static_cast<double>(static_cast<std::int64_t>(most))};
}

ExecutionPlan reshard_plan(const ReshardProblem& problem, const TransferPlan& transfers) {
  ExecutionPlan plan;
  plan.name = "reshard";
  plan.cluster = problem.cluster;
  plan.incomplete = transfers.incomplete;
  std::map<Part, std::vector<DeviceId>> classes;
  std::vector<Part> order;
  for (const auto& [device, part] : parts_of(problem)) {
    std::vector<DeviceId>& devices = classes[part];
    if (devices.empty()) order.push_back(part);
    devices.push_back(device);
  }
  for (const Part& part : order) plan.roles.push_back(make_role(classes[part], part, problem));
  Communication communication;
  communication.name = "reshard";
  for (const ReshardTensor& tensor : problem.tensors) {
    communication.parts.push_back(tensor.shape);
    TransferLayout& layout = communication.layouts.emplace_back();
    layout.source = end_of(plan.roles, tensor.source_spec, tensor.source_mesh);
    for (const ReshardTarget& target : tensor.targets)
      layout.targets.push_back(end_of(plan.roles, target.spec, target.mesh));
  }
  communication.steps = transfer_steps(problem, transfers);
  plan.communications.push_back(std::move(communication));
  return plan;
}

ExecutionPlan collective_plan(const CollectiveProblem& problem) {
  check_problem(problem);
  const std::int64_t n = std::ssize(problem.group);
  const CollectiveShapes shapes =
      shapes_of(problem.kind, problem.bytes / dtype_bytes(problem.dtype), n);
  const auto of = [&](const std::vector<std::int64_t>& dims) { return Shape{problem.dtype, dims}; };
  const auto split = [](const std::vector<std::int64_t>& dims, std::int32_t dim) {
    ShardingSpec spec{std::vector<DimSharding>(dims.size()), {}};
    if (dim >= 0) spec.dims[at(dim)].splits = {{0, dims[at(dim)]}};
    return spec;
  };
  ExecutionPlan plan;
  plan.name = "collective";
  plan.cluster = problem.cluster;
  plan.communications = {{.kind = problem.kind,
                          .parts = {of(shapes.operand)},
                          .groups = {problem.group},
                          .steps = {},
                          .name = "collective",
                          .layouts = {}}};
  Role& role = plan.roles.emplace_back();
  role.mesh = {{{"device", n}}, problem.group};
  const std::int32_t input = add_buffer(role, of(shapes.operand), true);
  const std::int32_t output = add_buffer(role, of(shapes.result), false);
  role.inputs = {{.input = 0,
                  .buffer = input,
                  .global = of(shapes.inputs),
                  .spec = split(shapes.inputs, 0),
                  .initializer = distinct_values(problem.dtype, adds_up(problem.kind) ? n : 1),
                  .kind = InputKind::batch}};
  role.outputs = {{0, output, of(shapes.outputs), split(shapes.outputs, shapes.output_split)}};
  add_start_and_wait(role, {input}, {output});
  return plan;
}

double bytes_between_hosts(const ExecutionPlan& plan) {
  double bytes = 0;
  for (const Communication& communication : plan.communications) {
    for_each_message(plan, communication,
                     [&](const TransferStep& step, DeviceId from, DeviceId to) {
                       if (plan.cluster.host_of[at(from)] != plan.cluster.host_of[at(to)])
                         bytes += static_cast<double>(message_bytes(communication, step));
                     });
  }
  return bytes;
}

}  // namespace rhino::plan
