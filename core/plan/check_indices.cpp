// SPDX-License-Identifier: Apache-2.0
#include "plan/check_indices.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/index_checks.hpp"
#include "plan/plan_mesh.hpp"

namespace rhino::plan {
namespace {

using namespace indices;

void check_cluster(const Cluster& cluster) {
  const std::int64_t num_devices = std::ssize(cluster.host_of);
  if (std::ssize(cluster.model_of) != num_devices)
    fail("the cluster has a host for ", number(num_devices), " devices, a model for ",
         number(std::ssize(cluster.model_of)));
  for (std::int32_t host : cluster.host_of) require_index(host, cluster.hosts, "a device", "host");
  for (std::int32_t model : cluster.model_of)
    require_index(model, cluster.models, "a device", "device model");
  for (const Host& host : cluster.hosts) {
    for (DeviceId device : host.devices) require_index(device, cluster.host_of, "a host", "device");
  }
}

void check_program(const Program& program, const std::string& place) {
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    const std::string op_place = place + ", op " + number(id);
    check_shape(op.shape, op_place);
    for (ValueId operand : op.operands) {
      if (operand < 0 || operand >= id)
        fail(op_place, " reads value ", number(operand), ", which is no earlier op");
    }
    require_index_or_none(op.origin, program.ops, op_place, "origin");
  }
  for (const Input& input : program.inputs) {
    require_index(input.value, program.ops, place, "input value");
    require_index_or_none(input.state_of, program.inputs, place, "parameter of a state");
  }
  for (const Output& output : program.outputs) {
    require_index(output.value, program.ops, place, "output value");
    require_index_or_none(output.input, program.inputs, place, "input of an output");
  }
}

void check_instruction(const ExecutionPlan& plan, const Role& role, const std::string& of_role,
                       std::size_t index) {
  const Instruction& instruction = role.instructions[index];
  const auto place = [&] {
    return of_role + ", instruction " + number(static_cast<std::int64_t>(index));
  };
  if (instruction.instance < -1 || instruction.instance >= plan.num_micro_batches) {
    fail(place(), " is for micro-batch ", number(instruction.instance), " of ",
         number(plan.num_micro_batches));
  }
  const auto require = [&](std::int64_t named, const auto& list, const char* what) {
    if (!is_index(named, list)) require_index(named, list, place(), what);
  };
  if (instruction.kind == InstructionKind::run)
    require(instruction.index, plan.programs, "program");
  else if (instruction.kind != InstructionKind::free)
    require(instruction.index, plan.communications, "communication");
  if (instruction.kind == InstructionKind::free && !instruction.outputs.empty())
    fail(place(), " frees and writes buffers");
  const std::int64_t least = instruction.kind == InstructionKind::start ? -1 : 0,
                     end = std::ssize(role.buffers);
  for (const std::vector<std::int32_t>* buffers : {&instruction.inputs, &instruction.outputs}) {
    for (const std::int32_t buffer : *buffers)
      if (buffer < least || buffer >= end) require(buffer, role.buffers, "buffer");
  }
}

/// The mesh of a tile, where it is not the role's: all devices of the role are in it.
void check_own_mesh(const Role& role, const Mesh& mesh, const ExecutionPlan& plan,
                    const std::string& place) {
  if (mesh.devices.empty()) return;
  check_mesh(mesh, plan.cluster.num_devices(), place);
  const std::set<DeviceId> own(mesh.devices.begin(), mesh.devices.end());
  for (DeviceId device : role.mesh.devices) {
    if (!own.contains(device))
      fail(place, ": its mesh lacks device ", number(device), " of its role");
  }
}

/// Tiles of one input, or output, are of one tensor.
void check_agreement(const ExecutionPlan& plan) {
  std::map<std::int32_t, std::pair<Shape, Initializer>> inputs;
  std::map<std::int32_t, Shape> outputs;
  for (const Role& role : plan.roles) {
    for (const PlanInput& input : role.inputs) {
      const std::pair what{whole_shape(plan, input), input.initializer};
      const auto& first = inputs.emplace(input.input, what).first->second;
      if (what.first != first.first)
        fail("input ", number(input.input), " is ", to_string(first.first), " and ",
             to_string(what.first));
      if (what.second != first.second)
        fail("input ", number(input.input), " has two different initial values");
    }
    for (const PlanOutput& output : role.outputs) {
      const Shape& first = outputs.emplace(output.output, output.global).first->second;
      if (output.global != first)
        fail("output ", number(output.output), " is ", to_string(first), " and ",
             to_string(output.global));
    }
  }
}

void check_role(const ExecutionPlan& plan, const Role& role, const std::string& place) {
  check_mesh(role.mesh, plan.cluster.num_devices(), place);
  for (const std::int64_t bytes : {role.arena_bytes, role.workspace_bytes}) {
    if (bytes < 0 || bytes > kMaxBytes) fail(place, " has memory of ", number(bytes), " bytes");
  }
  const std::string buffer_place = place + ", a buffer";
  for (const PlanBuffer& buffer : role.buffers) check_shape(buffer.shape, buffer_place);
  for (std::size_t i = 0; i < role.instructions.size(); ++i)
    check_instruction(plan, role, place, i);
  for (const PlanInput& input : role.inputs) {
    const std::string input_place = place + ", input " + number(input.input);
    require_index(input.buffer, role.buffers, input_place, "buffer");
    check_own_mesh(role, input.mesh, plan, input_place);
    check_tiled(input.global, input.spec, mesh_of(role, input), input_place);
    require_index_or_none(input.micro_dim, input.global.dims, input_place, "micro-batch dim");
    if (input.micro_dim >= 0 &&
        input.global.dims[at(input.micro_dim)] > kMaxElements / plan.num_micro_batches)
      fail(input_place, " has impossibly many micro-batches");
    check_shape(whole_shape(plan, input), input_place);
    if (input.micro_batch < 0 || input.micro_batch >= plan.num_micro_batches || input.input < 0) {
      fail(input_place, " is for micro-batch ", number(input.micro_batch), " of ",
           number(plan.num_micro_batches));
    }
  }
  for (const PlanOutput& output : role.outputs) {
    const std::string output_place = place + ", output " + number(output.output);
    if (output.output < 0) fail(output_place, " is none");
    require_index(output.buffer, role.buffers, output_place, "buffer");
    check_own_mesh(role, output.mesh, plan, output_place);
    check_tiled(output.global, output.spec, mesh_of(role, output), output_place);
  }
}

}  // namespace

