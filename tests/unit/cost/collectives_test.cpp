// SPDX-License-Identifier: Apache-2.0
#include "cost/collectives.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "collective_setup.hpp"
#include "config/topology_file.hpp"
#include "cost/cost.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::cost;
using namespace rhino::test;

namespace {

double sum(const CollectiveFlow& flow, const Links& links, bool inside) {
  double bytes = 0;
  for (const CollectiveFlow::Load& load : flow.loads) {
    if (links.is_inside(load.link) == inside) bytes += load.bytes;
  }
  return bytes;
}

}  // namespace

TEST_CASE("a plain ring takes its rounds and what each link must pass") {
  const Cluster cluster = hosts(2, CollectiveLibrary::plain);
  const CostModel cost(cluster);
  const auto near = first_devices(4), far = first_devices(8);
  CHECK(cost.collective_s(OpKind::all_reduce, 400, near) == Approx(6 * 3 + 2 * 400 * 3 / 4. / 100));
  CHECK(cost.collective_s(OpKind::reduce_scatter, 400, near) == Approx(3 * 3 + 300. / 100));
  CHECK(cost.collective_s(OpKind::all_gather, 100, near) == Approx(3 * 3 + 300. / 100));
  CHECK(cost.collective_s(OpKind::all_reduce, 400, far) == Approx(14 * 5 + 2 * 400 * 7 / 8. / 10));
  CHECK(cost.collective_s(OpKind::all_reduce, 400, far, 2) ==
        Approx(14 * 5 + 2 * 2 * 400 * 7 / 8. / 10));
  // In this order every hop leaves its host, two by each interface.
  CHECK(cost.collective_s(OpKind::all_reduce, 400, {0, 4, 1, 5}) == Approx(6 * 5 + 2 * 600. / 10));
  CHECK(cost.collective_s(OpKind::all_reduce, 400, {3}) == 0);
}

TEST_CASE("a plain all-to-all passes what every pair has for each other") {
  const auto transfer_s = [](std::int32_t num_hosts, std::int32_t num_interfaces) {
    Cluster cluster = hosts(num_hosts, CollectiveLibrary::plain);
    for (Host& host : cluster.hosts) host.num_interfaces = num_interfaces;
    const CollectiveProblem problem{OpKind::all_to_all, 400, first_devices(4 * num_hosts)};
    const CollectiveFlow flow = flow_of(cluster, "direct", problem);
    CHECK(flow.latency_s == Approx((4 * num_hosts - 1) * (num_hosts == 1 ? 3 : 5)));
    return flow.transfer_s(Links(cluster));
  };
  CHECK(transfer_s(1, 2) == Approx(3 * 400. / 4 / 100));
  // Members behind an interface, each with a part for all on other hosts.
  CHECK(transfer_s(2, 1) == Approx(4 * 400. / 8 * 4 / 10));
  CHECK(transfer_s(2, 2) == Approx(2 * 400. / 8 * 4 / 10));
  CHECK(transfer_s(4, 2) == Approx(2 * 400. / 16 * 12 / 10));
  CHECK(transfer_s(4, 4) == Approx(400. / 16 * 12 / 10));
}

TEST_CASE("groups share the interfaces that they use, and no others") {
  for (const std::int32_t num_interfaces : {1, 2, 4}) {
    Cluster cluster = hosts(2, CollectiveLibrary::plain);
    for (Host& host : cluster.hosts) host.num_interfaces = num_interfaces;
    const CostModel cost(cluster);
    const std::vector<std::vector<DeviceId>> groups = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
    std::map<std::int32_t, double> busy_s;
    for (const std::vector<DeviceId>& group : groups) {
      for (const auto& load : cost.flow(OpKind::all_reduce, 400, group).loads)
        busy_s[load.link] += load.bytes / cost.links().bytes_per_s()[at(load.link)];
    }
    double most_s = 0;
    for (const auto& [link, seconds] : busy_s) most_s = std::max(most_s, seconds);
    CAPTURE(num_interfaces);
    CHECK(groups_per_interface(groups, cluster) == 4 / num_interfaces);
    CHECK(cost.collective_s(OpKind::all_reduce, 400, groups.front(),
                            groups_per_interface(groups, cluster)) ==
          Approx(cost.flow(OpKind::all_reduce, 400, groups.front()).latency_s + most_s));
  }
}

