// SPDX-License-Identifier: Apache-2.0
#include "measure/chrome_trace.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::measure {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kComputeRow = 1, kWaitRow = 2, kCommunicationRow = 3;
constexpr double kMicroseconds = 1e6;

Json metadata(const char* what, std::int32_t device, int row, const Json& arguments) {
  return {{"name", what}, {"ph", "M"}, {"pid", device}, {"tid", row}, {"args", arguments}};
}

/// Events of one device.
class DeviceRows {
 public:
  DeviceRows(const plan::ExecutionPlan& plan, const plan::DeviceTrace& trace, double origin_s,
             Json& events)
      : plan_(plan),
        instructions_(plan.roles[at(trace.role)].instructions),
        trace_(trace),
        origin_s_(origin_s),
        events_(events) {}

  void write(std::int32_t step) {
    events_.push_back(metadata("process_name", trace_.device, 0, {{"name", name()}}));
    name_row(kComputeRow, "compute");
    name_row(kWaitRow, "wait");
    for (const plan::TraceEvent& event : trace_.events) {
      if (event.step == step) write(event, instructions_[at(event.instruction)]);
    }
  }

 private:
  /// With those that it stands for.
  std::string name() const {
    std::string name = "device " + std::to_string(trace_.device);
    for (const std::int32_t device : trace_.alike) {
      if (device != trace_.device) name += ", " + std::to_string(device);
    }
    return name;
  }

  void name_row(int row, const std::string& name) {
    events_.push_back(metadata("thread_name", trace_.device, row, {{"name", name}}));
    events_.push_back(metadata("thread_sort_index", trace_.device, row, {{"sort_index", row}}));
  }

  void write(const plan::TraceEvent& event, const plan::Instruction& instruction) {
    const std::pair use{instruction.index, instruction.instance};
    switch (instruction.kind) {
      case plan::InstructionKind::run:
        add(kComputeRow, run_name(instruction), event.begin_s, event.end_s, instruction);
        break;
      case plan::InstructionKind::start: started_s_[use] = event.begin_s; break;
      case plan::InstructionKind::wait: {
        const std::string name = communication_name(instruction);
        add(kWaitRow, name, event.begin_s, event.end_s, instruction);
        const auto started = started_s_.find(use);
        if (started == started_s_.end()) break;
        add(row_free_at(started->second, event.end_s), name, started->second, event.end_s,
            instruction);
        break;
      }
      case plan::InstructionKind::free: break;
    }
  }

  static std::string run_name(const plan::Instruction& run) {
    std::string name = plan::name_of(run.phase);
    if (run.chunk >= 0) name += " chunk " + std::to_string(run.chunk);
    if (run.instance >= 0) name += " micro-batch " + std::to_string(run.instance);
    return name;
  }

  std::string communication_name(const plan::Instruction& instruction) const {
    std::string name = plan_.communications[at(instruction.index)].name;
    if (name.empty()) name = "communication " + std::to_string(instruction.index);
    if (instruction.instance >= 0) name += " micro-batch " + std::to_string(instruction.instance);
    return name;
  }

  /// The first communication row that is free from `begin_s` to `end_s`. Waits end in order, so the
  /// last end of a row says it all.
  int row_free_at(double begin_s, double end_s) {
    std::size_t row = 0;
    while (row < row_ends_s_.size() && row_ends_s_[row] > begin_s) ++row;
    const int number = kCommunicationRow + static_cast<int>(row);
    if (row == row_ends_s_.size()) {
      row_ends_s_.push_back(end_s);
      name_row(number, row == 0 ? "communication" : "communication " + std::to_string(row + 1));
    }
    row_ends_s_[row] = end_s;
    return number;
  }

  void add(int row, const std::string& name, double begin_s, double end_s,
           const plan::Instruction& instruction) {
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"pid", trace_.device},
                       {"tid", row},
                       {"ts", (begin_s - origin_s_) * kMicroseconds},
                       {"dur", (end_s - begin_s) * kMicroseconds},
                       {"args",
                        {{"instruction", &instruction - instructions_.data()},
                         {"chunk", instruction.chunk},
                         {"micro_batch", instruction.instance}}}});
  }

  const plan::ExecutionPlan& plan_;
  const std::vector<plan::Instruction>& instructions_;
  const plan::DeviceTrace& trace_;
  double origin_s_;
  Json& events_;
  std::map<std::pair<std::int32_t, std::int32_t>, double> started_s_;
  std::vector<double> row_ends_s_;
};

std::string whole(const Json& events) {
  const Json all = {{"displayTimeUnit", "ms"}, {"traceEvents", events}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string chrome_trace(const plan::ExecutionPlan& plan, const plan::StepTrace& trace) {
  std::int32_t step = -1;
  for (const plan::DeviceTrace& device : trace.devices) {
    for (const plan::TraceEvent& event : device.events) step = std::max(step, event.step);
  }
  if (step < 0) return "";
  double origin_s = std::numeric_limits<double>::infinity();
  for (const plan::DeviceTrace& device : trace.devices) {
    for (const plan::TraceEvent& event : device.events)
      if (event.step == step) origin_s = std::min(origin_s, event.begin_s);
  }
  Json events = Json::array();
  for (const plan::DeviceTrace& device : trace.devices)
    DeviceRows(plan, device, origin_s, events).write(step);
  return whole(events);
}

std::string merge_chrome_traces(const std::vector<std::string>& names,
                                const std::vector<std::string>& texts) {
  Json merged = Json::array();
  int first_process = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      const Json trace = Json::parse(texts[i]);
      int next_process = first_process;
      for (Json event : trace.at("traceEvents")) {
        const int process = first_process + event.at("pid").get<int>();
        event["pid"] = process;
        next_process = std::max(next_process, process + 1);
        if (event.at("name") == "process_name")
          event["args"]["name"] = names[i] + ": " + event["args"]["name"].get<std::string>();
        merged.push_back(std::move(event));
      }
      first_process = next_process;
    } catch (const Json::exception& error) {
      throw Error("the trace of " + names[i] + " is torn: " + error.what());
    }
  }
  return whole(merged);
}

}  // namespace rhino::measure
