// SPDX-License-Identifier: Apache-2.0
#include "simulate/collective_sets.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

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
