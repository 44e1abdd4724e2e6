// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "../plan/random_transfers.hpp"
#include "conformance/random_reshard.hpp"
#include "cost/reshard_bound.hpp"
#include "plan/single_communication.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;

namespace {

/// Hosts of four devices behind one interface: 1 MB/s inside, 100 kB/s between, latencies of 1 ms
/// and 10 ms.
Cluster cluster_of(std::int32_t num_hosts) {
  Cluster cluster;
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {1e6, 1e-3};
  cluster.inter_host = {1e5, 1e-2};
  for (DeviceId device = 0; device < 4 * num_hosts; ++device) {
    if (device % 4 == 0) cluster.hosts.push_back({"h", {}});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of.push_back(device / 4);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

constexpr std::int64_t kBytes = 64000;

/// Of one all-reduce per group, each a communication and a role of its own, all begun at once.
plan::ExecutionPlan all_reduces(const Cluster& cluster,
                                const std::vector<std::vector<DeviceId>>& groups) {
  plan::ExecutionPlan plan;
  for (const std::vector<DeviceId>& group : groups) {
    plan::ExecutionPlan one = plan::collective_plan(
        {plan::CommunicationKind::all_reduce, kBytes, DType::f32, group, cluster});
    for (plan::Role& role : one.roles) {
      for (plan::Instruction& instruction : role.instructions) {
        if (instruction.kind == plan::InstructionKind::start ||
            instruction.kind == plan::InstructionKind::wait)
          instruction.index = static_cast<std::int32_t>(plan.communications.size());
      }
      plan.roles.push_back(std::move(role));
    }
    plan.communications.push_back(one.communications.front());
  }
  plan.cluster = cluster;
  return plan;
}

double seconds(const plan::ExecutionPlan& plan) {
  const cost::CostModel cost(plan.cluster);
  const double reduced = simulate::simulate(plan, cost).makespan_s;
  CHECK(reduced == simulate::simulate(plan, cost, {.walk_all = true}).makespan_s);
  return reduced;
}

/// Wires a cluster in some way: several interfaces, unlike hosts, switches, links of their own.
void rewire(Cluster& cluster, std::mt19937& random) {
  const auto chance = [&](std::uint32_t percent) { return random() % 100 < percent; };
  const auto link = [&] { return Link{1e6 * static_cast<double>(1 + random() % 50), 1e-4, 0}; };
  const bool has_switches = chance(40);
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    Host& host = cluster.hosts[h];
    host.num_interfaces = 1 + static_cast<std::int32_t>(random() % host.devices.size());
    if (chance(30)) host.inside = link();
    if (chance(30)) host.interface = link();
    if (has_switches) host.leaf = static_cast<std::int32_t>(h / 2);
  }
  if (has_switches) cluster.uplinks.assign((cluster.hosts.size() + 1) / 2, link());
  const auto count = static_cast<std::uint32_t>(cluster.num_devices());
  const auto a = static_cast<std::int32_t>(random() % count),
             b = static_cast<std::int32_t>(random() % count);
  if (a != b && chance(40)) cluster.own_links.push_back({false, a, b, link()});
  if (cluster.hosts.size() > 1 && chance(40)) cluster.own_links.push_back({true, 0, 1, link()});
}

}  // namespace

TEST_CASE("no bound of a resharding is above its simulation, however the cluster is wired") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    ReshardProblem problem =
        conformance::random_reshard({.hosts = {1, 4}, .extent = {16, 96}}, random);
    rewire(problem.cluster, random);
    const plan::ExecutionPlan plan =
        plan::reshard_plan(problem, test::random_transfers(problem, random));
    CAPTURE(seed, conformance::describe(problem));
    CHECK(cost::reshard_bound(problem).seconds <= seconds(plan) * (1 + 1e-9));
  }
}

TEST_CASE("a ring alone takes its closed formula in the simulated network") {
  CHECK(seconds(all_reduces(cluster_of(1), {{0, 1, 2, 3}})) ==
        Approx(6 * 1e-3 + 2 * kBytes * 0.75 / 1e6));
  CHECK(seconds(all_reduces(cluster_of(2), {{0, 1, 4, 5}})) ==
        Approx(6 * 1e-2 + 2 * kBytes * 0.75 / 1e5));
}