TEST_CASE("NCCL's rings use all interfaces of their members") {
  const Cluster cluster = hosts(3, CollectiveLibrary::nccl);
  const Links links(cluster);
  const auto seconds = [&](const std::vector<DeviceId>& group) {
    return flow_of(cluster, "ring/Simple", {OpKind::all_reduce, kBytes, group}).transfer_s(links);
  };
  CHECK(seconds(first_devices(12)) == Approx(2 * kBytes * 11 / 12 / (2 * 10)));
  CHECK(seconds(first_devices(3, 4)) == Approx(2 * kBytes * 2 / 3 / 10));  // one device per host
  CHECK(seconds({0, 1, 4, 5}) == Approx(2 * kBytes * 3 / 4 / 10));         // of one interface
  CHECK(seconds({0, 2, 4, 6}) == Approx(2 * kBytes * 3 / 4 / (2 * 10)));
}

TEST_CASE("bytes are conserved, whatever the algorithm") {
  const Cluster cluster = hosts(4, CollectiveLibrary::nccl);
  const Links links(cluster);
  const auto all = first_devices(16);
  const CollectiveFlow ring = flow_of(cluster, "ring/Simple", {OpKind::all_reduce, 1, all});
  // Every hop out of and into a link of its own: 12 inside, 4 between.
  CHECK(sum(ring, links, true) == Approx(2 * 12 * 2 * 15 / 16.));
  CHECK(sum(ring, links, false) == Approx(2 * 4 * 2 * 15 / 16.));
  const CollectiveFlow tree = flow_of(cluster, "tree/Simple", {OpKind::all_reduce, 1, all});
  // Each byte up and down all 15 edges.
  CHECK(sum(tree, links, true) == Approx(2 * 2 * 12 / 0.92 / 0.9));  // a tiny one
  CHECK(sum(tree, links, false) == Approx(2 * 2 * 3 / 0.92 / 0.9));
  const CollectiveFlow exchange = flow_of(cluster, "direct", {OpKind::all_to_all, 1, all});
  CHECK(sum(exchange, links, true) == Approx(2 * 16 * 3 / 16.));
  CHECK(sum(exchange, links, false) == Approx(2 * 16 * 12 / 16.));
}

TEST_CASE("halos go to both neighbours at once, whatever the size of the group") {
  for (const CollectiveLibrary library : {CollectiveLibrary::plain, CollectiveLibrary::nccl}) {
    const Cluster cluster = hosts(4, library);
    const Links links(cluster);
    const auto flow = [&](std::int32_t num_devices) {
      return flow_of(cluster, "neighbours",
                     {OpKind::halo_exchange, kBytes, first_devices(num_devices)});
    };
    // 3 x 4 pairs of one host, 3 between hosts, half of the bytes each way over two links.
    CHECK(sum(flow(16), links, true) == Approx(2 * 12 * kBytes));
    CHECK(sum(flow(16), links, false) == Approx(2 * 3 * kBytes));
    CHECK(flow(16).latency_s == Approx(flow(8).latency_s));
    CHECK(flow(2).transfer_s(links) == Approx(flow(4).transfer_s(links) / 2));
  }
}

TEST_CASE("what goes to the next and what goes to the one before pass links of their own") {
  const Cluster cluster = hosts(4, CollectiveLibrary::plain);
  const Links links(cluster);
  for (const double forward : {0.0, 0.25, 0.5, 1.0}) {
    const auto seconds = [&](std::int32_t num_devices) {
      return flow_of(cluster, "neighbours",
                     {OpKind::halo_exchange, kBytes, first_devices(num_devices), forward})
          .transfer_s(links);
    };
    CHECK(seconds(2) == Approx(std::max(forward, 1 - forward) * kBytes / 100));
    CHECK(seconds(4) == Approx(kBytes / 100));  // those in the middle send both
  }
}

