// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/pipeline.hpp"

namespace rhino::evaluate {

/// Seconds of what a step is made of.
struct StepParts {
  /// From the begin of a pass, and from when the last tensor has arrived that it waits for.
  struct PassParts {
    double seconds = 0, after_s = 0;
    /// Until what other meshes wait for is made; the rest goes on beside its transfer.
    double departs_s = 0, departs_after_s = 0;
  };
  struct Chunk {
    std::int32_t mesh = 0;
    PassParts forward, backward;
    /// Reductions that begin in the last backward pass and that the update waits for.
    double early_s = 0;
  };
  /// Tensors that a pass of chunk `to` waits for, from the same pass of chunk `from`; or, once per
  /// step, from prologue to passes and from passes to update.
  struct Crossing {
    enum class When : std::uint8_t { forward, backward, before, after } when = When::forward;
    std::int32_t from = 0, to = 0;
    double seconds = 0;
  };
  std::vector<Chunk> chunks;
  std::vector<double> prologue_s, update_s;  ///< per mesh
  std::vector<Crossing> crossings;
};

/// The period of steps in which every mesh works off its order, each pass as soon as what it needs
/// is there: prologue, passes, update. Of the mesh with the longest one, as a simulation tells it.
double expected_step_s(const StepParts& parts, const PipelineSchedule& schedule);

/// No step is shorter whose parts are no shorter than these. (Meshes that wait for each other have
/// one period in the end; it lies between the shortest and the longest of those along the way.)
double step_bound_s(const StepParts& parts, const PipelineSchedule& schedule,
                    std::int64_t num_micro_batches);

/// Per chunk the most micro-batches that are forward and not yet backward.
std::vector<std::int64_t> most_in_flight(const PipelineSchedule& schedule, std::size_t num_chunks);

}  // namespace rhino::evaluate
