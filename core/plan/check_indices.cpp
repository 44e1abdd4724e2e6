// SPDX-License-Identifier: Apache-2.0
#include "plan/check_indices.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/plan_mesh.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Whatever is added up or multiplied below these cannot overflow.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 50, kMaxBytes = std::int64_t{1} << 53,
                       kMaxMicroBatches = std::int64_t{1} << 20;

template <class... Text>
[[noreturn]] void fail(const Text&... text) {
  throw Error((std::string() + ... + text));
}

template <class T>
bool is_index(std::int64_t index, const std::vector<T>& list) {
  return index >= 0 && index < std::ssize(list);
}

template <class T>
void require_index(std::int64_t index, const std::vector<T>& list, const std::string& place,
                   const char* what) {
  if (!is_index(index, list))
    fail(place, " names ", what, " ", number(index), " of ", number(std::ssize(list)));
}

template <class T>
void require_index_or_none(std::int64_t index, const std::vector<T>& list, const std::string& place,
                           const char* what) {
  if (index != -1) require_index(index, list, place, what);
}

void check_shape(const Shape& shape, const std::string& place) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape.dims) {
    if (extent < 0 || extent > kMaxElements ||
        count > kMaxElements / std::max<std::int64_t>(extent, 1)) {
      fail(place, " has the impossible shape ", to_string(shape));
    }
    count *= std::max<std::int64_t>(extent, 1);
  }
}

/// `num_devices` of -1: any.
void check_mesh(const Mesh& mesh, std::int64_t num_devices, const std::string& place) {
  std::int64_t count = 1;
  for (const MeshAxis& axis : mesh.axes) {
    if (axis.size < 1 || count > std::ssize(mesh.devices) / axis.size) {
      fail(place, ": the axes of its mesh do not fit its ", number(std::ssize(mesh.devices)),
           " devices");
    }
    count *= axis.size;
  }
  if (count != std::ssize(mesh.devices)) {
    fail(place, ": its mesh has ", number(std::ssize(mesh.devices)), " devices on axes for ",
         number(count));
  }
  std::vector<DeviceId> sorted = mesh.devices;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    fail(place, ": a device is twice in its mesh");
  if (sorted.front() < 0 || (num_devices >= 0 && sorted.back() >= num_devices)) {
    fail(place, ": its mesh names a device that the cluster lacks");
  }
}

/// Axes exist, periods nest (tile geometry relies on it). `dims`: extents, where they are known;
/// contiguous splits of those may leave a rest.
void check_spec(const ShardingSpec& spec, const Mesh& mesh, const std::vector<std::int64_t>& dims,
                const std::string& place) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    std::int64_t length = d < dims.size() ? dims[d] : 0;
    bool contiguous = d < dims.size();
    for (const AxisSplit& split : spec.dims[d].splits) {
      if (split.axis == kMicroAxis) continue;
      require_index(split.axis, mesh.axes, place, "mesh axis");
      const std::int64_t parts = mesh.axes[static_cast<std::size_t>(split.axis)].size;
      contiguous = contiguous && split.period == length;
      if (split.period < 1 || split.period > kMaxElements ||
          (!contiguous && split.period % parts != 0) ||
          (length > 0 && length % split.period != 0)) {
        fail(place, " is cut with a period of ", number(split.period), ", which does not divide");
      }
      length = (split.period + parts - 1) / parts;
    }
  }
  for (const Partial& partial : spec.partial) {
    if (partial.axis != kMicroAxis) require_index(partial.axis, mesh.axes, place, "mesh axis");
  }
}

void check_tiled(const Shape& global, const ShardingSpec& spec, const Mesh& mesh,
                 const std::string& place) {
  check_shape(global, place);
  check_spec(spec, mesh, global.dims, place);
  if (spec.dims.size() != global.dims.size())
    fail(place, " has a spec of another rank than ", to_string(global));
  for (std::size_t d = 0; d < global.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits) {
      if (split.axis == kMicroAxis)
        fail(place, " is cut over micro-batches where one instance is meant");
    }
  }
}

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

void check_box(const Box& box, std::size_t rank, const std::string& place) {
  bool good = box.start.size() == rank && box.size.size() == rank;
  for (std::size_t d = 0; good && d < rank; ++d) {
    good = box.start[d] >= 0 && box.start[d] <= kMaxElements && box.size[d] >= 1 &&
           box.size[d] <= kMaxElements;
  }
  if (!good) fail(place, " has a box that is none");
}

void check_step(const Communication& communication, std::size_t index, std::int64_t num_devices,
                const std::string& place) {
  const TransferStep& step = communication.steps[index];
  const std::string step_place = place + ", step " + number(static_cast<std::int64_t>(index));
  require_index(step.part, communication.parts, step_place, "part");
  for (DeviceId device : {step.from, step.to}) {
    if (device < 0 || device >= num_devices)
      fail(step_place, " names device ", number(device), " of ", number(num_devices));
  }
  const std::size_t rank = communication.parts[static_cast<std::size_t>(step.part)].dims.size();
  for (const Box* box : {&step.global, &step.source, &step.target})
    check_box(*box, rank, step_place);
  if (step.global.size != step.source.size || step.global.size != step.target.size) {
    fail(step_place, " reads, sends and writes boxes of different sizes");
  }
  for (std::int32_t earlier : step.after) {
    if (earlier < 0 || static_cast<std::size_t>(earlier) >= index) {
      fail(step_place, " comes after step ", number(earlier), ", which is no earlier one");
    }
  }
}

