// SPDX-License-Identifier: Apache-2.0
// How close resharding/striped comes to the physical bound in the simulator.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "common/striped/plan_search.hpp"
#include "conformance/deliveries.hpp"
#include "cost/reshard_bound.hpp"
#include "plan/single_communication.hpp"
#include "plugin/registry.hpp"
#include "reshard_cases.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;

namespace {

const plugin::Registry& plugins() {
  static const plugin::Registry kPlugins({RHINO_TEST_PLUGINS});
  return kPlugins;
}

std::unique_ptr<Resharding> make(const std::string& id, const Options& options = {}) {
  return plugin::make_resharding(plugins().find(id), options);
}

double simulated_s(const ReshardProblem& problem, const TransferPlan& transfers) {
  return simulate::simulate(plan::reshard_plan(problem, transfers),
                            cost::CostModel(problem.cluster), {.keep_events = false})
      .makespan_s;
}

double efficiency(const ReshardProblem& problem, Resharding& algorithm) {
  return cost::reshard_bound(problem).seconds / simulated_s(problem, algorithm.plan(problem));
}

/// Up to three, of two devices or of two hosts, slower and quicker than others.
void add_own_links(Cluster& cluster, std::mt19937& random) {
  for (const bool between_hosts : {false, true, false}) {
    const auto count =
        static_cast<unsigned>(between_hosts ? std::ssize(cluster.hosts) : cluster.num_devices());
    const auto a = static_cast<std::int32_t>(random() % count),
               b = static_cast<std::int32_t>(random() % count);
    const double times = std::array{0.05, 1., 20.}[random() % 3];
    if (a == b) continue;
    cluster.own_links.push_back(
        {between_hosts, a, b, {times * cluster.inter_host.bytes_per_s, times * 1e-5}});
  }
}

std::vector<NamedProblem> large_cases() {
  std::vector<NamedProblem> cases = many_to_many_cases();
  for (const std::int64_t bytes : {std::int64_t{1} << 30, std::int64_t{1} << 26}) {
    for (NamedProblem& one : one_to_many_cases(bytes)) cases.push_back(std::move(one));
  }
  for (NamedProblem& one : further_cases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace

TEST_CASE("striped comes within 5 % of the bound in the cases of the paper and further ones") {
  const auto striped = make("resharding/striped");
  for (const NamedProblem& one : large_cases()) {
    CAPTURE(one.name, cost::reshard_bound(one.problem).what);
    CHECK(efficiency(one.problem, *striped) >= 0.95);
  }
}

TEST_CASE("striped is no slower than broadcast in the cases of the paper and further ones") {
  const auto striped = make("resharding/striped"), broadcast = make("resharding/broadcast");
  for (const NamedProblem& one : large_cases()) {
    CAPTURE(one.name);
    CHECK(efficiency(one.problem, *striped) >= 0.99 * efficiency(one.problem, *broadcast));
  }
}

TEST_CASE("no plan of any plugin is faster than the bound, and none misses an element") {
  constexpr unsigned kSeed = 3;
  std::mt19937 random(kSeed);
  std::vector<std::unique_ptr<Resharding>> algorithms;
  for (const char* id : {"resharding/broadcast", "resharding/global_allgather",
                         "resharding/local_allgather", "resharding/send_recv"})
    algorithms.push_back(make(id));
  for (const std::int64_t bytes : {0, 8, 1000})
    algorithms.push_back(make("resharding/striped", Options({{"piece_bytes", bytes}})));
  for (int round = 0; round < 120; ++round) {
    const ReshardProblem problem = conformance::random_reshard({}, random);
    const cost::ReshardBound bound = cost::reshard_bound(problem);
    CAPTURE(kSeed, round, conformance::describe(problem), bound.what);
    for (const auto& algorithm : algorithms) {
      const TransferPlan transfers = algorithm->plan(problem);
      REQUIRE(conformance::delivery_fault(problem, transfers) == "");
      REQUIRE(simulated_s(problem, transfers) >= bound.seconds * (1 - 1e-9));
    }
  }
}

TEST_CASE("large tensors hardly cross between hosts more often than they must") {
  constexpr unsigned kSeed = 4;
  std::mt19937 random(kSeed);
  const auto striped = make("resharding/striped");
  int num_large = 0;
  for (int round = 0; round < 30; ++round) {
    const ReshardProblem problem = conformance::random_reshard({.extent = {150, 250}}, random);
    const auto least = static_cast<double>(cost::reshard_bound(problem).crossing_bytes);
    if (least < 1e7) continue;
    ++num_large;
    CAPTURE(kSeed, round, conformance::describe(problem));
    CHECK(plan::bytes_between_hosts(plan::reshard_plan(problem, striped->plan(problem))) <=
          1.002 * least);
  }
  CHECK(num_large >= 6);
}

TEST_CASE("striped rehearses what the simulator says") {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  const auto striped = make("resharding/striped");
  for (const std::int64_t extent : {3, 20, 150}) {
    for (int round = 0; round < 20; ++round) {
      ReshardProblem problem = conformance::random_reshard({.extent = {1, extent}}, random);
      const std::int32_t num_interfaces = 1 + round % 4;
      for (Host& host : problem.cluster.hosts) host.num_interfaces = num_interfaces;
      if (round % 2 == 1) add_own_links(problem.cluster, random);
      CAPTURE(kSeed, extent, round, num_interfaces, conformance::describe(problem));
      common::striped::Inventory inventory(problem);
      const common::striped::Journey journey =
          common::striped::PlanSearch(inventory, problem.cluster, 0).run();
      const double rehearsed_s =
          common::striped::Rehearsal(problem.cluster, journey.pieces, journey.hops).seconds();
      CHECK(simulated_s(problem, striped->plan(problem)) == Approx(rehearsed_s).epsilon(1e-9));
    }
  }
}

TEST_CASE("a slow link of two devices or hosts is gone round, and a quick one used") {
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(3, 3);
  problem.cluster.intra_host = {1e10, 1e-5};
  problem.cluster.inter_host = {1e9, 1e-5};
  const auto striped = make("resharding/striped");
  const auto takes_s = [&](const Mesh& to, const std::vector<OwnLink>& own_links) {
    problem.cluster.own_links = own_links;
    const std::vector<std::int64_t> dims{1 << 20};
    problem.tensors = {
        reshard_tensor({DType::f32, dims}, {host_mesh(1, 1, 0), {"R"}}, {{to, {"R"}}})};
    return simulated_s(problem, striped->plan(problem));
  };
  const Mesh beside = {{{"d", 2}}, {1, 2}}, elsewhere = {{{"d", 2}}, {3, 6}};
  CHECK(takes_s(beside, {{false, 0, 1, {1e8, 1e-5}}}) < 1.2 * takes_s(beside, {}));
  CHECK(takes_s(elsewhere, {{true, 2, 0, {1e7, 1e-2}}}) < 1.2 * takes_s(elsewhere, {}));
  CHECK(takes_s(elsewhere, {{true, 1, 0, {1e10, 1e-5}}, {false, 3, 6, {1e10, 1e-5}}}) <
        0.2 * takes_s(elsewhere, {}));
}

TEST_CASE("a faster interface serves the host of the holder, too") {
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(2, 4);
  problem.cluster.intra_host = {3e9, 10e-6};
  problem.cluster.inter_host = {12e9, 10e-6};
  const Mesh from = host_mesh(1, 1, 0), to = host_mesh(1, 7, 1);
  const std::vector<std::int64_t> dims{64 << 20};
  problem.tensors.push_back(reshard_tensor({DType::f32, dims}, {from, {"R"}}, {{to, {"R"}}}));
  CHECK(efficiency(problem, *make("resharding/broadcast")) < 0.5);
  CHECK(efficiency(problem, *make("resharding/striped")) > 0.6);
}

TEST_CASE("who waits behind one interface is served one after the other, and none later for it") {
  // Four tiles from one host to another of 1.25 GB/s, as replicas of a stage have them, each held
  // by one device or by two.
  for (const std::vector<std::string>& cut : {std::vector<std::string>{"S1"}, {"S0"}}) {
    const std::int64_t num_tiles = cut.front() == "S1" ? 4 : 2;
    ReshardProblem problem;
    problem.cluster = conformance::alike_hosts(2, 4);
    problem.cluster.intra_host = {150e9, 5e-6};
    problem.cluster.inter_host = {1.25e9, 30e-6};
    const Mesh from = host_mesh(cut.front() == "S1" ? 1 : 2, cut.front() == "S1" ? 4 : 2, 0);
    Mesh to = from;
    for (DeviceId& device : to.devices) device += 4;
    const std::vector<std::int64_t> dims{64 << 20};
    problem.tensors.push_back(reshard_tensor({DType::f32, dims}, {from, cut}, {{to, cut}}));
    const plan::StepTrace trace =
        simulate::simulate(plan::reshard_plan(problem, make("resharding/striped")->plan(problem)),
                           cost::CostModel(problem.cluster), {.keep_events = false});
    const double all_s = cost::reshard_bound(problem).seconds;
    std::vector<double> served_s;
    for (const plan::DeviceTrace& device : trace.devices) {
      const std::size_t count = std::max<std::size_t>(1, device.alike.size());
      if (device.device >= 4) served_s.insert(served_s.end(), count, device.step_end_s.back());
    }
    std::sort(served_s.begin(), served_s.end());
    REQUIRE(served_s.size() == 4);
    CAPTURE(cut.front(), all_s, served_s);
    CHECK(served_s.back() <= 1.01 * all_s);
    for (std::int64_t k = 0; k < 4; ++k) {
      const double turn =
          static_cast<double>(k * num_tiles / 4 + 1) / static_cast<double>(num_tiles);
      CHECK(served_s[static_cast<std::size_t>(k)] <= 1.02 * turn * all_s);
    }
  }
}

TEST_CASE("striped refuses pieces of negative size") {
  CHECK_THROWS_WITH(make("resharding/striped", Options({{"piece_bytes", std::int64_t{-1}}})),
                    Catch::Matchers::Contains("piece_bytes"));
}

TEST_CASE("striped plans all pairs of two meshes of 512 devices, one message each") {
  const std::vector<std::int64_t> dims{4096, 4096, 64};
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(128, 8);
  const Mesh from = host_mesh(64, 8, 0), to = host_mesh(64, 8, 512);
  problem.tensors.push_back(
      reshard_tensor({DType::f32, dims}, {from, {"S01", "R", "R"}}, {{to, {"R", "S01", "R"}}}));
  CHECK(make("resharding/striped")->plan(problem).ops.size() == 512 * 512);
}
