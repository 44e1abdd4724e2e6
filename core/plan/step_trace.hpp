// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace rhino::plan {

/// One instruction of one step on one device, in seconds since the start of the run.
struct TraceEvent {
  std::int32_t step = 0;
  std::int32_t instruction = 0;  ///< index in the role's list
  double begin_s = 0, end_s = 0;
  bool operator==(const TraceEvent&) const = default;
};

struct DeviceTrace {
  std::int32_t device = 0, role = 0;
  /// Devices of which all this is true, `device` the first of them; the simulator walks one of
  /// those that behave alike. Empty: it alone.
  std::vector<std::int32_t> alike;
  std::vector<double> step_end_s;      ///< when each step ended
  double compute_s = 0;                ///< of the last step: Runs
  double communication_s = 0;          ///< communications in flight
  double exposed_communication_s = 0;  ///< blocked in Wait
  double bubble_s = 0;                 ///< (last end - first start) - compute
  /// Per step, that went to devices of the same host otherwise than in place: 0 where workers share
  /// memory.
  double staged_bytes = 0;
  std::vector<TraceEvent> events;
};

/// What happened on every device: the answer of all three backends.
struct StepTrace {
  std::vector<DeviceTrace> devices;
  double step_s = 0;      ///< steady-state period of the slowest device
  double makespan_s = 0;  ///< of a single step
  double repeated_s = 0;  ///< of all steps, that the simulator knew from earlier micro-batches
  /// Times of devices of different hosts may be off by so much against each other; 0: one clock.
  double clock_error_s = 0;
};

}  // namespace rhino::plan
