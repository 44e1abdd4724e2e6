// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/pipeline.hpp"
#include "sharding/partition.hpp"

namespace rhino::plan {

constexpr sharding::ChunkPhase phase_of(Pass pass) {
  using enum sharding::ChunkPhase;
  constexpr sharding::ChunkPhase kPhases[] = {forward, backward, weight};
  return kPhases[static_cast<std::size_t>(pass)];
}
/// Of a phase that is one.
constexpr Pass pass_of(sharding::ChunkPhase phase) {
  if (phase == sharding::ChunkPhase::forward) return Pass::forward;
  return phase == sharding::ChunkPhase::weight ? Pass::weight : Pass::backward;
}

/// One pass of one chunk for one micro-batch.
struct PassStep {
  Pass pass = Pass::forward;
  std::int32_t chunk = 0, micro_batch = 0;
  bool operator==(const PassStep&) const = default;
};

/// `forward of chunk 0, micro-batch 3`
std::string describe(const PassStep& step);

/// A schedule in single passes.
struct PassOrder {
  std::vector<bool> is_cut;                  ///< per chunk: its backward pass runs in two
  std::vector<std::vector<PassStep>> steps;  ///< per mesh, in order
};

/// What `schedule` comes to, proved: of every chunk, on its own mesh, each micro-batch runs forward
/// and backward once, in that order (see ActionKind), or of every chunk of one replica where there
/// are several, none of which is without; and meshes that work off their lists, each
/// pass as soon as what it reads is there, never wait for each other in a circle. All who ask
/// whether a schedule is right ask here: planner, conformance, tests. Throws Error that says what
/// the schedule does wrong. Of `problem` only chunks' meshes, edges and numbers count.
PassOrder pass_order(const PipelineProblem& problem, const PipelineSchedule& schedule);

}  // namespace rhino::plan
