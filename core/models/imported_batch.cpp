// SPDX-License-Identifier: Apache-2.0
// Which dim of a batch counts samples.
#include <algorithm>
#include <string>
#include <utility>

#include "models/imported_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {

std::size_t batch_dim(const Shape& shape, std::int64_t dimension) {
  return dimension < std::ssize(shape.dims) ? at(dimension) : 0;
}

Program batch_first(const Program& step, std::int64_t dimension) {
  const auto has_dim = [&](const Input& input) {
    return input.kind == InputKind::batch && std::ssize(step.shape(input.value).dims) > dimension;
  };
  if (dimension > 0 && std::ranges::none_of(step.inputs, has_dim))
    throw Error("batch_dimension is " + std::to_string(dimension) +
                ", and no input of the batch has such a dim");
  Program result = step;
  result.ops.clear();
  std::vector<ValueId> values;
  std::vector<bool> is_batch(step.ops.size());
  for (const Input& input : step.inputs) is_batch[at(input.value)] = input.kind == InputKind::batch;
  for (ValueId id = 0; id < step.size(); ++id) {
    Op op = step.op(id);
    for (ValueId& operand : op.operands) operand = values[at(operand)];
    const std::size_t dim = is_batch[at(id)] ? batch_dim(op.shape, dimension) : 0;
    if (dim > 0) {
      Op turned{.kind = OpKind::transpose, .phase = Phase::forward, .shape = op.shape};
      std::rotate(op.shape.dims.begin(), op.shape.dims.begin() + static_cast<std::ptrdiff_t>(dim),
                  op.shape.dims.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
      DimsAttr from;
      for (std::size_t d = 0; d < op.shape.dims.size(); ++d)
        from.dims.push_back(static_cast<std::int64_t>(d < dim ? d + 1 : d == dim ? 0 : d));
      turned.attributes = std::move(from);
      turned.operands = {result.size()};
      result.ops.push_back(std::move(op));
      op = std::move(turned);
    }
    values.push_back(result.size());
    result.ops.push_back(std::move(op));
  }
  for (Input& input : result.inputs) {
    const bool is_turned =
        input.kind == InputKind::batch && batch_dim(step.shape(input.value), dimension) > 0;
    input.value = values[at(input.value)] - (is_turned ? 1 : 0);
  }
  for (Op& op : result.ops) {
    if (op.origin != kNoValue) op.origin = values[at(op.origin)];
  }
  for (Output& output : result.outputs) output.value = values[at(output.value)];
  return result;
}

}  // namespace rhino::models::imported