TEST_CASE("trees win where latency counts, rings in bandwidth, low-latency protocols when small") {
  const Cluster cluster = config::read_topology(RHINO_TEST_TOPOLOGIES "/dgx_a100.yaml", 64);
  const Links links(cluster);
  const auto algorithm = [&](double bytes, std::int32_t num_devices) {
    return collective_flow({OpKind::all_reduce, bytes, first_devices(num_devices)}, cluster, links)
        .algorithm;
  };
  CHECK(algorithm(1024, 512) == "tree/LL");
  CHECK(algorithm(8 << 20, 512) == "tree/LL128");
  CHECK(algorithm(16e9, 512) == "ring/Simple");
  CHECK(algorithm(1024, 8) == "ring/LL");
  CHECK(algorithm(8e9, 8) == "ring/Simple");
  const CollectiveFlow small =
      flow_of(cluster, "tree/LL", {OpKind::all_reduce, 8, first_devices(512)});
  CHECK(small.latency_s == Approx(1e-6 * (6.8 + 2 * 7 * 0.6 + 2 * 6 * 5.0)));
  const CollectiveFlow gather =
      flow_of(cluster, "ring/Simple", {OpKind::all_gather, 8, first_devices(512)});
  CHECK(gather.latency_s == Approx(1e-6 * (8.4 + 63 * 14.0 + (511 - 63) * 3.4)));
}

TEST_CASE("a tree and switches take their closed formulas") {
  Cluster cluster = config::read_topology(RHINO_TEST_TOPOLOGIES "/dgx_h100.yaml", 4);
  cluster.collective_shares = {};
  const Links links(cluster);
  const CollectiveProblem problem{OpKind::all_reduce, kBytes, first_devices(32)};
  const double between_s = 2 * kBytes * 3 / 4 / 0.92 / (8 * 48e9);
  const CollectiveFlow tree = flow_of(cluster, "tree/Simple", problem);
  const double chains_s = 2 * kBytes * 7 / 8 / 0.92 / 370.8e9;  // up and down, inside hosts
  CHECK(tree.transfer_s(links) == Approx(std::max(between_s, chains_s)));
  CHECK(tree.latency_s == Approx(1e-6 * (2 * 7 * 28 + 2 * 2 * 28)));
  const CollectiveFlow switches = flow_of(cluster, "hierarchical/NVLS", problem);
  CHECK(switches.transfer_s(links) == Approx(std::max(kBytes / 273.6e9, between_s)));
  CHECK(switches.latency_s == Approx(1e-6 * (23 + 2 * 2 * 14)));
  const CollectiveProblem inside{OpKind::all_reduce, kBytes, first_devices(8)};
  CHECK(flow_of(cluster, "hierarchical/NVLS", inside).transfer_s(links) ==
        Approx(kBytes / 273.6e9));
  CHECK(flow_of(cluster, "tree/Simple", inside).transfer_s(links) == Approx(chains_s));
}

TEST_CASE("trees of middle sizes get the share that NCCL's model gives them, rings a plateau") {
  const Cluster cluster = config::read_topology(RHINO_TEST_TOPOLOGIES "/dgx_a100.yaml", 8);
  const Links links(cluster);
  const auto rate = [&](const char* name, double bytes) {
    return bytes /
           flow_of(cluster, name, {OpKind::all_reduce, bytes, first_devices(64)}).transfer_s(links);
  };
  const double full = rate("tree/Simple", 1e9);
  CHECK(rate("tree/Simple", 256 << 10) == Approx(0.5 * full));
  CHECK(rate("tree/Simple", (512 << 10) - 1) == Approx(0.5 * full));
  CHECK(rate("tree/Simple", 4 << 20) == Approx(0.7 * full));
  CHECK(rate("tree/Simple", 64) == Approx(0.9 * full));
  CHECK(rate("tree/LL128", 1 << 20) == Approx(0.6 * rate("tree/LL128", 1e9)));
  CHECK(rate("ring/Simple", 1 << 20) == Approx(rate("ring/Simple", 1e9)));
  const auto latency_s = [&](double bytes, std::int32_t num_devices) {
    return flow_of(cluster, "ring/Simple", {OpKind::all_reduce, bytes, first_devices(num_devices)})
        .latency_s;
  };
  CHECK(latency_s(1e6, 64) == Approx(1.4 * latency_s(1, 64)));
  CHECK(latency_s(1e6, 8) == latency_s(1, 8));
}

