// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ir/shape_inference.hpp"
#include "ir/training_step.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

/// x * kSplit - (x * kSplit - x) is x rounded to 11 bits, one of them not stored (Veltkamp 1968),
/// also where a device contracts to fused multiply-adds.
constexpr double kSplit = 8193;

/// Copies a program op by op, factors of f32 products rounded.
class Rounding {
 public:
  explicit Rounding(const Program& program)
      : program_(program),
        renamed_(program.ops.size(), kNoValue),
        rounded_(program.ops.size(), kNoValue) {}

  Program run() && {
    result_.name = program_.name;
    for (ValueId id = 0; id < program_.size(); ++id) renamed_[at(id)] = copy(program_.op(id));
    result_.inputs = program_.inputs;
    result_.outputs = program_.outputs;
    for (Input& input : result_.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.outputs) output.value = renamed_[at(output.value)];
    check_program(result_);
    return std::move(result_);
  }

 private:
  ValueId copy(Op op) {
    if (op.origin != kNoValue) op.origin = renamed_[at(op.origin)];
    const bool is_product = op.kind == OpKind::dot || op.kind == OpKind::convolution;
    const bool rounds = is_product && op.phase != Phase::update;
    for (ValueId& operand : op.operands) {
      const bool is_wide = program_.shape(operand).dtype == DType::f32;
      operand = rounds && is_wide ? rounded(op, operand) : renamed_[at(operand)];
    }
    return append(std::move(op));
  }

  /// `value` is of the program that is copied; so is the phase of what reads it first.
  ValueId rounded(const Op& reader, ValueId value) {
    ValueId& made = rounded_[at(value)];
    if (made != kNoValue) return made;
    const ValueId x = renamed_[at(value)];
    const auto add = [&](OpKind kind, std::vector<ValueId> operands, Attributes attributes) {
      return append({.kind = kind,
                     .phase = reader.phase,
                     .origin = reader.origin,
                     .shape = program_.shape(value),
                     .operands = std::move(operands),
                     .attributes = std::move(attributes)});
    };
    const ValueId split = add(OpKind::constant, {}, ConstantAttr{{kSplit}});
    const ValueId large = add(OpKind::multiply, {x, split}, {});
    const ValueId rest = add(OpKind::subtract, {large, x}, {});
    return made = add(OpKind::subtract, {large, rest}, {});
  }

  ValueId append(Op op) {
    result_.ops.push_back(std::move(op));
    return result_.size() - 1;
  }

  const Program& program_;
  Program result_;
  std::vector<ValueId> renamed_, rounded_;
};

}  // namespace

Program tf32_factors(const Program& program) { return Rounding(program).run(); }

}  // namespace rhino::ir
