// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_time.hpp"

#include <algorithm>
#include <limits>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using When = StepParts::Crossing::When;
constexpr int kNumSteps = 3;

/// Works off the orders of all meshes in turn, as far as each can get.
class Walk {
 public:
  /// `expects`: else all is as short as it can be.
  Walk(const StepParts& parts, const PipelineSchedule& schedule, bool expects)
      : parts_(parts),
        schedule_(schedule),
        expects_(expects),
        into_(parts.chunks.size()),
        now_s_(schedule.order.size()),
        step_end_s_(schedule.order.size()) {
    for (const StepParts::Crossing& crossing : parts.crossings)
      into_[at(crossing.to)].push_back(&crossing);
  }

  /// Of the mesh with the longest one, or of that with the shortest.
  double period_s() {
    std::vector<double> before_s;
    for (int step = 0; step < kNumSteps; ++step) {
      before_s = step_end_s_;
      run_step();
    }
    double period_s = expects_ ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t mesh = 0; mesh < before_s.size(); ++mesh) {
      const double own_s = step_end_s_[mesh] - before_s[mesh];
      period_s = expects_ ? std::max(period_s, own_s) : std::min(period_s, own_s);
    }
    return period_s;
  }

 private:
  static constexpr double kNotYet = -1;

  void run_step() {
    for (auto& departed : departed_s_) departed.assign(parts_.chunks.size(), {});
    prologue_end_s_.clear();
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh) {
      now_s_[mesh] = step_end_s_[mesh] + parts_.prologue_s[mesh];
      prologue_end_s_.push_back(now_s_[mesh]);
    }
    next_.assign(now_s_.size(), 0);
    bool has_run = true;
    while (has_run) {
      has_run = false;
      for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh) {
        while (next_[mesh] < schedule_.order[mesh].size() &&
               run(mesh, schedule_.order[mesh][next_[mesh]])) {
          ++next_[mesh];
          has_run = true;
        }
      }
    }
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh) {
      if (next_[mesh] < schedule_.order[mesh].size())
        throw Error("the schedule waits for itself on mesh " + std::to_string(mesh));
      step_end_s_[mesh] = now_s_[mesh];
    }
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh)
      step_end_s_[mesh] += parts_.update_s[mesh];
    for (const StepParts::Chunk& chunk : parts_.chunks)
      step_end_s_[at(chunk.mesh)] += expects_ ? exposed_s(chunk) : 0;
    // What one update makes, another one waits for.
    const std::vector<double> updated_s = step_end_s_;
    for (const StepParts::Crossing& crossing : parts_.crossings) {
      if (crossing.when != When::after) continue;
      double& end_s = step_end_s_[at(parts_.chunks[at(crossing.to)].mesh)];
      end_s =
          std::max(end_s, updated_s[at(parts_.chunks[at(crossing.from)].mesh)] + crossing.seconds);
    }
  }

  /// Of reductions what the last backward pass does not cover: the last of 32 buckets, at least.
  static double exposed_s(const StepParts::Chunk& chunk) {
    constexpr double kCovered = 0.9;  // of a pass, behind the first gradient
    return std::max(chunk.early_s / 32, chunk.early_s - kCovered * chunk.backward.seconds);
  }

  bool run(std::size_t mesh, const Action& action) {
    switch (action.kind) {
      case ActionKind::forward: return pass(mesh, false, action.chunk, action.micro_batch);
      case ActionKind::forward_backward:
        return is_ready(true, action.other_chunk, action.other_micro_batch) &&
               pass(mesh, false, action.chunk, action.micro_batch) &&
               pass(mesh, true, action.other_chunk, action.other_micro_batch);
      case ActionKind::weight: return true;  // a part of the backward pass
      case ActionKind::backward:
      case ActionKind::backward_weight: return pass(mesh, true, action.chunk, action.micro_batch);
    }
    return true;
  }

  double departed_s(bool backward, std::int32_t chunk, std::int32_t micro_batch) const {
    const std::vector<double>& times = departed_s_[backward][at(chunk)];
    return at(micro_batch) < times.size() ? times[at(micro_batch)] : kNotYet;
  }

  bool is_ready(bool backward, std::int32_t chunk, std::int32_t micro_batch) const {
    return std::all_of(into_[at(chunk)].begin(), into_[at(chunk)].end(),
                       [&](const StepParts::Crossing* crossing) {
                         return crossing->when != (backward ? When::backward : When::forward) ||
                                departed_s(backward, crossing->from, micro_batch) != kNotYet;
                       });
  }

  bool pass(std::size_t mesh, bool backward, std::int32_t chunk, std::int32_t micro_batch) {
    if (!is_ready(backward, chunk, micro_batch)) return false;
    double arrived_s = 0;
    for (const StepParts::Crossing* crossing : into_[at(chunk)]) {
      if (crossing->when == When::before) {
        const auto from = at(parts_.chunks[at(crossing->from)].mesh);
        now_s_[mesh] = std::max(now_s_[mesh], prologue_end_s_[from] + crossing->seconds);
      } else if (crossing->when == (backward ? When::backward : When::forward)) {
        arrived_s = std::max(arrived_s,
                             departed_s(backward, crossing->from, micro_batch) + crossing->seconds);
      }
    }
    const StepParts::Chunk& part = parts_.chunks[at(chunk)];
    const StepParts::PassParts& pass = backward ? part.backward : part.forward;
    std::vector<double>& departed = departed_s_[backward][at(chunk)];
    if (departed.size() <= at(micro_batch)) departed.resize(at(micro_batch) + 1, kNotYet);
    departed[at(micro_batch)] =
        std::max(now_s_[mesh] + pass.departs_s, arrived_s + pass.departs_after_s);
    now_s_[mesh] = std::max(now_s_[mesh] + pass.seconds, arrived_s + pass.after_s);
    return true;
  }

  const StepParts& parts_;
  const PipelineSchedule& schedule_;
  bool expects_;
  std::vector<std::vector<const StepParts::Crossing*>> into_;  ///< per chunk
  std::vector<double> now_s_, step_end_s_, prologue_end_s_;    ///< per mesh
  std::vector<std::size_t> next_;
  std::vector<std::vector<double>> departed_s_[2];  ///< [backward][chunk][micro-batch]
};

}  // namespace

