// SPDX-License-Identifier: Apache-2.0
//
// Transfers between workers on emulated hosts, beside the time that the slowest interface needs for
// the payload that must cross it (goodput: 1448 of 1514 bytes of a frame). The counter `of_bound`
// is the measured time over that bound; 1 is perfect. Needs root.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "rhino/error.hpp"
#include "runtime/session.hpp"
#include "session_fixture.hpp"
#include "topology/emulated_hosts.hpp"
#include "transfer_plan.hpp"

using namespace rhino;

namespace {

constexpr std::int64_t kElements = 16 << 20;  // 64 MiB
constexpr double kBytes = 4.0 * kElements;
constexpr EmulatedNetwork k400Mbit{.rate_bits_per_s = 4e8, .burst_bytes = 131072};
constexpr EmulatedNetwork k1Gbit{.rate_bits_per_s = 1e9, .burst_bytes = 131072};
const std::vector<DeviceId> kTwoHosts{4, 5, 6, 7, 8, 9, 10, 11};

struct Case {
  std::string name;
  std::int32_t num_hosts = 2, per_host = 4;
  EmulatedNetwork network = k1Gbit;
  double crossings = 1;  ///< of the tensor, over the busiest interface one way
  std::vector<plan::TransferStep> steps;
};

std::vector<plan::TransferStep> join(std::vector<plan::TransferStep> a,
                                     const std::vector<plan::TransferStep>& b) {
  for (plan::TransferStep step : b) {
    for (std::int32_t& earlier : step.after) earlier += static_cast<std::int32_t>(a.size());
    a.push_back(std::move(step));
  }
  return a;
}

std::vector<plan::TransferStep> sends(const std::vector<DeviceId>& targets) {
  std::vector<plan::TransferStep> steps;
  for (const DeviceId target : targets) steps.push_back(toy::step_of(0, target, 0, kElements));
  return steps;
}

/// A part to each device of every host, then a ring inside each host.
std::vector<plan::TransferStep> scatter_and_gather(const std::vector<DeviceId>& devices) {
  const auto count = static_cast<std::int64_t>(devices.size());
  std::vector<plan::TransferStep> steps;
  const auto range = [&](std::int64_t part, DeviceId from, DeviceId to,
                         std::vector<std::int32_t> after) {
    steps.push_back(toy::step_of(from, to, kElements * part / count, kElements * (part + 1) / count,
                                 std::move(after)));
    return static_cast<std::int32_t>(steps.size()) - 1;
  };
  std::vector<std::int32_t> arrived;
  for (std::int64_t part = 0; part < count; ++part)
    arrived.push_back(range(part, 0, devices[static_cast<std::size_t>(part)], {}));
  for (std::int64_t hop = 0; hop + 1 < count; ++hop) {
    for (std::int64_t part = 0; part < count; ++part) {
      const auto at = [&](std::int64_t i) { return devices[static_cast<std::size_t>(i % count)]; };
      std::int32_t& last = arrived[static_cast<std::size_t>(part)];
      last = range(part, at(part + hop), at(part + hop + 1), {last});
    }
  }
  return steps;
}

std::vector<plan::TransferStep> broadcast_chain(const std::vector<DeviceId>& targets,
                                                std::int64_t num_chunks) {
  std::vector<DeviceId> devices{0};
  devices.insert(devices.end(), targets.begin(), targets.end());
  return toy::chain(devices, kElements, num_chunks);
}

std::vector<plan::TransferStep> exchange(DeviceId a, DeviceId b) {
  return {toy::step_of(a, b, 0, kElements), toy::step_of(b, a, 0, kElements)};
}

std::vector<Case> cases() {
  const std::vector<DeviceId> one_host{4, 5, 6, 7};
  std::vector<Case> list;
  for (const auto& [word, network] : {std::pair("400mbit", k400Mbit), std::pair("1gbit", k1Gbit)}) {
    const auto name = [word = std::string(word)](const std::string& what) {
      return what + "/" + word;
    };
    list.push_back({name("send_1_to_1"), 2, 1, network, 1, sends({1})});
    list.push_back({name("exchange_2_hosts"), 2, 1, network, 1, exchange(0, 1)});
    list.push_back(
        {name("exchange_4_hosts_all_pairs"), 4, 1, network, 3,
         join(join(exchange(0, 1), exchange(2, 3)),
              join(join(exchange(0, 2), exchange(1, 3)), join(exchange(0, 3), exchange(1, 2))))});
    list.push_back({name("1_to_4_sends"), 2, 4, network, 4, sends(one_host)});
    list.push_back({name("1_to_4_scatter_gather"), 2, 4, network, 1, scatter_and_gather(one_host)});
    list.push_back({name("1_to_4_chain_64"), 2, 4, network, 1, broadcast_chain(one_host, 64)});
    for (const std::int64_t chunks : {1, 4, 16, 64}) {
      list.push_back({name("1_to_4+4_chain_" + std::to_string(chunks)), 3, 4, network, 1,
                      broadcast_chain(kTwoHosts, chunks)});
    }
  }
  return list;
}

const char* worker() {
  const char* path = std::getenv("RHINO_WORKER");
  return path ? path : RHINO_WORKER_PATH;
}

void run(benchmark::State& state, const Case& what) {
  try {
    const Cluster cluster = toy::emulated_cluster(what.num_hosts, what.per_host, what.network);
    const topology::EmulatedHosts hosts(cluster);
    const RunDir dir;
    const auto session = runtime::start_session(toy::transfer_plan(cluster, kElements, what.steps),
                                                {.worker = worker(),
                                                 .run_dir = dir.path(),
                                                 .device = "reference",
                                                 .oversubscribed = true,
                                                 .hosts = hosts.namespaces()});
    session->run_steps(1, false);
    const double bound_s = what.crossings * kBytes / topology::goodput_bytes_per_s(what.network);
    double seconds = 0;
    for ([[maybe_unused]] auto _ : state) {
      seconds = session->run_steps(1, false).makespan_s;
      state.SetIterationTime(seconds);
    }
    state.counters["of_bound"] = seconds / bound_s;
    state.counters["bound_s"] = bound_s;
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::string why = topology::why_not_emulated();
  if (!why.empty()) {
    std::fprintf(stderr, "skipped: %s\n", why.c_str());
    return 77;
  }
  for (const Case& what : cases()) {
    benchmark::RegisterBenchmark(what.name.c_str(),
                                 [what](benchmark::State& state) { run(state, what); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
