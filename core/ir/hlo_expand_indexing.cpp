// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_expand_indexing.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "ir/hlo_reducer.hpp"
#include "ir/op_info.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

using Dims = std::vector<std::int64_t>;

/// Rows per batch entry that are compared with an iota: each costs a pass over the table.
constexpr std::int64_t kMaxCompared = 4;

Dims others(std::int64_t rank, const Dims& left_out) {
  Dims kept;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (!contains(left_out, d)) kept.push_back(d);
  }
  return kept;
}

std::int64_t extent(const Shape& shape, std::int64_t dim) {
  if (dim < 0 || dim >= std::ssize(shape.dims)) {
    throw Error("dim " + std::to_string(dim) + " is none of " + to_string(shape));
  }
  return shape.dims[at(dim)];
}

/// Dim i of `a` becomes dim `to[i]` of `shape`, in whatever order.
ValueId spread(Builder& b, ValueId a, const Dims& shape, const Dims& to) {
  Dims order(to.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  std::ranges::sort(order, {}, [&](std::int64_t i) { return to[at(i)]; });
  Dims sorted;
  for (std::int64_t i : order) sorted.push_back(to[at(i)]);
  if (!std::ranges::is_sorted(order)) a = b.transpose(a, order);
  return b.broadcast_in_dim(a, shape, sorted);
}

/// Indices with a dim for the index vector, if it is implied.
ValueId with_vector_dim(Builder& b, ValueId indices, std::int64_t vector_dim) {
  Shape shape = b.shape(indices);
  if (vector_dim != std::ssize(shape.dims)) return indices;
  shape.dims.push_back(1);
  return b.reshape(indices, shape.dims);
}

/// Indices without the dim of the index vector, which has one component.
ValueId without_vector_dim(Builder& b, ValueId indices, std::int64_t vector_dim) {
  Shape shape = b.shape(indices);
  if (vector_dim == std::ssize(shape.dims)) return indices;
  shape.dims.erase(shape.dims.begin() + vector_dim);
  return b.reshape(indices, shape.dims);
}

/// Index vectors that begin with the place along each dim of `index_batch`.
ValueId joined_indices(Builder& b, ValueId indices, std::int64_t vector_dim,
                       const Dims& index_batch) {
  indices = with_vector_dim(b, indices, vector_dim);
  Shape one = b.shape(indices);
  extent(one, vector_dim);
  one.dims[at(vector_dim)] = 1;
  std::vector<ValueId> parts;
  for (std::int64_t dim : index_batch) {
    extent(one, dim);
    parts.push_back(b.iota(one, dim));
  }
  parts.push_back(indices);
  return parts.size() == 1 ? indices : b.concatenate(parts, vector_dim);
}

/// Of what joined_indices yields.
Shape joined_shape(Shape indices, std::int64_t vector_dim, const Dims& index_batch) {
  if (vector_dim == std::ssize(indices.dims)) indices.dims.push_back(1);
  extent(indices, vector_dim);
  indices.dims[at(vector_dim)] += std::ssize(index_batch);
  return indices;
}

void join(Dims& front, const Dims& batch) {
  front.insert(front.begin(), batch.begin(), batch.end());
}

void merge(Dims& sorted, const Dims& batch) {
  sorted.insert(sorted.end(), batch.begin(), batch.end());
  std::ranges::sort(sorted);
}

void check_batch(const Shape& table, const Shape& indices, const Dims& table_batch,
                 const Dims& index_batch, std::int64_t vector_dim) {
  if (table_batch.size() != index_batch.size()) throw Error("batching dims do not pair up");
  for (std::size_t k = 0; k < table_batch.size(); ++k) {
    if (extent(table, table_batch[k]) != extent(indices, index_batch[k]) ||
        index_batch[k] == vector_dim) {
      throw Error("batching dims " + std::to_string(table_batch[k]) + " and " +
                  std::to_string(index_batch[k]) + " do not run together");
    }
  }
}

/// Dims of the indices without the index vector, and which of them are batching dims.
struct Rows {
  Dims dims;                      ///< of the indices
  std::int64_t num_compared = 1;  ///< rows per batch entry
};

Rows rows_of(const Shape& indices, std::int64_t vector_dim, const Dims& index_batch) {
  Rows rows{others(std::ssize(indices.dims), {vector_dim})};
  for (std::int64_t dim : rows.dims) {
    if (!contains(index_batch, dim)) rows.num_compared *= indices.dims[at(dim)];
  }
  return rows;
}

/// Whether `value` is `place` along `dim`, of shape `dims`.
ValueId hits(Builder& b, ValueId value, const Dims& dims, std::int64_t dim) {
  return b.compare(Comparison::eq, b.iota({b.shape(value).dtype, dims}, dim), value);
}

ValueId compared_gather(Builder& b, ValueId table, ValueId indices, const BatchedGather& dims,
                        const Rows& rows) {
  const Shape held = b.shape(table), index_shape = b.shape(indices);
  const std::int64_t looked_up = dims.attributes.start_index_map[0];
  const std::int64_t rank = std::ssize(rows.dims) + std::ssize(dims.attributes.offset_dims);
  const Dims row_dims = others(rank, dims.attributes.offset_dims);  // of the result
  Dims all(at(rank) + 1, 1), table_to(held.dims.size());
  for (std::size_t i = 0; i < rows.dims.size(); ++i) {
    all[at(row_dims[i])] = index_shape.dims[at(rows.dims[i])];
  }
  std::size_t window = 0;
  for (std::int64_t d = 0; d < std::ssize(held.dims); ++d) {
    std::int64_t& to = table_to[at(d)];
    const auto pair = std::ranges::find(dims.table_batch, d);
    if (d == looked_up) to = rank;
    else if (pair == dims.table_batch.end()) to = dims.attributes.offset_dims[window++];
    else {
      const std::int64_t index_dim = dims.index_batch[at(pair - dims.table_batch.begin())];
      to = row_dims[at(std::ranges::find(rows.dims, index_dim) - rows.dims.begin())];
    }
    all[at(to)] = held.dims[at(d)];
  }
  ValueId rows_at = without_vector_dim(b, indices, dims.attributes.index_vector_dim);
  const Shape row_shape = b.shape(rows_at);
  const auto last = static_cast<double>(held.dims[at(looked_up)] - 1);
  rows_at = b.clamp(b.fill(row_shape, 0), rows_at, b.fill(row_shape, last));
  const ValueId hit = hits(b, spread(b, rows_at, all, row_dims), all, rank);
  const ValueId none = b.fill({held.dtype, all}, 0);
  const ValueId found = b.select(hit, spread(b, table, all, table_to), none);
  return b.reduce(found, {rank},
                  held.dtype == DType::pred ? Reduction::logical_or : Reduction::sum);
}

ValueId compared_scatter(Builder& b, const ScatterOperands& operands, const BatchedScatter& dims,
                         const Rows& rows) {
  const ScatterAttr& scatter = dims.attributes;
  const Shape table = b.shape(operands.table), updates = b.shape(operands.updates);
  const std::int64_t rank = std::ssize(table.dims),
                     looked_up = scatter.scatter_dims_to_operand_dims[0];
  // Of the table's dims, and behind them the rows that are no batching dims.
  Dims all = table.dims, row_to, more, update_to(updates.dims.size());
  for (std::int64_t dim : rows.dims) {
    const auto pair = std::ranges::find(dims.index_batch, dim);
    if (pair != dims.index_batch.end()) {
      row_to.push_back(dims.table_batch[at(pair - dims.index_batch.begin())]);
      continue;
    }
    row_to.push_back(std::ssize(all));
    more.push_back(std::ssize(all));
    all.push_back(b.shape(operands.indices).dims[at(dim)]);
  }
  const Dims update_rows = others(std::ssize(updates.dims), scatter.update_window_dims);
  Dims kept = scatter.inserted_window_dims;
  merge(kept, dims.table_batch);
  const Dims window = others(rank, kept);
  for (std::size_t i = 0; i < window.size(); ++i) {
    update_to[at(scatter.update_window_dims[i])] = window[i];
  }
  for (std::size_t i = 0; i < row_to.size(); ++i) update_to[at(update_rows[i])] = row_to[i];
  const ValueId rows_at = without_vector_dim(b, operands.indices, scatter.index_vector_dim);
  const ValueId hit = hits(b, spread(b, rows_at, all, row_to), all, looked_up);
  const ValueId update = spread(b, operands.updates, all, update_to);
  if (dims.overwrites) {  // of one row
    const ValueId is_hit = b.reshape(hit, table.dims), written = b.reshape(update, table.dims);
    return b.select(is_hit, written, operands.table);
  }
  const double neutral = neutral_element(scatter.reduction, table.dtype);
  ValueId change = b.select(hit, update, b.fill({table.dtype, all}, neutral));
  if (!more.empty()) change = b.reduce(change, more, scatter.reduction);
  return b.binary(combining_op(scatter.reduction), operands.table, change);
}

/// The dim of `windows` that a window of one element along the only dim looked up has in gathered
/// rows, or updates, where it is not left out: leaves it out.
std::optional<std::int64_t> leave_out_window(std::int64_t rank, const Dims& looked_up, Dims& left,
                                             Dims& windows, const Dims& table_batch) {
  if (looked_up.size() != 1 || contains(left, looked_up[0])) return std::nullopt;
  Dims without = left;
  merge(without, table_batch);
  const Dims window = others(rank, without);
  const auto place = std::ranges::find(window, looked_up[0]) - window.begin();
  if (place >= std::ssize(windows)) return std::nullopt;
  const std::int64_t dim = windows[at(place)];
  windows.erase(windows.begin() + place);
  for (std::int64_t& other : windows) other -= other > dim;
  merge(left, looked_up);
  return dim;
}

std::optional<std::int64_t> collapse_window(const Shape& table, BatchedGather& dims) {
  GatherAttr& gather = dims.attributes;
  const Dims& looked_up = gather.start_index_map;
  if (looked_up.size() != 1 || gather.slice_sizes.at(at(looked_up[0])) != 1) return std::nullopt;
  return leave_out_window(std::ssize(table.dims), looked_up, gather.collapsed_slice_dims,
                          gather.offset_dims, dims.table_batch);
}

std::optional<std::int64_t> insert_window(const Shape& updates, const Shape& table,
                                          BatchedScatter& dims) {
  BatchedScatter without = dims;
  ScatterAttr& scatter = without.attributes;
  const auto dim =
      leave_out_window(std::ssize(table.dims), scatter.scatter_dims_to_operand_dims,
                       scatter.inserted_window_dims, scatter.update_window_dims, dims.table_batch);
  if (!dim || *dim >= std::ssize(updates.dims) || updates.dims[at(*dim)] != 1) return std::nullopt;
  dims = std::move(without);
  return dim;
}

/// Each element of the table takes the update that comes last, found as the largest of their
/// numbers.
ValueId overwritten(Builder& b, const ScatterOperands& operands, ScatterAttr scatter) {
  const Shape table = b.shape(operands.table), updates = b.shape(operands.updates);
  const std::int64_t count = num_elements(updates);
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error("an overwriting scatter of " + to_string(updates) + " is too large");
  }
  scatter.reduction = Reduction::max;
  const ValueId numbers = b.reshape(b.iota({DType::s32, {count}}, 0), updates.dims);
  const ValueId none = b.fill({DType::s32, table.dims}, -1);
  const ValueId last = b.scatter(none, operands.indices, numbers, std::move(scatter));
  GatherAttr one;
  one.collapsed_slice_dims = one.start_index_map = {0};
  one.slice_sizes = {1};
  one.index_vector_dim = std::ssize(table.dims);
  const ValueId taken = b.gather(b.reshape(operands.updates, {count}), last, std::move(one));
  const ValueId zero = b.fill({DType::s32, table.dims}, 0);
  return b.select(b.compare(Comparison::ge, last, zero), taken, operands.table);
}

}  // namespace

