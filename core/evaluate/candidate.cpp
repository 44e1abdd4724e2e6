// SPDX-License-Identifier: Apache-2.0
#include "evaluate/candidate.hpp"

#include <algorithm>

#include "plan/validate.hpp"

namespace rhino::evaluate {

Candidate candidate(const std::string& name, const plan::ExecutionPlan& plan,
                    const plan::StepTrace& trace) {
  const auto busy_s = [](const plan::DeviceTrace& device) {
    return device.compute_s + device.exposed_communication_s;
  };
  const plan::DeviceTrace& busiest =
      *std::max_element(trace.devices.begin(), trace.devices.end(),
                        [&](const plan::DeviceTrace& a, const plan::DeviceTrace& b) {
                          return busy_s(a) < busy_s(b);
                        });
  return {.name = name,
          .step_s = trace.step_s,
          .peak_bytes = static_cast<double>(plan::peak_bytes(plan)),
          .compute_s = busiest.compute_s,
          .communication_s = busiest.communication_s,
          .waiting_s = busiest.exposed_communication_s,
          .bubble_s = std::max(0.0, trace.step_s - busiest.compute_s)};
}

}  // namespace rhino::evaluate
