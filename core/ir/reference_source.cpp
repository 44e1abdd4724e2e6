// SPDX-License-Identifier: Apache-2.0
#include "ir/element.hpp"
#include "ir/philox.hpp"
#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

Tensor constant(const Op& op) {
  const auto& elements = op.attributes.get<ConstantAttr>().elements;
  Tensor result = elements.size() == 1 ? filled(op.shape, elements[0]) : Tensor{op.shape, elements};
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

Tensor iota(const Op& op) {
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  Tensor result{op.shape, {}};
  Dims strides(op.shape.dims.size(), 0);
  strides[dim] = 1;
  for_each_index<1>(op.shape.dims, {strides}, {0}, [&](const Offsets<1>& index) {
    result.elements.push_back(static_cast<double>(index[0]));
  });
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

Tensor rng(const Op& op) {
  const auto& attributes = op.attributes.get<RngAttr>();
  PhiloxStream stream(attributes.stream, kRngStream);
  Tensor result = filled(op.shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    result.elements[i] = attributes.low + (attributes.high - attributes.low) * stream.uniform(i);
  }
  return result;
}

}  // namespace

Tensor filled(const Shape& shape, double value) {
  return {shape, std::vector<double>(at(num_elements(shape)), value)};
}

Tensor source(const Op& op) {
  switch (op.kind) {
    case OpKind::constant: return constant(op);
    case OpKind::iota: return iota(op);
    default: return rng(op);
  }
}

}  // namespace rhino::ir::reference
