// SPDX-License-Identifier: Apache-2.0
#include "measure/machine_watch.hpp"

#include <algorithm>

#include "topology/cores.hpp"

namespace rhino::measure {
namespace {

/// A round is disturbed where both its probes, or the longer of its handovers, took
/// kMostSlowdown longer than on a calm machine, or where others took this share of the cores. Cores
/// that share units with a neighbour, maybe of another guest, are at times half as fast for a
/// while, on an idle machine too.
constexpr double kMostOthers = 0.1;
/// As many as the messages of one step make, or fewer, and what they may come to of its time.
constexpr double kHandoversOfStep = 1000, kLeastFelt = 0.01;

}  // namespace

bool feels_handovers(const store::Round& round, double quickest_s) {
  return kHandoversOfStep * (round.probe_handover_s - quickest_s) > kLeastFelt * round.seconds;
}

MachineWatch::MachineWatch() {
  constexpr int kFirst = 10;
  for (int i = 0; i < kFirst; ++i) probes_.push_back(probe_machine());
}

void MachineWatch::begin(const std::vector<std::string>& gpus) {
  before_ = probe_machine();
  gpus_.reset();
  if (!gpus.empty()) gpus_.emplace(gpus);
  others_.emplace();
}

void MachineWatch::end(store::Round& round) {
  if (gpus_) round.gpus = gpus_->end();
  round.others = others_->busy_cores();
  const ProbeTimes after = probe_machine();
  round.probe_dot_s = std::min(before_.dot_s, after.dot_s);
  round.probe_stream_s = std::min(before_.stream_s, after.stream_s);
  round.probe_latency_s = std::min(before_.latency_s, after.latency_s);
  round.probe_handover_s = std::max(before_.handover_s, after.handover_s);
  probes_.push_back(before_);
  probes_.push_back(after);
}

double MachineWatch::disturbance(const store::Round& round) const {
  constexpr double kThrottled = 2, kCalm = 0.25;
  if (std::ranges::any_of(round.gpus, topology::is_throttled)) return kThrottled;
  const ProbeTimes calm = quantile(probes_, kCalm);
  const auto slowdown = [](double seconds, double calm_s) {
    return calm_s > 0 ? seconds / calm_s - 1 : 0;
  };
  double slowest = std::max(slowdown(round.probe_dot_s, calm.dot_s),
                            slowdown(round.probe_stream_s, calm.stream_s));
  if (feels_handovers(round, calm.handover_s))
    slowest = std::max(slowest, slowdown(round.probe_handover_s, calm.handover_s));
  const auto cores = static_cast<double>(topology::discover_cores().size());
  return std::max(slowest / kMostSlowdown, round.others / cores / kMostOthers);
}

}  // namespace rhino::measure
