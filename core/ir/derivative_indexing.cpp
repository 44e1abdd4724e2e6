// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "ir/derivative.hpp"

namespace rhino::ir {
namespace {

using Dims = std::vector<std::int64_t>;

/// The largest start index of each component of an index vector, in the shape of `indices`.
ValueId largest_indices(const Pullback& p, const GatherAttr& gather) {
  Builder& b = p.builder;
  ConstantAttr bounds;
  for (std::int64_t dim : gather.start_index_map) {
    const auto i = static_cast<std::size_t>(dim);
    bounds.elements.push_back(static_cast<double>(p.operand_dims(0)[i] - gather.slice_sizes[i]));
  }
  const Shape shape = b.shape(p.op.operands[1]);
  if (std::ranges::count(bounds.elements, bounds.elements[0]) == std::ssize(bounds.elements)) {
    return b.fill(shape, bounds.elements[0]);
  }
  const std::int64_t num_bounds = std::ssize(bounds.elements);
  Op op{.kind = OpKind::constant,
        .shape = {shape.dtype, {num_bounds}},
        .operands = {},
        .attributes = std::move(bounds),
        .name = {}};
  return b.broadcast_in_dim(b.add(std::move(op)), shape.dims, {gather.index_vector_dim});
}

/// gather clamps its indices where scatter would drop the update.
ValueId clamped_indices(const Pullback& p, const GatherAttr& gather) {
  Builder& b = p.builder;
  const ValueId low = b.fill(b.shape(p.op.operands[1]), 0);
  return b.clamp(low, p.op.operands[1], largest_indices(p, gather));
}

ValueId gather_term(const Pullback& p) {
  const GatherAttr& gather = p.op.attributes.get<GatherAttr>();
  ScatterAttr scatter;
  scatter.update_window_dims = gather.offset_dims;
  scatter.inserted_window_dims = gather.collapsed_slice_dims;
  scatter.scatter_dims_to_operand_dims = gather.start_index_map;
  scatter.index_vector_dim = gather.index_vector_dim;
  scatter.reduction = Reduction::sum;
  Builder& b = p.builder;
  const ValueId zeros = b.fill(b.shape(p.op.operands[0]), 0);
  return b.scatter(zeros, clamped_indices(p, gather), p.gradient, scatter);
}

Terms with_table_term(const Pullback& p, ValueId term) {
  Terms terms(p.op.operands.size(), kNoValue);
  terms[0] = term;
  return terms;
}

ValueId dynamic_slice_term(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId zeros = b.fill(b.shape(p.op.operands[0]), 0);
  const std::vector<ValueId> starts(p.op.operands.begin() + 1, p.op.operands.end());
  return b.dynamic_update_slice(zeros, p.gradient, starts);
}

Terms dynamic_update_slice_terms(const Pullback& p) {
  Builder& b = p.builder;
  const std::vector<ValueId> starts(p.op.operands.begin() + 2, p.op.operands.end());
  const Shape update = b.shape(p.op.operands[1]);
  Terms terms(p.op.operands.size(), kNoValue);
  if (p.wanted[0]) terms[0] = b.dynamic_update_slice(p.gradient, b.fill(update, 0), starts);
  if (p.wanted[1]) terms[1] = b.dynamic_slice(p.gradient, starts, update.dims);
  return terms;
}

}  // namespace

Terms indexing_terms(const Pullback& p) {
  switch (p.op.kind) {
    case OpKind::gather: return with_table_term(p, gather_term(p));
    case OpKind::dynamic_slice: return with_table_term(p, dynamic_slice_term(p));
    case OpKind::dynamic_update_slice: return dynamic_update_slice_terms(p);
    default: assert(false); return {};
  }
}

}  // namespace rhino::ir
