// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cost/cost.hpp"
#include "lower/lowerings.hpp"
#include "plan/execution_plan.hpp"
#include "rhino/index.hpp"

namespace rhino::simulate {

/// What the programs of a plan take on each of its device models.
class ProgramTimes {
 public:
  ProgramTimes(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
               lower::Lowerings& lowerings);

  const cost::KernelTimes& of(std::int32_t program, DeviceId device) const {
    return times_[at(program)][at(plan_.cluster.model_of[at(device)])];
  }
  /// Of the role whose Runs take longest in a step.
  double longest_s() const;

 private:
  const plan::ExecutionPlan& plan_;
  std::vector<std::vector<cost::KernelTimes>> times_;  ///< per program and device model
};

}  // namespace rhino::simulate
