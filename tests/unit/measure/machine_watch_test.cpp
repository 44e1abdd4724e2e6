// SPDX-License-Identifier: Apache-2.0
#include "measure/machine_watch.hpp"

#include <catch2/catch.hpp>

#include "topology/cores.hpp"

namespace rhino::measure {
namespace {

/// Whatever a probe times takes the same.
ProbeTimes all(double seconds) { return {seconds, seconds, seconds, seconds}; }

/// Half a second long, so that handovers of some milliseconds matter.
store::Round round(double dot_s, double stream_s, double handover_s) {
  store::Round round;
  round.seconds = 0.5;
  round.probe_dot_s = dot_s;
  round.probe_stream_s = stream_s;
  round.probe_handover_s = handover_s;
  return round;
}

/// Ten probes, of which so many were lucky.
std::vector<ProbeTimes> mostly(double usual_s, std::size_t num_lucky, double lucky_s) {
  std::vector<ProbeTimes> probes(10, all(usual_s));
  for (std::size_t i = 0; i < num_lucky; ++i) probes[3 * i] = all(lucky_s);
  return probes;
}

}  // namespace

TEST_CASE("each time of probes is ranked for itself") {
  const std::vector<ProbeTimes> probes{
      {5, 1, 7, 3}, {1, 2, 6, 1}, {4, 5, 5, 2}, {2, 4, 9, 5}, {3, 3, 8, 4}};
  const ProbeTimes middle = quantile(probes, 0.5);
  CHECK(middle.dot_s == 3);
  CHECK(middle.stream_s == 3);
  CHECK(middle.latency_s == 7);
  CHECK(middle.handover_s == 3);
  CHECK(quantile(probes, 0).latency_s == 5);
  CHECK(quantile(probes, 0.25).latency_s == 6);
  CHECK(quantile(probes, 1).latency_s == 9);
  CHECK(quantile({probes[0]}, 0.5).dot_s == 5);
  const ProbeTimes both = quicker(probes[0], probes[1]);
  CHECK(both.dot_s == 1);
  CHECK(both.stream_s == 1);
  CHECK(both.latency_s == 6);
  CHECK(both.handover_s == 1);
}

TEST_CASE(
    "every probe that takes 2.2 times as long as usual makes a round disturbed, but that of "
    "latency") {
  const MachineWatch watch(mostly(0.01, 0, 0));
  CHECK(watch.disturbance(round(0.01, 0.01, 0.01)) == 0);
  CHECK(watch.disturbance(round(0.021, 0.021, 0.021)) < 1);
  CHECK(watch.disturbance(round(0.023, 0.01, 0.01)) > 1);
  CHECK(watch.disturbance(round(0.01, 0.023, 0.01)) > 1);
  CHECK(watch.disturbance(round(0.01, 0.01, 0.023)) > 1);
  store::Round slow_memory = round(0.01, 0.01, 0.01);
  slow_memory.probe_latency_s = 1;
  CHECK(watch.disturbance(slow_memory) == 0);
}

TEST_CASE("one or two lucky probes of ten make no usual round disturbed, three do") {
  const store::Round usual = round(0.01, 0.01, 0.01);
  CHECK(MachineWatch(mostly(0.01, 1, 0.003)).disturbance(usual) == 0);
  CHECK(MachineWatch(mostly(0.01, 2, 0.003)).disturbance(usual) == 0);
  CHECK(MachineWatch(mostly(0.01, 3, 0.003)).disturbance(usual) > 1);
}

TEST_CASE("a step that is long beside its handovers does not feel them") {
  const MachineWatch watch(mostly(5e-8, 0, 0));
  store::Round apart = round(5e-8, 5e-8, 3e-7);
  apart.seconds = 0.02;  // a thousand handovers are a hundredth of it
  CHECK(watch.disturbance(apart) > 1);
  apart.seconds = 0.03;
  CHECK(watch.disturbance(apart) == 0);
}

TEST_CASE("a round notes what it felt, and the watch's own probes are no disturbance") {
  MachineWatch watch;
  CHECK(watch.disturbance({}) <= 0);
  store::Round felt;
  watch.begin();
  watch.end(felt);
  CHECK(felt.probe_dot_s > 0);
  CHECK(felt.probe_stream_s > 0);
  CHECK(felt.probe_latency_s > 0);
  CHECK((felt.probe_handover_s > 0) == (topology::discover_cores().size() > 1));
  felt.probe_dot_s = 1;
  CHECK(watch.disturbance(felt) > 1);
}

}  // namespace rhino::measure
