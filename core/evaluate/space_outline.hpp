// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "evaluate/frame.hpp"
#include "evaluate/strided_periods.hpp"
#include "rhino/strategy_space.hpp"
#include "sharding/propagate.hpp"

namespace rhino::evaluate {

/// What the spaces of a program, cut into so many micro-batches, have in common on all meshes:
/// which ops are alike, which repeat, and what is kept.
class SpaceOutline {
 public:
  /// `graph` is borrowed; `frame` is of any strategy of one chunk with as many micro-batches, which
  /// `mesh` is that of.
  SpaceOutline(const sharding::OpGraph& graph, std::shared_ptr<const Frame> frame, const Mesh& mesh,
               std::int64_t num_micro_batches);

  const sharding::OpGraph& graph() const { return graph_; }
  const Frame& frame() const { return *frame_; }
  std::int64_t num_micro_batches() const { return num_micro_batches_; }
  const StridedPeriods& periods() const { return periods_; }
  /// How micro-batches cut the ops of a class.
  const std::optional<sharding::FactorSplit>& micro_split(std::size_t op_class) const {
    return micro_splits_[op_class];
  }
  /// A space without layouts and ways to cut: all that no mesh changes.
  const StrategySpace& space() const { return space_; }

 private:
  void classify(const sharding::Assignment& assignment);
  void mark_kept();
  void find_ties();
  void find_repeats();

  const sharding::OpGraph& graph_;
  std::shared_ptr<const Frame> frame_;
  std::int64_t num_micro_batches_;
  StridedPeriods periods_;
  std::vector<std::optional<sharding::FactorSplit>> micro_splits_;
  StrategySpace space_;
};

}  // namespace rhino::evaluate