TEST_CASE("the plateau of rings is longer on devices before A100") {
  const auto plateau = [](const char* file, std::int32_t num_devices, std::int64_t num_hosts) {
    Cluster cluster = config::read_topology(std::string(RHINO_TEST_TOPOLOGIES) + file, num_hosts);
    cluster.inter_host.latency_s = 0;  // not of NCCL's model
    for (Host& host : cluster.hosts) host.interface.latency_s = 0;
    const auto latency_s = [&](double bytes) {
      return flow_of(cluster, "ring/Simple",
                     {OpKind::all_reduce, bytes, first_devices(num_devices)})
          .latency_s;
    };
    return latency_s(1e6) / latency_s(1);
  };
  CHECK(plateau("/p3_16xlarge.yaml", 16, 2) == Approx(1.9));
  CHECK(plateau("/mixed_p4d_p3.yaml", 16, 0) == Approx(1.9));
}

/// Bus bandwidths by nccl-tests, in place (Azure/AI-benchmarking-guide, 8 GPUs, NCCL 2.18).
TEST_CASE("all-reduces inside hosts are as quick as published ones") {
  struct Row {
    double bytes, a100, h100;
  };
  const std::vector<Row> rows = {{1e3, 0.04e9, 0.07e9},      {16e3, 0.67e9, 0.95e9},
                                 {256e3, 10.11e9, 10.86e9},  {1e6, 36.22e9, 43.70e9},
                                 {4e6, 71.43e9, 128.73e9},   {16e6, 109.22e9, 234.45e9},
                                 {67e6, 166.63e9, 361.78e9}, {268e6, 213.87e9, 423.38e9},
                                 {1e9, 228.10e9, 466.35e9},  {8e9, 231.58e9, 478.87e9}};
  for (const bool is_h100 : {false, true}) {
    const CostModel cost(config::read_topology(is_h100 ? RHINO_TEST_TOPOLOGIES "/dgx_h100.yaml"
                                                       : RHINO_TEST_TOPOLOGIES "/dgx_a100.yaml"));
    std::vector<double> ratios;
    for (const Row& row : rows) {
      const double seconds = cost.collective_s(OpKind::all_reduce, row.bytes, first_devices(8));
      ratios.push_back(1.75 * row.bytes / seconds / (is_h100 ? row.h100 : row.a100));
    }
    CAPTURE(is_h100, ratios);
    CHECK(ratios.back() == Approx(1).epsilon(0.05));
    for (std::size_t r = is_h100 ? 5 : 4; r < rows.size(); ++r)
      CHECK(ratios[r] == Approx(1).epsilon(0.06));  // from 4 or 16 MB on
    CHECK(*std::max_element(ratios.begin(), ratios.end()) < 3);
    CHECK(*std::min_element(ratios.begin(), ratios.end()) > 0.7);
  }
}

