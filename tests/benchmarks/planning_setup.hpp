// SPDX-License-Identifier: Apache-2.0
/// What benchmarks of planning share.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/strategy_file.hpp"
#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/placing.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {

/// Memory enough for any number of micro-batches in flight: planning is what is timed.
inline Cluster with_room(Cluster cluster) {
  for (DeviceModel& model : cluster.models) model.memory_bytes = 1e13;
  return cluster;
}

/// Plugins, two hosts of four devices, and experts' GPT in two stages of 2 x 2.
struct Setup {
  plugin::Registry registry{{RHINO_PLUGINS}};
  std::unique_ptr<Resharding> resharding =
      plugin::make_resharding(registry.find("resharding/send_recv"), Options());
  std::unique_ptr<Schedule> schedule =
      plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  cost::CostModel cost{with_room(
      config::read_topology(std::string(RHINO_SOURCE) + "/topologies/p3_8xlarge_x2.yaml"))};
  config::StrategyFile file = config::read_strategy_file(
      std::string(RHINO_SOURCE) + "/strategies/gpt_megatron.yaml",
      Options(
          {{"stage", std::int64_t{2}}, {"data", std::int64_t{2}}, {"tensor", std::int64_t{2}}}));
};
inline Setup& setup() {
  static Setup setup;
  return setup;
}

inline Program differentiate(Program forward) { return ir::training_step(std::move(forward), {}); }

inline Strategy strategy_for(const Program& step, std::int64_t num_micro_batches) {
  const std::vector<Chunk> chunks = evaluate::place_chunks(
      setup().cost.cluster(), *setup().schedule, setup().file.num_stages, setup().file.axes);
  return sharding::complete(step, config::draft_of(setup().file, step, chunks, num_micro_batches));
}

inline plan::ExecutionPlan plan_for(const Program& step, const Strategy& strategy) {
  return evaluate::make_plan({step, setup().cost, *setup().resharding, *setup().schedule},
                             strategy);
}

/// As many hosts of those as that takes.
inline Cluster hosts_of_four(std::int64_t num_devices) {
  Cluster cluster = setup().cost.cluster();
  const std::string name = cluster.hosts.front().name;
  cluster.hosts.clear();
  for (DeviceId device = 0; device < num_devices; ++device) {
    if (device % 4 == 0) cluster.hosts.push_back({name, {}});
    cluster.hosts.back().devices.push_back(device);
  }
  cluster.model_of.assign(static_cast<std::size_t>(num_devices), 0);
  cluster.host_of.clear();
  for (DeviceId device = 0; device < num_devices; ++device) cluster.host_of.push_back(device / 4);
  return cluster;
}

}  // namespace rhino::test
