// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/placing.hpp"
#include "evaluate/planner.hpp"
#include "plugin/registry.hpp"
#include "rhino/options.hpp"

namespace rhino::test {

/// One host of equal modelled devices: 1 TFLOP/s, 100 GB/s of memory and of links.
Cluster modelled_cluster(std::int32_t num_devices);

/// A training step of a GPT of two layers at batch 8, f32.
const Program& small_gpt_step();

/// What a calibration of two workers found, whose large caches are shared: rounded.
const cost::Calibration& calibrated_workers();

/// A program on a cluster with the plugins that plan it. It and the calibration are borrowed.
class Planning {
 public:
  Planning(const Program& program, const Cluster& cluster,
           const std::string& schedule = "schedule/1f1b",
           const std::string& resharding = "resharding/send_recv",
           const cost::Calibration* calibration = nullptr);

  evaluate::PlanContext context() { return {program_, cost_, *resharding_, *schedule_}; }
  const cost::CostModel& cost() const { return cost_; }
  /// Chunks of `num_meshes` meshes with the given axes.
  std::vector<Chunk> chunks(std::int32_t num_meshes, const std::vector<MeshAxis>& axes) {
    return evaluate::place_chunks(cost_.cluster(), *schedule_, num_meshes, axes);
  }
  /// strategies/`name`.yaml with other sizes of its axes, completed.
  Strategy strategy(const std::string& name, const std::map<std::string, OptionValue>& sizes,
                    std::int64_t num_micro_batches = 4);

 private:
  const Program& program_;
  cost::CostModel cost_;
  std::unique_ptr<Resharding> resharding_;
  std::unique_ptr<Schedule> schedule_;
};

const plugin::Registry& plugins();

}  // namespace rhino::test
