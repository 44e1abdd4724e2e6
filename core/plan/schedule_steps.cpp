// SPDX-License-Identifier: Apache-2.0
#include "plan/schedule_steps.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {

std::string describe(const TimelineStep& step) {
  return std::string(step.site.phase == sharding::ChunkPhase::forward ? "forward" : "backward") +
         " of chunk " + std::to_string(step.site.chunk) + ", micro-batch " +
         std::to_string(step.micro_batch);
}

ScheduleSteps::ScheduleSteps(const AssembleInput& input, const std::vector<RoleBlocks>& roles)
    : num_micro_batches_(input.strategy.num_micro_batches),
      timelines_(roles.size()),
      role_of_(input.strategy.chunks.size()) {
  for (auto& steps : steps_of_)
    steps.assign(role_of_.size(), std::vector<std::int32_t>(at(num_micro_batches_), -1));
  for (std::size_t role = 0; role < roles.size(); ++role) {
    for (const std::int32_t chunk : roles[role].chunks)
      role_of_[at(chunk)] = static_cast<std::int32_t>(role);
  }
  for (const std::vector<Action>& order : input.schedule.order) add_order(order);
  for (std::size_t role = 0; role < roles.size(); ++role) complete(roles[role], timelines_[role]);
}

void ScheduleSteps::add_order(const std::vector<Action>& order) {
  std::int32_t role = -1;
  for (const Action& action : order) {
    switch (action.kind) {
      case ActionKind::forward:
        add(role, {sharding::ChunkPhase::forward, action.chunk}, action.micro_batch);
        break;
      case ActionKind::backward_weight:
        add(role, {sharding::ChunkPhase::backward, action.chunk}, action.micro_batch);
        break;
      case ActionKind::forward_backward:
        add(role, {sharding::ChunkPhase::forward, action.chunk}, action.micro_batch);
        add(role, {sharding::ChunkPhase::backward, action.other_chunk}, action.other_micro_batch);
        break;
      case ActionKind::backward:
      case ActionKind::weight:
        throw Error("the schedule splits the backward pass of chunk " +
                    std::to_string(action.chunk) +
                    " into activation and weight gradients; chunk programs are not split that way");
    }
  }
}

void ScheduleSteps::add(std::int32_t& role, const Site& site, std::int32_t micro_batch) {
  TimelineStep step;
  step.site = site;
  step.micro_batch = micro_batch;
  if (site.chunk < 0 || at(site.chunk) >= role_of_.size())
    throw Error("the schedule runs chunk " + std::to_string(site.chunk) + " of " +
                std::to_string(role_of_.size()));
  if (micro_batch < 0 || micro_batch >= num_micro_batches_)
    throw Error("the schedule runs micro-batch " + std::to_string(micro_batch) + " of " +
                std::to_string(num_micro_batches_));
  const std::int32_t own = role_of_[at(site.chunk)];
  if (role < 0) {
    if (!timelines_[at(own)].steps.empty())
      throw Error("the schedule has two orders for the mesh of chunk " +
                  std::to_string(site.chunk));
    role = own;
    timelines_[at(role)].steps.push_back(
        {{sharding::ChunkPhase::prologue, -1}, -1, true, true, 0, {}, {}});
  }
  if (own != role)
    throw Error("the schedule runs chunk " + std::to_string(site.chunk) +
                " on another mesh than its own");
  std::int32_t& index = indices(site)[at(micro_batch)];
  if (index >= 0) throw Error("the schedule runs " + describe(step) + " twice");
  std::vector<TimelineStep>& steps = timelines_[at(role)].steps;
  index = static_cast<std::int32_t>(steps.size());
  if (site.phase == sharding::ChunkPhase::backward &&
      this->index({sharding::ChunkPhase::forward, site.chunk}, micro_batch) < 0) {
    throw Error("the schedule runs " + describe(step) + " before its forward");
  }
  steps.push_back(std::move(step));
}

void ScheduleSteps::complete(const RoleBlocks& blocks, RoleTimeline& timeline) {
  if (timeline.steps.empty()) timeline.steps.emplace_back();
  for (const std::int32_t chunk : blocks.chunks) {
    complete({sharding::ChunkPhase::forward, chunk}, timeline.steps);
    complete({sharding::ChunkPhase::backward, chunk}, timeline.steps);
  }
  timeline.steps.push_back({{sharding::ChunkPhase::update, -1}, -1, true, true, 0, {}, {}});
}

void ScheduleSteps::complete(const Site& site, std::vector<TimelineStep>& steps) const {
  for (std::int32_t m = 0; m < num_micro_batches_; ++m) {
    if (index(site, m) >= 0) continue;
    TimelineStep missing;
    missing.site = site;
    missing.micro_batch = m;
    throw Error("the schedule lacks " + describe(missing));
  }
  for (const std::int32_t step : indices(site))
    steps[at(step)].first = steps[at(step)].last = false;
  steps[at(first(site))].first = true;
  steps[at(last(site))].last = true;
}

std::vector<std::int32_t>& ScheduleSteps::indices(const Site& site) {
  return steps_of_[site.phase == sharding::ChunkPhase::backward][at(site.chunk)];
}
const std::vector<std::int32_t>& ScheduleSteps::indices(const Site& site) const {
  return steps_of_[site.phase == sharding::ChunkPhase::backward][at(site.chunk)];
}
std::int32_t ScheduleSteps::index(const Site& site, std::int32_t micro_batch) const {
  return indices(site)[at(micro_batch)];
}
std::int32_t ScheduleSteps::first(const Site& site) const {
  return *std::min_element(indices(site).begin(), indices(site).end());
}
std::int32_t ScheduleSteps::last(const Site& site) const {
  return *std::max_element(indices(site).begin(), indices(site).end());
}

}  // namespace rhino::plan
