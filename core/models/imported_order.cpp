// SPDX-License-Identifier: Apache-2.0
// In which order a backward pass is written.
#include <algorithm>
#include <utility>

#include "models/imported_parts.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {
namespace {

/// Of each value: the longest way to it.
std::vector<std::int64_t> depths(const Program& program) {
  std::vector<std::int64_t> depth(program.ops.size());
  for (ValueId id = 0; id < program.size(); ++id) {
    for (ValueId operand : program.op(id).operands) {
      depth[at(id)] = std::max(depth[at(id)], depth[at(operand)] + 1);
    }
  }
  return depth;
}

/// Copies values with what they need, operands before what reads them.
class Walk {
 public:
  explicit Walk(const Program& program)
      : program_(program), values_(program.ops.size(), kNoValue) {}

  void reach(ValueId value) {
    for (open_.push_back(value); !open_.empty();) {
      const ValueId id = open_.back();
      const std::size_t before = open_.size();
      if (values_[at(id)] == kNoValue) {
        const std::vector<ValueId>& operands = program_.op(id).operands;
        for (std::size_t k = operands.size(); k-- > 0;) {
          if (values_[at(operands[k])] == kNoValue) open_.push_back(operands[k]);
        }
        if (open_.size() > before) continue;
        values_[at(id)] = result_.size();
        result_.ops.push_back(program_.op(id));
        for (ValueId& operand : result_.ops.back().operands) operand = values_[at(operand)];
      }
      open_.pop_back();
    }
  }

  Program finish() {
    for (ValueId id = 0; id < program_.size(); ++id) reach(id);
    for (Op& op : result_.ops) {
      if (op.origin != kNoValue) op.origin = values_[at(op.origin)];
    }
    result_.name = program_.name;
    result_.inputs = program_.inputs;
    for (Input& input : result_.inputs) input.value = values_[at(input.value)];
    result_.outputs = program_.outputs;
    for (Output& output : result_.outputs) output.value = values_[at(output.value)];
    return std::move(result_);
  }

 private:
  const Program& program_;
  Program result_;
  std::vector<ValueId> values_;  ///< in the result
  std::vector<ValueId> open_;
};

/// What becomes of each parameter and its states, one parameter after the other.
std::vector<ValueId> by_parameter(const Program& step) {
  std::vector<std::pair<std::int32_t, ValueId>> updated;
  for (const Output& output : step.outputs) {
    if (output.kind != OutputKind::updated_state) continue;
    const std::int32_t owner = step.inputs[at(output.input)].state_of;
    updated.emplace_back(owner < 0 ? output.input : owner, output.value);
  }
  std::ranges::stable_sort(updated, {}, [](const auto& entry) { return entry.first; });
  std::vector<ValueId> values;
  for (const auto& [owner, value] : updated) values.push_back(value);
  return values;
}

/// Whether a transpose brings what is free of the right operand before what is of the left one.
bool swaps_operands(const Program& program, const Op& transpose, const Op& dot) {
  const auto& attributes = dot.attributes.get<DotAttr>();
  if (!attributes.lhs_batch.empty()) return false;
  const auto& dims = transpose.attributes.get<DimsAttr>().dims;
  const std::int64_t num_left =
      std::ssize(program.shape(dot.operands[0]).dims) - std::ssize(attributes.lhs_contracting);
  for (std::int64_t d = 0; d < std::ssize(dims); ++d) {
    if (dims[at(d)] != (d + num_left) % std::ssize(dims)) return false;
  }
  return true;
}

}  // namespace

void swap_dots(Program& program) {
  std::vector<int> num_readers(program.ops.size());
  for (const Op& op : program.ops) {
    for (ValueId operand : op.operands) ++num_readers[at(operand)];
  }
  for (const Output& output : program.outputs) ++num_readers[at(output.value)];
  for (Op& op : program.ops) {
    if (op.kind != OpKind::transpose || num_readers[at(op.operands[0])] != 1) continue;
    const Op& dot = program.op(op.operands[0]);
    if (dot.kind != OpKind::dot || !swaps_operands(program, op, dot)) continue;
    const auto& old = dot.attributes.get<DotAttr>();
    op.kind = OpKind::dot;
    op.operands = {dot.operands[1], dot.operands[0]};
    op.attributes = DotAttr{{}, {}, old.rhs_contracting, old.lhs_contracting};
  }
}

Program in_order_of_gradients(const Program& step) {
  const std::vector<std::int64_t> depth = depths(step);
  std::vector<ValueId> gradients;
  Walk walk(step);
  for (const Input& input : step.inputs) walk.reach(input.value);
  for (const Output& output : step.outputs) {
    if (output.kind == OutputKind::loss) walk.reach(output.value);
    if (output.kind == OutputKind::gradient) gradients.push_back(output.value);
  }
  std::ranges::stable_sort(gradients, {}, [&](ValueId value) { return depth[at(value)]; });
  for (ValueId gradient : gradients) walk.reach(gradient);
  for (ValueId updated : by_parameter(step)) walk.reach(updated);
  return walk.finish();
}

}  // namespace rhino::models::imported
