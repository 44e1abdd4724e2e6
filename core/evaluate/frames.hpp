// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "evaluate/frame.hpp"
#include "evaluate/fused_loops.hpp"
#include "evaluate/in_turn.hpp"
#include "evaluate/planner.hpp"

namespace rhino::evaluate {

/// Per chunk the number of its mesh, which several may share: by their first chunks.
std::vector<std::int32_t> mesh_numbers(const std::vector<Chunk>& chunks);

/// The frames of strategies tried out last: one for all that differ in mesh axes, devices and specs
/// alone, as long as devices have several rows of a batch.
class Frames {
 public:
  /// Both must outlive it.
  Frames(const PlanContext& context, const sharding::OpGraph& graph);

  /// `is_cut`: as of Frame. Throws Error where the strategy is none for the program; whether its
  /// ops can be cut so is looked at for a new frame alone.
  std::shared_ptr<const Frame> of(const Strategy& strategy, bool is_cut) {
    return known(strategy, is_cut, true).frame;
  }
  /// And how its ops fuse, which another thread finds out meanwhile, of one frame at a time.
  /// `attends`: attention is one kernel where there are any.
  std::shared_ptr<const Frame> with_loops(const Strategy& strategy, bool is_cut,
                                          bool attends = true);
  /// How devices cut the value may decide about the frame.
  bool depends_on(const Strategy& strategy, ValueId id) const;

 private:
  /// What a frame depends on.
  struct Key {
    std::vector<std::int32_t> mesh_numbers, chunk_of;
    std::vector<bool> recomputes;  ///< per chunk
    std::vector<ValueId> recompute;
    std::vector<std::uint8_t> manners;  ///< per value: what of its spec counts
    std::vector<bool> adds_terms;       ///< per sum of two terms of micro-batches
    std::int64_t num_single_rows = 0;
    bool is_one = false;  ///< micro-batch
    bool is_cut = false;
    bool attends = false;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Key key;
    std::shared_ptr<Frame> frame;
    std::shared_future<void> has_loops = {};
  };
  Key key(const Strategy& strategy, bool is_cut, bool attends) const;
  bool may_be_sum(const Strategy& strategy, ValueId id) const;
  bool adds_terms(const Strategy& strategy, ValueId id) const;
  Known& known(const Strategy& strategy, bool is_cut, bool attends);

  const PlanContext& context_;
  const sharding::OpGraph& graph_;
  const lower::Kernels kernels_;
  const std::vector<bool> may_attend_;
  const std::vector<bool> adds_;  ///< per value: a sum of two that nothing else reads
  FusedLoops fused_, without_attention_;
  std::deque<Known> known_;
  InTurn other_thread_;
};

}  // namespace rhino::evaluate
