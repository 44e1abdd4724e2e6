// SPDX-License-Identifier: Apache-2.0
// Random programs of streams, events and waits. Oracle: reachability, by brute force over the edges
// that the API gives.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>

#include "child.hpp"
#include "library.hpp"

using fake::DevicePtr;
using fake_test::check;
using fake_test::in_child;
using fake_test::Outcome;

namespace {

constexpr int kBuffers = 4, kStreams = 4, kOps = 14;
constexpr std::size_t kLength = 33;
constexpr int kDefaultStream = 0;  // legacy: ordered against blocking streams
constexpr int kBlockingStream = 1;

struct Step {
  int stream = 0;
  int from = -1, to = 0;   // a copy, or a fill where nothing is read
  std::vector<int> waits;  // for events recorded after these steps
  int synchronised = -1;   // a stream that the host waits for before
  bool writes(int b) const { return to == b; }
  bool touches(int b) const { return to == b || from == b; }
};

using Steps = std::vector<Step>;
using Matrix = std::vector<std::vector<bool>>;

Steps random_steps(std::mt19937& random, int wait_percent) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Steps steps;
  for (int i = 0; i < kOps; ++i) {
    Step s;
    s.stream = below(kStreams);
    s.to = below(kBuffers);
    s.from = below(3) ? (s.to + 1 + below(kBuffers - 1)) % kBuffers : -1;
    for (int j = 0; j < i; ++j) {
      if (below(100) < wait_percent) s.waits.push_back(j);
    }
    if (below(12) == 0) s.synchronised = below(kStreams);
    steps.push_back(s);
  }
  return steps;
}

bool stream_orders(int a, int b) {
  const auto is_pair = [](int x, int y) { return x == kDefaultStream && y == kBlockingStream; };
  return a == b || is_pair(a, b) || is_pair(b, a);
}

/// before[i][j]: step i is over before step j begins, whatever the device does.
Matrix happens_before(const Steps& steps) {
  Matrix before(kOps, std::vector<bool>(kOps));
  for (int j = 0; j < kOps; ++j) {
    for (int i = 0; i < j; ++i) {
      bool direct = stream_orders(steps[i].stream, steps[j].stream);
      for (int w : steps[j].waits) direct = direct || w == i;
      // The host waited for the stream of i between i and j.
      for (int k = i + 1; k <= j; ++k) direct = direct || steps[k].synchronised == steps[i].stream;
      before[i][j] = direct;
    }
    for (int i = j - 1; i >= 0; --i) {
      for (int k = i + 1; k < j; ++k) before[i][j] = before[i][j] || (before[i][k] && before[k][j]);
    }
  }
  return before;
}

bool has_race(const Steps& steps, const Matrix& before) {
  for (int j = 0; j < kOps; ++j) {
    for (int i = 0; i < j; ++i) {
      for (int b = 0; b < kBuffers; ++b) {
        const bool conflict = steps[i].touches(b) && steps[j].touches(b) &&
                              (steps[i].writes(b) || steps[j].writes(b));
        if (conflict && !before[i][j]) return true;
      }
    }
  }
  return false;
}

std::string text(const std::vector<unsigned>& values) {
  std::ostringstream out;
  for (unsigned v : values) out << v << ' ';
  return out.str();
}

/// One after another.
std::string sequential(const Steps& steps) {
  std::vector<unsigned> buffers{1, 2, 3, 4};
  for (int i = 0; i < kOps; ++i)
    buffers[steps[i].to] = steps[i].from < 0 ? 100u + i : buffers[steps[i].from];
  return text(buffers);
}

std::string on_streams(const Steps& steps) {
  fake_test::Machine m;
  fake::Stream* blocking = nullptr;
  check(m.cuStreamCreate(&blocking, 0));
  fake::Stream* const streams[kStreams] = {nullptr, blocking, m.a, m.b};
  DevicePtr buffers[kBuffers];
  for (unsigned b = 0; b < kBuffers; ++b) {
    buffers[b] = m.allocate(kLength * 4);
    const std::vector<unsigned> values(kLength, b + 1);
    check(m.cuMemcpyHtoD_v2(buffers[b], values.data(), kLength * 4));
  }
  std::vector<fake::Event*> events(kOps);
  for (int i = 0; i < kOps; ++i) {
    const Step& s = steps[i];
    fake::Stream* stream = streams[s.stream];
    if (s.synchronised >= 0) check(m.cuStreamSynchronize(streams[s.synchronised]), "race");
    for (int w : s.waits) check(m.cuStreamWaitEvent(stream, events[w], 0), "race");
    check(s.from < 0
              ? m.cuMemsetD32Async(buffers[s.to], 100u + static_cast<unsigned>(i), kLength, stream)
              : m.cuMemcpyDtoDAsync_v2(buffers[s.to], buffers[s.from], kLength * 4, stream),
          "race");
    check(m.cuEventCreate(&events[i], fake::kEventDisableTiming), "race");
    check(m.cuEventRecord(events[i], stream), "race");
  }
  check(m.cuCtxSynchronize(), "race");
  std::vector<unsigned> got;
  for (DevicePtr b : buffers) {
    std::vector<unsigned> values(kLength);
    check(m.cuMemcpyDtoH_v2(values.data(), b, kLength * 4));
    for (unsigned v : values) {
      if (v != values[0]) return "torn";
    }
    got.push_back(values[0]);
  }
  return text(got);
}

int setting(const char* name, int otherwise) {
  return std::getenv(name) ? std::atoi(std::getenv(name)) : otherwise;
}

}  // namespace

TEST_CASE(
    "a race is said where brute force finds one, and nowhere else; what has none gives one answer "
    "in every order") {
  const int first = setting("RHINO_SEED", 1), count = setting("RHINO_FAKE_PROGRAMS", 60);
  INFO("RHINO_SEED=" << first << " RHINO_FAKE_PROGRAMS=" << count);
  int racing = 0;
  for (int seed = first; seed < first + count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const Steps steps = random_steps(random, 60 + seed % 3 * 20);
    const bool race = has_race(steps, happens_before(steps));
    racing += race;
    for (const std::string order : {"early", "late", "random"}) {
      INFO("seed " << seed << ", order " << order);
      const auto body = [&] { return on_streams(steps); };
      const std::string seed_text = std::to_string(seed);
      const Outcome checked = in_child(
          {{"FAKE_CUDA_CHECKED", "1"}, {"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_SEED", seed_text}},
          body);
      INFO(checked.said);
      CHECK(checked.result == (race ? "race returned 999" : sequential(steps)));
      if (race) continue;
      CHECK(in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_SEED", seed_text}}, body).result ==
            sequential(steps));
    }
  }
  std::cout << racing << " of " << count << " programs have a race\n";
  CHECK(racing > 0);
  CHECK(racing < count);
}