namespace {

bool cuts_backward(const PipelineSchedule& schedule) {
  return std::ranges::any_of(schedule.order, [](const std::vector<Action>& order) {
    return std::ranges::count(order, ActionKind::weight, &Action::kind) > 0;
  });
}

/// What a mesh has to do in a step, one after the other.
double work_s(const StepParts& parts, std::int32_t mesh, double num_micro_batches) {
  double sum_s = parts.prologue_s[at(mesh)], early_s = 0;
  int num_chunks = 0;
  for (const StepParts::Chunk& chunk : parts.chunks) {
    if (chunk.mesh != mesh) continue;
    sum_s += num_micro_batches * (chunk.forward.seconds + chunk.backward.seconds);
    // Reductions begin no sooner than the last backward pass.
    early_s = chunk.early_s - chunk.backward.seconds;
    ++num_chunks;
  }
  return sum_s + std::max(parts.update_s[at(mesh)], num_chunks == 1 ? early_s : 0);
}

}  // namespace

double expected_step_s(const StepParts& parts, const PipelineSchedule& schedule) {
  return Walk(parts, schedule, true).period_s();
}

double step_bound_s(const StepParts& parts, const PipelineSchedule& schedule,
                    std::int64_t num_micro_batches) {
  // Where the halves of backward passes lie apart, it is not told how long each is at the least.
  double bound_s = cuts_backward(schedule) ? 0 : Walk(parts, schedule, false).period_s();
  for (std::size_t mesh = 0; mesh < parts.prologue_s.size(); ++mesh)
    bound_s = std::max(bound_s, work_s(parts, static_cast<std::int32_t>(mesh),
                                       static_cast<double>(num_micro_batches)));
  return bound_s;
}

std::vector<std::int64_t> most_in_flight(const PipelineSchedule& schedule, std::size_t num_chunks) {
  std::vector<std::int64_t> most(num_chunks), now(num_chunks);
  for (const std::vector<Action>& order : schedule.order) {
    for (const Action& action : order) {
      const bool both = action.kind == ActionKind::forward_backward;
      if (action.kind == ActionKind::forward || both) ++now[at(action.chunk)];
      most[at(action.chunk)] = std::max(most[at(action.chunk)], now[at(action.chunk)]);
      if (both) --now[at(action.other_chunk)];
      else if (action.kind != ActionKind::forward && action.kind != ActionKind::weight)
        --now[at(action.chunk)];
    }
  }
  return most;
}

}  // namespace rhino::evaluate
