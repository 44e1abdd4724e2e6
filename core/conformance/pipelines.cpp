// SPDX-License-Identifier: Apache-2.0
#include "conformance/pipelines.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::conformance {
namespace {

enum Pass : std::size_t { kForward, kBackward, kNumPasses };

struct Step {
  Pass pass = kForward;
  std::int32_t chunk = 0, micro_batch = 0;
};

std::vector<Step> steps_of(const Action& action) {
  const Step forward{kForward, action.chunk, action.micro_batch};
  switch (action.kind) {
    case ActionKind::forward: return {forward};
    case ActionKind::backward_weight: return {{kBackward, action.chunk, action.micro_batch}};
    case ActionKind::forward_backward:
      return {forward, {kBackward, action.other_chunk, action.other_micro_batch}};
    case ActionKind::backward:
    case ActionKind::weight: break;
  }
  throw Error("chunk " + std::to_string(action.chunk) + ", micro-batch " +
              std::to_string(action.micro_batch) +
              ": the engine runs no backward pass in two parts, `backward` and `weight`; order "
              "`backward_weight`");
}

std::string text(const Step& step) {
  constexpr const char* kNames[] = {"forward", "backward"};
  return std::string(kNames[step.pass]) + " of chunk " + std::to_string(step.chunk) +
         ", micro-batch " + std::to_string(step.micro_batch);
}

class Player {
 public:
  Player(const PipelineProblem& problem, const PipelineSchedule& schedule)
      : problem_(problem),
        num_chunks_(static_cast<std::int32_t>(problem.chunks.size())),
        schedule_(schedule),
        done_(kNumPasses * at(num_chunks_) * at(problem.num_micro_batches)) {}

  void check() {
    if (schedule_.order.size() != at(problem_.num_meshes))
      throw Error("the schedule has orders for " + std::to_string(schedule_.order.size()) + " of " +
                  std::to_string(problem_.num_meshes) + " meshes");
    check_places();
    play();
    check_complete();
  }

 private:
  void check_places() const {
    for (std::size_t mesh = 0; mesh < schedule_.order.size(); ++mesh) {
      for (const Action& action : schedule_.order[mesh]) {
        for (const Step& step : steps_of(action)) {
          if (step.chunk < 0 || step.chunk >= num_chunks_ || step.micro_batch < 0 ||
              step.micro_batch >= problem_.num_micro_batches)
            throw Error("there is no " + text(step));
          if (at(problem_.chunks[at(step.chunk)].mesh) != mesh)
            throw Error(text(step) + " is in the order of mesh " + std::to_string(mesh) +
                        ", where the chunk does not lie");
        }
      }
    }
  }

  /// Every mesh does its next action as soon as all that it waits for is done.
  void play() {
    std::vector<std::size_t> next(schedule_.order.size());
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t mesh = 0; mesh < next.size(); ++mesh) {
        const std::vector<Action>& order = schedule_.order[mesh];
        while (next[mesh] < order.size() && perform(order[next[mesh]])) {
          ++next[mesh];
          moved = true;
        }
      }
    }
    for (std::size_t mesh = 0; mesh < next.size(); ++mesh) {
      if (next[mesh] == schedule_.order[mesh].size()) continue;
      throw Error("mesh " + std::to_string(mesh) + " waits for ever to begin " +
                  text(steps_of(schedule_.order[mesh][next[mesh]]).front()));
    }
  }

  /// False while something is missing. The steps of one action may build on each other.
  bool perform(const Action& action) {
    const std::vector<Step> steps = steps_of(action);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (is_ready(steps[i])) {
        if (done(steps[i])) throw Error(text(steps[i]) + " runs twice");
        done_[index(steps[i])] = true;
        continue;
      }
      while (i > 0) done_[index(steps[--i])] = false;
      return false;
    }
    return true;
  }

  bool is_ready(const Step& step) const {
    const bool first = step.chunk == 0, last = step.chunk == num_chunks_ - 1;
    const auto is_done = [&](Pass pass, std::int32_t chunk) {
      return done({pass, chunk, step.micro_batch});
    };
    if (step.pass == kForward) return first || is_done(kForward, step.chunk - 1);
    return is_done(kForward, step.chunk) && (last || is_done(kBackward, step.chunk + 1));
  }

  void check_complete() const {
    for (std::int32_t m = 0; m < problem_.num_micro_batches; ++m) {
      for (std::int32_t chunk = 0; chunk < num_chunks_; ++chunk) {
        for (const Pass pass : {kForward, kBackward}) {
          const Step step{pass, chunk, m};
          if (!done(step)) throw Error("the schedule lacks the " + text(step));
        }
      }
    }
  }

  std::size_t index(const Step& step) const {
    return (at(step.pass) * at(num_chunks_) + at(step.chunk)) * at(problem_.num_micro_batches) +
           at(step.micro_batch);
  }
  bool done(const Step& step) const { return done_[index(step)]; }

  const PipelineProblem& problem_;
  std::int32_t num_chunks_;
  const PipelineSchedule& schedule_;
  std::vector<bool> done_;
};

}  // namespace

std::string placement_fault(const Placement& placement, std::int32_t num_meshes) {
  if (placement.num_replicas != 1)
    return "it places " + std::to_string(placement.num_replicas) +
           " replicas of the chunks, and the engine runs one";
  std::vector<bool> used(at(num_meshes));
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    if (mesh < 0 || mesh >= num_meshes)
      return "it places a chunk on mesh " + std::to_string(mesh) + " of " +
             std::to_string(num_meshes);
    used[at(mesh)] = true;
  }
  const auto idle = std::find(used.begin(), used.end(), false);
  if (idle == used.end()) return "";
  return "it places no chunk on mesh " + std::to_string(idle - used.begin());
}

std::string schedule_fault(const PipelineProblem& problem, const PipelineSchedule& schedule) {
  try {
    Player(problem, schedule).check();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace rhino::conformance
