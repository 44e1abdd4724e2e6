// SPDX-License-Identifier: Apache-2.0
// How close resharding/striped comes to the physical bound in the simulator.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>

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

std::vector<NamedProblem> large_cases() {
  std::vector<NamedProblem> cases = many_to_many_cases();
  for (const std::int64_t bytes : {std::int64_t{1} << 30, std::int64_t{1} << 26}) {
    for (NamedProblem& one : one_to_many_cases(bytes)) cases.push_back(std::move(one));
  }
  for (NamedProblem& one : further_cases()) cases.push_back(std::move(one));
  return cases;
}

/// A piece of a message (plan/send_order.hpp) takes about as long as a latency there: 7 us and 5
/// us.
bool is_fast_link(const NamedProblem& one) { return one.name == "inside one host"; }

}  // namespace

TEST_CASE("striped comes within 5 % of the bound in the cases of the paper and further ones") {
  const auto striped = make("resharding/striped");
  for (const NamedProblem& one : large_cases()) {
    CAPTURE(one.name, cost::reshard_bound(one.problem).what);
    CHECK(efficiency(one.problem, *striped) >= (is_fast_link(one) ? 0.93 : 0.95));
  }
}

TEST_CASE("striped is no slower than broadcast in the cases of the paper and further ones") {
  const auto striped = make("resharding/striped"), broadcast = make("resharding/broadcast");
  for (const NamedProblem& one : large_cases()) {
    CAPTURE(one.name);
    CHECK(efficiency(one.problem, *striped) >=
          (is_fast_link(one) ? 0.97 : 0.99) * efficiency(one.problem, *broadcast));
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

TEST_CASE("striped crosses between hosts no more often than it must") {
  std::mt19937 random(4);
  const auto striped = make("resharding/striped");
  for (int round = 0; round < 60; ++round) {
    const ReshardProblem problem = conformance::random_reshard({}, random);
    CAPTURE(round, conformance::describe(problem));
    CHECK(plan::bytes_between_hosts(plan::reshard_plan(problem, striped->plan(problem))) ==
          static_cast<double>(cost::reshard_bound(problem).crossing_bytes));
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
