// SPDX-License-Identifier: Apache-2.0
#include "simulate/collective_sets.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::simulate;

namespace {

constexpr double kRate = 1e9, kAdding = 4e9;

cost::Calibration calibration() {
  cost::Calibration made;
  made.intra_host = {kRate, 1e-6, 0};
  made.reduce_bytes_per_s = kAdding;
  made.collective_shares = {{1e3, 2, 2}, {1e5, 0.5, 2}};
  made.shares_of_kind = {{OpKind::all_gather, {{1e3, 0.25, 2}}}};
  return made;
}

plan::Communication collective(plan::CommunicationKind kind, double bytes) {
  return {.kind = kind,
          .parts = {{DType::f32, {std::lround(bytes / 4)}}},
          .groups = {{0, 1}},
          .name = "collective"};
}

}  // namespace

TEST_CASE("a core works on a collective for as long as its size and share of the rate make it") {
  const cost::Calibration measured = calibration();
  Cluster cluster;
  cluster.hosts = {{"here", {0, 1}}};
  cluster.host_of = cluster.model_of = {0, 0};
  cluster.models.emplace_back();
  cost::apply(measured, cluster);
  const cost::CostModel cost(cluster, &measured);
  using Kind = plan::CommunicationKind;
  struct Case {
    Kind kind;
    OpKind op;
    double bytes, share;
  };
  const double middle = 2 * std::sqrt(1e3 * 1e5);  // of two members, halfway by the logarithm
  const std::vector<Case> cases = {{Kind::all_reduce, OpKind::all_reduce, 400, 2},
                                   {Kind::all_reduce, OpKind::all_reduce, 2000, 2},
                                   {Kind::all_reduce, OpKind::all_reduce, middle, 1.25},
                                   {Kind::all_reduce, OpKind::all_reduce, 2e5, 0.5},
                                   {Kind::all_reduce, OpKind::all_reduce, 8e6, 0.5},
                                   {Kind::all_gather, OpKind::all_gather, 400, 0.25},
                                   {Kind::all_gather, OpKind::all_gather, 8e6, 0.25}};
  plan::ExecutionPlan plan;
  for (const Case& each : cases) plan.communications.push_back(collective(each.kind, each.bytes));
  const CollectiveSets sets(plan, cost);
  CHECK(sets.sets().size() == 2);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [kind, op, bytes, share] = cases[i];
    CAPTURE(i);
    const CollectiveSets::Choice choice = sets.choice(static_cast<std::int32_t>(i), 0);
    // Each of two sends all of an operand, of a sum in two halves, and adds one of these.
    const bool adds = op == OpKind::all_reduce;
    const double linked_s = bytes / (kRate * share), adding_s = adds ? bytes / 2 / kAdding : 0;
    CHECK(choice.bytes / kRate == Approx(linked_s).epsilon(0.01));
    CHECK(choice.latency_s == Approx((adds ? 2e-6 : 1e-6) + adding_s));
    CHECK(choice.core_s == Approx(cost.core_s({op, bytes, {0, 1}})).epsilon(0.01));
    CHECK(choice.core_s == Approx(linked_s + adding_s).epsilon(0.01));
  }
}

/// From bytes to gigabytes: which algorithm, protocol and share of the rate a library takes hangs
/// on how many there are.
TEST_CASE("collectives of each size take alone what the library's model says of that size") {
  using Kind = plan::CommunicationKind;
  Cluster cluster;
  cluster.models.push_back({.name = "modelled"});
  if (GENERATE(false, true)) cluster.models.front().peak_flops[DType::bf16] = 1;
  cluster.intra_host = {235e9, 1e-6};
  cluster.inter_host = {24e9, 20e-6};
  cluster.collectives = GENERATE(CollectiveLibrary::nccl, CollectiveLibrary::nccl_nvls);
  for (DeviceId device = 0; device < 32; ++device) {
    if (device % 8 == 0) cluster.hosts.push_back({.name = "h", .devices = {}, .num_interfaces = 4});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of.push_back(device / 8);
    cluster.model_of.push_back(0);
  }
  const cost::CostModel cost(cluster, nullptr);
  const std::int32_t num_devices = GENERATE(4, 16, 32);
  plan::ExecutionPlan plan;
  std::vector<double> sizes;
  for (double bytes = 64; bytes < 4e9; bytes *= 2.5) sizes.push_back(4 * std::round(bytes / 4));
  for (const auto kind : {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather}) {
    for (const double bytes : sizes) {
      plan.communications.push_back(collective(kind, bytes));
      std::vector<DeviceId>& group = plan.communications.back().groups.front();
      group.clear();
      for (DeviceId device = 0; device < num_devices; ++device) group.push_back(device);
    }
  }
  const CollectiveSets sets(plan, cost);
  for (std::size_t i = 0; i < plan.communications.size(); ++i) {
    const plan::Communication& made = plan.communications[i];
    const OpKind op = made.kind == Kind::all_reduce       ? OpKind::all_reduce
                      : made.kind == Kind::reduce_scatter ? OpKind::reduce_scatter
                                                          : OpKind::all_gather;
    const double bytes = sizes[i % sizes.size()];
    CAPTURE(i, bytes, num_devices);
    const auto communication = static_cast<std::int32_t>(i);
    const CollectiveSets::Choice choice = sets.choice(communication, 0);
    const CollectiveSets::Manner& manner =
        sets.sets()[at(sets.set_of(communication))].manners[0][at(choice.manner)];
    const double links_s = choice.bytes / manner.busiest * manner.seconds;
    CHECK(choice.latency_s + links_s ==
          Approx(cost.collective_s(op, bytes, made.groups.front())).epsilon(1e-9));
  }
}