bool is_compared(const Shape& table, const Shape& indices, const BatchedGather& dims) {
  const GatherAttr& gather = dims.attributes;
  if (gather.start_index_map.size() != 1 || gather.collapsed_slice_dims != gather.start_index_map)
    return false;
  Dims taken = gather.collapsed_slice_dims;
  merge(taken, dims.table_batch);
  const Dims window = others(std::ssize(table.dims), taken);
  const Rows rows = rows_of(indices, gather.index_vector_dim, dims.index_batch);
  return rows.num_compared <= kMaxCompared && table.dims[at(gather.start_index_map[0])] > 0 &&
         std::ranges::all_of(window, [&](std::int64_t d) {
           return gather.slice_sizes[at(d)] == table.dims[at(d)];
         });
}

bool is_compared(const Shape& table, const Shape& indices, const Shape& updates,
                 const BatchedScatter& dims) {
  const ScatterAttr& scatter = dims.attributes;
  if (scatter.scatter_dims_to_operand_dims.size() != 1 ||
      scatter.inserted_window_dims != scatter.scatter_dims_to_operand_dims)
    return false;
  Dims taken = scatter.inserted_window_dims;
  merge(taken, dims.table_batch);
  const Dims window = others(std::ssize(table.dims), taken);
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::int64_t update = updates.dims[at(scatter.update_window_dims[i])];
    if (update != table.dims[at(window[i])]) return false;
  }
  const Rows rows = rows_of(indices, scatter.index_vector_dim, dims.index_batch);
  return rows.num_compared <= kMaxCompared;
}

