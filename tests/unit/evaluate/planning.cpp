// SPDX-License-Identifier: Apache-2.0
#include "planning.hpp"

#include "config/strategy_file.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {

Cluster modelled_cluster(std::int32_t num_devices) {
  Cluster cluster;
  cluster.name = "modelled";
  cluster.hosts = {{"host", {}}};
  cluster.models = {{DeviceKind::modelled, "device", 1e9, 1e11, 1e-6, {{DType::f32, 1e12}}}};
  cluster.intra_host = cluster.inter_host = {1e11, 1e-6};
  for (DeviceId device = 0; device < num_devices; ++device) {
    cluster.hosts[0].devices.push_back(device);
    cluster.host_of.push_back(0);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

const Program& small_gpt_step() {
  static const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 2, .hidden = 32, .num_heads = 4, .vocabulary = 64, .sequence = 16}, 8),
      {});
  return step;
}

const plugin::Registry& plugins() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

Planning::Planning(const Program& program, const Cluster& cluster, const std::string& schedule,
                   const std::string& resharding)
    : program_(program),
      cost_(cluster),
      resharding_(plugin::make_resharding(plugins().find(resharding), Options())),
      schedule_(plugin::make_schedule(plugins().find(schedule), Options())) {}

Strategy Planning::strategy(const std::string& name,
                            const std::map<std::string, OptionValue>& sizes,
                            std::int64_t num_micro_batches) {
  const config::StrategyFile file =
      config::read_strategy_file(std::string(RHINO_TEST_STRATEGIES) + "/" + name + ".yaml",
                                 Options(sizes), cost_.cluster().num_devices());
  return sharding::complete(
      program_,
      config::draft_of(file, program_, chunks(file.num_stages, file.axes), num_micro_batches));
}

}  // namespace rhino::test
