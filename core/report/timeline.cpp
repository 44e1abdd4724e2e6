// SPDX-License-Identifier: Apache-2.0
#include "report/timeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/table.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::report {
namespace {

using Json = nlohmann::json;

TimelineLane lane_of(const std::string& row) {
  if (row == "compute") return TimelineLane::compute;
  return row == "wait" ? TimelineLane::wait : TimelineLane::flight;
}

/// Devices of a trace by process, with the lane of each of their rows.
struct DeviceRows {
  TimelineDevice device;
  std::map<int, TimelineLane> lanes;
};

void read_event(const Json& event, DeviceRows& rows, double& end_s) {
  const std::string name = event.at("name");
  if (name == "process_name") rows.device.name = event.at("args").at("name");
  if (name == "thread_name") {
    const std::string row = event.at("args").at("name");
    rows.lanes[event.at("tid").get<int>()] = lane_of(row);
  }
  if (event.at("ph") != "X") return;
  TimelineSpan span{.name = name,
                    .chunk = event.at("args").at("chunk"),
                    .micro_batch = event.at("args").at("micro_batch"),
                    .begin_s = 1e-6 * event.at("ts").get<double>()};
  span.end_s = span.begin_s + 1e-6 * event.at("dur").get<double>();
  end_s = std::max(end_s, span.end_s);
  const TimelineLane lane = rows.lanes.at(event.at("tid").get<int>());
  rows.device.lanes[static_cast<std::size_t>(lane)].push_back(std::move(span));
}

/// Time that devices are idle between their first start and their last end, of all such time.
double bubble_of(const store::Record& record) {
  double idle_s = 0, all_s = 0;
  for (const store::DeviceBreakdown& device : record.breakdown) {
    const double count = std::max<double>(1, static_cast<double>(device.alike.size()));
    idle_s += count * device.bubble_s;
    all_s += count * (device.bubble_s + device.compute_s);
  }
  return all_s > 0 ? idle_s / all_s : 0;
}

double most_exposed(const store::Record& record) {
  double most_s = 0;
  for (const store::DeviceBreakdown& device : record.breakdown)
    most_s = std::max(most_s, device.exposed_communication_s);
  return most_s;
}

std::string bound_text(const char* name, double bound_s, double step_s) {
  if (bound_s <= 0) return "";
  return fmt::format(" · {} {} ({:.0f} %)", name, format_seconds(bound_s), 100 * bound_s / step_s);
}

std::string caption_of(const store::Record& record) {
  const double step_s = record.summary.median_s;
  if (step_s <= 0) return std::string(store::status_name(record.status)) + ", not timed";
  std::string text = fmt::format("step {}", format_seconds(step_s));
  if (record.summary.makespan_s > 0)
    text += fmt::format(" · makespan {}", format_seconds(record.summary.makespan_s));
  if (bubble_of(record) > 0) text += fmt::format(" · bubble {:.1f} %", 100 * bubble_of(record));
  text += fmt::format(" · waits up to {}", format_seconds(most_exposed(record)));
  return text + bound_text("bound", record.bound_s, step_s) +
         bound_text("plan's bound", record.plan_bound_s, step_s);
}

}  // namespace

Timeline read_timeline(const store::Record& record, const std::string& trace) {
  Timeline timeline{
      .title = record.label, .caption = caption_of(record), .case_index = record.case_index};
  std::map<int, DeviceRows> devices;
  try {
    const Json events = Json::parse(trace);
    for (const Json& event : events.at("traceEvents"))
      read_event(event, devices[event.at("pid").get<int>()], timeline.end_s);
  } catch (const std::exception& error) {
    throw Error("the trace of " + record.label + " is torn: " + error.what());
  }
  for (auto& [process, rows] : devices) timeline.devices.push_back(std::move(rows.device));
  return timeline;
}

}  // namespace rhino::report
