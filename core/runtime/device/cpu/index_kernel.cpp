// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/index_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ir/element.hpp"
#include "ir/strided.hpp"
#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "runtime/box_copy.hpp"
#include "runtime/device/cpu/reductions.hpp"

namespace rhino::runtime {
namespace {

/// Entries of dims that are not in `left_out`.
lower::Dims without(const lower::Dims& entries, const lower::Dims& left_out) {
  lower::Dims kept;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!contains(left_out, i)) kept.push_back(entries[i]);
  }
  return kept;
}

/// Elements of a tensor of integers, whatever their type.
class Indices {
 public:
  Indices() = default;
  Indices(ValueId base, DType dtype) : base_(base), dtype_(dtype) {}
  static bool are_known(DType dtype) {
    return dtype == DType::s32 || dtype == DType::u32 || dtype == DType::s64;
  }
  const std::byte* in(Memory memory) const { return memory[at(base_)]; }
  std::int64_t read(const std::byte* indices, std::int64_t i) const {
    switch (dtype_) {
      case DType::s32: return reinterpret_cast<const std::int32_t*>(indices)[i];
      case DType::u32: return reinterpret_cast<const std::uint32_t*>(indices)[i];
      default: return reinterpret_cast<const std::int64_t*>(indices)[i];
    }
  }

 private:
  ValueId base_ = kNoValue;
  DType dtype_ = DType::s32;
};

/// Slices of a table, one per index vector, and where they lie in the tensor of slices.
struct Slices {
  ValueId table = kNoValue, slices = kNoValue;  ///< bases
  Indices indices;
  lower::Dims index_map;  ///< table dim per component of an index vector
  std::int64_t component_stride = 0;
  lower::Dims table_dims, table_strides;
  lower::Dims sizes;                 ///< of a slice, per table dim
  lower::Dims slice_strides;         ///< in the tensor of slices, per table dim
  std::vector<ir::Offsets<2>> rows;  ///< offset of the index vector, offset of its slice

  std::int64_t component(const std::byte* memory, std::int64_t row, std::size_t i) const {
    return indices.read(memory, row + static_cast<std::int64_t>(i) * component_stride);
  }

  /// Offset of the slice in the table; inside is false where it does not fit (and `clamps` is not
  /// set).
  std::int64_t start(const std::byte* memory, std::int64_t row, bool clamps, bool& inside) const {
    std::int64_t offset = 0;
    inside = true;
    for (std::size_t i = 0; i < index_map.size(); ++i) {
      const std::size_t dim = at(index_map[i]);
      std::int64_t index = component(memory, row, i);
      const std::int64_t last = table_dims[dim] - sizes[dim];
      if (clamps) index = std::clamp<std::int64_t>(index, 0, last);
      inside = inside && index >= 0 && index <= last;
      offset += index * table_strides[dim];
    }
    return offset;
  }
};

struct SliceDims {
  const lower::Dims& window_dims;   ///< dims of the slices' tensor that run over a slice
  const lower::Dims& missing_dims;  ///< table dims that they lack
  const lower::Dims& index_map;
  std::int64_t index_vector_dim;
};

Slices slices_of(const lower::Dims& table, const lower::Dims& indices, const lower::Dims& slices,
                 const lower::Dims& sizes, const SliceDims& dims) {
  Slices result;
  result.table_dims = table;
  result.table_strides = lower::dense_strides(table);
  result.sizes = sizes;
  result.index_map = dims.index_map;
  const lower::Dims strides = lower::dense_strides(slices),
                    index_strides = lower::dense_strides(indices);
  result.slice_strides.assign(table.size(), 0);
  for (std::size_t d = 0, next = 0; d < table.size(); ++d) {
    if (!contains(dims.missing_dims, d))
      result.slice_strides[d] = strides[at(dims.window_dims[next++])];
  }
  if (at(dims.index_vector_dim) < indices.size())
    result.component_stride = index_strides[at(dims.index_vector_dim)];
  const lower::Dims vector_dim{dims.index_vector_dim};
  ir::for_each_index<2>(without(indices, vector_dim),
                        {without(index_strides, vector_dim), without(strides, dims.window_dims)},
                        {0, 0}, [&](const ir::Offsets<2>& row) { result.rows.push_back(row); });
  return result;
}