TEST_CASE("halos take the wider one alone between two devices, and both in the middle of more") {
  const double bytes = kBytes, entry = bytes / (kBytes / 4);
  const auto make = [&](std::int64_t before, const Cluster& cluster,
                        const std::vector<DeviceId>& group) {
    plan::ExecutionPlan plan = all_reduces(cluster, {group});
    plan.communications[0].kind = plan::CommunicationKind::halo_exchange;
    plan.communications[0].before = before;
    return plan;
  };
  for (const std::int64_t before : {0, 4000, 8000, 15000, 16000}) {
    const double forward = static_cast<double>(before) * entry;
    CHECK(seconds(make(before, cluster_of(2), {0, 4})) ==
          Approx(1e-2 + std::max(forward, bytes - forward) / 1e5));
    CHECK(seconds(make(before, cluster_of(1), {0, 1, 2, 3})) == Approx(1e-3 + bytes / 1e6));
  }
  // Two over the same groups that send otherwise, one after the other.
  plan::ExecutionPlan plan = make(4000, cluster_of(2), {0, 4});
  plan.communications.push_back(plan.communications[0]);
  plan.communications[1].before = 16000;
  plan.communications[1].groups.clear();
  plan.communications[1].like = 0;
  std::vector<plan::Instruction>& instructions = plan.roles[0].instructions;
  const auto first = instructions;
  for (plan::Instruction again : first) {
    if (again.kind == plan::InstructionKind::start || again.kind == plan::InstructionKind::wait)
      again.index = 1;
    instructions.push_back(again);
  }
  CHECK(seconds(plan) == Approx(2e-2 + (0.75 + 1) * bytes / 1e5));
}

TEST_CASE("groups that share an interface take as many times as long, others do not") {
  const double latency_s = 2 * 1e-2, alone_s = kBytes / 1e5;
  const Cluster cluster = cluster_of(2);
  CHECK(seconds(all_reduces(cluster, {{0, 4}})) == Approx(latency_s + alone_s));
  CHECK(seconds(all_reduces(cluster, {{0, 4}, {1, 5}})) == Approx(latency_s + 2 * alone_s));
  CHECK(seconds(all_reduces(cluster, {{0, 4}, {1, 5}, {2, 6}, {3, 7}})) ==
        Approx(latency_s + 4 * alone_s));
  CHECK(seconds(all_reduces(cluster_of(4), {{0, 4}, {9, 13}})) == Approx(latency_s + alone_s));
  // Four interfaces: nobody shares.
  Cluster wide = cluster;
  for (Host& host : wide.hosts) host.num_interfaces = 4;
  CHECK(seconds(all_reduces(wide, {{0, 4}, {1, 5}})) == Approx(latency_s + alone_s));
  // Below two switches whose uplinks carry half of an interface.
  wide.hosts[0].leaf = 0;
  wide.hosts[1].leaf = 1;
  wide.uplinks = {{5e4, 0, 0}, {5e4, 0, 0}};
  CHECK(seconds(all_reduces(wide, {{0, 4}, {1, 5}})) == Approx(latency_s + 4 * alone_s));
}

TEST_CASE("a collective and a transfer share an interface") {
  const Cluster cluster = cluster_of(2);
  plan::ExecutionPlan plan = all_reduces(cluster, {{0, 4}});
  const Shape shape{DType::u8, {kBytes}};
  const Mesh source{{{"x", 1}}, {1}}, target{{{"x", 1}}, {5}};
  const ShardingSpec whole{{DimSharding{}}, {}};
  const ReshardProblem problem{{{shape, source, whole, {{target, whole}}}}, cluster};
  TransferPlan transfers;
  transfers.ops.push_back({0, Copy{1, 5, {{0}, {kBytes}}}});
  plan::ExecutionPlan moved = plan::reshard_plan(problem, transfers);
  for (plan::Role& role : moved.roles) {
    for (plan::Instruction& instruction : role.instructions) {
      if (instruction.index == 0) instruction.index = 1;
    }
    plan.roles.push_back(std::move(role));
  }
  for (plan::TransferLayout& layout : moved.communications.front().layouts) {
    layout.source.role += 1;
    for (plan::TransferEnd& end : layout.targets) end.role += 1;
  }
  plan.communications.push_back(moved.communications.front());
  // The message begins 10 ms earlier and has the interface to itself until then; then both have
  // half of it, and what is left of the collective all of it.
  const double early = 1e-2 * 1e5, left = kBytes - early;
  const double together_s = 2 * left / 1e5;
  CHECK(seconds(plan) == Approx(2e-2 + together_s + (kBytes - left) / 1e5));
}