TEST_CASE("collectives inside a host reach the share of links that is told for their size") {
  Cluster cluster = hosts(2, CollectiveLibrary::nccl);
  const auto seconds = [&](double bytes, const std::vector<DeviceId>& group) {
    const CollectiveFlow flow = flow_of(cluster, "ring/Simple", {OpKind::all_reduce, bytes, group});
    return flow.transfer_s(Links(cluster));
  };
  const std::vector<DeviceId> near = first_devices(4), far = first_devices(8);
  const double near_s = seconds(1, near), far_s = seconds(1, far);  // per byte
  cluster.collective_shares.any = {{100, 0.8}, {1000, 0.4}};
  for (const auto& [part, share] : std::vector<std::pair<double, double>>{
           {1, 0.8}, {100, 0.8}, {std::sqrt(100 * 1000), 0.6}, {1000, 0.4}, {1e6, 0.4}}) {
    CHECK(seconds(4 * part, near) == Approx(4 * part * near_s / share));
    CHECK(seconds(8 * part, far) == Approx(8 * part * far_s));  // over interfaces
  }
  // Of some bytes or more.
  cluster.collective_shares.any = {{10, 0.2}, {100, 0.8}, {1000, 0.4}, {10000, 0.5}};
  for (const auto& [part, share] :
       std::vector<std::pair<double, double>>{{1, 0.8}, {100, 0.8}, {101, 0.8}, {1000, 0.5}}) {
    CHECK(least_collective_slowdown(OpKind::all_reduce, 4 * part, near, cluster) ==
          Approx(1 / share).epsilon(0.01));
    CHECK(least_collective_slowdown(OpKind::all_reduce, 8 * part, far, cluster) == 1);
  }
}

TEST_CASE("collectives of a kind reach the share that is told of it, or what is told of all") {
  Cluster cluster = hosts(2, CollectiveLibrary::plain);
  const double rate = cluster.intra_host.bytes_per_s, latency_s = cluster.intra_host.latency_s;
  const std::vector<DeviceId> near = first_devices(4), far = first_devices(8);
  const auto check = [&](OpKind kind, double rounds, double sent, double share) {
    CAPTURE(kind);
    const Links links(cluster);
    const auto seconds = [&](double bytes, const std::vector<DeviceId>& group) {
      return collective_flow({kind, bytes, group}, cluster, links).alone_s(links);
    };
    CHECK(seconds(kBytes, near) == Approx(rounds * latency_s + sent * kBytes / (rate * share)));
    CHECK(least_collective_slowdown(kind, kBytes, near, cluster) == Approx(1 / share));
    Cluster bare = cluster;
    bare.collective_shares = {};
    CHECK(seconds(kBytes, far) == collective_flow({kind, kBytes, far}, bare, links).alone_s(links));
  };
  cluster.collective_shares.any = {{1, 0.5}};
  check(OpKind::all_reduce, 6, 1.5, 0.5);
  check(OpKind::all_gather, 3, 3, 0.5);  // as the file says: nothing besides
  check(OpKind::reduce_scatter, 3, 0.75, 0.5);
  check(OpKind::all_to_all, 3, 0.75, 0.5);
  cluster.collective_shares.of_kind = {{OpKind::all_gather, {{1, 0.2, 2}, {1, 0.3, 4}}},
                                       {OpKind::reduce_scatter, {{1, 0.8}}},
                                       {OpKind::all_to_all, {}}};
  check(OpKind::all_reduce, 6, 1.5, 0.5);
  check(OpKind::all_gather, 3, 3, 0.3);
  check(OpKind::reduce_scatter, 3, 0.75, 0.8);
  check(OpKind::all_to_all, 3, 0.75, 1);
  cluster.collective_shares.any.clear();
  check(OpKind::all_reduce, 6, 1.5, 1);
  check(OpKind::all_gather, 3, 3, 0.3);
}

TEST_CASE("by shares of all kinds an all-gather takes as long as the reduce-scatter back") {
  Cluster cluster = hosts(1, CollectiveLibrary::plain);
  cluster.collective_shares.any = {{1e3, 1}, {1e4, 0.3}, {1e6, 0.9}};
  const std::vector<DeviceId> group = first_devices(4);
  const Links links(cluster);
  for (const double bytes : {1e2, 5e3, 2e4, 1e5, 3e6, 1e8}) {
    CAPTURE(bytes);
    CHECK(collective_flow({OpKind::all_gather, bytes / 4, group}, cluster, links).alone_s(links) ==
          Approx(collective_flow({OpKind::reduce_scatter, bytes, group}, cluster, links)
                     .alone_s(links)));
    CHECK(least_collective_slowdown(OpKind::all_gather, bytes / 4, group, cluster) ==
          least_collective_slowdown(OpKind::reduce_scatter, bytes, group, cluster));
  }
}

