// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "ir/op_info.hpp"
#include "ir/shape_inference.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/shares.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"

namespace rhino::plan {
namespace {

void check_run_program(const Program& program, std::size_t index) {
  const std::string place = "program " + std::to_string(index) + ": ";
  for (const Op& op : program.ops) {
    if (ir::is_collective(op.kind))
      throw Error(place + "holds the collective " + std::string(ir::op_name(op.kind)));
  }
  try {
    ir::check_program(program);
  } catch (const std::exception& error) {  // of the program, or of attributes that are another op's
    throw Error(place + error.what());
  }
}

class ShapeChecker {
 public:
  explicit ShapeChecker(const ExecutionPlan& plan) : plan_(plan) {
    for (const Program& program : plan.programs) axes_.push_back(asked_axes(program));
  }

  void check() {
    for (role_ = 0; role_ < plan_.roles.size(); ++role_) {
      const Role& role = plan_.roles[role_];
      for (const PlanInput& input : role.inputs)
        check_tile(input.buffer, input.global, {input.spec, mesh_of(role, input)},
                   "input " + std::to_string(input.input));
      for (const PlanOutput& output : role.outputs)
        check_tile(output.buffer, output.global, {output.spec, mesh_of(role, output)},
                   "output " + std::to_string(output.output));
      for (instruction_ = 0; instruction_ < role.instructions.size(); ++instruction_)
        check(role.instructions[instruction_]);
    }
  }

 private:
  /// Of those that ask where on them a device is.
  static std::vector<std::int32_t> asked_axes(const Program& program) {
    std::vector<std::int32_t> axes;
    for (const Op& op : program.ops) {
      if (op.kind != OpKind::axis_index) continue;
      const auto& asked = op.attributes.get<CollectiveAttr>().axes;
      axes.insert(axes.end(), asked.begin(), asked.end());
    }
    return axes;
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(instruction_place(plan_, role_, instruction_) + ": " + sentence);
  }
  const Shape& shape_of(std::int32_t buffer) const {
    return plan_.roles[role_].buffers[at(buffer)].shape;
  }

  /// How a tensor lies.
  struct Layout {
    const ShardingSpec& spec;
    const Mesh& mesh;
  };
  void check_tile(std::int32_t buffer, const Shape& global, const Layout& layout,
                  const std::string& what) const {
    const Shape tile{global.dtype, tile_dims(global.dims, layout.spec, layout.mesh)};
    if (shape_of(buffer) == tile) return;
    throw Error("role " + std::to_string(role_) + ": " + what + " is a tile " + to_string(tile) +
                " but buffer " + std::to_string(buffer) + " is " + to_string(shape_of(buffer)));
  }

  void check(const Instruction& instruction) {
    if (instruction.kind == InstructionKind::run) check_run(instruction);
    if (instruction.kind != InstructionKind::start) return;
    const Communication& communication = plan_.communications[at(instruction.index)];
    if (instruction.inputs.size() != communication.parts.size() ||
        instruction.outputs.size() != communication.parts.size()) {
      fail("communication " + std::to_string(instruction.index) + " has " +
           std::to_string(communication.parts.size()) + " parts");
    }
    if (communication.kind == CommunicationKind::transfer)
      check_transfer(instruction, communication);
    else check_collective(instruction, communication);
  }

