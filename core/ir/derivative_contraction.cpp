// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "ir/derivative.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {
namespace {

using Dims = std::vector<std::int64_t>;

/// `value` repeated along the dims that the reduction took away.
ValueId spread(const Pullback& p, ValueId value) {
  const Dims& reduced = p.op.attributes.get<ReduceAttr>().dims;
  const Dims operand = p.operand_dims(0);
  Dims kept;
  for (std::int64_t dim = 0; dim < std::ssize(operand); ++dim) {
    if (std::ranges::find(reduced, dim) == reduced.end()) kept.push_back(dim);
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

/// A tensor whose dims carry labels: dims with one label run over the same index.
struct Labelled {
  ValueId value;
  std::vector<int> labels;
};

bool has(const std::vector<int>& labels, int label) {
  return std::ranges::find(labels, label) != labels.end();
}
std::int64_t position(const std::vector<int>& labels, int label) {
  return std::ranges::find(labels, label) - labels.begin();
}

/// Labels of dot(a, b) when labels of both that `target` has are batch dims, in target's order, and
/// the others contracted.
std::vector<int> dot_labels(const Labelled& a, const Labelled& b, const std::vector<int>& target) {
  std::vector<int> labels;
  for (int label : target) {
    if (has(a.labels, label) && has(b.labels, label)) labels.push_back(label);
  }
  for (int label : a.labels) {
    if (!has(b.labels, label)) labels.push_back(label);
  }
  for (int label : b.labels) {
    if (!has(a.labels, label)) labels.push_back(label);
  }
  return labels;
}

DotAttr dot_dims(const Labelled& a, const Labelled& b, const std::vector<int>& target) {
  DotAttr dims;
  for (int label : target) {
    if (!has(a.labels, label) || !has(b.labels, label)) continue;
    dims.lhs_batch.push_back(position(a.labels, label));
    dims.rhs_batch.push_back(position(b.labels, label));
  }
  for (int label : a.labels) {
    if (!has(b.labels, label) || has(target, label)) continue;
    dims.lhs_contracting.push_back(position(a.labels, label));
    dims.rhs_contracting.push_back(position(b.labels, label));
  }
  return dims;
}

/// The contraction of `a` and `b` with dims as in `target`, operands in the order that needs no
/// transpose, or else one that leaves the last dim in place, if there is one.
ValueId contract(Builder& builder, Labelled a, Labelled b, const std::vector<int>& target) {
  const auto fit = [&](const std::vector<int>& labels) {
    return labels == target ? 2 : !target.empty() && labels.back() == target.back() ? 1 : 0;
  };
  if (fit(dot_labels(b, a, target)) > fit(dot_labels(a, b, target))) std::swap(a, b);
  const std::vector<int> labels = dot_labels(a, b, target);
  const ValueId result = builder.dot(a.value, b.value, dot_dims(a, b, target));
  if (labels == target) return result;
  Dims permutation;
  for (int label : target) permutation.push_back(position(labels, label));
  return builder.transpose(result, permutation);
}

/// Labels per dim of lhs and rhs: batch and contracting pairs alike, free dims of their own.
std::pair<std::vector<int>, std::vector<int>> operand_labels(const Pullback& p) {
  const DotAttr& dot = p.op.attributes.get<DotAttr>();
  std::vector<int> lhs(p.operand_dims(0).size(), -1), rhs(p.operand_dims(1).size(), -1);
  int next = 0;
  const auto pair = [&](const Dims& lhs_dims, const Dims& rhs_dims) {
    for (std::size_t i = 0; i < lhs_dims.size(); ++i, ++next) {
      lhs[static_cast<std::size_t>(lhs_dims[i])] = rhs[static_cast<std::size_t>(rhs_dims[i])] =
          next;
    }
  };
  pair(dot.lhs_batch, dot.rhs_batch);
  pair(dot.lhs_contracting, dot.rhs_contracting);
  for (std::vector<int>* labels : {&lhs, &rhs}) {
    for (int& label : *labels) label = label < 0 ? next++ : label;
  }
  return {lhs, rhs};
}

}  // namespace

Terms reduce_terms(const Pullback& p) {
  switch (p.op.attributes.get<ReduceAttr>().reduction) {
    case Reduction::sum: return {spread(p, p.gradient)};
    case Reduction::max:
    case Reduction::min: return {extremum_term(p)};
    case Reduction::product: return {product_term(p)};
    default: assert(false); return {};
  }
}

Terms dot_terms(const Pullback& p) {
  const auto [lhs_labels, rhs_labels] = operand_labels(p);
  const DotAttr& dot = p.op.attributes.get<DotAttr>();
  std::vector<int> result_labels;
  for (std::int64_t dim : dot.lhs_batch) {
    result_labels.push_back(lhs_labels[static_cast<std::size_t>(dim)]);
  }
  for (int label : lhs_labels) {
    if (!has(rhs_labels, label)) result_labels.push_back(label);
  }
  for (int label : rhs_labels) {
    if (!has(lhs_labels, label)) result_labels.push_back(label);
  }
  const Labelled lhs{p.op.operands[0], lhs_labels}, rhs{p.op.operands[1], rhs_labels};
  const Labelled gradient{p.gradient, result_labels};
  Terms terms(2, kNoValue);
  if (p.wanted[0]) terms[0] = contract(p.builder, gradient, rhs, lhs_labels);
  if (p.wanted[1]) terms[1] = contract(p.builder, lhs, gradient, rhs_labels);
  return terms;
}

}  // namespace rhino::ir
