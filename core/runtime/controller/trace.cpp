// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/trace.hpp"

#include <algorithm>
#include <limits>

namespace rhino::runtime {
namespace {

void shift(plan::DeviceTrace& trace, double origin_s) {
  for (double& end_s : trace.step_end_s) end_s -= origin_s;
  for (plan::TraceEvent& event : trace.events) {
    event.begin_s -= origin_s;
    event.end_s -= origin_s;
  }
}

double steady_period_s(const std::vector<double>& ends_s) {
  if (ends_s.size() < 2) return 0;
  return (ends_s.back() - ends_s.front()) / static_cast<double>(ends_s.size() - 1);
}

}  // namespace

void shift(RunReply& reply, double ahead_s) {
  shift(reply.trace, ahead_s);
  reply.start_s -= ahead_s;
}

plan::StepTrace join_traces(std::vector<RunReply> replies) {
  double origin_s = std::numeric_limits<double>::infinity();
  for (const RunReply& reply : replies) origin_s = std::min(origin_s, reply.start_s);
  plan::StepTrace joined;
  for (RunReply& reply : replies) {
    shift(reply.trace, origin_s);
    joined.makespan_s = std::max(joined.makespan_s, reply.trace.step_end_s.front());
    joined.step_s = std::max(joined.step_s, steady_period_s(reply.trace.step_end_s));
    joined.devices.push_back(std::move(reply.trace));
  }
  if (joined.devices.front().step_end_s.size() < 2) joined.step_s = joined.makespan_s;
  return joined;
}

}  // namespace rhino::runtime
