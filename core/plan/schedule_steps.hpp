// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "plan/timeline.hpp"

namespace rhino::plan {

/// The steps of every role as the schedule orders them, between its prologue and its update, with
/// no transfers yet. Roles are meshes in the order of first use, as those of a PassOrder are.
class ScheduleSteps {
 public:
  explicit ScheduleSteps(const AssembleInput& input);
  /// Per role; once.
  std::vector<RoleTimeline> take() { return std::move(timelines_); }

  /// The step of its role at which a pass runs for a micro-batch (-1: another replica runs it); for
  /// the first, for the last one.
  std::int32_t index(const Site& site, std::int32_t micro_batch) const {
    return indices(site)[static_cast<std::size_t>(micro_batch)];
  }
  std::int32_t first(const Site& site) const;
  std::int32_t last(const Site& site) const;

 private:
  const std::vector<std::int32_t>& indices(const Site& site) const;

  static std::pair<std::int32_t, std::int32_t> ends(const std::vector<std::int32_t>& indices);

  std::vector<RoleTimeline> timelines_;
  /// [pass][chunk][micro-batch]: step of its role; -1: none.
  std::array<std::vector<std::vector<std::int32_t>>, kNumPasses> steps_of_;
};

}  // namespace rhino::plan
