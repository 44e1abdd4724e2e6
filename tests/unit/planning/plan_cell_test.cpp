// SPDX-License-Identifier: Apache-2.0
// Cells from what is asked of them to the plan that runs.
#include "planning/plan_cell.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

const plugin::Registry& registry() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

/// Of devices on a host each.
Cluster cluster_of(std::int32_t num_devices) {
  Cluster cluster{.name = "toy", .source = "made up"};
  cluster.models = {{.name = "device",
                     .memory_bytes = 1e9,
                     .memory_bytes_per_s = 1e11,
                     .peak_flops = {{DType::f32, 1e12}}}};
  cluster.intra_host = cluster.inter_host = {1e10, 1e-6};
  for (std::int32_t d = 0; d < num_devices; ++d) {
    cluster.hosts.push_back({.devices = {d}});
    cluster.host_of.push_back(d);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

/// Of a small GPT in so many stages, which search/grid is told.
config::CellSpec staged_cell(std::int64_t num_stages, const std::string& schedule) {
  config::CellSpec cell;
  cell.model = {"gpt", {{"preset", std::string("1m")}, {"num_layers", std::int64_t{8}}}, ""};
  cell.global_batch = 8;
  cell.micro_batches = {8};
  const std::int64_t one = 1;
  cell.search = {"search/grid", {{"stage", num_stages}, {"data", one}, {"tensor", one}}, ""};
  cell.schedule.id = schedule;
  cell.backend = "simulate";
  return cell;
}

planning::PlannedCell planned(const config::CellSpec& cell, const cost::CostModel& cost) {
  const planning::CellModel model = planning::build_model(cell);
  return planning::plan_cell({.cell = cell,
                              .model = model,
                              .cost = cost,
                              .registry = registry(),
                              .folders = {},
                              .limits = {.deadline_s = 60}});
}

}  // namespace

// The best of a search is handed over as it was evaluated: its schedule's answers are drafts.
TEST_CASE("the plan that runs is the one that is recorded, of the schedule's full answer") {
  for (const auto& [num_stages, schedule] :
       {std::pair(4, "schedule/auto"), std::pair(8, "schedule/zero_bubble")}) {
    CAPTURE(schedule);
    const cost::CostModel cost(cluster_of(num_stages));
    const planning::PlannedCell found = planned(staged_cell(num_stages, schedule), cost);
    INFO(found.message);
    REQUIRE(found.status == store::Status::ok);
    REQUIRE(found.candidates.size() == 1);
    CHECK(simulate::simulate(found.plan, cost, {.num_steps = 2}).step_s ==
          found.candidates.front().step_s);
  }
}

}  // namespace rhino::test
