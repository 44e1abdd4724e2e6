// SPDX-License-Identifier: Apache-2.0
// Transfers between workers on emulated hosts: what arrives, what crossed the interfaces, and that
// they held it up. Ends with 77 (skipped) where no host can be emulated.
#define CATCH_CONFIG_RUNNER
#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>

#include "ir/initial_values.hpp"
#include "rhino/error.hpp"
#include "session_fixture.hpp"
#include "topology/emulated_hosts.hpp"
#include "transfer_plan.hpp"

namespace rhino {
namespace {

constexpr EmulatedNetwork kNetwork{.rate_bits_per_s = 4e8, .burst_bytes = 131072};
constexpr std::int64_t kElements = 2 << 20;  // 8 MiB
constexpr std::int64_t kBytes = 4 * kElements;

struct Outcome {
  std::vector<double> elements;
  std::int64_t num_disagreeing = 0;
  std::vector<topology::HostTraffic> traffic;  ///< of the one step
  double seconds = 0;
  std::string transport;
};

Outcome run(const Cluster& cluster, std::vector<plan::TransferStep> steps) {
  const topology::EmulatedHosts hosts(cluster);
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.hosts = hosts.namespaces();
  const auto session =
      runtime::start_session(toy::transfer_plan(cluster, kElements, std::move(steps)), options);
  const std::vector<topology::HostTraffic> before = hosts.traffic();
  Outcome outcome{.seconds = session->run_steps(1, false).makespan_s};
  outcome.traffic = hosts.traffic();
  for (std::size_t host = 0; host < before.size(); ++host) {
    outcome.traffic[host].out_bytes -= before[host].out_bytes;
    outcome.traffic[host].in_bytes -= before[host].in_bytes;
  }
  const runtime::FetchedTensor tensor = session->fetch({0}).front();
  outcome.elements = tensor.elements;
  outcome.num_disagreeing = tensor.num_disagreeing;
  outcome.transport = session->transport();
  return outcome;
}

/// The whole tensor as devices make it.
std::vector<double> source_elements() {
  const Shape shape{DType::f32, {kElements}};
  const Box all{{0}, {kElements}};
  std::vector<float> elements(static_cast<std::size_t>(kElements));
  ir::fill_initial({Initializer::Kind::uniform, -1, 1}, 7, 0, shape, {{all, all}}, 0,
                   elements.data());
  return {elements.begin(), elements.end()};
}

/// Payload that crossed, with headers and little else.
void check_crossed(std::int64_t bytes, std::int64_t payload) {
  CHECK(bytes >= payload);
  CHECK(static_cast<double>(bytes) <= 1.15 * static_cast<double>(payload));
}

/// No faster than a full bucket and the rate allow.
double least_seconds(std::int64_t payload) {
  return (static_cast<double>(payload) - kNetwork.burst_bytes) / (kNetwork.rate_bits_per_s / 8);
}

bool has_process(pid_t pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stream, text);
  return !text.empty() && text.find(") Z") == std::string::npos;
}

TEST_CASE("a multicast to two devices of another host crosses its interface once") {
  const Outcome outcome =
      run(toy::emulated_cluster(2, 2, kNetwork), toy::chain({0, 2, 3}, kElements, 16));
  CHECK(outcome.elements == source_elements());
  CHECK(outcome.num_disagreeing == 0);
  check_crossed(outcome.traffic[0].out_bytes, kBytes);
  check_crossed(outcome.traffic[1].in_bytes, kBytes);
  CHECK(outcome.traffic[1].out_bytes < kBytes / 10);
  CHECK(outcome.seconds >= least_seconds(kBytes));
  CHECK(outcome.transport.find("tcp") != std::string::npos);
}

TEST_CASE("whole sends to two devices of another host cross its interface twice") {
  const Outcome outcome = run(toy::emulated_cluster(2, 2, kNetwork),
                              {toy::step_of(0, 2, 0, kElements), toy::step_of(0, 3, 0, kElements)});
  CHECK(outcome.elements == source_elements());
  CHECK(outcome.num_disagreeing == 0);
  check_crossed(outcome.traffic[0].out_bytes, 2 * kBytes);
  CHECK(outcome.seconds >= least_seconds(2 * kBytes));
}

TEST_CASE("hosts do not map each other's memory") {
  const Outcome outcome =
      run(toy::emulated_cluster(2, 1, kNetwork), {toy::step_of(0, 1, 0, kElements)});
  CHECK(outcome.elements == source_elements());
  CHECK(outcome.transport.find("mapped") == std::string::npos);
}

TEST_CASE("both ways at once, each host sends and receives") {
  const Outcome outcome = run(toy::emulated_cluster(2, 2, kNetwork),
                              {toy::step_of(0, 2, 0, kElements), toy::step_of(2, 0, 0, kElements)});
  CHECK(outcome.elements == source_elements());
  CHECK(outcome.num_disagreeing == 0);
  for (const topology::HostTraffic& host : outcome.traffic) {
    check_crossed(host.out_bytes, kBytes);
    check_crossed(host.in_bytes, kBytes);
  }
  CHECK(outcome.seconds >= least_seconds(kBytes));
}

TEST_CASE("what stays within a host does not touch its interface") {
  const Outcome outcome =
      run(toy::emulated_cluster(2, 2, kNetwork), toy::chain({0, 1}, kElements, 4));
  CHECK(outcome.elements == source_elements());
  CHECK(outcome.traffic[0].out_bytes < kBytes / 100);
  CHECK(outcome.transport.find("tcp") == std::string::npos);
  CHECK(outcome.transport.find("mapped") != std::string::npos);
}

TEST_CASE("workers end with a controller that is killed") {
  const RunDir dir;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t controller = ::fork();
  if (controller == 0) {
    try {
      const Cluster cluster = toy::emulated_cluster(2, 1, kNetwork);
      const topology::EmulatedHosts hosts(cluster);
      runtime::SessionOptions options = quick_options(dir);
      options.hosts = hosts.namespaces();
      const auto session = runtime::start_session(
          toy::transfer_plan(cluster, kElements, toy::chain({0, 1}, kElements, 16)), options);
      const std::vector<std::int32_t> pids = session->pids();
      const auto size = pids.size() * sizeof(std::int32_t);
      if (::write(ready[1], pids.data(), size) == static_cast<ssize_t>(size))
        session->run_steps(1000, false);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(1);
  }
  ::close(ready[1]);
  std::int32_t pids[2] = {};
  REQUIRE(::read(ready[0], pids, sizeof pids) == sizeof pids);
  ::close(ready[0]);
  ::kill(controller, SIGKILL);
  REQUIRE(::waitpid(controller, nullptr, 0) == controller);
  const Stopwatch watch;
  while ((has_process(pids[0]) || has_process(pids[1])) && watch.seconds() < 10) ::usleep(1000);
  CHECK_FALSE(has_process(pids[0]));
  CHECK_FALSE(has_process(pids[1]));
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  const std::string why = rhino::topology::why_not_emulated();
  if (!why.empty()) {
    std::fprintf(stderr, "skipped: %s\n", why.c_str());
    return 77;
  }
  return Catch::Session().run(argc, argv);
}
