// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::report {

/// What a device has at one time: a pass that it computes, communications in flight, a wait.
enum class TimelineLane : std::uint8_t { compute, flight, wait };

struct TimelineSpan {
  std::string name;  ///< as the trace has it: `forward chunk 0 micro-batch 3`
  std::int32_t chunk = -1, micro_batch = -1;
  double begin_s = 0, end_s = 0;  ///< since the step's first event
};

struct TimelineDevice {
  std::string name;  ///< `device 0, 1`: both alike
  std::array<std::vector<TimelineSpan>, 3> lanes;
};

/// A step of one cell.
struct Timeline {
  std::string title;
  std::string caption;  ///< step, makespan, bubble, exposed communication, bounds
  std::int32_t case_index = 0;
  std::vector<TimelineDevice> devices;
  double end_s = 0;
};

/// Of a record and its trace, a file of `traces/` of the run. Throws Error where the trace is torn.
Timeline read_timeline(const store::Record& record, const std::string& trace);

/// All of them as one picture (SVG): cells of one case stacked on one axis of time. Passes are
/// coloured by kind, paler by chunk, and bear their micro-batch where there is room; below each
/// device what is in flight, and where it waits.
std::string timeline_picture(const std::vector<Timeline>& timelines);

}  // namespace rhino::report
