// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "config/strategy_file.hpp"
#include "evaluate/placing.hpp"
#include "evaluate/planner.hpp"
#include "planning/cell_inputs.hpp"
#include "plugin/registry.hpp"
#include "session_fixture.hpp"
#include "sharding/complete.hpp"
#include "topology/discover.hpp"

/// Plans of a small GPT on a few ranks.
namespace rhino {

inline constexpr std::int64_t kBatch = 8, kMicroBatches = 4;

inline config::CellSpec small_gpt() {
  config::CellSpec cell;
  cell.model = {"gpt",
                {{"preset", std::string("1m")},
                 {"hidden", std::int64_t{16}},
                 {"num_heads", std::int64_t{2}},
                 {"vocabulary", std::int64_t{32}},
                 {"sequence", std::int64_t{8}}},
                ""};
  cell.global_batch = kBatch;
  return cell;
}

inline config::CellSpec small_gpt(const std::string& optimizer) {
  config::CellSpec cell = small_gpt();
  cell.optimizer = {optimizer, {}, ""};
  if (optimizer == "sgd") cell.optimizer.options["momentum"] = 0.9;
  if (optimizer == "mixed") {
    cell.model.options["dtype"] = std::string("f16");
    cell.optimizer = {"adam",
                      {{"loss_scale", std::string("dynamic")},
                       {"initial_scale", std::int64_t{1024}},
                       {"growth_interval", std::int64_t{3}}},
                      ""};
  }
  return cell;
}

/// `mixed`: adam, of a model of f16 under a dynamic loss scale.
inline const planning::CellModel& model(const std::string& optimizer = "adam") {
  static planning::Models models;
  return models.of(small_gpt(optimizer));
}

inline runtime::SessionOptions options_in(const RunDir& dir) {
  runtime::SessionOptions options = quick_options(dir);
  options.device = "cpu";
  return options;
}

/// Of what is reduced together, so that it is in several buckets; gradients are of 60 kB.
inline constexpr std::int64_t kSmallBucketBytes = 16 << 10;

/// How the ranks share the work.
struct Split {
  std::string strategy;
  std::map<std::string, OptionValue> sizes;
  std::int32_t num_ranks = 2;
  std::string schedule = "schedule/1f1b";
};
inline const Split kData{"data_parallel.yaml", {}};
inline const Split kZero1{"data_parallel.yaml", {{"zero", std::int64_t{1}}}};
inline const Split kZero2{"data_parallel.yaml", {{"zero", std::int64_t{2}}}};
inline const Split kZero3{"data_parallel.yaml", {{"zero", std::int64_t{3}}}};
inline const Split kTensor{"gpt_megatron.yaml", {{"tensor", std::int64_t{2}}}};
inline const Split kSequence{"gpt_megatron_sequence.yaml", {}};
inline const Split kStage{"gpt_megatron.yaml",
                          {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{1}}}};
/// Two replicas, in opposite directions.
inline const Split kBothWays{kStage.strategy, kStage.sizes, 2, "schedule/chimera"};

inline plan::ExecutionPlan plan_of(const Split& split,
                                   std::int64_t num_micro_batches = kMicroBatches,
                                   const Program& step = model().step,
                                   std::int64_t bucket_bytes = GradientSums().bucket_bytes) {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  const auto schedule = plugin::make_schedule(registry.find(split.schedule), Options());
  const auto resharding = plugin::make_resharding(registry.find("resharding/send_recv"), Options());
  const config::StrategyFile file =
      config::read_strategy_file(std::string(RHINO_TEST_STRATEGIES) + "/" + split.strategy,
                                 Options(split.sizes), split.num_ranks);
  const cost::CostModel cost(topology::discover_local(split.num_ranks));
  const std::vector<Chunk> chunks =
      evaluate::place_chunks(cost.cluster(), *schedule, file.meshes());
  Strategy strategy =
      sharding::complete(step, config::draft_of(file, step, chunks, num_micro_batches));
  strategy.gradient_sums.bucket_bytes = bucket_bytes;
  return evaluate::make_plan(
      {.program = step, .cost = cost, .resharding = *resharding, .schedule = *schedule}, strategy);
}

}  // namespace rhino
