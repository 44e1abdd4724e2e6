// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/timeline.hpp"

namespace rhino::plan {

/// The steps of every role as the schedule orders them, between its prologue and its update, with
/// no transfers yet. Throws Error where the schedule lacks, repeats or misplaces an action.
class ScheduleSteps {
 public:
  ScheduleSteps(const AssembleInput& input, const std::vector<RoleBlocks>& roles);
  /// Per role; once.
  std::vector<RoleTimeline> take() { return std::move(timelines_); }

  /// The step of its role at which a pass runs for a micro-batch; for the first, for the last one.
  std::int32_t index(const Site& site, std::int32_t micro_batch) const;
  std::int32_t first(const Site& site) const;
  std::int32_t last(const Site& site) const;

 private:
  void add_order(const std::vector<Action>& order);
  void add(std::int32_t& role, const Site& site, std::int32_t micro_batch);
  void complete(const RoleBlocks& blocks, RoleTimeline& timeline);
  void complete(const Site& site, std::vector<TimelineStep>& steps) const;
  std::vector<std::int32_t>& indices(const Site& site);
  const std::vector<std::int32_t>& indices(const Site& site) const;

  std::int64_t num_micro_batches_;
  std::vector<RoleTimeline> timelines_;
  std::vector<std::int32_t> role_of_;  ///< per chunk
  /// [forward, backward][chunk][micro-batch]: step of its role; -1: none.
  std::vector<std::vector<std::int32_t>> steps_of_[2];
};

/// `forward of chunk 0, micro-batch 3`
std::string describe(const TimelineStep& step);

}  // namespace rhino::plan
