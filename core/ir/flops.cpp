// SPDX-License-Identifier: Apache-2.0
#include "ir/flops.hpp"

#include "ir/op_info.hpp"

namespace rhino::ir {
namespace {

double elements(const Program& program, ValueId id) {
  return static_cast<double>(num_elements(program.shape(id)));
}

bool is_dot(OpKind kind) { return kind == OpKind::dot || kind == OpKind::convolution; }

// Each result element is a sum over the contracted dims of lhs.
double dot_op_flops(const Program& program, const Op& op) {
  const Shape& lhs = program.shape(op.operands[0]);
  double terms = 1;
  for (std::int64_t dim : op.attributes.get<DotAttr>().lhs_contracting) {
    terms *= static_cast<double>(lhs.dims[static_cast<std::size_t>(dim)]);
  }
  return 2 * terms * static_cast<double>(num_elements(op.shape));
}

// Each result element is a sum over the kernel of one output feature; taps on padding count.
double convolution_flops(const Program& program, const Op& op) {
  const Shape& kernel = program.shape(op.operands[1]);
  const auto& dims = op.attributes.get<ConvolutionAttr>();
  const auto features = kernel.dims[static_cast<std::size_t>(dims.kernel_output)];
  const double terms =
      static_cast<double>(num_elements(kernel)) / static_cast<double>(features ? features : 1);
  return 2 * terms * static_cast<double>(num_elements(op.shape));
}

double window_flops(const Op& op, double positions) {
  return positions * static_cast<double>(num_elements(op.attributes.get<WindowAttr>().sizes));
}

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
  switch (op.kind) {
    case OpKind::dot: return dot_op_flops(program, op);
    case OpKind::convolution: return convolution_flops(program, op);
    case OpKind::reduce: return elements(program, op.operands[0]);
    case OpKind::scatter: return elements(program, op.operands[2]);
    case OpKind::reduce_window: return window_flops(op, elements(program, id));
    case OpKind::select_and_scatter: return window_flops(op, elements(program, op.operands[1]));
    default: return is_elementwise(op.kind) ? elements(program, id) : 0;
  }
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
