// SPDX-License-Identifier: Apache-2.0
#include "check/update_reference.hpp"

#include <cmath>
#include <limits>

#include "ir/element.hpp"
#include "ir/initial_values.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "rhino/index.hpp"

namespace rhino::check {
namespace {

/// Every op reads and writes whole tensors of one parameter's shape, or scalars spread over it, or
/// asks whether something holds of all elements: then elements are independent, and a few stand for
/// all.
bool is_elementwise_program(const Program& program) {
  return std::all_of(program.ops.begin(), program.ops.end(), [&](const Op& op) {
    if (op.kind == OpKind::reduce) return op.shape.dims.empty() && op.shape.dtype == DType::pred;
    if (op.kind == OpKind::broadcast) return program.shape(op.operands[0]).dims.empty();
    if (op.kind == OpKind::constant) return op.attributes.get<ConstantAttr>().elements.size() == 1;
    return op.kind == OpKind::parameter || ir::is_elementwise(op.kind);
  });
}

}  // namespace

bool is_finite(const std::vector<double>& elements) {
  return std::ranges::all_of(elements, [](double element) { return std::isfinite(element); });
}

UpdateReference::UpdateReference(const Program& step, const UpdateRun& run,
                                 std::int64_t max_elements)
    : program_(ir::update_only(step)), run_(run), max_elements_(max_elements) {
  if (!is_elementwise_program(program_)) max_elements_ = std::numeric_limits<std::int64_t>::max();
  std::size_t gradient = 0;
  std::int32_t number = 0;  // of the input in the step
  for (const Input& input : program_.inputs) {
    const Shape& shape = program_.shape(input.value);
    if (input.kind == InputKind::batch) {
      inputs_.push_back(gradient_of(run.gradients[gradient++], shape));
      continue;
    }
    while (step.inputs[at(number)].kind == InputKind::batch) ++number;
    inputs_.push_back(initial(input.initializer, number++, shape));
  }
  for (Op& op : program_.ops) {
    if (op.kind == OpKind::reduce && !sample(program_.shape(op.operands[0])).is_whole())
      op.attributes = ReduceAttr{{0}, op.attributes.get<ReduceAttr>().reduction};
  }
  for (Op& op : program_.ops) op.shape = cut(op.shape);
}

const Input& UpdateReference::replaced(std::size_t output) const {
  return program_.inputs[at(program_.outputs[output].input)];
}

const std::vector<double>& UpdateReference::before(std::size_t output) const {
  return inputs_[at(program_.outputs[output].input)].elements;
}

double UpdateReference::inner_rounding() const {
  double most = 0;
  for (ValueId id = 0; id < program_.size(); ++id) {
    const Op& op = program_.op(id);
    const bool is_end = op.kind == OpKind::parameter ||
                        std::ranges::any_of(program_.outputs, [&](const Output& output) {
                          return output.value == id;
                        });
    if (is_end) continue;
    if (op.shape.dtype == DType::bf16) most = std::max(most, 0x1p-7);
    if (op.shape.dtype == DType::f16) most = std::max(most, 0x1p-10);
  }
  return most;
}

/// What is not finite skips the update of all elements, so that any of the sample may stand for
/// it.
ir::Tensor UpdateReference::gradient_of(const CheckedTensor& whole, const Shape& shape) const {
  ir::Tensor some{cut(shape), sample(shape).of(whole.elements)};
  if (!is_finite(whole.elements) && is_finite(some.elements))
    some.elements[0] = std::numeric_limits<double>::infinity();
  return some;
}

/// The shape of the sample.
Shape UpdateReference::cut(const Shape& shape) const {
  const Sample some = sample(shape);
  return some.is_whole() ? shape : Shape{shape.dtype, {some.size()}};
}

ir::Tensor UpdateReference::initial(const Initializer& initializer, std::int32_t input,
                                    const Shape& shape) const {
  const Sample some = sample(shape);
  std::vector<std::byte> bytes(at(some.size() * dtype_bytes(shape.dtype)));
  ir::fill_initial(initializer, run_.seed, input, {shape.dtype, {num_elements(shape)}},
                   some.boxes(), run_.number, bytes.data());
  ir::Tensor tensor{cut(shape), std::vector<double>(at(some.size()))};
  ir::read_elements(shape.dtype, bytes.data(), tensor.elements);
  return tensor;
}

}  // namespace rhino::check
