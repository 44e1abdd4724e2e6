// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_static.hpp"

#include "ir/element.hpp"
#include "ir/op_traits.hpp"
#include "ir/reference.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

bool overlaps(const Range& a, const Range& b) {
  for (std::size_t d = 0; d < a.starts.size(); ++d) {
    if (a.starts[d] + a.sizes[d] <= b.starts[d] || b.starts[d] + b.sizes[d] <= a.starts[d]) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<double> fold_scalar(const Op& op, const std::vector<Shape>& shapes,
                                  const std::vector<double>& operands) {
  const OpTraits& row = traits(op.kind);
  if (!row.evaluate || row.op_class == OpClass::source || is_floating(op.shape.dtype)) return {};
  if (num_elements(op.shape) != 1) return {};
  for (const Shape& shape : shapes) {
    if (num_elements(shape) != 1) return {};
  }
  const Shape inferred = infer_shape(op, shapes);
  if (inferred != op.shape) {
    throw Error("yields " + to_string(inferred) + ", not " + to_string(op.shape));
  }
  std::vector<Tensor> tensors;
  Operands pointers;
  for (std::size_t i = 0; i < operands.size(); ++i) tensors.push_back({shapes[i], {operands[i]}});
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  Tensor result = row.evaluate(op, pointers);
  round_all(op.shape.dtype, result.elements);
  return result.elements[0];
}

void Updates::add(ValueId result, ValueId base, ValueId update, Range range) {
  updates_[result] = {base, update, std::move(range)};
}

Updates::Source Updates::find(ValueId value, const Range& range) const {
  for (;;) {
    const auto found = updates_.find(value);
    if (found == updates_.end()) return {value, false};
    const Update& update = found->second;
    if (update.range == range) return {update.update, true};
    if (overlaps(update.range, range)) return {value, false};
    value = update.base;
  }
}

}  // namespace rhino::ir::hlo
