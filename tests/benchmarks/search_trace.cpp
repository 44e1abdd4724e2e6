// SPDX-License-Identifier: Apache-2.0
// All that searches ask of the engine, and what it answers, to the last bit: what two builds print
// differs where one of them prices, plans or finds otherwise. search_trace PLUGINS SOURCE [ROW]
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "plan/plan_file.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"

using namespace rhino;

namespace {

struct Row {
  const char* model;
  Options options;
  DType dtype;
  const char* topology;
  std::int64_t batch;
  std::vector<std::int64_t> micro_batch_counts;
  const char *search, *schedule, *resharding;
  std::int64_t level = 0;  ///< 0: the search has none
};

Options preset(const std::string& name) { return Options({{"preset", name}}); }

std::vector<Row> rows() {
  constexpr auto kF32 = DType::f32, kBf16 = DType::bf16;
  constexpr const char *kRhino = "search/rhino", *kGrid = "search/grid", *kP3 = "p3_8xlarge_x2",
                       *k1f1b = "schedule/1f1b", *kCut = "schedule/zero_bubble",
                       *kLooped = "schedule/interleaved_1f1b", *kSend = "resharding/send_recv",
                       *kBroadcast = "resharding/broadcast", *kStriped = "resharding/striped";
  const Options branching({{"width", std::int64_t{512}}, {"depth", std::int64_t{4}}});
  const Options mlp({{"width", std::int64_t{2048}}, {"depth", std::int64_t{6}}});
  return {
      {"gpt", preset("1.3b"), kF32, kP3, 32, {4, 8, 16, 32}, kRhino, k1f1b, kBroadcast, 2},
      {"gpt", preset("760m"), kF32, kP3, 256, {8, 16}, kRhino, k1f1b, kBroadcast, 3},
      {"gpt", preset("125m"), kF32, kP3, 32, {2, 4, 8}, kRhino, kCut, kStriped, 3},
      {"gpt", preset("350m"), kBf16, kP3, 64, {4, 8}, kRhino, kLooped, kSend, 2},
      {"gpt", preset("2.6b"), kF32, kP3, 32, {16, 32}, kRhino, k1f1b, kStriped, 2},
      {"moe", preset("380m"), kF32, kP3, 32, {4, 8}, kRhino, k1f1b, kBroadcast, 2},
      {"moe", preset("tiny"), kF32, kP3, 32, {2, 4}, kRhino, kCut, kStriped, 3},
      {"u_transformer", preset("470m"), kBf16, kP3, 64, {8, 16}, kRhino, k1f1b, kStriped, 2},
      {"u_transformer", preset("tiny"), kF32, kP3, 16, {2, 4}, kRhino, kCut, kSend, 3},
      {"t5", preset("base"), kF32, kP3, 64, {4, 8}, kRhino, k1f1b, kBroadcast, 2},
      {"t5", preset("small"), kBf16, kP3, 64, {4, 8}, kRhino, kCut, kBroadcast, 3},
      {"wide_resnet", preset("50"), kF32, kP3, 256, {2, 4}, kRhino, k1f1b, kBroadcast, 2},
      {"wide_resnet", preset("tiny"), kF32, kP3, 64, {1, 2}, kRhino, k1f1b, kStriped, 3},
      {"llama", preset("tinyllama_1.1b"), kBf16, kP3, 64, {8}, kRhino, kLooped, kBroadcast, 2},
      {"bert", preset("base"), kF32, kP3, 64, {4, 8}, kGrid, k1f1b, kBroadcast, 0},
      {"vgg", preset("16"), kF32, kP3, 128, {1, 4}, kRhino, k1f1b, kSend, 2},
      {"branching", branching, kF32, kP3, 48, {1, 2, 4}, kRhino, kCut, kBroadcast, 3},
      {"mlp", mlp, kF32, kP3, 4096, {1, 4}, kRhino, k1f1b, kStriped, 3},
  };
}

std::string text(const Estimate& one) {
  return fmt::format("{:a} {:a} {:a}", one.bound_s, one.step_s, one.peak_bytes);
}

class TracedTrial : public Trial {
 public:
  TracedTrial(std::unique_ptr<Trial> inner, std::string& trace)
      : inner_(std::move(inner)), trace_(trace) {}

  const Strategy& strategy() const override { return inner_->strategy(); }
  void set(ValueId value, const ShardingSpec& spec) override { inner_->set(value, spec); }
  void undo() override { inner_->undo(); }
  Estimate price() override {
    const Estimate price = inner_->price();
    trace_ += fmt::format("trial {}\n", text(price));
    return price;
  }

 private:
  std::unique_ptr<Trial> inner_;
  std::string& trace_;
};

/// Keeps what it would print: while a plugin runs, nothing else may.
class Traced : public Strategies {
 public:
  explicit Traced(Strategies& inner) : inner_(inner) {}

