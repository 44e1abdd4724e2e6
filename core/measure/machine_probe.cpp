// SPDX-License-Identifier: Apache-2.0
#include "measure/machine_probe.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "topology/cores.hpp"

namespace rhino::measure {
namespace {

constexpr std::size_t kSize = 96, kProducts = 8, kStreamFloats = std::size_t{1} << 20;
constexpr std::size_t kNodes = std::size_t{1} << 18;  // 16 MiB
constexpr double kWarm_s = 3e-3;  // a core that slept takes a millisecond to be as quick as it gets
constexpr int kLoads = 20000, kHandovers = 1000;

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

constexpr std::array kAll = {&ProbeTimes::dot_s, &ProbeTimes::stream_s, &ProbeTimes::latency_s,
                             &ProbeTimes::handover_s};

/// What the probe of one core works on; kept, so that no probe pays for fresh pages.
struct Workspace {
  std::vector<float> a = std::vector<float>(kSize * kSize, 1), b = a, c = a;
  std::vector<float> stream = std::vector<float>(kStreamFloats, 1);
  std::vector<Node> cycle = random_cycle();
  volatile float sink = 0;
};

/// Sums stay in registers: what is stored and read again at once, beside memory of the same place
/// in another page, takes one or two times as long, by turns.
void multiply(Workspace& work) {
  using Vector [[gnu::vector_size(16)]] = float;
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float), kVectors = 8;
  static_assert(kSize % (kVectors * kLanes) == 0);
  for (std::size_t product = 0; product < kProducts * kSize; ++product) {
    const std::size_t i = product % kSize;
    for (std::size_t j = 0; j < kSize; j += kVectors * kLanes) {
      Vector sums[kVectors] = {};
      for (std::size_t k = 0; k < kSize; ++k) {
        const float factor = work.a[i * kSize + k];
        const float* row = &work.b[k * kSize + j];
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kVectors; ++v) {
          Vector own;
          std::memcpy(&own, row + v * kLanes, sizeof own);
          sums[v] += factor * own;
        }
      }
      std::memcpy(&work.c[i * kSize + j], sums, sizeof sums);
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
  for (const double begin = now_s(); now_s() - begin < kWarm_s;) work_on(work);
  for (double& one : seconds) {
    const double begin = now_s();
    work_on(work);
    one = now_s() - begin;
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRepeats / 2, seconds.end());
  return seconds[kRepeats / 2];
}

/// What two neighbours hand to each other; each counts on from what the other left.
struct alignas(64) Ball {
  std::atomic<std::int64_t> count = 0;
};

/// Of the second core where `odd`.
double handover_s(Ball& ball, bool odd) {
  const auto rally = [&] {
    const double begin = now_s();
    for (int i = 0; i < kHandovers; ++i) {
      std::int64_t count = ball.count.load(std::memory_order_acquire);
      while ((count % 2 == 1) != odd) count = ball.count.load(std::memory_order_acquire);
      ball.count.store(count + 1, std::memory_order_release);
    }
    return (now_s() - begin) / kHandovers;
  };
  std::array<double, 5> seconds;
  for (double& one : seconds) one = rally();
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return seconds[2];
}

/// All cores at once: they may share units, and how much they work side by side must not be left to
/// chance.
class Probe {
 public:
  ProbeTimes run() {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < cores_.size(); ++i) threads.emplace_back([this, i] { probe(i); });
    for (std::thread& thread : threads) thread.join();
    ProbeTimes slowest;
    for (double ProbeTimes::*time : kAll) {
      for (const ProbeTimes& one : times_) slowest.*time = std::max(slowest.*time, one.*time);
    }
    return slowest;
  }

 private:
  void probe(std::size_t i) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cores_[i].number), &set);
    sched_setaffinity(0, sizeof set, &set);
    ProbeTimes& times = times_[i];
    together_.arrive_and_wait();
    times.dot_s = typical_s<9>(multiply, work_[i]);
    together_.arrive_and_wait();
    times.stream_s = typical_s<9>(pass, work_[i]);
    together_.arrive_and_wait();
    times.latency_s = typical_s<3>(chase, work_[i]) / kLoads;
    together_.arrive_and_wait();
    const bool has_partner = (i ^ 1) < cores_.size();
    if (has_partner) times.handover_s = handover_s(balls_[i / 2], i % 2 == 1);
  }

  const std::vector<topology::Core>& cores_ = topology::discover_cores();
  std::vector<Workspace> work_{cores_.size()};
  std::vector<ProbeTimes> times_{cores_.size()};
  std::vector<Ball> balls_{cores_.size() / 2 + 1};
  std::barrier<> together_{std::ssize(cores_)};
};

}  // namespace

ProbeTimes probe_machine() {
  static Probe probe;
  return probe.run();
}

ProbeTimes typical_probe() {
  constexpr int kPairs = 5;
  constexpr std::chrono::milliseconds kApart(50);
  std::vector<ProbeTimes> pairs;
  for (int i = 0; i < kPairs; ++i) {
    if (i > 0) std::this_thread::sleep_for(kApart);
    const ProbeTimes before = probe_machine();
    pairs.push_back(quicker(before, probe_machine()));
  }
  return quantile(std::move(pairs), 0.5);
}

ProbeTimes quicker(const ProbeTimes& a, const ProbeTimes& b) {
  ProbeTimes times;
  for (double ProbeTimes::*time : kAll) times.*time = std::min(a.*time, b.*time);
  return times;
}

ProbeTimes quantile(std::vector<ProbeTimes> probes, double share) {
  ProbeTimes times;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(probes.size() - 1));
  for (double ProbeTimes::*time : kAll) {
    std::ranges::nth_element(probes, probes.begin() + place, {}, time);
    times.*time = probes[static_cast<std::size_t>(place)].*time;
  }
  return times;
}

}  // namespace rhino::measure
