// SPDX-License-Identifier: Apache-2.0
/// What links that are unlike the cluster's do to collectives.
#include <catch2/catch.hpp>

#include "collective_setup.hpp"
#include "config/topology_file.hpp"
#include "cost/cost.hpp"

using namespace rhino;
using namespace rhino::cost;
using namespace rhino::test;

TEST_CASE("what links take longer than NCCL counts is added to each hop") {
  Cluster cluster = config::read_topology(RHINO_TEST_TOPOLOGIES "/dgx_a100.yaml", 4);
  const auto latency_us = [&](const char* algorithm, OpKind kind) {
    return 1e6 * flow_of(cluster, algorithm, {kind, 8, first_devices(32)}).latency_s;
  };
  const auto ring_us = [&] { return latency_us("ring/Simple", OpKind::all_gather); };
  const auto tree_us = [&] { return latency_us("tree/LL", OpKind::all_reduce); };
  const double usual_ring_us = 8.4 + 3 * 14 + 28 * 3.4, usual_tree_us = 6.8 + 14 * 0.6 + 4 * 5;
  CHECK(ring_us() == Approx(usual_ring_us));
  CHECK(tree_us() == Approx(usual_tree_us));
  cluster.own_links = {{true, 1, 2, {1e9, 10e-3}}};  // over land
  CHECK(ring_us() == Approx(usual_ring_us + 3 * (10e3 - 22.4)));
  CHECK(tree_us() == Approx(usual_tree_us + 4 * (10e3 - 22.4)));
  CHECK(latency_us("ring/Simple", OpKind::all_reduce) ==
        Approx(8.4 + 8 * 14 + 54 * 3.4 + 8 * (10e3 - 22.4)));
  cluster.own_links = {{false, 9, 10, {1e9, 1e-3}}};
  CHECK(ring_us() == Approx(usual_ring_us + 28 * (1e3 - 12)));
  cluster.own_links.clear();
  for (std::int32_t host = 0; host < 4; ++host)
    cluster.hosts[static_cast<std::size_t>(host)].leaf = host / 2;
  cluster.uplinks = {{1e12, 4e-6}, {1e12, 4e-6}};
  CHECK(ring_us() == Approx(usual_ring_us + 3 * (22 + 8 - 22.4)));
  cluster.uplinks.clear();
  cluster.hosts[1].interface = {24e9, 1e-3};
  CHECK(ring_us() == Approx(usual_ring_us + 3 * (1e3 - 22.4)));
}

TEST_CASE("switches and links of their own bound what takes them") {
  Cluster cluster = hosts(4, CollectiveLibrary::nccl);
  const CollectiveProblem problem{OpKind::all_gather, kBytes, first_devices(4, 4)};
  const auto ring_s = [&] {
    return flow_of(cluster, "ring/Simple", problem).transfer_s(Links(cluster));
  };
  CHECK(ring_s() == Approx(3 * kBytes / 10));
  for (std::int32_t host = 0; host < 4; ++host)
    cluster.hosts[static_cast<std::size_t>(host)].leaf = host / 2;
  cluster.uplinks = {{4, 1, 0}, {4, 1, 0}};
  CHECK(ring_s() == Approx(3 * kBytes / 4));  // one hop of the ring up and one down per leaf
  cluster.own_links = {{true, 1, 2, {2, 1, 0}}, {true, 3, 0, {8, 1, 0}}};
  CHECK(ring_s() == Approx(3 * kBytes / 2));  // around the switches, over the slower one
}

TEST_CASE("collectives inside a host reach the share that is told of its devices") {
  Cluster cluster = hosts(2, CollectiveLibrary::nccl);
  cluster.models = {DeviceModel{}, DeviceModel{}};
  for (DeviceId device = 4; device < 8; ++device)
    cluster.model_of[static_cast<std::size_t>(device)] = 1;
  cluster.collective_shares.any = {{1, 0.5}};
  cluster.shares_of_model = {cluster.collective_shares,
                             {{{1, 0.25}}, {{OpKind::all_gather, {{1, 0.125}}}}}};
  const std::vector<DeviceId> first{0, 1, 2, 3}, second{4, 5, 6, 7};
  CHECK(collective_slowdown(OpKind::all_reduce, 8, first, cluster) == 2);
  CHECK(collective_slowdown(OpKind::all_gather, 8, first, cluster) == 2);
  CHECK(collective_slowdown(OpKind::all_reduce, 8, second, cluster) == 4);
  CHECK(collective_slowdown(OpKind::all_gather, 8, second, cluster) == 8);
  CHECK(collective_slowdown(OpKind::all_reduce, 8, first_devices(8), cluster) == 1);
}

TEST_CASE("a group reaches the share of its size, of the next larger, of any, or of the largest") {
  Cluster cluster = hosts(1, CollectiveLibrary::nccl);
  const auto slowdown = [&](std::int32_t members) {
    return collective_slowdown(OpKind::all_reduce, 8, first_devices(members), cluster);
  };
  cluster.collective_shares.any = {{1, 0.5}, {1, 0.25, 3}};
  CHECK(slowdown(2) == 4);
  CHECK(slowdown(3) == 4);
  CHECK(slowdown(4) == 2);
  cluster.collective_shares.any = {{1, 0.5, 2}, {1, 0.25, 3}};
  CHECK(slowdown(2) == 2);
  CHECK(slowdown(4) == 4);
  cluster.collective_shares.any = {{1, 0.5}};
  CHECK(slowdown(2) == 2);
}
