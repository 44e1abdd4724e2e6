// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/reference.hpp"
#include "plan/assemble.hpp"

namespace rhino::test {

/// Each receiver gets each slice from the first device that holds it.
class SendRecv : public Resharding {
 public:
  TransferPlan plan(const ReshardProblem& problem) override;
  int num_calls = 0;
};
/// Each slice goes down a chain of all its receivers in three pieces.
class Chain : public Resharding {
 public:
  TransferPlan plan(const ReshardProblem& problem) override;
};
/// Each slice is scattered over its receivers, which then gather it among themselves.
class ScatterGather : public Resharding {
 public:
  TransferPlan plan(const ReshardProblem& problem) override;
};

/// GPT of two layers, in double precision, with Adam: a step small enough for the reference
/// evaluator.
const Program& tiny_gpt_step();

Mesh make_mesh(const std::vector<std::int64_t>& sizes, DeviceId first_device);
/// Chunks on disjoint meshes, one per entry; the devices of a mesh are consecutive.
std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes);
Cluster cluster_of(std::int32_t num_devices);

/// "gpipe", "1f1b", "eager_1f1b", or "late_weights": 1F1B with all W's at the end. One chunk per
/// mesh.
PipelineSchedule schedule_of(const std::string& name, const PipelineProblem& problem);

struct PlanRequest {
  const Program& program;
  const Strategy& strategy;
  Resharding& resharding;
  Cluster cluster = {};  ///< without devices: one host of as many as it takes
  std::int32_t num_replicas = 1;
  plan::Blocking blocking = {};
};
using AnswersProblem = std::function<PipelineSchedule(const PipelineProblem&)>;
/// partition, a schedule and assemble.
plan::ExecutionPlan plan_of(const PlanRequest& request, const AnswersProblem& answer);
plan::ExecutionPlan plan_of(const Program& program, const Strategy& strategy,
                            const std::string& schedule, Resharding& resharding,
                            std::int64_t bucket_bytes = GradientSums().bucket_bytes);

/// Inputs of a whole Program: indices in range for integers, counts for scalars, small numbers
/// else.
std::vector<ir::Tensor> random_inputs(const Program& program, std::uint32_t seed);
/// ‖actual - expected‖ / max(‖expected‖, 1e-3); NaN counts as infinite.
double relative_error(const std::vector<double>& actual, const std::vector<double>& expected);

}  // namespace rhino::test