ValueId expanded_gather(Builder& b, ValueId table, ValueId indices, BatchedGather dims) {
  if (const auto kept = collapse_window(b.shape(table), dims)) {
    const ValueId rows = expanded_gather(b, table, indices, std::move(dims));
    Dims with_window = b.shape(rows).dims;
    with_window.insert(with_window.begin() + *kept, 1);
    return b.reshape(rows, with_window);
  }
  const GatherAttr& gather = dims.attributes;
  const Shape held = b.shape(table), index_shape = b.shape(indices);
  const std::int64_t vector_dim = gather.index_vector_dim;
  check_batch(held, index_shape, dims.table_batch, dims.index_batch, vector_dim);
  GatherAttr joined = gather;
  join(joined.start_index_map, dims.table_batch);
  merge(joined.collapsed_slice_dims, dims.table_batch);
  infer_shape({.kind = OpKind::gather, .attributes = joined},
              {held, joined_shape(index_shape, vector_dim, dims.index_batch)});
  if (is_compared(held, index_shape, dims)) {
    const Rows rows = rows_of(index_shape, vector_dim, dims.index_batch);
    return compared_gather(b, table, indices, dims, rows);
  }
  indices = joined_indices(b, indices, vector_dim, dims.index_batch);
  return b.gather(table, indices, std::move(joined));
}

