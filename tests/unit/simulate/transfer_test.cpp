// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <chrono>

#include "plan/single_communication.hpp"
#include "plan/validate.hpp"
#include "simulate/simulate.hpp"
#include "simulate/transfers.hpp"

using namespace rhino;
using namespace rhino::simulate;

namespace {

/// Hosts of `per_host` devices; a host sends a piece of a message per second, inside nothing takes
/// time.
Cluster hosts_of(std::int32_t num_hosts, std::int32_t per_host, double latency_s = 0) {
  Cluster cluster;
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {1e12, 0, 0};
  cluster.inter_host = {static_cast<double>(plan::kPieceBytes), latency_s, 0};
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({"h", {}});
    for (std::int32_t i = 0; i < per_host; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(host);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

constexpr std::int64_t kMessageBytes = 12 * plan::kPieceBytes;  // t = 12 s
constexpr double kAlone_s = 12;
const Box kWhole{{0}, {kMessageBytes}};

/// Device 0, alone on host 0, holds all; every device of the other hosts wants it.
ReshardProblem one_to_all(const Cluster& cluster) {
  ReshardProblem problem{{}, cluster};
  const ShardingSpec whole{{{}}, {}};
  Mesh target;
  for (DeviceId device = cluster.hosts[1].devices.front(); device < cluster.num_devices(); ++device)
    target.devices.push_back(device);
  target.axes = {{"all", std::ssize(target.devices)}};
  problem.tensors = {{{DType::u8, {kMessageBytes}}, {{{"one", 1}}, {0}}, whole, {{target, whole}}}};
  return problem;
}

double seconds_of(const ReshardProblem& problem, const TransferPlan& transfers) {
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, transfers);
  plan::validate(plan);
  const cost::CostModel cost(plan.cluster);
  const plan::StepTrace trace = simulate::simulate(plan, cost);
  REQUIRE(simulate::simulate(plan, cost).makespan_s == trace.makespan_s);
  return trace.makespan_s;
}

Box part_of(std::int64_t index, std::int64_t count) {
  return {{kMessageBytes * index / count},
          {kMessageBytes * (index + 1) / count - kMessageBytes * index / count}};
}

}  // namespace

TEST_CASE("a chain of K pieces over A hosts takes t (K + A - 1) / K") {
  const auto num_hosts = GENERATE(1, 2, 3, 4);
  const auto num_pieces = GENERATE(1, 2, 6, 24, 100);
  CAPTURE(num_hosts, num_pieces);
  const ReshardProblem problem = one_to_all(hosts_of(num_hosts + 1, 2));
  const std::vector<DeviceId>& all = problem.tensors[0].targets[0].mesh.devices;
  // A larger piece is passed on as the pieces of a message arrive.
  const double k = std::max(12, num_pieces), a = num_hosts;
  CHECK(seconds_of(problem, {{{0, Multicast{0, all, kWhole, num_pieces}, {}}}}) ==
        Approx(kAlone_s * (k + a - 1) / k));
}

TEST_CASE("latency is hidden but for the first piece of every hop") {
  const ReshardProblem problem = one_to_all(hosts_of(4, 1, 0.01));
  const std::vector<DeviceId>& all = problem.tensors[0].targets[0].mesh.devices;
  CHECK(seconds_of(problem, {{{0, Multicast{0, all, kWhole, 24}, {}}}}) ==
        Approx(kAlone_s * 26 / 24 + 3 * 0.01));
}

TEST_CASE("a message of more pieces than are told apart takes the same time") {
  constexpr std::int64_t kPieces = 8 * simulate::Transfers::kMostPieces;
  const double latency_s = GENERATE(0, 0.01, 4);
  ReshardProblem problem = one_to_all(hosts_of(2, 1, latency_s));
  problem.tensors[0].shape.dims = {kPieces * plan::kPieceBytes};
  const Box whole{{0}, {kPieces * plan::kPieceBytes}};
  CHECK(seconds_of(problem, {{{0, Copy{0, 1, whole}, {}}}}) == Approx(latency_s + kPieces));
}

TEST_CASE("a small message does not wait for large ones") {
  // To three hosts: 2, which is third, but small, shares the interface with the first two.
  const ReshardProblem problem = one_to_all(hosts_of(4, 1));
  TransferPlan transfers;
  constexpr std::int64_t kSmall = plan::kMinTurnBytes - 1;
  for (const DeviceId to : {3, 1}) transfers.ops.push_back({0, Copy{0, to, kWhole}, {}});
  transfers.ops.push_back({0, Copy{0, 2, {{0}, {kSmall}}}, {}});
  transfers.incomplete = true;
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, transfers);
  const plan::StepTrace trace = simulate::simulate(plan, cost::CostModel(plan.cluster));
  CHECK(trace.devices[2].step_end_s[0] ==
        Approx(3.0 * kSmall / static_cast<double>(plan::kPieceBytes)));
}

TEST_CASE("a copy to each of A x B devices takes A B t") {
  const auto num_hosts = GENERATE(1, 2, 3);
  const auto per_host = GENERATE(1, 2, 4);
  const ReshardProblem problem = one_to_all(hosts_of(num_hosts + 1, per_host));
  TransferPlan transfers;
  for (const DeviceId to : problem.tensors[0].targets[0].mesh.devices)
    transfers.ops.push_back({0, Copy{0, to, kWhole}, {}});
  CHECK(seconds_of(problem, transfers) == Approx(kAlone_s * num_hosts * per_host));
}

