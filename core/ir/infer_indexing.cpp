// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/infer.hpp"

namespace rhino::ir::infer {
namespace {

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

bool contains(const Dims& dims, std::int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Dims of the indices without the index vector, which may be an implied last dim of one.
Dims batch_dims(const Site& site, std::int64_t index_vector_dim, std::size_t vector_size) {
  const Shape& indices = site.operand(1);
  site.require(is_integer(indices.dtype), "indices are no integers");
  site.require(index_vector_dim >= 0 && index_vector_dim <= site.rank(1),
               "the index vector dim is out of range");
  Dims dims = indices.dims;
  std::int64_t held = 1;
  if (index_vector_dim < site.rank(1)) {
    held = dims[at(index_vector_dim)];
    dims.erase(dims.begin() + index_vector_dim);
  }
  site.require(held == static_cast<std::int64_t>(vector_size),
               "the index vector does not have one entry per indexed dim");
  return dims;
}

// `window` on the dims `window_dims` of the result, `batch` on the others, both in order.
Dims interleave(const Site& site, const Dims& window_dims, const Dims& window, const Dims& batch) {
  const std::size_t rank = window.size() + batch.size();
  site.require(window_dims.size() == window.size(),
               "window dims do not match the dims a slice keeps");
  site.require_dims(window_dims, static_cast<std::int64_t>(rank), "window dims");
  site.require(std::is_sorted(window_dims.begin(), window_dims.end()),
               "window dims do not increase");
  Dims result;
  std::size_t next_window = 0, next_batch = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool in_window = contains(window_dims, static_cast<std::int64_t>(d));
    result.push_back(in_window ? window[next_window++] : batch[next_batch++]);
  }
  return result;
}

Dims without(const Dims& dims, const Dims& left_out) {
  Dims kept;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!contains(left_out, static_cast<std::int64_t>(d))) kept.push_back(dims[d]);
  }
  return kept;
}

Shape gather(const Site& site) {
  site.require_operands(2);
  const auto& dims = site.attributes<GatherAttr>();
  const Shape& table = site.operand(0);
  site.require_length(dims.slice_sizes, site.rank(0), "slice sizes");
  site.require_dims(dims.collapsed_slice_dims, site.rank(0), "collapsed dims");
  site.require_dims(dims.start_index_map, site.rank(0), "the start index map");
  for (std::size_t d = 0; d < table.dims.size(); ++d) {
    site.require(dims.slice_sizes[d] >= 0 && dims.slice_sizes[d] <= table.dims[d],
                 "a slice is larger than the table");
  }
  for (std::int64_t d : dims.collapsed_slice_dims) {
    site.require(dims.slice_sizes[at(d)] == 1, "a collapsed dim has a slice size other than one");
  }
  const Dims batch = batch_dims(site, dims.index_vector_dim, dims.start_index_map.size());
  const Dims window = without(dims.slice_sizes, dims.collapsed_slice_dims);
  return {table.dtype, interleave(site, dims.offset_dims, window, batch)};
}

Shape scatter(const Site& site) {
  site.require_operands(3);
  const auto& dims = site.attributes<ScatterAttr>();
  const Shape &table = site.operand(0), &updates = site.operand(2);
  site.require(table.dtype == updates.dtype, "table and updates differ in element type");
  require_reducible(site, dims.reduction, table.dtype);
  site.require_dims(dims.inserted_window_dims, site.rank(0), "inserted dims");
  site.require_dims(dims.scatter_dims_to_operand_dims, site.rank(0), "scatter dims");
  site.require_dims(dims.update_window_dims, site.rank(2), "update window dims");
  const Dims batch =
      batch_dims(site, dims.index_vector_dim, dims.scatter_dims_to_operand_dims.size());
  const Dims extents = without(table.dims, dims.inserted_window_dims);
  Dims window;
  for (std::int64_t d : dims.update_window_dims) window.push_back(updates.dims[at(d)]);
  const Dims expected = interleave(site, dims.update_window_dims, window, batch);
  site.require(window.size() == extents.size(), "window dims do not match the dims of the table");
  for (std::size_t i = 0; i < window.size(); ++i) {
    site.require(window[i] <= extents[i], "an update window is larger than the table");
  }
  site.require(expected == updates.dims, "updates do not have the dims of the indices");
  return table;
}

void check_starts(const Site& site, std::size_t first) {
  site.require_operands(first + site.operand(0).dims.size());
  for (std::size_t i = first; i < site.operands.size(); ++i) {
    site.require(site.operand(i) == Shape{DType::s32, {}}, "starts are not one s32[] per dim");
  }
}

Shape dynamic_slice(const Site& site) {
  site.require(!site.operands.empty(), "takes a tensor and its starts");
  const Dims& sizes = site.attributes<DynamicSliceAttr>().sizes;
  check_starts(site, 1);
  site.require_length(sizes, site.rank(0), "sizes");
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    site.require(sizes[d] >= 0 && sizes[d] <= site.operand(0).dims[d],
                 "a slice is larger than the tensor");
  }
  return {site.operand(0).dtype, sizes};
}

Shape dynamic_update_slice(const Site& site) {
  site.require(site.operands.size() >= 2, "takes a tensor, its update and starts");
  const Shape &tensor = site.operand(0), &update = site.operand(1);
  check_starts(site, 2);
  site.require(tensor.dtype == update.dtype, "tensor and update differ in element type");
  site.require(tensor.dims.size() == update.dims.size(), "tensor and update differ in rank");
  for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
    site.require(update.dims[d] <= tensor.dims[d], "the update is larger than the tensor");
  }
  return tensor;
}

}  // namespace

Shape indexing(const Site& site) {
  switch (site.op.kind) {
    case OpKind::gather: return gather(site);
    case OpKind::scatter: return scatter(site);
    case OpKind::dynamic_slice: return dynamic_slice(site);
    default: return dynamic_update_slice(site);
  }
}

}  // namespace rhino::ir::infer
