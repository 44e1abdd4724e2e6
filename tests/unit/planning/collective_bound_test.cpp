// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "planning/communication_plan.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// `num_hosts` of four devices.
Cluster hosts(std::int32_t num_hosts, std::int32_t num_interfaces, CollectiveLibrary library) {
  Cluster cluster;
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {1e11, 1e-6};
  cluster.inter_host = {1e9, 1e-5};
  cluster.collectives = library;
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({.name = "h", .devices = {}, .num_interfaces = num_interfaces});
    for (DeviceId device = 4 * host; device < 4 * host + 4; ++device) {
      cluster.hosts.back().devices.push_back(device);
      cluster.host_of.push_back(host);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

double simulated_s(const plan::CollectiveProblem& problem) {
  return simulate::simulate(plan::collective_plan(problem), cost::CostModel(problem.cluster))
      .makespan_s;
}

double bound_s(const plan::CollectiveProblem& problem) {
  planning::CommunicationProblem asked;
  asked.collective = problem;
  return planning::communication_bound(asked).seconds;
}

}  // namespace

TEST_CASE("no simulated collective of any group is below its bound") {
  using plan::CommunicationKind;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int least, int most) {
      return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
    };
    const int num_hosts = draw(1, 4), num_interfaces = 1 << draw(0, 2);
    const auto library =
        std::array{CollectiveLibrary::plain, CollectiveLibrary::nccl}[at(draw(0, 1))];
    std::vector<DeviceId> group(at(4 * num_hosts));
    std::iota(group.begin(), group.end(), 0);
    std::ranges::shuffle(group, random);
    group.resize(at(draw(2, 4 * num_hosts)));
    const CommunicationKind kind =
        std::array{CommunicationKind::all_to_all, CommunicationKind::all_reduce,
                   CommunicationKind::all_gather, CommunicationKind::reduce_scatter}[seed % 4];
    const std::int64_t bytes = 4 * std::ssize(group) * (std::int64_t{1} << draw(0, 20));
    Cluster cluster = hosts(num_hosts, num_interfaces, library);
    for (Host& host : cluster.hosts) {  // half of them with links of their own
      if (draw(0, 1) == 1) host.interface = {1e8 * (1 << draw(0, 8)), 1e-6 * draw(1, 40)};
      if (draw(0, 1) == 1) host.inside = {1e9 * (1 << draw(0, 8)), 1e-7 * draw(1, 40)};
    }
    const plan::CollectiveProblem problem{kind, bytes, DType::f32, group, cluster};
    CAPTURE(seed, num_hosts, num_interfaces, group, bytes);
    CHECK(bound_s(problem) > 0);
    CHECK(bound_s(problem) <= simulated_s(problem) * (1 + 1e-6));
  }
}

TEST_CASE("a plain all-to-all over two hosts takes what their interfaces must pass") {
  std::vector<DeviceId> group(8);
  std::iota(group.begin(), group.end(), 0);
  const plan::CollectiveProblem problem{plan::CommunicationKind::all_to_all, 64 << 20, DType::f32,
                                        group, hosts(2, 1, CollectiveLibrary::plain)};
  const double transfer_s = 4 * (64 << 20) / 8. * 4 / 1e9;
  CHECK(bound_s(problem) == Approx(1e-5 + transfer_s));
  CHECK(simulated_s(problem) == Approx(7e-5 + transfer_s));
}

TEST_CASE("a sum over unlike hosts takes what the narrowest must pass, or all together") {
  std::vector<DeviceId> group(16);
  std::iota(group.begin(), group.end(), 0);
  plan::CollectiveProblem problem{plan::CommunicationKind::all_reduce, 64 << 20, DType::f32, group,
                                  hosts(4, 1, CollectiveLibrary::nccl)};
  CHECK(bound_s(problem) == Approx((64 << 20) * 1.5 / 1e9));
  problem.cluster.hosts[2].interface = {2e8, 1e-5};
  CHECK(bound_s(problem) == Approx((64 << 20) / 2e8));
  CHECK(bound_s(problem) >= simulated_s(problem) / 2);
  problem.cluster.hosts[2].interface = {8e8, 1e-5};
  CHECK(bound_s(problem) == Approx((64 << 20) * 6 / 3.8e9));
  CHECK(bound_s(problem) >= simulated_s(problem) / 1.5);
  problem.group = {12, 13, 14, 15};
  problem.cluster.hosts[3].inside = {1e10, 1e-6};
  CHECK(bound_s(problem) == Approx((64 << 20) * 1.5 / 1e10));
}

}  // namespace rhino::test