TEST_CASE("switches add up for three members of a host or more") {
  const Cluster cluster = hosts(2, CollectiveLibrary::nccl_nvls);
  const auto has_switches = [&](const std::vector<DeviceId>& group) {
    const auto flows =
        collective_flows({OpKind::all_reduce, kBytes, group}, cluster, Links(cluster));
    return std::ranges::count(flows, "hierarchical/NVLS", &CollectiveFlow::algorithm) > 0;
  };
  CHECK(has_switches({0, 1, 2}));
  CHECK(has_switches({0, 1, 2, 4}));
  CHECK_FALSE(has_switches({0, 1}));
  CHECK_FALSE(has_switches({0, 4}));  // a host each
  CHECK_FALSE(has_switches({0, 1, 4, 5}));
}

TEST_CASE("pairs of GPUs without a switch have the links between them") {
  const auto sent_per_s = [](const std::string& topology, std::int32_t size) {
    const CostModel cost(config::read_topology(RHINO_TEST_TOPOLOGIES "/" + topology + ".yaml"));
    const double bytes = 1e9, shares = 2. * (size - 1) / size;
    return shares * bytes / cost.collective_s(OpKind::all_reduce, bytes, first_devices(size));
  };
  CHECK(sent_per_s("p3_8xlarge", 2) == Approx(20e9).epsilon(0.02));
  CHECK(sent_per_s("p3_8xlarge", 4) == Approx(80e9).epsilon(0.02));
  CHECK(sent_per_s("p3_16xlarge", 2) == Approx(20e9).epsilon(0.02));
  CHECK(sent_per_s("p3_16xlarge", 4) == Approx(80e9).epsilon(0.02));
  CHECK(sent_per_s("p3_16xlarge", 8) == Approx(120e9).epsilon(0.02));
  CHECK(sent_per_s("gh200_eager", 2) == Approx(370.8e9 / 3).epsilon(0.02));
  CHECK(sent_per_s("gh200_eager", 4) == Approx(370.8e9).epsilon(0.1));
}

TEST_CASE("shares are of groups of a size, or of the next larger one, or the largest") {
  Cluster cluster = hosts(1, CollectiveLibrary::nccl);
  const auto slowdown = [&](std::int32_t size) {
    return collective_slowdown(OpKind::all_reduce, 1, first_devices(size), cluster);
  };
  cluster.collective_shares.any = {{1, 0.5, 2}, {1, 0.25, 3}};
  CHECK(slowdown(2) == 2);
  CHECK(slowdown(3) == 4);
  CHECK(slowdown(4) == 4);
  cluster.collective_shares.any.erase(cluster.collective_shares.any.begin());
  CHECK(slowdown(2) == 4);
}

TEST_CASE("all-reduces of the eager A100s take what was measured on them") {
  const Cluster cluster = config::read_topology(RHINO_TEST_TOPOLOGIES "/a100_eager.yaml", 1);
  const CostModel cost(cluster);
  // VIA-Research/vTrain, trace/a100/AR_GPU{2,4,8}_1M_1024M_LUT: MiB, microseconds of 2, 4, 8 GPUs;
  // sizes between those of the topology, too.
  const std::vector<std::array<double, 4>> measured = {
      {1, 44.21, 51.4, 92.79},       {3, 56.27, 64.94, 92.58},    {8, 86.9, 116.8, 134.3},
      {24, 176.5, 220.2, 265.3},     {48, 313, 396.4, 439.4},     {96, 572, 762.7, 828.5},
      {192, 1104.7, 1442.3, 1610.2}, {256, 1455.8, 1929, 2162.3}, {1024, 5442.8, 7259.4, 8193}};
  for (const auto& row : measured) {
    for (const int n : {1, 2, 3}) {
      CAPTURE(row[0], n);
      const double seconds =
          cost.collective_s(OpKind::all_reduce, row[0] * (1 << 20), first_devices(1 << n));
      CHECK(1e6 * seconds == Approx(row[at(n)]).epsilon(0.2));
    }
  }
}
