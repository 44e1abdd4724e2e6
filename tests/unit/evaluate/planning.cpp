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

const cost::Calibration& calibrated_workers() {
  static const cost::Calibration calibration = [] {
    cost::Calibration found{.fingerprint = "made up", .memory_bytes_per_s = 12e9};
    for (const std::int64_t m : {80, 320, 1280}) {
      for (const std::int64_t n : {80, 320, 1280}) {
        for (const std::int64_t k : {80, 320, 1280}) {
          const double flops = 2.0 * static_cast<double>(m * n * k);
          found.dots.push_back({1, m, n, k, flops / (m == 80 ? 150e9 : 200e9)});
          if (m != n || n != k) continue;
          found.dots_of_columns.push_back({1, m, n, k, flops / 170e9});
          found.dots_of_rows.push_back({1, m, n, k, flops / (m == 80 ? 120e9 : 190e9)});
        }
      }
    }
    found.element_s = {{OpKind::add, 2.3e-11},         {OpKind::multiply, 2.3e-11},
                       {OpKind::select, 2.4e-10},      {OpKind::divide, 1.3e-10},
                       {OpKind::tanh, 4.7e-10},        {OpKind::reduce, 3.8e-11},
                       {OpKind::exponential, 2.4e-10}, {OpKind::transpose, 1.7e-10}};
    found.column_s = 8.6e-11;
    found.folds = {{40, 22e-9}, {120, 31e-9}, {240, 54e-9}, {640, 37e-9}, {2400, 91e-9}};
    found.reach = {{256e3, 4e-12, 20e-12, 17e-12},
                   {1e6, 5e-12, 20e-12, 19e-12},
                   {4e6, 33e-12, 40e-12, 37e-12},
                   {16e6, 36e-12, 50e-12, 45e-12},
                   {96e6, 42e-12, 95e-12, 86e-12}};
    found.far_reads_of_dots = {{16e6, 42e-12, 52e-12}, {96e6, 115e-12, 148e-12}};
    found.kernel_latency_s = 4e-7;
    found.copy_bytes_per_s = 12e9;
    found.intra_host = {13e9, 1e-6, 0};
    found.collective_shares = {
        {20e3, 2.5, 2}, {320e3, 2.2, 2}, {1.28e6, 1.5, 2}, {5e6, 0.9, 2}, {20e6, 0.75, 2}};
    found.peak_flops = 220e9;
    found.peak_bytes_per_s = 23e9;
    return found;
  }();
  return calibration;
}

const plugin::Registry& plugins() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

Planning::Planning(const Program& program, const Cluster& cluster, const std::string& schedule,
                   const std::string& resharding, const cost::Calibration* calibration)
    : program_(program),
      cost_(cluster, calibration),
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
