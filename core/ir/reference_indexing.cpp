// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

bool contains(const Dims& dims, std::size_t dim) {
  return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(dim)) != dims.end();
}

template <typename T>
std::vector<T> without(const std::vector<T>& entries, const Dims& left_out) {
  std::vector<T> kept;
  for (std::size_t d = 0; d < entries.size(); ++d) {
    if (!contains(left_out, d)) kept.push_back(entries[d]);
  }
  return kept;
}

// The indices of a gather or scatter beside its slices (`windows`: result of gather, updates of
// scatter).
struct Rows {
  Dims dims;            // of the indices without the index vector
  Dims index_strides;   // in the indices
  Dims window_strides;  // in the windows
  std::int64_t vector_stride = 0;
};

Rows rows_of(const Tensor& indices, std::int64_t index_vector_dim, const Shape& windows,
             const Dims& window_dims) {
  const Dims strides = row_major_strides(indices.shape.dims);
  Rows rows;
  rows.dims = without(indices.shape.dims, {index_vector_dim});
  rows.index_strides = without(strides, {index_vector_dim});
  rows.window_strides = without(row_major_strides(windows.dims), window_dims);
  if (at(index_vector_dim) < strides.size()) rows.vector_stride = strides[at(index_vector_dim)];
  return rows;
}

// Where the slice that the index vector at `offset` names begins in the table.
Dims start_of(const Tensor& indices, std::int64_t offset, const Rows& rows, const Dims& index_map,
              std::size_t table_rank) {
  Dims start(table_rank, 0);
  for (std::size_t i = 0; i < index_map.size(); ++i) {
    const std::int64_t from = offset + static_cast<std::int64_t>(i) * rows.vector_stride;
    start[at(index_map[i])] = static_cast<std::int64_t>(indices.elements[at(from)]);
  }
  return start;
}

// Strides in the windows per table dim: none for dims that the windows lack.
Dims strides_by_table_dim(const Shape& windows, const Dims& window_dims, const Dims& lacking,
                          std::size_t table_rank) {
  const Dims strides = row_major_strides(windows.dims);
  Dims result(table_rank, 0);
  for (std::size_t d = 0, next = 0; d < table_rank; ++d) {
    if (!contains(lacking, d)) result[d] = strides[at(window_dims[next++])];
  }
  return result;
}

Tensor gather(const Op& op, const Tensor& table, const Tensor& indices) {
  const auto& dims = op.attributes.get<GatherAttr>();
  const Dims& extents = table.shape.dims;
  const Dims table_strides = row_major_strides(extents);
  const Dims window_strides =
      strides_by_table_dim(op.shape, dims.offset_dims, dims.collapsed_slice_dims, extents.size());
  const Rows rows = rows_of(indices, dims.index_vector_dim, op.shape, dims.offset_dims);
  Tensor result = filled(op.shape);
  const auto copy_slice = [&](const Offsets<2>& row) {
    Dims start = start_of(indices, row[0], rows, dims.start_index_map, extents.size());
    for (std::size_t d = 0; d < start.size(); ++d) {
      start[d] = std::clamp<std::int64_t>(start[d], 0, extents[d] - dims.slice_sizes[d]);
    }
    for_each_index<2>(dims.slice_sizes, {table_strides, window_strides},
                      {inner_product(start, table_strides), row[1]}, [&](const Offsets<2>& offset) {
                        result.elements[at(offset[1])] = table.elements[at(offset[0])];
                      });
  };
  for_each_index<2>(rows.dims, {rows.index_strides, rows.window_strides}, {0, 0}, copy_slice);
  return result;
}

Dims window_sizes(const Shape& updates, const ScatterAttr& dims, std::size_t table_rank) {
  Dims sizes(table_rank, 1);
  for (std::size_t d = 0, next = 0; d < table_rank; ++d) {
    if (contains(dims.inserted_window_dims, d)) continue;
    sizes[d] = updates.dims[at(dims.update_window_dims[next++])];
  }
  return sizes;
}

Tensor scatter(const Op& op, const Tensor& table, const Tensor& indices, const Tensor& updates) {
  const auto& dims = op.attributes.get<ScatterAttr>();
  const Dims& extents = table.shape.dims;
  const Dims table_strides = row_major_strides(extents);
  const Dims window_strides = strides_by_table_dim(updates.shape, dims.update_window_dims,
                                                   dims.inserted_window_dims, extents.size());
  const Dims sizes = window_sizes(updates.shape, dims, extents.size());
  const Rows rows = rows_of(indices, dims.index_vector_dim, updates.shape, dims.update_window_dims);
  Tensor result = table;
  const auto add_window = [&](const Offsets<2>& row) {
    const Dims start =
        start_of(indices, row[0], rows, dims.scatter_dims_to_operand_dims, extents.size());
    const Clipped inside = clip(start, sizes, extents);
    const std::int64_t to =
        inner_product(start, table_strides) + inner_product(inside.begin, table_strides);
    const std::int64_t from = row[1] + inner_product(inside.begin, window_strides);
    for_each_index<2>(
        inside.size, {table_strides, window_strides}, {to, from}, [&](const Offsets<2>& offset) {
          double& element = result.elements[at(offset[0])];
          element =
              combine(dims.reduction, op.shape.dtype, element, updates.elements[at(offset[1])]);
        });
  };
  for_each_index<2>(rows.dims, {rows.index_strides, rows.window_strides}, {0, 0}, add_window);
  return result;
}

}  // namespace

Clipped clip(const Dims& start, const Dims& sizes, const Dims& dims) {
  Clipped inside;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t begin = std::max<std::int64_t>(0, -start[d]);
    const std::int64_t end = std::min(sizes[d], dims[d] - start[d]);
    inside.begin.push_back(begin);
    inside.size.push_back(std::max<std::int64_t>(0, end - begin));
  }
  return inside;
}

Tensor indexing(const Op& op, const Operands& operands) {
  if (op.kind == OpKind::gather) return gather(op, *operands[0], *operands[1]);
  return scatter(op, *operands[0], *operands[1], *operands[2]);
}

}  // namespace rhino::ir::reference
