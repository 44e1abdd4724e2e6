// SPDX-License-Identifier: Apache-2.0
#include "ir/flops.hpp"

#include "ir/op_traits.hpp"

namespace rhino::ir {
namespace {

bool is_dot(OpKind kind) { return traits(kind).op_class == OpClass::contraction; }

// `id` computes again what `original` computes.
bool repeats(const Program& program, ValueId id, ValueId original) {
  if (id == original) return true;
  const Op& op = program.op(id);
  if (op.origin != original) return false;
  const Op& forward = program.op(original);
  if (op.kind != forward.kind || op.shape != forward.shape || op.attributes != forward.attributes ||
      op.operands.size() != forward.operands.size()) {
    return false;
  }
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (!repeats(program, op.operands[i], forward.operands[i])) return false;
  }
  return true;
}

bool is_repetition(const Program& program, ValueId id) {
  const ValueId origin = program.op(id).origin;
  return origin != kNoValue && repeats(program, id, origin);
}

}  // namespace

double op_flops(const Program& program, ValueId id) {
  const Op& op = program.op(id);
  const auto flops = traits(op.kind).flops;
  return flops ? flops(program, op) : 0;
}

double dot_flops(const Program& program) {
  double flops = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (is_dot(program.op(id).kind)) flops += op_flops(program, id);
  }
  return flops;
}

double model_flops(const Program& program) {
  double flops = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (is_dot(program.op(id).kind) && !is_repetition(program, id)) flops += op_flops(program, id);
  }
  return flops;
}

std::int64_t num_parameters(const Program& program) {
  std::int64_t count = 0;
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::parameter) count += num_elements(program.shape(input.value));
  }
  return count;
}

}  // namespace rhino::ir
