// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plan/known_cuts.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {

/// What of W whole backward passes do before all has left that others read of them.
class WeightFirst {
 public:
  /// `whole`: all programs of the strategy; `attends`: attention is one kernel. `chunks` and `cuts`
  /// are borrowed.
  WeightFirst(const std::vector<sharding::ChunkProgram>& whole, const Strategy& strategy,
              bool attends, std::vector<ChunkCost>& chunks, plan::KnownCuts& cuts);

  /// Sets that of the chunk of a backward pass whose kernels take so long.
  /// `blocks`: see plan::CutProblem.
  void add(const sharding::ChunkProgram& part, double kernels_s, std::int64_t bucket_bytes,
           bool blocks) const;

 private:
  bool attends_;
  std::vector<ChunkCost>& chunks_;
  plan::KnownCuts& cuts_;
  std::set<std::pair<std::int32_t, ValueId>> read_;  ///< of which chunk, by other meshes
  /// Per chunk and value that comes from another mesh, the first phase that reads it.
  std::map<std::pair<std::int32_t, ValueId>, sharding::ChunkPhase> first_;
};

}  // namespace rhino::evaluate
