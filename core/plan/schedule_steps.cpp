// SPDX-License-Identifier: Apache-2.0
#include "plan/schedule_steps.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

TimelineStep once_a_step(sharding::ChunkPhase phase) {
  TimelineStep step;
  step.site = {phase, -1};
  return step;
}

}  // namespace

ScheduleSteps::ScheduleSteps(const AssembleInput& input) {
  for (auto& steps : steps_of_) {
    steps.assign(input.strategy.chunks.size(),
                 std::vector<std::int32_t>(at(input.strategy.num_micro_batches), -1));
  }
  for (const std::vector<PassStep>& order : input.order.steps) {
    std::vector<TimelineStep>& steps = timelines_.emplace_back().steps;
    steps.push_back(once_a_step(sharding::ChunkPhase::prologue));
    for (const PassStep& pass : order) {
      std::vector<std::int32_t>& indices =
          steps_of_[at(static_cast<std::int64_t>(pass.pass))][at(pass.chunk)];
      indices[at(pass.micro_batch)] = static_cast<std::int32_t>(steps.size());
      TimelineStep& step = steps.emplace_back();
      step.site = {phase_of(pass.pass), pass.chunk};
      step.micro_batch = pass.micro_batch;
      step.first = step.last = false;
    }
    steps.push_back(once_a_step(sharding::ChunkPhase::update));
  }
  for (const auto& chunks : steps_of_) {
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      const auto [first, last] = ends(chunks[chunk]);
      if (last < 0) continue;  // nothing of a backward pass that is whole
      std::vector<TimelineStep>& steps = timelines_[at(input.problem.chunks[chunk].mesh)].steps;
      steps[at(first)].first = true;
      steps[at(last)].last = true;
    }
  }
}

const std::vector<std::int32_t>& ScheduleSteps::indices(const Site& site) const {
  return steps_of_[at(static_cast<std::int64_t>(pass_of(site)))][at(site.chunk)];
}
std::int32_t ScheduleSteps::first(const Site& site) const { return ends(indices(site)).first; }
std::int32_t ScheduleSteps::last(const Site& site) const { return ends(indices(site)).second; }

/// Of those that there are; -1: there is none.
std::pair<std::int32_t, std::int32_t> ScheduleSteps::ends(
    const std::vector<std::int32_t>& indices) {
  const std::int32_t last = *std::max_element(indices.begin(), indices.end());
  std::int32_t first = last;
  for (const std::int32_t index : indices) {
    if (index >= 0) first = std::min(first, index);
  }
  return {first, last};
}

}  // namespace rhino::plan
