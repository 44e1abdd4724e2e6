// SPDX-License-Identifier: Apache-2.0
#include "ir/infer.hpp"

namespace rhino::ir::infer {
namespace {

void require_alike(const Site& site) {
  for (const Shape& shape : site.operands) {
    if (shape.dims != site.operand(0).dims) site.fail("operands differ in shape");
    if (shape.dtype != site.operand(0).dtype) site.fail("operands differ in element type");
  }
}

Shape convert(const Site& site) {
  site.require_operands(1);
  site.require(site.op.shape.dims == site.operand(0).dims, "result dims differ from the operand's");
  return site.op.shape;
}

Shape unary(const Site& site) {
  site.require_operands(1);
  const Shape& shape = site.operand(0);
  switch (site.op.kind) {
    case OpKind::negate:
    case OpKind::absolute:
    case OpKind::sign: site.require(shape.dtype != DType::pred, "takes no pred"); return shape;
    case OpKind::logical_not:
      site.require(!is_floating(shape.dtype), "takes pred or integers");
      return shape;
    case OpKind::is_finite:
      site.require(is_floating(shape.dtype), "takes floating-point values");
      return {DType::pred, shape.dims};
    default: site.require(is_floating(shape.dtype), "takes floating-point values"); return shape;
  }
}

Shape binary(const Site& site) {
  site.require_operands(2);
  require_alike(site);
  const Shape& shape = site.operand(0);
  switch (site.op.kind) {
    case OpKind::compare: site.attributes<CompareAttr>(); return {DType::pred, shape.dims};
    case OpKind::logical_and:
    case OpKind::logical_or:
    case OpKind::logical_xor:
      site.require(!is_floating(shape.dtype), "takes pred or integers");
      return shape;
    case OpKind::maximum:
    case OpKind::minimum: return shape;
    default: site.require(shape.dtype != DType::pred, "takes no pred"); return shape;
  }
}

Shape select(const Site& site) {
  site.require_operands(3);
  site.require(site.operand(0).dtype == DType::pred, "the first operand is not pred");
  site.require(site.operand(1) == site.operand(2), "the two choices differ in shape");
  site.require(site.operand(0).dims == site.operand(1).dims,
               "the predicate differs in shape from the choices");
  return site.operand(1);
}

Shape clamp(const Site& site) {
  site.require_operands(3);
  require_alike(site);
  site.require(site.operand(0).dtype != DType::pred, "takes no pred");
  return site.operand(1);
}

}  // namespace

Shape elementwise(const Site& site) {
  switch (site.op.kind) {
    case OpKind::convert: return convert(site);
    case OpKind::select: return select(site);
    case OpKind::clamp: return clamp(site);
    default: return site.op.kind < OpKind::add ? unary(site) : binary(site);
  }
}

}  // namespace rhino::ir::infer
