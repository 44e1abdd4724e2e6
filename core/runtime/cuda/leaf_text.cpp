// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/leaf_text.hpp"

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {
namespace {

std::string plus(const std::string& a, std::int64_t b) {
  return "(" + a + " + " + std::to_string(b) + ")";
}

}  // namespace

std::string leaf_text(const Program& program, ValueId id, const Coordinates& coordinates) {
  const Op& o = program.op(id);
  const DType dtype = o.shape.dtype;
  if (o.kind == OpKind::constant)
    return literal(dtype, o.attributes.get<ConstantAttr>().elements.at(0));
  if (o.kind == OpKind::iota) {
    const std::string& along = coordinates[at(o.attributes.get<DimAttr>().dim)];
    return rounded(dtype, "(" + computed_type(dtype) + ")" + along);
  }
  if (!ir::is_elementwise(o.kind))
    return leaf_text(program, o.operands[0], coordinates_before(program, o, coordinates));
  std::vector<std::string> operands;
  for (ValueId operand : o.operands) operands.push_back(leaf_text(program, operand, coordinates));
  return elementwise(program, o, operands);
}

Coordinates coordinates_before(const Program& program, const Op& o,
                               const Coordinates& coordinates) {
  const lower::Dims& dims = program.shape(o.operands[0]).dims;
  Coordinates result(dims.size(), "0");
  if (o.kind == OpKind::reshape) return result;  // of a leaf that is the same everywhere
  if (o.kind == OpKind::slice) {
    const SliceAttr& slice = o.attributes.get<SliceAttr>();
    for (std::size_t i = 0; i < dims.size(); ++i) {
      result[i] = plus(coordinates[i] + " * " + std::to_string(slice.strides[i]), slice.starts[i]);
    }
    return result;
  }
  const lower::Dims& listed = o.attributes.get<DimsAttr>().dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (o.kind == OpKind::transpose) {
      result[at(listed[i])] = coordinates[i];
    } else if (o.kind == OpKind::broadcast) {
      if (dims[i] == o.shape.dims[at(listed[i])]) result[i] = coordinates[at(listed[i])];
    } else {
      const bool turns = contains(listed, static_cast<std::int64_t>(i));
      result[i] = turns ? plus("-" + coordinates[i], dims[i] - 1) : coordinates[i];
    }
  }
  return result;
}

}  // namespace rhino::runtime::cuda
