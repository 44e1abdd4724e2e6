// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plan/pass_order.hpp"
#include "rhino/pipeline.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {

/// Seconds of a pass, from its begin and from when that has arrived which other meshes make of the
/// same micro-batch: what does not wait for it runs before.
struct PassSpan {
  double seconds = 0, after_s = 0;
  /// Longer by so much for every micro-batch but the first, which has no sums to add to.
  double adding_s = 0;
  /// In which the host issues all of it, ahead of its device where it can, and what comes behind
  /// the arrival, for which it waits.
  double issue_s = 0, issue_after_s = 0;
  /// The same until something is made that leaves the mesh; negative: it does not wait.
  struct Departure {
    double seconds = 0, after_s = 0;
    std::int32_t num_arrivals = 0;  ///< of an update, that it waits for: the first ones
  };
  std::vector<Departure> departures;    ///< per crossing of the pass, in the order of these
  std::vector<double> arrivals_s = {};  ///< of an update, per arrival, when it is waited for
  std::array<double, 2> links_s = {};   ///< of its collectives, inside hosts and between them
  double waited_s = 0;                  ///< for these, with nothing else to do
  /// As schedules are told: of all that runs, and of each collective alone, one after the other; of
  /// what runs, that which does so before all has left and is not needed for that.
  double one_by_one_s = 0, ahead_s = 0;
};

/// Seconds of what a step is made of.
struct StepParts {
  struct Chunk {
    std::int32_t mesh = 0;
    std::array<PassSpan, kNumPasses> passes;  ///< of weight where the backward pass is cut
    PassSpan update;                          ///< of the chunk's own ops
    /// Reductions that begin in the last pass that adds to sums, and that the update waits for.
    double early_s = 0;
    double last_early_s = 0;                   ///< of one bucket of them
    double after_early_s = 0;                  ///< of the update, behind the last of them
    std::array<double, 2> early_links_s = {};  ///< of them, as of PassSpan
  };
  /// What one pass, or prologue, or update, makes for others on other meshes, all at once.
  struct Crossing {
    /// Seconds of a link that transfers share.
    struct Load {
      std::int32_t link = 0;
      double seconds = 0;
      /// Of the mesh at its end of the link, that send or receive; all of it that have the link.
      std::int32_t num_devices = 1, num_all = 1;
    };
    struct Target {
      sharding::ChunkPhase phase = sharding::ChunkPhase::forward;
      std::int32_t chunk = 0;
      double latency_s = 0;
      double busy_s = 0;    ///< behind that, until it can go on, where nothing else is sent
      double first_s = 0;   ///< of it all, until a first device can go on
      double period_s = 0;  ///< it comes so much behind the one before, at least
      bool is_main = true;  ///< PassSpan tells what comes after it; else the pass ends no sooner
      std::int32_t arrival = -1;  ///< which of those of an update
      /// Of a device's tiles: until the pass ends, and those that stay until `kept_to` ends.
      double bytes = 0, kept_bytes = 0;
      sharding::ChunkPhase kept_to = sharding::ChunkPhase::backward;
    };
    sharding::ChunkPhase phase = sharding::ChunkPhase::forward;
    std::int32_t chunk = 0;
    std::int32_t departure = 0;  ///< which of those of its pass or update
    std::vector<Target> targets;
    std::vector<Load> loads;  ///< none: it shares links with itself alone
    double bytes = 0;         ///< of a device's tiles that are there for it alone
  };
  std::vector<Chunk> chunks;
  std::vector<double> prologue_s, update_s;  ///< per mesh
  /// Per mesh, of Crossing::Load: its links out and in, inside hosts, then between them. Empty:
  /// nothing is known of what collectives share with transfers.
  std::vector<std::array<std::int32_t, 4>> links;
  std::vector<Crossing> crossings;
  /// Between chunks of one mesh, which nothing is sent for: the pass that is waited for, and that
  /// which waits.
  std::vector<std::pair<ChunkPass, ChunkPass>> stays = {};
};

/// What passes wait for, as schedules are asked: of crossings between passes, and of what stays.
std::vector<PipelineEdge> edges_of(const StepParts& parts);

/// Per mesh, its passes.
using PassSteps = std::vector<std::vector<plan::PassStep>>;

/// Bytes that a micro-batch keeps in a chunk from one pass to another.
struct KeptBytes {
  double forward_to_backward = 0, forward_to_weight = 0, backward_to_weight = 0;
};

/// Of each device of a chunk, by micro-batch.
struct ChunkBytes {
  KeptBytes kept;
  /// While that runs, of the first micro-batch and of others.
  std::array<double, kNumPasses> in_first = {}, in_pass = {};
  /// More of it in the last one that adds to sums, which reductions of these part.
  double in_last = 0;
  /// Of sums, where a first pass makes room for them: they are counted as there before that, too.
  std::array<double, kNumPasses> sums = {};
};

struct ExpectedStep {
  double step_s = 0;
  /// Per mesh, where it was asked: the most at a time of what micro-batches under way keep, what
  /// passes hold while they run, and tiles that leave them or come for them.
  std::vector<double> most_bytes = {};
};

/// The period of steps in which every mesh works off its order, each pass as soon as what it needs
/// is there: prologue, passes, update. Of the mesh with the longest one, as a simulation of two
/// steps tells it. `bytes`: per chunk; empty: nobody asks for memory.
ExpectedStep expected_step(const StepParts& parts, const PassSteps& order,
                           const std::vector<ChunkBytes>& bytes = {});

/// No step is shorter whose parts are no shorter than these. (Meshes that wait for each other have
/// one period in the end; it lies between the shortest and the longest of those along the way.)
double step_bound_s(const StepParts& parts, const PassSteps& order);

/// Nor is one in any other order of these passes; backward passes may be cut in it.
double work_bound_s(const StepParts& parts, const PassSteps& order);

}  // namespace rhino::evaluate