  void check_run(const Instruction& instruction) {
    const Program& program = plan_.programs[at(instruction.index)];
    if (instruction.inputs.size() != program.inputs.size() ||
        instruction.outputs.size() != program.outputs.size()) {
      fail("program " + std::to_string(instruction.index) + " has " +
           std::to_string(program.inputs.size()) + " inputs and " +
           std::to_string(program.outputs.size()) + " outputs");
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      require(instruction.inputs[i], program.shape(program.inputs[i].value));
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
      require(instruction.outputs[i], program.shape(program.outputs[i].value));
    for (const std::int32_t axis : axes_[at(instruction.index)]) {
      const std::size_t num_axes = plan_.roles[role_].mesh.axes.size();
      if (axis < 0 || at(axis) >= num_axes)
        fail("asks for axis " + std::to_string(axis) + " of a mesh with " +
             std::to_string(num_axes));
    }
  }

  void require(std::int32_t buffer, const Shape& shape) const {
    if (buffer < 0 || shape_of(buffer) == shape) return;
    fail("buffer " + std::to_string(buffer) + " is " + to_string(shape_of(buffer)) + " where " +
         to_string(shape) + " is meant");
  }

  void check_collective(const Instruction& instruction, const Communication& communication) {
    const auto known = group_sizes_.find({role_, instruction.index});
    const std::int64_t n =
        known != group_sizes_.end() ? known->second : group_size(instruction.index, communication);
    group_sizes_[{role_, instruction.index}] = n;
    for (std::size_t p = 0; p < communication.parts.size(); ++p) {
      if (instruction.inputs[p] < 0 || instruction.outputs[p] < 0)
        fail("a collective lacks a buffer for part " + std::to_string(p));
      require(instruction.inputs[p], communication.parts[p]);
      require(instruction.outputs[p], result_shape(communication, communication.parts[p], n));
    }
  }
  /// Groups are of one size and hold every device of the role once.
  std::int64_t group_size(std::int32_t index, const Communication& communication) const {
    const std::string name = "communication " + std::to_string(index);
    const std::vector<std::vector<DeviceId>>& groups =
        stated_by(plan_.communications, communication).groups;
    std::set<DeviceId> members;
    for (const std::vector<DeviceId>& group : groups) {
      if (group.empty() || group.size() != groups.front().size())
        fail("the groups of " + name + " differ in size");
      for (DeviceId device : group) {
        if (!members.insert(device).second)
          fail(name + " has device " + std::to_string(device) + " twice");
      }
    }
    for (DeviceId device : plan_.roles[role_].mesh.devices) {
      if (members.erase(device) == 0)
        fail(name + " has no group with device " + std::to_string(device));
    }
    if (!members.empty())
      fail(name + " has device " + std::to_string(*members.begin()) +
           ", which is not of this role");
    return static_cast<std::int64_t>(groups.front().size());
  }
  void check_scatters(const Shape& shape, std::int64_t n, std::int64_t left) const {
    if (left != 0) fail("scatters " + to_string(shape) + " over " + std::to_string(n) + " devices");
  }
  /// Of a reduce-scatter either the leading dim is the devices', or each gets its part of it.
  Shape result_shape(const Communication& communication, Shape shape, std::int64_t n) const {
    switch (communication.kind) {
      case CommunicationKind::all_gather: shape.dims.insert(shape.dims.begin(), n); break;
      case CommunicationKind::reduce_scatter:
        check_scatters(shape, n, shape.dims.empty() ? 1 : shape.dims.front() % n);
        if (shape.dims.front() == n) shape.dims.erase(shape.dims.begin());
        else shape.dims.front() /= n;
        break;
      case CommunicationKind::all_to_all:
        check_scatters(shape, n, shape.dims.empty() ? 1 : shape.dims.front() - n);
        break;
      case CommunicationKind::halo_exchange:
        if (shape.dims.empty() || communication.before < 0 ||
            communication.before > shape.dims.front())
          fail("exchanges " + std::to_string(communication.before) + " entries of " +
               to_string(shape) + " with the device before");
        break;
      default: break;
    }
    return shape;
  }

  void check_transfer(const Instruction& instruction, const Communication& communication) const {
    if (communication.layouts.size() != communication.parts.size())
      fail("communication " + std::to_string(instruction.index) +
           " does not say how its parts lie");
    const auto own = static_cast<std::int32_t>(role_);
    for (std::size_t p = 0; p < communication.parts.size(); ++p) {
      const TransferLayout& layout = communication.layouts[p];
      const auto target =
          std::find_if(layout.targets.begin(), layout.targets.end(),
                       [&](const TransferEnd& end) { return has_role(plan_, end, own); });
      check_end(instruction.inputs[p],
                has_role(plan_, layout.source, own) ? &layout.source : nullptr,
                communication.parts[p], "source");
      check_end(instruction.outputs[p], target != layout.targets.end() ? &*target : nullptr,
                communication.parts[p], "target");
    }
  }
  void check_end(std::int32_t buffer, const TransferEnd* end, const Shape& whole,
                 const char* what) const {
    if ((end == nullptr) != (buffer < 0))
      fail(end == nullptr ? "gives a " + std::string(what) + " where it is none"
                          : "lacks a " + std::string(what) + " buffer");
    if (end != nullptr)
      require(buffer, {whole.dtype, tile_dims(whole.dims, end->spec, mesh_of(plan_, *end))});
  }

  const ExecutionPlan& plan_;
  std::vector<std::vector<std::int32_t>> axes_;  ///< per program
  std::size_t role_ = 0, instruction_ = 0;
  std::map<std::pair<std::size_t, std::int32_t>, std::int64_t> group_sizes_;  ///< that are checked
};

}  // namespace

void check_shapes(const ExecutionPlan& plan) {
  for (std::size_t i = 0; i < plan.programs.size(); ++i) check_run_program(plan.programs[i], i);
  ShapeChecker(plan).check();
}

}  // namespace rhino::plan
