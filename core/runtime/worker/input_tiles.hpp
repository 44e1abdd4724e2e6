// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/ranks.hpp"
#include "runtime/worker/arena.hpp"

namespace rhino::runtime {

/// This device's tiles of the Program's inputs, made where they lie, if the host reaches that.
class InputTiles {
 public:
  /// `plan` and `arena` must live longer; `num_threads` of the host make the values.
  InputTiles(const plan::ExecutionPlan& plan, const RankPlace& place, int num_threads,
             Arena& arena);

  /// All inputs as they are before the first step, which has number `step`, from the counters of
  /// `seed`. `progress` counts the pieces that are made, each in a moment.
  void fill(std::uint64_t seed, std::int64_t step, std::atomic<std::uint64_t>& progress);
  /// Those that hold the number of the step.
  void refresh(std::int64_t step) const;

 private:
  struct InputTile {
    const plan::PlanInput* input = nullptr;
    Shape whole;                        ///< global extents, all micro-batches
    std::vector<TileBox> boxes;         ///< in coordinates of `whole`
    std::vector<std::int64_t> extents;  ///< of the tile's memory
    std::byte* data = nullptr;          ///< in the arena
    std::int64_t num_bytes = 0;
  };
  void fill(const InputTile& tile, const std::vector<TileBox>& boxes, std::int64_t step,
            std::byte* data) const;

  void fill_pieces(const InputTile& tile, std::int64_t step, std::byte* data,
                   std::atomic<std::uint64_t>& progress) const;

  Arena& arena_;
  int num_threads_;
  std::uint64_t seed_ = 0;
  std::vector<InputTile> tiles_;
  std::vector<InputTile> step_tiles_;
};

}  // namespace rhino::runtime
