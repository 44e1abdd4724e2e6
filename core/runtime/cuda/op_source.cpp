// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/op_source.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/philox.hpp"
#include "lower/loop_space.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/op_kernel.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Of a scatter with so many updates threads have shares, until a GPU has work for all of them.
constexpr std::int64_t kManyUpdates = 256, kScatterThreads = 65536, kMostShares = 64;

class OpSource : OpKernel {
 public:
  OpSource(const lower::LoweredProgram& lowered, ValueId id) : OpKernel(lowered, id) {}

  GroupSource run() {
    switch (op_.kind) {
      case OpKind::concatenate: concatenate(); break;
      case OpKind::rng: rng(); break;
      case OpKind::pad: pad(); break;
      case OpKind::gather: gather(); break;
      case OpKind::scatter: scatter(); break;
      case OpKind::dynamic_slice: dynamic_slice(); break;
      case OpKind::dynamic_update_slice: dynamic_update_slice(); break;
      case OpKind::broadcast:
      case OpKind::reshape:
      case OpKind::transpose:
      case OpKind::slice:
      case OpKind::reverse: copy_window(); break;
      default:
        throw Error("the cuda device has no kernel for '" + std::string(ir::op_name(op_.kind)) +
                    "'");
    }
    return std::move(source_);
  }

 private:
  void copy_window() {
    const lower::Read from = lower::read_of(lowered_.program, lowered_.views, id_, 0);
    const std::string value =
        writer_.load(dtype(), from.view.base, offset_of(from.dims, from.view, "i"));
    add_kernel("i", num_elements(op_.shape),
               store(offset_of(op_.shape.dims, lowered_.views[at(id_)], "i"), value));
  }

  /// Four elements for each block of Philox, computed in f64 as everywhere.
  void rng() {
    const RngAttr& rng = op_.attributes.get<RngAttr>();
    const std::int64_t count = num_elements(op_.shape);
    const std::string value = "convert<" + computed_type(dtype()) + ", double>(uniform_of(word, " +
                              literal(DType::f64, rng.low) + ", " + literal(DType::f64, rng.high) +
                              "))";
    add_kernel("q", (count + 3) / 4,
               "const Philox block = philox((u64)q, " + std::to_string(ir::kRngStream) + "ull, " +
                   std::to_string(rng.stream) + "ull);\nfor (int lane = 0; lane < 4; ++lane) {\n" +
                   "const Index i = q * 4 + lane;\nif (i >= " + text(count) + ") break;\n" +
                   "const u32 word = lane == 0 ? block.a : lane == 1 ? block.b : lane == 2 ? " +
                   "block.c : block.d;\n" + store("i", value) + "}\n");
  }

  /// Parts that do not lie in place yet.
  void concatenate() {
    const auto dim = at(op_.attributes.get<DimAttr>().dim);
    const lower::Dims strides = lower::dense_strides(op_.shape.dims);
    std::int64_t start = 0;
    for (std::size_t part = 0; part < op_.operands.size(); ++part) {
      if (view(part).base != id_) {
        const lower::View to{id_, start * strides[dim], strides};
        const std::string value = read(part, "i");
        add_kernel("i", num_elements(shape(part)),
                   store(offset_of(shape(part).dims, to, "i"), value));
      }
      start += shape(part).dims[dim];
    }
  }

