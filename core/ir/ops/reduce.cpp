// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "ir/derivative.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"
#include "rhino/index.hpp"

/// Reductions over dims.
namespace rhino::ir {
namespace {

Shape reduce(const Site& site) {
  site.require_operands(1);
  const auto& attributes = site.attributes<ReduceAttr>();
  const Shape& operand = site.operand(0);
  site.require_dims(attributes.dims, site.rank(0), "reduced dims");
  require_reducible(site, attributes.reduction, operand.dtype);
  Shape result{operand.dtype, {}};
  for (std::int64_t d = 0; d < site.rank(0); ++d) {
    if (!contains(attributes.dims, d)) result.dims.push_back(operand.dims[at(d)]);
  }
  return result;
}

Tensor reduce(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const auto& attributes = op.attributes.get<ReduceAttr>();
  const DType dtype = op.shape.dtype;
  const Reduction reduction = attributes.reduction;
  Tensor result = filled(op.shape, neutral_element(reduction, dtype));
  const Dims kept = row_major_strides(op.shape.dims);
  Dims strides;
  for (std::size_t d = 0, next = 0; d < a.shape.dims.size(); ++d) {
    const bool gone = contains(attributes.dims, static_cast<std::int64_t>(d));
    strides.push_back(gone ? 0 : kept[next++]);
  }
  std::size_t from = 0;
  for_each_index<1>(a.shape.dims, {strides}, {0}, [&](const Offsets<1>& to) {
    double& total = result.elements[at(to[0])];
    total = combine(reduction, dtype, total, a.elements[from++]);
  });
  return result;
}

/// `value` repeated along the dims that the reduction took away.
ValueId spread(const Pullback& p, ValueId value) {
  const Dims& reduced = p.op.attributes.get<ReduceAttr>().dims;
  const Dims operand = p.operand_dims(0);
  Dims kept;
  for (std::int64_t dim = 0; dim < std::ssize(operand); ++dim) {
    if (!contains(reduced, dim)) kept.push_back(dim);
  }
  return p.builder.broadcast_in_dim(value, operand, kept);
}

/// Elements that equal the extremum share its gradient.
ValueId extremum_term(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId hit = b.compare(Comparison::eq, p.op.operands[0], spread(p, p.id));
  const ValueId weight = b.convert(hit, p.op.shape.dtype);
  const Dims& reduced = p.op.attributes.get<ReduceAttr>().dims;
  const ValueId share = b.div(p.gradient, b.reduce(weight, reduced, Reduction::sum));
  return b.mul(weight, spread(p, share));
}

/// Gradient times the product of all other elements, exact where elements are zero.
ValueId product_term(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId x = p.op.operands[0];
  const Shape shape = b.shape(x);
  const Dims& reduced = p.op.attributes.get<ReduceAttr>().dims;
  const ValueId zero = b.fill(shape, 0), one = b.fill(shape, 1);
  const ValueId is_zero = b.compare(Comparison::eq, x, zero);
  const ValueId weight = b.convert(is_zero, shape.dtype);
  const ValueId nonzero = b.select(is_zero, one, x);
  const ValueId product = spread(p, b.reduce(nonzero, reduced, Reduction::product));
  const ValueId other_zeros = b.sub(spread(p, b.reduce(weight, reduced, Reduction::sum)), weight);
  const ValueId alive = b.compare(Comparison::eq, other_zeros, zero);
  const ValueId others = b.select(alive, b.div(product, nonzero), zero);
  return b.mul(spread(p, p.gradient), others);
}

Terms reduce_terms(const Pullback& p) {
  switch (p.op.attributes.get<ReduceAttr>().reduction) {
    case Reduction::sum: return {spread(p, p.gradient)};
    case Reduction::max:
    case Reduction::min: return {extremum_term(p)};
    case Reduction::product: return {product_term(p)};
    default: assert(false); return {};
  }
}

double flops(const Program& program, const Op& op) {
  return static_cast<double>(num_elements(program.shape(op.operands[0])));
}

Reduction start(const Op& op) { return op.attributes.get<ReduceAttr>().reduction; }

void write(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<ReduceAttr>();
  writer.print_dims("dimensions", a.dims);
  writer.print_reducer("to_apply", a.reduction, op.shape.dtype);
}

Attributes read(const hlo::Instruction& instruction, const hlo::AttributeReader& reader) {
  return ReduceAttr{hlo::read_integers(instruction.attribute("dimensions")),
                    reader.reduction(instruction.attribute("to_apply"))};
}

ValueId sample_reduce(Sampler& s) {
  const Dims dims = s.dims(3);
  const auto reduction = Reduction(s.draw(6));
  const bool logical = reduction == Reduction::logical_and || reduction == Reduction::logical_or;
  return s.builder.reduce(s.input(dims, logical ? DType::pred : DType::f32), s.some_of(dims.size()),
                          reduction);
}

constexpr OpTraits kReduceRows[] = {
    {.kind = OpKind::reduce,
     .name = "reduce",
     .op_class = OpClass::reduction,
     .arity = 1,
     .infer = reduce,
     .evaluate = reduce,
     .terms = reduce_terms,
     .flops = flops,
     .write = write,
     .read = read,
     .start = start,
     .start_key = "to_apply",
     .sample = sample_reduce},
};

}  // namespace

std::span<const OpTraits> reduce_ops() { return kReduceRows; }

}  // namespace rhino::ir
