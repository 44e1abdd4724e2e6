// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "conformance/conformance.hpp"
#include "conformance/grid.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "sharding/complete.hpp"

namespace rhino::conformance {
namespace {

constexpr std::int64_t kBatch = 8;
constexpr double kRounding = 1e-9;

struct Toy {
  const char* name;
  Program step;
};

std::vector<Toy> toys() {
  const models::GptConfig tiny{.preset = "tiny",
                               .num_layers = 2,
                               .hidden = 16,
                               .num_heads = 2,
                               .vocabulary = 32,
                               .sequence = 8};
  return {{"a branching program", ir::training_step(models::branching_forward(kBatch, 16, 2), {})},
          {"a tiny gpt", ir::training_step(models::gpt_forward(tiny, kBatch), {})}};
}

/// One host, or two where the devices divide.
Cluster toy_cluster(std::int32_t num_devices) {
  Cluster cluster{.name = "toy", .source = "made up"};
  cluster.models = {{.name = "device",
                     .memory_bytes = 1e9,
                     .memory_bytes_per_s = 1e10,
                     .kernel_latency_s = 1e-6,
                     .peak_flops = {{DType::f32, 1e10}}}};
  cluster.intra_host = {1e10, 1e-6};
  cluster.inter_host = {1e9, 1e-5};
  const std::int32_t num_hosts = num_devices % 2 == 0 ? 2 : 1;
  cluster.hosts.resize(static_cast<std::size_t>(num_hosts));
  for (std::int32_t d = 0; d < num_devices; ++d) {
    const std::int32_t host = d / (num_devices / num_hosts);
    cluster.hosts[static_cast<std::size_t>(host)].devices.push_back(d);
    cluster.host_of.push_back(host);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

std::string strategy_fault(const SearchProblem& problem, const Strategy& strategy) {
  const std::string name = "strategy '" + strategy.name + "': ";
  const auto& counts = problem.micro_batch_counts;
  if (std::find(counts.begin(), counts.end(), strategy.num_micro_batches) == counts.end())
    return name + "a count of " + micro_batches_text(strategy.num_micro_batches) +
           " is not allowed";
  for (const Chunk& chunk : strategy.chunks) {
    for (const DeviceId device : chunk.mesh.devices) {
      if (device < 0 || device >= problem.cluster.num_devices())
        return name + "there is no device " + std::to_string(device);
    }
  }
  try {
    sharding::check_strategy(problem.program, strategy);
  } catch (const Error& error) {
    return name + error.what();
  }
  return "";
}

/// `bound_s`: the search has told that none takes less.
std::string answer_fault(const SearchProblem& problem, const std::vector<Strategy>& strategies,
                         double bound_s, evaluate::PlanEvaluator& evaluator) {
  if (strategies.empty()) return "it finds nothing and gives no reason";
  for (const Strategy& strategy : strategies) {
    const std::string fault = strategy_fault(problem, strategy);
    if (!fault.empty()) return fault;
  }
  std::string reason;
  for (const Strategy& strategy : strategies) {
    const Evaluation evaluation = evaluator.evaluate(strategy);
    if (evaluation.feasible && bound_s > (1 + kRounding) * evaluation.step_s) {
      char text[128];
      std::snprintf(text, sizeof text, "takes %.3g s, and no strategy, it says, less than %.3g s",
                    evaluation.step_s, bound_s);
      return "strategy '" + strategy.name + "' " + text;
    }
    if (evaluation.feasible) return "";
    if (reason.empty()) reason = evaluation.reason;
  }
  return "none of its strategies can run; the first: " + reason;
}

}  // namespace

ConformanceReport check_search(Search& plugin, Resharding& resharding, Schedule& schedule,
                               const OnProblem& on_problem) {
  Grid grid(on_problem);
  for (const Toy& toy : toys()) {
    for (const std::int32_t num_devices : {1, 2, 3, 4}) {
      const Cluster cluster = toy_cluster(num_devices);
      const cost::CostModel cost(cluster);
      const evaluate::PlanContext context{toy.step, cost, resharding, schedule};
      const double memory_bytes = cluster.models.front().memory_bytes;
      evaluate::PlanEvaluator evaluator(context, memory_bytes);
      const SearchProblem problem{.program = toy.step,
                                  .cluster = cluster,
                                  .micro_batch_counts = {1, 2},
                                  .memory_limit_bytes = memory_bytes,
                                  .seed = 7,
                                  .rules = evaluator,
                                  .prices = evaluator};
      double bound_s = 0;
      grid.put(
          toy.name + (" on " + std::to_string(num_devices)) + " devices",
          [&] {
            evaluate::PlanEvaluator own(context, problem.memory_limit_bytes);
            auto strategies = plugin.search(problem, own);
            bound_s = own.bound_s();
            if (!strategies.empty() || own.rejected().empty()) return strategies;
            throw Error(own.rejected().front().first + ": " + own.rejected().front().second);
          },
          [&](const std::vector<Strategy>& strategies) {
            return answer_fault(problem, strategies, bound_s, evaluator);
          });
    }
  }
  return grid.take();
}

}  // namespace rhino::conformance
