// SPDX-License-Identifier: Apache-2.0
#include "plan_harness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "common/one_forward_one_backward.hpp"
#include "common/unit_tasks.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/pipeline.hpp"
#include "sharding/partition.hpp"

namespace rhino::test {

TransferPlan SendRecv::plan(const ReshardProblem& problem) {
  ++num_calls;
  TransferPlan plan;
  for (const common::UnitTask& task : common::unit_tasks(problem)) {
    for (DeviceId receiver : task.receivers)
      plan.ops.push_back({task.tensor, Copy{task.senders.front(), receiver, task.box}, {}});
  }
  return plan;
}

TransferPlan Chain::plan(const ReshardProblem& problem) {
  TransferPlan plan;
  for (const common::UnitTask& task : common::unit_tasks(problem)) {
    const std::vector<std::int32_t> after =
        plan.ops.empty() ? std::vector<std::int32_t>{}
                         : std::vector{static_cast<std::int32_t>(plan.ops.size()) - 1};
    plan.ops.push_back(
        {task.tensor, Multicast{task.senders.back(), task.receivers, task.box, 3}, after});
  }
  return plan;
}

TransferPlan ScatterGather::plan(const ReshardProblem& problem) {
  TransferPlan plan;
  for (const common::UnitTask& task : common::unit_tasks(problem)) {
    const auto n = static_cast<std::int64_t>(task.receivers.size());
    if (task.box.size.empty() || task.box.size[0] < n) {
      for (DeviceId receiver : task.receivers)
        plan.ops.push_back({task.tensor, Copy{task.senders.front(), receiver, task.box}, {}});
      continue;
    }
    AllGather gather{task.receivers, {}};
    std::vector<std::int32_t> after;
    for (std::int64_t i = 0; i < n; ++i) {
      Box piece = task.box;
      piece.start[0] += task.box.size[0] * i / n;
      piece.size[0] = task.box.size[0] * (i + 1) / n - task.box.size[0] * i / n;
      gather.boxes.push_back(piece);
      after.push_back(static_cast<std::int32_t>(plan.ops.size()));
      plan.ops.push_back(
          {task.tensor,
           Copy{task.senders.front(), task.receivers[static_cast<std::size_t>(i)], piece},
           {}});
    }
    plan.ops.push_back({task.tensor, std::move(gather), after});
  }
  return plan;
}

const Program& tiny_gpt_step() {
  static const Program program = [] {
    models::GptConfig config;
    config.preset = "tiny";
    config.num_layers = 2;
    config.hidden = 8;
    config.num_heads = 2;
    config.vocabulary = 16;
    config.sequence = 4;
    config.dtype = DType::f64;
    return ir::training_step(models::gpt_forward(config, 8),
                             {.kind = ir::Optimizer::Kind::adam, .learning_rate = 0.1});
  }();
  return program;
}

Mesh make_mesh(const std::vector<std::int64_t>& sizes, DeviceId first_device) {
  Mesh mesh;
  std::int64_t count = 1;
  constexpr const char* kNames[] = {"data", "tensor", "more"};
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    mesh.axes.push_back({kNames[a], sizes[a]});
    count *= sizes[a];
  }
  for (std::int64_t d = 0; d < count; ++d)
    mesh.devices.push_back(first_device + static_cast<DeviceId>(d));
  return mesh;
}

std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes) {
  std::vector<Chunk> chunks;
  DeviceId next = 0;
  for (const auto& sizes : meshes) {
    chunks.push_back({make_mesh(sizes, next), false});
    next += static_cast<DeviceId>(chunks.back().mesh.devices.size());
  }
  return chunks;
}

Cluster cluster_of(std::int32_t num_devices) {
  Cluster cluster;
  cluster.name = "test";
  cluster.hosts = {{"host", {}}};
  cluster.models = {{DeviceKind::modelled, "device", 1e12, 1e11, 0, {}}};
  for (DeviceId device = 0; device < num_devices; ++device) {
    cluster.hosts[0].devices.push_back(device);
    cluster.host_of.push_back(0);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

PipelineSchedule schedule_of(const std::string& name, const PipelineProblem& problem) {
  const auto all = static_cast<std::int32_t>(problem.num_micro_batches);
  PipelineSchedule schedule = common::alternating_schedule(problem, [&](std::int32_t stages_left) {
    if (name == "gpipe") return all;
    return name == "eager_1f1b" ? 2 * stages_left - 1 : stages_left;
  });
  if (name != "late_weights") return schedule;
  for (std::vector<Action>& order : schedule.order) {
    for (Action& action : order) {
      if (action.kind == ActionKind::backward_weight) action.kind = ActionKind::backward;
    }
    for (std::int32_t m = 0; m < all; ++m)
      order.push_back({ActionKind::weight, order.front().chunk, m});
  }
  return schedule;
}

plan::ExecutionPlan plan_of(const PlanRequest& request, const AnswersProblem& answer) {
  const Strategy& strategy = request.strategy;
  std::int32_t num_devices = 0;
  for (const Chunk& chunk : strategy.chunks)
    num_devices = std::max(
        num_devices, *std::max_element(chunk.mesh.devices.begin(), chunk.mesh.devices.end()) + 1);
  const bool is_given = !request.cluster.hosts.empty();
  const Cluster cluster = is_given ? request.cluster : cluster_of(num_devices);
  sharding::Partitioner partitioner(request.program, strategy);
  PipelineProblem problem = plan::pipeline_of(strategy, partitioner.cut_passes());
  problem.num_replicas = request.num_replicas;
  const plan::PassOrder order = plan::pass_order(problem, answer(problem));
  return plan::assemble({request.program, strategy, partitioner.programs(order.is_cut), cluster,
                         problem, order, request.resharding, "", request.blocking});
}

plan::ExecutionPlan plan_of(const Program& program, const Strategy& strategy,
                            const std::string& schedule, Resharding& resharding,
                            std::int64_t bucket_bytes) {
  Strategy bucketed = strategy;
  bucketed.gradient_sums.bucket_bytes = bucket_bytes;
  return plan_of({program, bucketed, resharding},
                 [&](const PipelineProblem& problem) { return schedule_of(schedule, problem); });
}

std::vector<ir::Tensor> random_inputs(const Program& program, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.5);
  std::vector<ir::Tensor> inputs;
  for (const Input& input : program.inputs) {
    ir::Tensor tensor{program.shape(input.value), {}};
    const Initializer& make = input.initializer;
    for (std::int64_t i = num_elements(tensor.shape); i > 0; --i) {
      double value = normal(random);
      if (make.kind == Initializer::Kind::step) value = 1;
      else if (make.kind == Initializer::Kind::uniform_integer)
        value = make.a + static_cast<double>(random() % static_cast<unsigned>(make.b - make.a));
      else if (input.kind == InputKind::optimizer_state) value = std::abs(value) * 0.01;
      tensor.elements.push_back(value);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

double relative_error(const std::vector<double>& actual, const std::vector<double>& expected) {
  if (actual.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  const double error = std::sqrt(difference) / std::max(std::sqrt(norm), 1e-3);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

}  // namespace rhino::test