TEST_CASE("scattered over each host and gathered inside, A hosts take A t") {
  const std::int64_t num_hosts = 3, per_host = 4;
  const ReshardProblem problem = one_to_all(hosts_of(num_hosts + 1, per_host));
  TransferPlan transfers;
  for (std::int64_t host = 1; host <= num_hosts; ++host) {
    const std::vector<DeviceId>& group =
        problem.cluster.hosts[static_cast<std::size_t>(host)].devices;
    TransferOp gather{0, AllGather{group, {}}, {}};
    for (std::int64_t i = 0; i < per_host; ++i) {
      std::get<AllGather>(gather.what).boxes.push_back(part_of(i, per_host));
      gather.after.push_back(static_cast<std::int32_t>(transfers.ops.size()));
      transfers.ops.push_back(
          {0, Copy{0, group[static_cast<std::size_t>(i)], part_of(i, per_host)}, {}});
    }
    transfers.ops.push_back(gather);
  }
  CHECK(seconds_of(problem, transfers) == Approx(kAlone_s * 3));
}

TEST_CASE("scattered over all and gathered by all, it takes about 2 t") {
  const ReshardProblem problem = one_to_all(hosts_of(4, 4));
  const std::vector<DeviceId>& all = problem.tensors[0].targets[0].mesh.devices;
  const std::int64_t n = std::ssize(all);
  TransferPlan transfers;
  TransferOp gather{0, AllGather{all, {}}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    std::get<AllGather>(gather.what).boxes.push_back(part_of(i, n));
    gather.after.push_back(static_cast<std::int32_t>(i));
    transfers.ops.push_back({0, Copy{0, all[static_cast<std::size_t>(i)], part_of(i, n)}, {}});
  }
  transfers.ops.push_back(gather);
  // t to scatter; then the ring carries all but one part over every interface.
  CHECK(seconds_of(problem, transfers) ==
        Approx(kAlone_s * (1 + static_cast<double>(n - 1) / static_cast<double>(n))));
}

TEST_CASE("a device sends in the order of the plan, two messages at a time") {
  // Three messages to three hosts: the third waits for the first two, which share the interface.
  const ReshardProblem problem = one_to_all(hosts_of(4, 1));
  TransferPlan transfers;
  for (const DeviceId to : {3, 1, 2}) transfers.ops.push_back({0, Copy{0, to, kWhole}, {}});
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, transfers);
  const plan::StepTrace trace = simulate::simulate(plan, cost::CostModel(plan.cluster));
  CHECK(trace.devices[1].step_end_s[0] == Approx(2 * kAlone_s));
  CHECK(trace.devices[3].step_end_s[0] == Approx(2 * kAlone_s));
  CHECK(trace.devices[2].step_end_s[0] == Approx(3 * kAlone_s));
}

TEST_CASE("messages inside a host do not wait for the network") {
  ReshardProblem problem = one_to_all(hosts_of(2, 4));
  problem.cluster.intra_host = problem.cluster.inter_host;
  problem.tensors[0].targets[0].mesh.devices = {1, 4, 5};
  problem.tensors[0].targets[0].mesh.axes = {{"all", 3}};
  TransferPlan transfers;
  for (const DeviceId to : {4, 5, 1}) transfers.ops.push_back({0, Copy{0, to, kWhole}, {}});
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, transfers);
  const plan::StepTrace trace = simulate::simulate(plan, cost::CostModel(plan.cluster));
  for (const plan::DeviceTrace& device : trace.devices) {
    if (device.device == 1) CHECK(device.step_end_s[0] == Approx(kAlone_s));
    if (device.device == 4) CHECK(device.step_end_s[0] == Approx(2 * kAlone_s));
  }
}

TEST_CASE("a transfer of a hundred thousand messages is simulated in seconds") {
  constexpr std::int64_t kDevices = 320;
  ReshardProblem problem{{}, hosts_of(2 * kDevices / 8, 8)};
  const auto mesh = [](DeviceId first) {
    Mesh mesh{{{"all", kDevices}}, {}};
    for (DeviceId i = 0; i < kDevices; ++i) mesh.devices.push_back(first + i);
    return mesh;
  };
  const auto split = [](std::size_t dim) {
    ShardingSpec spec{{{}, {}}, {}};
    spec.dims[dim].splits = {{0, kDevices}};
    return spec;
  };
  problem.tensors = {
      {{DType::f32, {kDevices, kDevices}}, mesh(0), split(0), {{mesh(kDevices), split(1)}}}};
  TransferPlan transfers;
  for (std::int64_t shift = 0; shift < kDevices; ++shift) {
    for (std::int64_t row = 0; row < kDevices; ++row) {
      const std::int64_t column = (row + shift) % kDevices;
      transfers.ops.push_back({0,
                               Copy{static_cast<DeviceId>(row),
                                    static_cast<DeviceId>(kDevices + column),
                                    {{row, column}, {1, 1}}},
                               {}});
    }
  }
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, transfers);
  const auto begin = std::chrono::steady_clock::now();
  const double seconds = simulate::simulate(plan, cost::CostModel(plan.cluster)).makespan_s;
  const double wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  WARN("simulated in " << wall_s << " s");
  // 40 hosts of 8 rows of 320 elements each.
  CHECK(seconds >= 8 * 320 * 4 / static_cast<double>(plan::kPieceBytes) * (1 - 1e-9));
  CHECK(wall_s < 60);
}