class GatherKernel : public Kernel {
 public:
  GatherKernel(Slices slices, std::int64_t element_bytes, int num_threads)
      : slices_(std::move(slices)),
        size_(element_bytes),
        num_threads_(num_threads),
        copy_(slices_.sizes, slices_.table_strides, slices_.slice_strides, element_bytes) {}

  void run(Memory memory) override {
    const std::byte* indices = slices_.indices.in(memory);
    const std::byte* table = memory[at(slices_.table)];
    std::byte* result = memory[at(slices_.slices)];
    const auto count = static_cast<std::int64_t>(slices_.rows.size());
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (std::int64_t i = 0; i < count; ++i) {
      const ir::Offsets<2>& row = slices_.rows[at(i)];
      bool inside = true;
      const std::int64_t start = slices_.start(indices, row[0], true, inside);
      copy_.run(table + start * size_, result + row[1] * size_);
    }
  }

 private:
  Slices slices_;
  std::int64_t size_;
  int num_threads_;
  BoxCopy copy_;
};

/// Threads share the columns of the table, its last dim, so that every element has one writer
/// wherever slices begin, also where they stick out.
template <auto kF, typename T>
class ScatterKernel : public Kernel {
 public:
  ScatterKernel(Slices slices, ValueId result, const Shape& shape, double start, int num_threads)
      : slices_(std::move(slices)),
        result_(result),
        count_(num_elements(shape)),
        num_threads_(num_threads) {
    ir::write_elements(shape.dtype, {&start, 1}, reinterpret_cast<std::byte*>(&start_));
    lower::Dims sizes = slices_.sizes, from = slices_.slice_strides, to = slices_.table_strides;
    if (!sizes.empty()) {
      row_ = {sizes.back(), from.back(), to.back()};
      num_columns_ = slices_.table_dims.back();
      sizes.pop_back(), from.pop_back(), to.pop_back();
    }
    rows_ = BoxCopy(sizes, from, to, sizeof(T));
    const auto last = static_cast<std::int64_t>(sizes.size());
    const auto found = std::ranges::find(slices_.index_map, last);
    if (found != slices_.index_map.end()) column_ = found - slices_.index_map.begin();
  }

  void run(Memory memory) override {
    T* table = reinterpret_cast<T*>(memory[at(result_)]);
    fill(memory, table);
    const std::byte* indices = slices_.indices.in(memory);
    const T* updates = reinterpret_cast<const T*>(memory[at(slices_.slices)]);
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (int part = 0; part < num_threads_; ++part) {
      const Columns own{num_columns_ * part / num_threads_,
                        num_columns_ * (part + 1) / num_threads_};
      if (own.begin < own.end) add(indices, updates, table, own);
    }
  }

 private:
  struct Columns {
    std::int64_t begin = 0, end = 0;
  };

  void fill(Memory memory, T* table) const {
    if (slices_.table == kNoValue) {
      std::fill_n(table, count_, start_);
    } else if (memory[at(slices_.table)] != memory[at(result_)]) {
      std::memcpy(table, memory[at(slices_.table)], at(count_) * sizeof(T));
    }
  }

  void add(const std::byte* indices, const T* updates, T* table, Columns own) const {
    for (const ir::Offsets<2>& row : slices_.rows) {
      bool inside = true;
      const std::int64_t start = slices_.start(indices, row[0], false, inside);
      if (!inside) {
        add_clipped(indices, updates, table, row, own);
        continue;
      }
      const std::int64_t first = column_ < 0 ? 0 : slices_.component(indices, row[0], at(column_));
      const Columns within{std::max<std::int64_t>(0, own.begin - first),
                           std::min(row_.extent, own.end - first)};
      rows_.for_each_run([&](std::int64_t from, std::int64_t to, const BoxCopy::Dim& dim) {
        for (std::int64_t i = 0; i < dim.extent; ++i)
          add_row(updates + row[1] + from + i * dim.from, table + start + to + i * dim.to, within);
      });
    }
  }

  void add_row(const T* from, T* to, Columns within) const {
    if (row_.from == 1 && row_.to == 1) {
#pragma omp simd
      for (std::int64_t i = within.begin; i < within.end; ++i)
        to[i] = static_cast<T>(kF(to[i], from[i]));
      return;
    }
    for (std::int64_t i = within.begin; i < within.end; ++i)
      to[i * row_.to] = static_cast<T>(kF(to[i * row_.to], from[i * row_.from]));
  }