ValueId expanded_scatter(Builder& b, ScatterOperands operands, BatchedScatter dims) {
  if (const auto kept = insert_window(b.shape(operands.updates), b.shape(operands.table), dims)) {
    Dims without_window = b.shape(operands.updates).dims;
    without_window.erase(without_window.begin() + *kept);
    operands.updates = b.reshape(operands.updates, without_window);
  }
  const ScatterAttr& scatter = dims.attributes;
  const Shape table = b.shape(operands.table), index_shape = b.shape(operands.indices),
              updates = b.shape(operands.updates);
  const std::int64_t vector_dim = scatter.index_vector_dim;
  check_batch(table, index_shape, dims.table_batch, dims.index_batch, vector_dim);
  ScatterAttr joined = scatter;
  join(joined.scatter_dims_to_operand_dims, dims.table_batch);
  merge(joined.inserted_window_dims, dims.table_batch);
  if (table.dtype != updates.dtype) throw Error("table and updates differ in element type");
  const DType dtype = dims.overwrites ? DType::s32 : table.dtype;
  infer_shape({.kind = OpKind::scatter, .attributes = joined},
              {{dtype, table.dims},
               joined_shape(index_shape, vector_dim, dims.index_batch),
               {dtype, updates.dims}});
  const Rows rows = rows_of(index_shape, vector_dim, dims.index_batch);
  const bool is_one = !dims.overwrites || rows.num_compared <= 1;
  if (is_one && is_compared(table, index_shape, updates, dims))
    return compared_scatter(b, operands, dims, rows);
  operands.indices = joined_indices(b, operands.indices, vector_dim, dims.index_batch);
  if (dims.overwrites) return overwritten(b, operands, joined);
  return b.scatter(operands.table, operands.indices, operands.updates, joined);
}

}  // namespace rhino::ir::hlo
