// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ir/autodiff.hpp"
#include "ir/op_info.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

/// Yields the f32 value where its floating-point operands are f32.
bool widens_with_operands(const Op& op) {
  switch (op.kind) {
    case OpKind::constant:
    case OpKind::add:
    case OpKind::negate:
    case OpKind::broadcast:
    case OpKind::transpose:
    case OpKind::reshape:
    case OpKind::concatenate: return true;
    case OpKind::reduce: return op.attributes.get<ReduceAttr>().reduction == Reduction::sum;
    case OpKind::scatter: return op.attributes.get<ScatterAttr>().reduction == Reduction::sum;
    default: return false;
  }
}

class Widening {
 public:
  explicit Widening(const Program& program)
      : program_(program),
        users_(users_of(program)),
        is_wide_(program.ops.size()),
        renamed_(program.ops.size(), kNoValue),
        converted_(program.ops.size(), kNoValue) {}

  Program run() {
    for (const Output& output : program_.outputs) {
      if (output.kind == OutputKind::gradient) mark(output.value, 0);
    }
    result_ = {program_.name, {}, program_.inputs, program_.outputs};
    for (ValueId id = 0; id < program_.size(); ++id) copy(id);
    for (Input& input : result_.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.outputs) {
      const bool widens =
          output.kind == OutputKind::gradient && is_narrow(program_.shape(output.value).dtype);
      output.value = widens ? wide(output.value) : renamed_[at(output.value)];
    }
    return std::move(result_);
  }

 private:
  /// Decides whether `id`, which `num_users` ops read, is made wide rather than converted.
  void mark(ValueId id, std::size_t num_users) {
    const Op& op = program_.op(id);
    if (!is_narrow(op.shape.dtype) || op.phase != Phase::backward ||
        users_[at(id)].size() != num_users) {
      return;
    }
    const bool was_wide =
        op.kind == OpKind::convert && program_.shape(op.operands[0]).dtype == DType::f32;
    is_wide_[at(id)] = op.kind == OpKind::dot || was_wide || widens_with_operands(op);
    if (!widens_with_operands(op)) return;
    for (ValueId operand : op.operands) mark(operand, 1);
  }

  void copy(ValueId id) {
    Op op = program_.op(id);
    if (op.origin != kNoValue) op.origin = renamed_[at(op.origin)];
    const bool is_wide = is_wide_[at(id)];
    if (is_wide && op.kind == OpKind::convert) {
      renamed_[at(id)] = renamed_[at(op.operands[0])];
      return;
    }
    for (ValueId& operand : op.operands) {
      const bool widens =
          is_wide && op.kind != OpKind::dot && is_narrow(program_.shape(operand).dtype);
      operand = widens ? wide(operand) : renamed_[at(operand)];
    }
    if (is_wide) op.shape.dtype = DType::f32;
    renamed_[at(id)] = append(std::move(op));
  }

  /// The value `id` as f32.
  ValueId wide(ValueId id) {
    if (is_wide_[at(id)]) return renamed_[at(id)];
    if (converted_[at(id)] == kNoValue) {
      Op op;
      op.kind = OpKind::convert;
      op.phase = Phase::backward;
      const ValueId origin = program_.op(id).origin;
      op.origin = renamed_[at(origin == kNoValue ? id : origin)];
      op.shape = {DType::f32, program_.shape(id).dims};
      op.operands = {renamed_[at(id)]};
      converted_[at(id)] = append(std::move(op));
    }
    return converted_[at(id)];
  }

  ValueId append(Op op) {
    result_.ops.push_back(std::move(op));
    return result_.size() - 1;
  }

  const Program& program_;
  const std::vector<std::vector<ValueId>> users_;
  std::vector<bool> is_wide_;
  std::vector<ValueId> renamed_, converted_;  ///< in result_
  Program result_;
};

}  // namespace

Program widen_gradients(const Program& program) { return Widening(program).run(); }

}  // namespace rhino::ir