void check_indices(const ExecutionPlan& plan) {
  if (plan.num_micro_batches < 1 || plan.num_micro_batches > kMaxMicroBatches)
    fail("a plan of ", number(plan.num_micro_batches), " micro-batches");
  if (plan.num_replicas < 1 || plan.num_replicas > plan.num_micro_batches)
    fail("a plan of ", number(plan.num_replicas), " replicas and ", number(plan.num_micro_batches),
         " micro-batches");
  check_cluster(plan.cluster);
  const auto place = [](const char* what, std::size_t index) {
    return what + number(static_cast<std::int64_t>(index));
  };
  for (std::size_t i = 0; i < plan.programs.size(); ++i)
    check_program(plan.programs[i], place("program ", i));
  for (std::size_t i = 0; i < plan.roles.size(); ++i)
    check_role(plan, plan.roles[i], place("role ", i));
  for (std::size_t i = 0; i < plan.communications.size(); ++i)
    check_communication(plan, plan.communications[i], place("communication ", i));
  check_agreement(plan);
}

void check_indices(const Strategy& strategy) {
  if (strategy.num_micro_batches < 1)
    fail("a strategy of ", number(strategy.num_micro_batches), " micro-batches");
  if (strategy.specs.size() != strategy.chunk_of.size()) {
    fail("a strategy with specs for ", number(std::ssize(strategy.specs)),
         " values and chunks for ", number(std::ssize(strategy.chunk_of)));
  }
  for (std::size_t i = 0; i < strategy.chunks.size(); ++i) {
    check_mesh(strategy.chunks[i].mesh, -1, "chunk " + number(static_cast<std::int64_t>(i)));
  }
  for (std::size_t i = 0; i < strategy.chunk_of.size(); ++i) {
    const std::string place = "value " + number(static_cast<std::int64_t>(i));
    const std::int32_t chunk = strategy.chunk_of[i];
    require_index_or_none(chunk, strategy.chunks, place, "chunk");
    if (chunk >= 0)
      check_spec(strategy.specs[i], strategy.chunks[static_cast<std::size_t>(chunk)].mesh, {},
                 place);
  }
}

}  // namespace rhino::plan