/// A mesh that is no role's: of every role it has all devices or none.
void check_mesh_of_roles(const ExecutionPlan& plan, const Mesh& mesh, const std::string& place) {
  check_mesh(mesh, plan.cluster.num_devices(), place);
  const std::set<DeviceId> own(mesh.devices.begin(), mesh.devices.end());
  std::size_t num_found = 0;
  for (const Role& role : plan.roles) {
    const auto count = std::count_if(role.mesh.devices.begin(), role.mesh.devices.end(),
                                     [&](DeviceId device) { return own.contains(device); });
    if (count != 0 && count != std::ssize(role.mesh.devices))
      fail(place, ": its mesh has some devices of a role and lacks others");
    num_found += static_cast<std::size_t>(count);
  }
  if (num_found != own.size()) fail(place, ": its mesh has a device without a role");
}

void check_layouts(const ExecutionPlan& plan, const Communication& communication,
                   const std::string& place) {
  if (!communication.layouts.empty() &&
      communication.layouts.size() != communication.parts.size()) {
    fail(place, " has ", number(std::ssize(communication.layouts)), " layouts for ",
         number(std::ssize(communication.parts)), " parts");
  }
  for (std::size_t p = 0; p < communication.layouts.size(); ++p) {
    const std::string part_place = place + ", part " + number(static_cast<std::int64_t>(p));
    const auto check_end = [&](const TransferEnd& end) {
      require_index_or_none(end.role, plan.roles, part_place, "role");
      if (end.role < 0) check_mesh_of_roles(plan, end.mesh, part_place);
      check_tiled(communication.parts[p], end.spec, mesh_of(plan, end), part_place);
    };
    check_end(communication.layouts[p].source);
    for (const TransferEnd& target : communication.layouts[p].targets) check_end(target);
  }
}

template <class F>
void for_each_end(const Communication& communication, F&& f) {
  for (const TransferLayout& layout : communication.layouts) {
    f(layout.source);
    for (const TransferEnd& target : layout.targets) f(target);
  }
}

void check_shares(const ExecutionPlan& plan, const Communication& communication,
                  const std::string& place) {
  if (communication.num_shares == 1) return;
  if (communication.num_shares < 1 || communication.layouts.empty())
    fail(place, " has ", number(communication.num_shares), " shares");
  for_each_end(communication, [&](const TransferEnd& end) {
    const std::vector<MeshAxis>& axes = mesh_of(plan, end).axes;
    require_index(end.share_axis, axes, place, "axis of shares");
    if (axes[at(end.share_axis)].size % communication.num_shares != 0)
      fail(place, " has ", number(communication.num_shares), " shares along an axis of ",
           number(axes[at(end.share_axis)].size));
  });
}

/// Devices of each end of one share.
std::vector<std::int64_t> share_sizes(const ExecutionPlan& plan,
                                      const Communication& communication) {
  std::vector<std::int64_t> sizes;
  for_each_end(communication, [&](const TransferEnd& end) {
    sizes.push_back(std::ssize(mesh_of(plan, end).devices) / communication.num_shares);
  });
  return sizes;
}

/// The other comes before it, so its own shares have been looked at.
void check_like(const ExecutionPlan& plan, const Communication& communication,
                const std::string& place) {
  const auto own = static_cast<std::int32_t>(&communication - plan.communications.data());
  if (communication.like < 0 || communication.like >= own ||
      plan.communications[at(communication.like)].like != -1)
    fail(place, " is like communication ", number(communication.like),
         ", which is none to be like");
  const Communication& stated = plan.communications[at(communication.like)];
  if (stated.kind != communication.kind || !communication.steps.empty() ||
      !communication.groups.empty() || stated.layouts.size() != communication.layouts.size() ||
      share_sizes(plan, stated) != share_sizes(plan, communication))
    fail(place, " is not like communication ", number(communication.like));
}

void check_communication(const ExecutionPlan& plan, const Communication& communication,
                         const std::string& place) {
  const std::int64_t num_devices = plan.cluster.num_devices();
  for (const Shape& part : communication.parts) check_shape(part, place);
  for (const std::vector<DeviceId>& group : communication.groups) {
    for (DeviceId device : group) {
      if (device < 0 || device >= num_devices) {
        fail(place, " names device ", number(device), " of ", number(num_devices));
      }
    }
  }
  for (std::size_t i = 0; i < communication.steps.size(); ++i)
    check_step(communication, i, num_devices, place);
  check_layouts(plan, communication, place);
  check_shares(plan, communication, place);
  if (communication.like != -1) check_like(plan, communication, place);
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
  const bool may_lack = instruction.kind == InstructionKind::start;
  for (const std::vector<std::int32_t>* buffers : {&instruction.inputs, &instruction.outputs}) {
    for (std::int32_t buffer : *buffers) {
      if (!(may_lack && buffer == -1)) require(buffer, role.buffers, "buffer");
    }
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
