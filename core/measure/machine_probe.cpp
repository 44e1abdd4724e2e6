// SPDX-License-Identifier: Apache-2.0
#include "measure/machine_probe.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "topology/cores.hpp"

namespace rhino::measure {
namespace {

constexpr std::size_t kSize = 96, kStreamFloats = std::size_t{1} << 20;
constexpr std::size_t kNodes = std::size_t{1} << 18;  // 16 MiB
constexpr int kLoads = 20000;
/// A round is disturbed where both its probes took this much longer than the quickest, or where
/// others took this share of the cores. Cores that share units with a neighbour, maybe of another
/// guest, are at times half as fast for a while, on an idle machine too.
constexpr double kMostSlowdown = 1.2, kMostOthers = 0.1;

double now_s() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

struct alignas(64) Node {
  std::uint32_t next = 0;
};

/// One cycle through all nodes in a random order (Sattolo).
std::vector<Node> random_cycle() {
  std::vector<std::uint32_t> order(kNodes);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(1);
  for (std::size_t i = kNodes - 1; i > 0; --i) std::swap(order[i], order[random() % i]);
  std::vector<Node> nodes(kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) nodes[i].next = order[i];
  return nodes;
}

/// What the probe of one core works on; kept, so that no probe pays for fresh pages.
struct Workspace {
  std::vector<float> a = std::vector<float>(kSize * kSize, 1), b = a, c = a;
  std::vector<float> stream = std::vector<float>(kStreamFloats, 1);
  std::vector<Node> cycle = random_cycle();
  volatile float sink = 0;
};

void multiply(Workspace& work) {
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t k = 0; k < kSize; ++k) {
      const float factor = work.a[i * kSize + k];
      for (std::size_t j = 0; j < kSize; ++j)
        work.c[i * kSize + j] += factor * work.b[k * kSize + j];
    }
  }
  work.sink = work.c[kSize];
}

void pass(Workspace& work) {
  for (float& value : work.stream) value = value * 0.5F + 0.5F;
  work.sink = work.stream[kSize];
}

/// The same nodes each time, of many pages: what caches, and the tables of pages, have room for.
void chase(Workspace& work) {
  std::uint32_t at = 0;
  for (int i = 0; i < kLoads; ++i) at = work.cycle[at].next;
  work.sink = static_cast<float>(at);
}

/// Of several calls the middle one: what interrupts cost a single call is no sign of other work.
template <std::size_t kRepeats>
double typical_s(void (*work_on)(Workspace&), Workspace& work) {
  std::array<double, kRepeats> seconds;
  work_on(work);
  for (double& one : seconds) {
    const double begin = now_s();
    work_on(work);
    one = now_s() - begin;
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRepeats / 2, seconds.end());
  return seconds[kRepeats / 2];
}

ProbeTimes probe_core(std::int32_t core, Workspace& work, std::barrier<>& together) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
  // Cores may share units: how much they work side by side must not be left to chance.
  together.arrive_and_wait();
  ProbeTimes times{.dot_s = typical_s<9>(multiply, work)};
  together.arrive_and_wait();
  times.stream_s = typical_s<9>(pass, work);
  together.arrive_and_wait();
  times.latency_s = typical_s<3>(chase, work) / kLoads;
  return times;
}

}  // namespace

ProbeTimes probe_machine() {
  const std::vector<topology::Core>& cores = topology::discover_cores();
  static std::vector<Workspace> work(cores.size());
  std::vector<ProbeTimes> times(cores.size());
  std::barrier together(static_cast<std::ptrdiff_t>(cores.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < cores.size(); ++i)
    threads.emplace_back([&, i] { times[i] = probe_core(cores[i].number, work[i], together); });
  for (std::thread& thread : threads) thread.join();
  ProbeTimes slowest;
  for (const ProbeTimes& one : times) {
    slowest.dot_s = std::max(slowest.dot_s, one.dot_s);
    slowest.stream_s = std::max(slowest.stream_s, one.stream_s);
    slowest.latency_s = std::max(slowest.latency_s, one.latency_s);
  }
  return slowest;
}

MachineWatch::MachineWatch() : quickest_(probe_machine()) {
  constexpr int kFirstProbes = 10;
  for (int i = 1; i < kFirstProbes; ++i) {
    const ProbeTimes times = probe_machine();
    quickest_.dot_s = std::min(quickest_.dot_s, times.dot_s);
    quickest_.stream_s = std::min(quickest_.stream_s, times.stream_s);
  }
}

void MachineWatch::begin() {
  before_ = probe_machine();
  others_.emplace();
}

void MachineWatch::end(store::Round& round) {
  round.others = others_->busy_cores();
  const ProbeTimes after = probe_machine();
  round.probe_dot_s = std::min(before_.dot_s, after.dot_s);
  round.probe_stream_s = std::min(before_.stream_s, after.stream_s);
  round.probe_latency_s = std::min(before_.latency_s, after.latency_s);
  for (const ProbeTimes& times : {before_, after}) {
    quickest_.dot_s = std::min(quickest_.dot_s, times.dot_s);
    quickest_.stream_s = std::min(quickest_.stream_s, times.stream_s);
  }
}

double MachineWatch::disturbance(const store::Round& round) const {
  const double slowdown =
      std::max(round.probe_dot_s / quickest_.dot_s, round.probe_stream_s / quickest_.stream_s) - 1;
  const auto cores = static_cast<double>(topology::discover_cores().size());
  return std::max(slowdown / kMostSlowdown, round.others / cores / kMostOthers);
}

}  // namespace rhino::measure