  Strategy complete(const StrategyDraft& draft) const override { return inner_.complete(draft); }
  std::vector<Chunk> chunks(std::int32_t num_meshes,
                            const std::vector<MeshAxis>& axes) const override {
    return inner_.chunks(num_meshes, axes);
  }
  Estimate estimate(const Strategy& strategy) override {
    const Estimate price = inner_.estimate(strategy);
    trace_ += fmt::format("estimate {} {}\n", strategy.name, text(price));
    return price;
  }
  std::unique_ptr<Trial> try_out(const Strategy& strategy) override {
    return std::make_unique<TracedTrial>(inner_.try_out(strategy), trace_);
  }
  Evaluation evaluate(const Strategy& strategy) override {
    const Evaluation price = inner_.evaluate(strategy);
    trace_ += fmt::format("evaluate {} {:a} {:a} {:a} {:a} {}\n", strategy.name, price.step_s,
                          price.compute_s, price.waiting_s, price.peak_bytes, price.reason);
    return price;
  }
  void offer(const Strategy& strategy, double lower_bound_s) override {
    trace_ += fmt::format("offer {} {:a}\n", strategy.name, lower_bound_s);
    inner_.offer(strategy, lower_bound_s);
  }
  bool is_out_of_time() override { return inner_.is_out_of_time(); }
  const StrategySpace& space(const SpaceOptions& options) override {
    const StrategySpace& space = inner_.space(options);
    double seconds = 0, bytes = 0;
    for (const OpClass& one : space.classes) {
      for (const OpStrategy& each : one.strategies)
        seconds += each.seconds, bytes += each.working_bytes;
    }
    for (const LayoutSet& set : space.layouts) {
      for (const double each : set.reshard_s) seconds += each;
    }
    trace_ += fmt::format("space {} {:a} {:a}\n", options.num_micro_batches, seconds, bytes);
    return space;
  }
  double least_s(const SpaceOptions& options) override {
    const double least_s = inner_.least_s(options);
    trace_ += fmt::format("least {:a}\n", least_s);
    return least_s;
  }
  double least_device_s(const std::vector<SpaceOptions>& meshes) override {
    const double least_s = inner_.least_device_s(meshes);
    trace_ += fmt::format("least of devices {:a}\n", least_s);
    return least_s;
  }
  ChunkFlow flow(const Strategy& strategy) override {
    const ChunkFlow flow = inner_.flow(strategy);
    double seconds = 0, tiles = 0;
    for (const ChunkFlow::Crossing& each : flow.crossings)
      seconds += each.split_s_per_byte + each.whole_s_per_byte;
    for (const ChunkFlow::Kept& each : flow.kept) tiles += each.num_tiles;
    trace_ += fmt::format("flow {:a} {:a}\n", seconds, tiles);
    return flow;
  }
  void reject(const std::string& candidate, const std::string& reason) override {
    trace_ += fmt::format("reject {}: {}\n", candidate, reason);
    inner_.reject(candidate, reason);
  }

  const std::string& trace() const { return trace_; }

 private:
  Strategies& inner_;
  std::string trace_;
};

void run(const plugin::Registry& registry, const std::string& source, const Row& row) {
  const cost::CostModel cost(
      config::read_topology(source + "/topologies/" + row.topology + ".yaml", 0));
  const Program step = ir::training_step(
      models::build_forward(row.model, row.options, row.batch, row.dtype).program, {});
  const auto resharding = plugin::make_resharding(registry.find(row.resharding), Options());
  const auto schedule = plugin::make_schedule(registry.find(row.schedule), Options());
  const double memory_bytes = cost.cluster().models.front().memory_bytes;
  evaluate::PlanEvaluator evaluator({step, cost, *resharding, *schedule}, memory_bytes);
  Traced traced(evaluator);
  const Options options = row.level == 0 ? Options() : Options({{"level", row.level}});
  const auto search = plugin::make_search(registry.find(row.search), options);
  const std::vector<Strategy> found = search->search({.program = step,
                                                      .cluster = cost.cluster(),
                                                      .micro_batch_counts = row.micro_batch_counts,
                                                      .memory_limit_bytes = memory_bytes,
                                                      .seed = 1,
                                                      .rules = evaluator,
                                                      .prices = evaluator},
                                                     traced);
  fmt::print("{}", traced.trace());
  for (const Strategy& strategy : found) fmt::print("found {}\n", strategy.name);
  if (found.empty()) return;
  if (const auto plan = evaluator.take_plan(found.front()))
    fmt::print("plan {:x}\n", std::hash<std::string>()(plan::encode(*plan)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const int only = argc > 3 ? std::atoi(argv[3]) : 0;
  int number = 0;
  for (const Row& row : rows()) {
    if (++number != only && only != 0) continue;
    fmt::print("{}: {} of {}, level {}\n", number, row.search, row.model, row.level);
    run(registry, argv[2], row);
    std::fflush(stdout);
  }
}