  void pad() {
    const PadAttr& pad = op_.attributes.get<PadAttr>();
    const lower::Dims& dims = shape(0).dims;
    const lower::Dims strides = lower::dense_strides(dims);
    std::string body = "bool inside = true;\nIndex from = 0, c;\n";
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::string step = text(pad.interior[d] + 1);
      body += "c = " + coordinate(op_.shape.dims, d, "i") + " - (" + text(pad.low[d]) + ");\n";
      body += "inside = inside && c >= 0 && c % " + step + " == 0 && c / " + step + " < " +
              text(dims[d]) + ";\nfrom += c / " + step + " * " + text(strides[d]) + ";\n";
    }
    const std::string fill = read(1, "0"), value = read(0, "from");
    add_kernel("i", num_elements(op_.shape), body + store("i", "inside ? " + value + " : " + fill));
  }

  /// `name`: the first index along `dim` of a slice, from operand `operand`, clamped.
  std::string dynamic_start(std::size_t operand, std::int64_t last) {
    return "(Index)min((s64)" + text(last) + ", max((s64)0, (s64)" + read(operand, "0") + "))";
  }

  void dynamic_slice() {
    const lower::Dims& dims = shape(0).dims;
    const lower::Dims strides = lower::dense_strides(dims);
    std::string body = "Index from = 0;\n";
    for (std::size_t d = 0; d < dims.size(); ++d) {
      body += "from += (" + coordinate(op_.shape.dims, d, "i") + " + " +
              dynamic_start(1 + d, dims[d] - op_.shape.dims[d]) + ") * " + text(strides[d]) + ";\n";
    }
    const std::string value = read(0, "from");
    add_kernel("i", num_elements(op_.shape), body + store("i", value));
  }

  /// The result begins as the table.
  void begin_as_table() {
    const ValueId table = view(0).base;
    if (table == kNoValue) {
      add_kernel("i", num_elements(op_.shape), store("i", read(0, "0")));
    } else {
      source_.copies.push_back({table, id_, num_bytes(op_.shape)});
    }
  }

  void dynamic_update_slice() {
    begin_as_table();
    const lower::Dims &dims = op_.shape.dims, &part = shape(1).dims;
    const lower::Dims strides = lower::dense_strides(dims);
    std::string body = "Index to = 0;\n";
    for (std::size_t d = 0; d < dims.size(); ++d) {
      body += "to += (" + coordinate(part, d, "i") + " + " +
              dynamic_start(2 + d, dims[d] - part[d]) + ") * " + text(strides[d]) + ";\n";
    }
    const std::string value = read(1, "i");
    add_kernel("i", num_elements(shape(1)), body + store("to", value));
  }

  /// Dims of the slices' tensor of which a table's dim takes its window coordinate; -1: none.
  struct Windows {
    lower::Dims of_table;
    lower::Dims rows;  ///< the other dims of the slices' tensor
  };
  Windows windows(const lower::Dims& window_dims, const lower::Dims& missing, std::size_t rank,
                  std::size_t slices_rank) const {
    Windows result;
    for (std::size_t d = 0, next = 0; d < rank; ++d) {
      const bool lacks = contains(missing, static_cast<std::int64_t>(d));
      result.of_table.push_back(lacks ? -1 : window_dims[next++]);
    }
    for (std::size_t d = 0; d < slices_rank; ++d) {
      if (!contains(window_dims, static_cast<std::int64_t>(d)))
        result.rows.push_back(static_cast<std::int64_t>(d));
    }
    return result;
  }

  /// Component `component` of the index vector of a slice whose coordinates among the rows are
  /// given, as s64.
  std::string component(std::size_t component, const std::vector<std::string>& row,
                        std::int64_t vector_dim) {
    const lower::Dims& dims = shape(1).dims;
    std::string index = text(view(1).offset);
    for (std::size_t d = 0, next = 0; d < dims.size(); ++d) {
      const bool is_vector = static_cast<std::int64_t>(d) == vector_dim;
      const std::string along =
          is_vector ? text(static_cast<std::int64_t>(component)) : row[next++];
      index += " + " + along + " * " + text(view(1).strides[d]);
    }
    if (view(1).base == kNoValue) return "(s64)" + read(1, "0");
    return "(s64)" + writer_.load(shape(1).dtype, view(1).base, index);
  }

  void gather() {
    const GatherAttr& gather = op_.attributes.get<GatherAttr>();
    const lower::Dims& table = shape(0).dims;
    const lower::Dims strides = lower::dense_strides(table);
    const Windows w = windows(gather.offset_dims, gather.collapsed_slice_dims, table.size(),
                              op_.shape.dims.size());
    std::vector<std::string> row;
    for (std::int64_t d : w.rows) row.push_back(coordinate(op_.shape.dims, at(d), "i"));
    std::string body = "Index from = 0;\n";
    for (std::size_t d = 0; d < table.size(); ++d) {
      std::string along =
          w.of_table[d] < 0 ? "0" : coordinate(op_.shape.dims, at(w.of_table[d]), "i");
      const auto mapped = std::ranges::find(gather.start_index_map, static_cast<std::int64_t>(d));
      if (mapped != gather.start_index_map.end()) {
        const auto c = static_cast<std::size_t>(mapped - gather.start_index_map.begin());
        along += " + (Index)min((s64)" + text(table[d] - gather.slice_sizes[d]) + ", max((s64)0, " +
                 component(c, row, gather.index_vector_dim) + "))";
      }
      body += "from += (" + along + ") * " + text(strides[d]) + ";\n";
    }
    const std::string value = read(0, "from");
    add_kernel("i", num_elements(op_.shape), body + store("i", value));
  }

  /// A thread for each place of a slice, or, where slices may overlap, for each element of the
  /// table: it goes through the slices in order. Where these are many, threads share them by where
  /// they go.
  void scatter() {
    begin_as_table();
    const ScatterAttr& scatter = op_.attributes.get<ScatterAttr>();
    const lower::Dims &table = op_.shape.dims, &updates = shape(2).dims;
    const lower::Dims strides = lower::dense_strides(table), from = lower::dense_strides(updates);
    const Windows w = windows(scatter.update_window_dims, scatter.inserted_window_dims,
                              table.size(), updates.size());
    lower::Dims sizes, row_dims, row_strides;
    for (std::int64_t dim : w.of_table) sizes.push_back(dim < 0 ? 1 : updates[at(dim)]);
    for (std::int64_t d : w.rows) {
      row_dims.push_back(updates[at(d)]);
      row_strides.push_back(from[at(d)]);
    }
    bool overlaps = false;
    for (std::int64_t d : scatter.scatter_dims_to_operand_dims)
      overlaps = overlaps || sizes[at(d)] > 1;
    const lower::Dims& threads = overlaps ? table : sizes;
    std::int64_t rows = 1, count = 1;
    for (std::int64_t extent : row_dims) rows *= extent;
    for (std::int64_t extent : threads) count *= extent;
    const std::int64_t num_shares =
        overlaps || rows < kManyUpdates
            ? 1
            : std::clamp<std::int64_t>(kScatterThreads / count, 1, kMostShares);

    std::vector<std::string> row;
    for (std::size_t d = 0; d < row_dims.size(); ++d) row.push_back(coordinate(row_dims, d, "j"));
    std::string step = "bool inside = true;\ns64 to = 0, place, window;\nIndex update = " +
                       offset_of(row_dims, {kNoValue, 0, row_strides}, "j") + ";\n";
    for (std::size_t d = 0; d < table.size(); ++d) {
      std::string start = "(s64)0";
      const auto mapped =
          std::ranges::find(scatter.scatter_dims_to_operand_dims, static_cast<std::int64_t>(d));
      if (mapped != scatter.scatter_dims_to_operand_dims.end())
        start = component(
            static_cast<std::size_t>(mapped - scatter.scatter_dims_to_operand_dims.begin()), row,
            scatter.index_vector_dim);
      const std::string own = coordinate(threads, d, "i");
      step += overlaps ? "place = " + own + ", window = place - " + start + ";\n"
                       : "window = " + own + ", place = window + " + start + ";\n";
      if (!overlaps && mapped == scatter.scatter_dims_to_operand_dims.begin() && num_shares > 1)
        step += "if ((u64)place % " + text(num_shares) + " != (u64)share) continue;\n";
      step += "inside = inside && window >= 0 && window < " + text(sizes[d]) +
              " && place >= 0 && place < " + text(table[d]) + ";\nto += place * " +
              text(strides[d]) + ";\n";
      if (w.of_table[d] >= 0)
        step += "update += (Index)window * " + text(from[at(w.of_table[d])]) + ";\n";
    }
    const std::string sum = functor(scatter.reduction) + "(" + writer_.load(dtype(), id_, "to") +
                            ", " + read(2, "update") + ")";
    step += "if (inside) " + store("to", rounded(dtype(), sum));
    const std::string own = num_shares == 1 ? "const Index i = t;\n"
                                            : "const Index i = t % " + text(count) +
                                                  ", share = t / " + text(count) + ";\n";
    add_kernel("t", count * num_shares,
               own + "for (Index j = 0; j < " + text(rows) + "; ++j) {\n" + step + "}\n");
  }
};

}  // namespace

GroupSource op_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  switch (lowered.program.op(group.ops[0]).kind) {
    case OpKind::convolution: return convolution_source(lowered, group.ops[0]);
    case OpKind::reduce_window:
    case OpKind::select_and_scatter: return window_source(lowered, group.ops[0]);
    case OpKind::sort: return sort_source(lowered, group.ops[0]);
    default: break;
  }
  return OpSource(lowered, group.ops[0]).run();
}

}  // namespace rhino::runtime::cuda
