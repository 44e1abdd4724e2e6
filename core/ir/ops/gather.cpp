// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/derivative.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"
#include "rhino/index.hpp"

/// Gather and scatter.
namespace rhino::ir {
namespace {

Dims without(const Dims& entries, const Dims& left_out) {
  Dims kept;
  for (std::size_t d = 0; d < entries.size(); ++d) {
    if (!contains(left_out, static_cast<std::int64_t>(d))) kept.push_back(entries[d]);
  }
  return kept;
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
    if (!contains(lacking, static_cast<std::int64_t>(d)))
      result[d] = strides[at(window_dims[next++])];
  }
  return result;
}

Tensor gather(const Op& op, const Operands& operands) {
  const Tensor& table = *operands[0];
  const Tensor& indices = *operands[1];
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
    if (contains(dims.inserted_window_dims, static_cast<std::int64_t>(d))) continue;
    sizes[d] = updates.dims[at(dims.update_window_dims[next++])];
  }
  return sizes;
}

Tensor scatter(const Op& op, const Operands& operands) {
  const Tensor& table = *operands[0];
  const Tensor& indices = *operands[1];
  const Tensor& updates = *operands[2];
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

Terms gather_terms(const Pullback& p) {
  const GatherAttr& gather = p.op.attributes.get<GatherAttr>();
  ScatterAttr scatter;
  scatter.update_window_dims = gather.offset_dims;
  scatter.inserted_window_dims = gather.collapsed_slice_dims;
  scatter.scatter_dims_to_operand_dims = gather.start_index_map;
  scatter.index_vector_dim = gather.index_vector_dim;
  scatter.reduction = Reduction::sum;
  Builder& b = p.builder;
  const ValueId zeros = b.fill(b.shape(p.op.operands[0]), 0);
  return {b.scatter(zeros, clamped_indices(p, gather), p.gradient, scatter), kNoValue};
}

double scatter_flops(const Program& program, const Op& op) {
  return static_cast<double>(num_elements(program.shape(op.operands[2])));
}

void write_gather(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<GatherAttr>();
  writer.print_dims("offset_dims", a.offset_dims);
  writer.print_dims("collapsed_slice_dims", a.collapsed_slice_dims);
  writer.print_dims("start_index_map", a.start_index_map);
  writer.print(", index_vector_dim={}", a.index_vector_dim);
  writer.print_dims("slice_sizes", a.slice_sizes);
}

void write_scatter(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<ScatterAttr>();
  writer.print_dims("update_window_dims", a.update_window_dims);
  writer.print_dims("inserted_window_dims", a.inserted_window_dims);
  writer.print_dims("scatter_dims_to_operand_dims", a.scatter_dims_to_operand_dims);
  writer.print(", index_vector_dim={}", a.index_vector_dim);
  writer.print_reducer("to_apply", a.reduction, op.shape.dtype);
}

// Batching dims are the importer's: it writes such ops with others.

Attributes read_gather(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const auto dims = [&](const char* key) { return hlo::read_integers(instruction.attribute(key)); };
  return GatherAttr{dims("offset_dims"), dims("collapsed_slice_dims"), dims("start_index_map"),
                    dims("slice_sizes"),
                    hlo::read_integer(instruction.attribute("index_vector_dim"))};
}

Attributes read_scatter(const hlo::Instruction& instruction, const hlo::AttributeReader& reader) {
  ScatterAttr scatter = hlo::AttributeReader::scatter_dims(instruction);
  scatter.reduction = reader.reduction(instruction.attribute("to_apply"));
  return scatter;
}

ValueId sample_gather(Sampler& s) {
  const std::int64_t rows = 6, columns = s.extent(), depth = 4;
  GatherAttr attributes;
  const bool first = s.draw(2) != 0;
  attributes.offset_dims = first ? Dims{0, 3} : Dims{2, 3};
  attributes.collapsed_slice_dims = {0};
  attributes.start_index_map = {0};
  attributes.slice_sizes = {1, columns, s.draw(2) ? depth : 2};
  attributes.index_vector_dim = 2;
  const ValueId table = s.input({rows, columns, depth});
  return s.builder.gather(table, s.indices({s.extent(), s.extent()}, rows + 2), attributes);
}

ValueId sample_scatter(Sampler& s) {
  const std::int64_t rows = 6, columns = s.extent();
  const Dims index{s.extent(), s.extent()};
  ScatterAttr attributes;
  attributes.update_window_dims = {2};
  attributes.inserted_window_dims = {0};
  attributes.scatter_dims_to_operand_dims = {0};
  attributes.index_vector_dim = 2;
  const bool on_zero = s.draw(2) != 0;
  const Shape table_shape{DType::f32, {rows, columns}};
  const ValueId table = on_zero ? s.builder.fill(table_shape, 0) : s.input(table_shape.dims);
  const ValueId where = s.indices(index, rows + 2);
  return s.builder.scatter(table, where, s.input({index[0], index[1], columns}), attributes);
}

constexpr OpTraits kGatherRows[] = {
    {.kind = OpKind::gather,
     .name = "gather",
     .op_class = OpClass::indexing,
     .arity = 2,
     .heavy = true,
     .infer = gather,
     .evaluate = gather,
     .terms = gather_terms,
     .write = write_gather,
     .read = read_gather,
     .sample = sample_gather},
    {.kind = OpKind::scatter,
     .name = "scatter",
     .op_class = OpClass::indexing,
     .arity = 3,
     .heavy = true,
     .infer = scatter,
     .evaluate = scatter,
     .flops = scatter_flops,
     .write = write_scatter,
     .read = read_scatter,
     .sample = sample_scatter},
};

}  // namespace

std::span<const OpTraits> gather_ops() { return kGatherRows; }

}  // namespace rhino::ir