  /// A slice that sticks out of the table: those of its elements that lie inside.
  void add_clipped(const std::byte* indices, const T* updates, T* table, const ir::Offsets<2>& row,
                   Columns own) const {
    lower::Dims first(slices_.sizes.size()), size = slices_.sizes;
    for (std::size_t i = 0; i < slices_.index_map.size(); ++i)
      first[at(slices_.index_map[i])] = slices_.component(indices, row[0], i);
    std::int64_t from = row[1], to = 0;
    for (std::size_t d = 0; d < size.size(); ++d) {
      const Columns there = d + 1 == size.size() ? own : Columns{0, slices_.table_dims[d]};
      const std::int64_t begin = std::clamp(first[d], there.begin, there.end),
                         end = std::clamp(first[d] + size[d], there.begin, there.end);
      size[d] = std::max<std::int64_t>(0, end - begin);
      from += (begin - first[d]) * slices_.slice_strides[d];
      to += begin * slices_.table_strides[d];
    }
    ir::for_each_index<2>(size, {slices_.slice_strides, slices_.table_strides}, {from, to},
                          [&](const ir::Offsets<2>& offset) {
                            T& element = table[offset[1]];
                            element = static_cast<T>(kF(element, updates[offset[0]]));
                          });
  }

  Slices slices_;
  ValueId result_;
  T start_{};  ///< of all elements, where the table is a splat
  std::int64_t count_;
  int num_threads_;
  BoxCopy rows_;                  ///< of a slice
  BoxCopy::Dim row_{1, 0, 0};     ///< one of them
  std::int64_t num_columns_ = 1;  ///< of the table
  std::int64_t column_ = -1;      ///< the component of index vectors that says where rows begin
};

}  // namespace

std::unique_ptr<Kernel> make_gather_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                           int num_threads) {
  const Program& program = lowered.program;
  const Op& op = program.op(id);
  const Op &table = program.producer(op.operands[0]), &indices = program.producer(op.operands[1]);
  if (!Indices::are_known(indices.shape.dtype)) return nullptr;
  const GatherAttr& gather = op.attributes.get<GatherAttr>();
  Slices slices = slices_of(table.shape.dims, indices.shape.dims, op.shape.dims, gather.slice_sizes,
                            {gather.offset_dims, gather.collapsed_slice_dims,
                             gather.start_index_map, gather.index_vector_dim});
  slices.table = lowered.views[at(op.operands[0])].base;
  slices.indices = {lowered.views[at(op.operands[1])].base, indices.shape.dtype};
  slices.slices = id;
  return std::make_unique<GatherKernel>(std::move(slices), dtype_bytes(op.shape.dtype),
                                        num_threads);
}

std::unique_ptr<Kernel> make_scatter_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                            int num_threads) {
  const Program& program = lowered.program;
  const Op& op = program.op(id);
  const Op &table = program.producer(op.operands[0]), &indices = program.producer(op.operands[1]),
           &updates = program.producer(op.operands[2]);
  const ScatterAttr& scatter = op.attributes.get<ScatterAttr>();
  if (!Indices::are_known(indices.shape.dtype)) return nullptr;
  lower::Dims sizes(table.shape.dims.size(), 1);
  for (std::size_t d = 0, next = 0; d < sizes.size(); ++d) {
    if (!contains(scatter.inserted_window_dims, d))
      sizes[d] = updates.shape.dims[at(scatter.update_window_dims[next++])];
  }
  Slices slices = slices_of(table.shape.dims, indices.shape.dims, updates.shape.dims, sizes,
                            {scatter.update_window_dims, scatter.inserted_window_dims,
                             scatter.scatter_dims_to_operand_dims, scatter.index_vector_dim});
  slices.table = lowered.views[at(op.operands[0])].base;
  slices.indices = {lowered.views[at(op.operands[1])].base, indices.shape.dtype};
  slices.slices = lowered.views[at(op.operands[2])].base;
  const double start =
      slices.table == kNoValue ? table.attributes.get<ConstantAttr>().elements[0] : 0;
  std::unique_ptr<Kernel> kernel;
  with_reduction(
      scatter.reduction, op.shape.dtype, [&]<auto kF, typename T>() {
        kernel = std::make_unique<ScatterKernel<kF, T>>(std::move(slices), id, op.shape, start,
                                                        num_threads);
      });
  return kernel;
}

}  // namespace rhino::runtime
