// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/pipeline_time.hpp"
#include "evaluate/tables.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {

/// What memory an op of a fused loop touches, as long as nothing reshards inside of the loop.
struct LoopTraffic {
  std::vector<ValueId> reads;       ///< values that lie in memory; each once per loop
  std::vector<ValueId> sure_reads;  ///< of them those that some loop reads, however ops are fused
  bool writes = false;              ///< the result goes to memory
  bool surely_writes = false;
  bool opens = false;  ///< the first op of its loop: a kernel is launched
};

/// The ops of a chunk in one phase, in order; a backward pass begins again what is recomputed.
struct PassOps {
  std::int32_t chunk = 0;
  sharding::ChunkPhase phase = sharding::ChunkPhase::forward;
  std::vector<ValueId> ops = {};
  std::vector<std::int32_t> place = {};   ///< per value: index in `ops`; -1: not made here
  std::vector<LoopTraffic> traffic = {};  ///< per op; of OpWork::loop
  bool makes(ValueId id) const { return place[static_cast<std::size_t>(id)] >= 0; }
  const LoopTraffic& traffic_of(ValueId id) const {
    return traffic[static_cast<std::size_t>(place[static_cast<std::size_t>(id)])];
  }
  bool repeats() const { return sharding::is_pass(phase); }  ///< runs once per micro-batch
};

/// A value that goes from one mesh to another: `when` as in StepParts::Crossing.
struct CrossingValue {
  StepParts::Crossing::When when = StepParts::Crossing::When::forward;
  std::int32_t from = 0, to = 0;  ///< chunks
  ValueId value = kNoValue;
  auto operator<=>(const CrossingValue&) const = default;
};

/// What of a strategy does not depend on how values are cut over meshes: which pass makes what, and
/// how its ops fuse. Made from the partitioner's own view of a step.
struct Frame {
  Frame(const sharding::OpGraph& graph, const Strategy& strategy);

  std::vector<PassOps> passes;  ///< by chunk and phase; empty ones are left out
  // Per value.
  std::vector<std::int32_t> chunk_of;  ///< that makes or owns it; -1: any
  std::vector<std::int32_t> made_in;   ///< index in `passes`; -1: an input, or copied to its users
  std::vector<bool> is_copied;
  std::vector<bool> is_per_micro_batch;
  std::vector<bool> leaves;          ///< some other pass, or the caller, reads it
  std::vector<bool> is_accumulated;  ///< micro-batches hold terms of a sum that the update reads
  std::vector<bool> departs;         ///< a pass on another mesh reads that of each micro-batch
  std::vector<bool> is_needed;       ///< something that leaves the step depends on it
  std::vector<OpWork> work;
  /// What passes on another mesh read, each once.
  std::vector<CrossingValue> crossings;
  /// Per chunk: what a micro-batch's forward pass keeps, or received, for its backward pass.
  std::vector<std::vector<ValueId>> kept;
};

}  // namespace rhino::evaluate
