// SPDX-License-Identifier: Apache-2.0
#include "ir/op_info.hpp"
#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

// Calls visit(window number, offset of an element in it) for the elements of `operand` in each
// window, windows and elements in row-major order.
template <typename Visit>
void for_each_window(const WindowAttr& window, const Shape& operand, const Dims& num_windows,
                     Visit visit) {
  const Dims strides = row_major_strides(operand.dims);
  const Dims order = row_major_strides(num_windows);
  Dims start(num_windows.size());
  for_each_index<1>(num_windows, {order}, {0}, [&](const Offsets<1>& number) {
    for (std::size_t d = 0; d < start.size(); ++d) {
      start[d] = number[0] / order[d] % num_windows[d] * window.strides[d] - window.low[d];
    }
    const Clipped inside = clip(start, window.sizes, operand.dims);
    const std::int64_t first = inner_product(start, strides) + inner_product(inside.begin, strides);
    for_each_index<1>(inside.size, {strides}, {first},
                      [&](const Offsets<1>& element) { visit(number[0], element[0]); });
  });
}

Tensor reduce_window(const Op& op, const Tensor& a) {
  const auto& window = op.attributes.get<WindowAttr>();
  const DType dtype = op.shape.dtype;
  Tensor result = filled(op.shape, neutral_element(window.reduction, dtype));
  for_each_window(window, a.shape, op.shape.dims, [&](std::int64_t number, std::int64_t from) {
    double& total = result.elements[at(number)];
    total = combine(window.reduction, dtype, total, a.elements[at(from)]);
  });
  return result;
}

// Offset of the first extreme element of every window; -1 of windows on padding alone.
std::vector<std::int64_t> selected(const WindowAttr& window, const Tensor& a, const Shape& source) {
  std::vector<std::int64_t> chosen(at(num_elements(source)), -1);
  const bool largest = window.reduction == Reduction::max;
  for_each_window(window, a.shape, source.dims, [&](std::int64_t number, std::int64_t from) {
    std::int64_t& choice = chosen[at(number)];
    const double candidate = a.elements[at(from)];
    if (choice < 0 ||
        (largest ? candidate > a.elements[at(choice)] : candidate < a.elements[at(choice)])) {
      choice = from;
    }
  });
  return chosen;
}

Tensor select_and_scatter(const Op& op, const Tensor& a, const Tensor& source) {
  const auto chosen = selected(op.attributes.get<WindowAttr>(), a, source.shape);
  Tensor result = filled(op.shape);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] < 0) continue;
    double& element = result.elements[at(chosen[i])];
    element = combine(Reduction::sum, op.shape.dtype, element, source.elements[i]);
  }
  return result;
}

}  // namespace

Tensor windows(const Op& op, const Operands& operands) {
  if (op.kind == OpKind::reduce_window) return reduce_window(op, *operands[0]);
  return select_and_scatter(op, *operands[0], *operands[1]);
}

}  // namespace rhino::ir::reference
