// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rhino/strategy.hpp"
#include "sharding/op_graph.hpp"

namespace rhino::sharding {

/// A split of one dim of a tensor.
struct DimSplit {
  std::size_t dim = 0;
  AxisSplit split;
};

/// Which factor of every op each axis cuts, while a strategy is being completed.
class Assignment {
 public:
  /// `chunk_of` and `chunks` must outlive it. Values of chunk -1 are on the mesh of chunk 0.
  Assignment(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of,
             const std::vector<Chunk>& chunks, std::int64_t num_micro_batches);

  const OpGraph& graph() const { return graph_; }
  std::int32_t num_axes() const { return num_axes_; }
  std::int32_t chunk(ValueId id) const { return chunk_of_[static_cast<std::size_t>(id)]; }
  const Mesh& mesh(ValueId id) const { return chunks_[mesh_index(id)].mesh; }
  /// Parts along each axis on the op's mesh, [axis + 1].
  const std::vector<std::int64_t>& parts(ValueId id) const { return parts_[mesh_index(id)]; }
  std::int64_t parts(ValueId id, AxisId axis) const {
    return parts(id)[static_cast<std::size_t>(axis + 1)];
  }

  std::span<const FactorSplit> splits(ValueId id) const {
    const auto op = static_cast<std::size_t>(id);
    return std::span(splits_).subspan(op * static_cast<std::size_t>(num_axes_), num_splits_[op]);
  }
  const FactorSplit* find(ValueId id, AxisId axis) const {
    for (const FactorSplit& split : splits(id)) {
      if (split.axis == axis) return &split;
    }
    return nullptr;
  }

  /// Adds a split if the op may be cut so and the axis is free; axes of one part (other than micro)
  /// are never assigned.
  bool try_add(ValueId id, const FactorSplit& split);
  void remove(ValueId id, AxisId axis);

  /// Where `split` of op `id` falls in its result or operand; nothing if its factor is not there.
  std::optional<DimSplit> in_result(ValueId id, const FactorSplit& split) const;
  std::optional<DimSplit> in_operand(ValueId id, std::size_t operand,
                                     const FactorSplit& split) const;
  /// The split of op `id` that yields, or reads, a tensor cut so.
  std::optional<FactorSplit> from_result(ValueId id, const DimSplit& split) const;
  std::optional<FactorSplit> from_operand(ValueId id, std::size_t operand,
                                          const DimSplit& split) const;

  /// `split` of a tensor between two ops, of which it is the operand or result with the factors
  /// `from_dims` and `to_dims`, as it is on the mesh of `to`: contiguous splits stay contiguous.
  DimSplit carried(ValueId from, const TensorFactors& from_dims, ValueId to,
                   const TensorFactors& to_dims, DimSplit split) const;

  /// Elements of dim `dim` that one device holds in a row: the smallest part of the splits there
  /// with a period of at least `above`.
  std::int64_t block(ValueId id, const TensorFactors& dims, std::size_t dim,
                     std::int64_t above = 0) const;

  OpSharding sharding(ValueId id) const;

 private:
  std::size_t mesh_index(ValueId id) const {
    const std::int32_t chunk_index = chunk(id);
    return chunk_index < 0 ? 0 : static_cast<std::size_t>(chunk_index);
  }

  const OpGraph& graph_;
  const std::vector<std::int32_t>& chunk_of_;
  const std::vector<Chunk>& chunks_;
  std::int32_t num_axes_;  ///< micro included
  std::vector<std::vector<std::int64_t>> parts_;
  std::vector<FactorSplit> splits_;  ///< num_axes_ places per op
  std::vector<std::uint8_t> num_splits_;
};

}  // namespace rhino::sharding
