// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::evaluate {

/// A strategy that was priced, by the simulation of its plan.
struct Candidate {
  std::string name;
  double step_s = 0;
  double peak_bytes = 0;  ///< of the fullest device
  // Per step, of the device that computes and waits the most.
  double compute_s = 0;
  double communication_s = 0;          ///< in flight, much of it while it computes
  double waiting_s = 0;                ///< blocked: by messages, and by what others compute first
  double bubble_s = 0;                 ///< what computing leaves of the step
  std::vector<double> changed_s = {};  ///< steps of its plan under kPriceChanges; empty: not asked
  bool operator==(const Candidate&) const = default;
};

constexpr auto members(const Candidate*) {
  using C = Candidate;
  return std::tuple(&C::name, &C::step_s, &C::peak_bytes, &C::compute_s, &C::communication_s,
                    &C::waiting_s, &C::bubble_s, &C::changed_s);
}

Candidate candidate(const std::string& name, const plan::ExecutionPlan& plan,
                    const plan::StepTrace& trace);

}  // namespace rhino::evaluate
