// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"
#include "simulate/classes.hpp"

namespace rhino::simulate {

/// Of a collective, seconds per group once all its members are there and free.
std::vector<double> group_seconds(const plan::ExecutionPlan& plan,
                                  const plan::Communication& communication,
                                  const cost::CostModel& cost);

/// The collectives of a plan under way, at a price each: a group begins when its last member has
/// come and the earlier collectives of all members are over. Members are those that are walked.
class Collectives {
 public:
  Collectives(const plan::ExecutionPlan& plan, const cost::CostModel& cost, const Classes& classes);

  /// A new use of a communication; returns its number.
  std::int32_t add(std::int32_t communication);
  /// A use is over and its number free.
  void remove(std::int32_t use);
  /// `device` begins its part of a use; of what becomes complete at the same time, the least
  /// `place` of a device comes first.
  void start(std::int32_t use, DeviceId device, std::int64_t place);
  /// When a device's part of a use ends; infinity: not known yet. 0 where it has none.
  double end_s(std::int32_t use, DeviceId device) const;

  bool is_complete() const { return !complete_.empty(); }
  /// A device's part of a use that has begun.
  struct Part {
    std::int32_t use = 0;
    DeviceId device = 0;
    double seconds = 0, end_s = 0;
  };
  /// Begins what is complete, once all else at this time has happened.
  std::vector<Part> begin(double now_s);

 private:
  struct Group {
    std::vector<DeviceId> members;
    double seconds = 0;
  };
  struct Wiring {
    std::unordered_map<DeviceId, std::size_t> group_of;
    std::vector<Group> groups;
  };
  struct Use {
    const Wiring* wiring = nullptr;
    std::vector<std::size_t> num_started;  ///< per group: members that came
    std::vector<double> end_s;             ///< per group
  };
  struct Complete {
    std::int64_t place = 0;
    std::int32_t use = 0;
    std::size_t group = 0;
  };

  std::vector<Wiring> wirings_;  ///< per communication
  std::vector<Use> uses_;
  std::vector<std::int32_t> free_uses_;
  std::vector<Complete> complete_;
  std::vector<double> free_s_;  ///< per device: its last collective ends
};

}  // namespace rhino::simulate
