// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "ir/strided.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {
namespace {

/// A value as it lies in memory.
struct Place {
  Shape shape;
  lower::View view;
};

/// Calls `visit(bytes)` for the address of every element of `place` in row-major order.
template <typename Visit>
void for_each_element(const Place& place, Memory memory, Visit visit) {
  const std::int64_t size = dtype_bytes(place.shape.dtype);
  std::byte* base = memory[at(place.view.base)];
  ir::for_each_index<1>(place.shape.dims, {place.view.strides}, {place.view.offset},
                        [&](const ir::Offsets<1>& offset) { visit(base + offset[0] * size); });
}

/// A program of the group's ops alone, whose inputs and outputs are read and written through views.
class ReferenceKernel : public Kernel {
 public:
  ReferenceKernel(const lower::LoweredProgram& lowered, const lower::KernelGroup& group)
      : lowered_(lowered) {
    program_.name = lowered.program.name;
    for (ValueId op : group.ops) append(op);
    for (ValueId op : group.ops) {
      const lower::View& view = lowered_.views[at(op)];
      if (std::ranges::find(group.outputs, view.base) == group.outputs.end()) continue;
      const bool accumulates =
          group.kind == lower::KernelGroup::Kind::dot && op != group.ops.back();
      if (accumulates) continue;
      program_.outputs.push_back({renamed_[op], OutputKind::value, -1});
      results_.push_back({lowered_.program.shape(op), view});
    }
  }

  void run(Memory memory) override {
    std::vector<ir::Tensor> inputs;
    for (const Place& place : operands_) {
      ir::Tensor& tensor = inputs.emplace_back(ir::Tensor{place.shape, {}});
      for_each_element(place, memory, [&](const std::byte* element) {
        double& value = tensor.elements.emplace_back();
        ir::read_elements(place.shape.dtype, element, {&value, 1});
      });
    }
    const std::vector<ir::Tensor> results = ir::evaluate(program_, inputs);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double* value = results[i].elements.data();
      for_each_element(results_[i], memory, [&](std::byte* element) {
        ir::write_elements(results_[i].shape.dtype, {value++, 1}, element);
      });
    }
  }

 private:
  ValueId append(ValueId id) {
    Op op = lowered_.program.op(id);
    for (ValueId& operand : op.operands) operand = operand_of(operand);
    program_.ops.push_back(std::move(op));
    return renamed_[id] = program_.size() - 1;
  }

  /// What the group makes and leaves are repeated or at hand, views of what it makes too; anything
  /// else is an input.
  ValueId operand_of(ValueId id) {
    const auto known = renamed_.find(id);
    if (known != renamed_.end()) return known->second;
    const Op& op = lowered_.program.op(id);
    const lower::View& view = lowered_.views[at(id)];
    const bool is_leaf = view.base == kNoValue;
    const bool shows_made = view.base != id && op.operands.size() == 1 && made_here(op.operands[0]);
    if (is_leaf || shows_made) return append(id);
    Op parameter;
    parameter.kind = OpKind::parameter;
    parameter.shape = op.shape;
    program_.ops.push_back(std::move(parameter));
    program_.inputs.push_back({program_.size() - 1, InputKind::batch, {}});
    operands_.push_back({op.shape, view});
    return renamed_[id] = program_.size() - 1;
  }

  bool made_here(ValueId id) const {
    const auto known = renamed_.find(id);
    if (known != renamed_.end()) return program_.op(known->second).kind != OpKind::parameter;
    const Op& op = lowered_.program.op(id);
    return lowered_.views[at(id)].base != id && op.operands.size() == 1 &&
           made_here(op.operands[0]);
  }

  const lower::LoweredProgram& lowered_;
  Program program_;
  std::unordered_map<ValueId, ValueId> renamed_;
  std::vector<Place> operands_, results_;  ///< per input and output of program_
};

}  // namespace

std::unique_ptr<Kernel> make_reference_kernel(const lower::LoweredProgram& lowered,
                                              const lower::KernelGroup& group) {
  return std::make_unique<ReferenceKernel>(lowered, group);
}

}  // namespace rhino::runtime
