// SPDX-License-Identifier: Apache-2.0
// What search/rhino finds of GPTs, and where its time goes: search_benchmark PLUGINS SOURCE [ROW
// [LEVEL]].
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"

using namespace rhino;

namespace {

struct Row {
  const char* name;
  const char* topology;
  std::int64_t num_hosts;  ///< 0: as the topology says
  const char* preset;
  DType dtype;
  std::int64_t batch;
  std::vector<std::int64_t> micro_batch_counts;
  std::int64_t most_level = 3;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"24 layers, 8 devices", "p3_8xlarge_x2", 0, "1.3b", DType::f32, 32, {4, 8, 16, 32}},
      {"24 layers, 8 devices of 80 GB", "dgx_a100", 1, "1.3b", DType::bf16, 64, {1, 2, 4, 8, 16}},
      {"32 layers, 8 devices, memory binds",
       "p3_8xlarge_x2",
       0,
       "2.6b",
       DType::f32,
       32,
       {8, 16, 32}},
      {"24 layers, 8 devices, few micro-batches",
       "p3_8xlarge_x2",
       0,
       "760m",
       DType::f32,
       256,
       {8, 16}},
      {"96 layers, 64 devices", "dgx_a100", 8, "175b", DType::bf16, 256, {16, 32, 64, 128}},
      {"96 layers, 1024 devices",
       "dgx_a100",
       128,
       "175b",
       DType::bf16,
       1536,
       {16, 32, 64, 96, 192},
       2},
  };
  return kRows;
}

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double wall_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds until they come back, and calls.
struct Spent {
  double seconds = 0;
  int count = 0;
};

/// Adds up what a searcher spends in calls.
class Timed : public Strategies {
  template <class Call>
  static auto timed(Spent& spent, Call&& call) {
    struct Clock {
      Spent& spent;
      double begin_s = wall_s();
      ~Clock() { spent.seconds += wall_s() - begin_s, ++spent.count; }
    } const clock{spent};
    return call();
  }

 public:
  explicit Timed(Strategies& inner) : inner_(inner) {}

  Strategy complete(const StrategyDraft& draft) const override {
    return timed(complete_, [&] { return inner_.complete(draft); });
  }
  std::vector<Chunk> chunks(std::int32_t num_meshes,
                            const std::vector<MeshAxis>& axes) const override {
    return inner_.chunks(num_meshes, axes);
  }
  Estimate estimate(const Strategy& strategy) override {
    return timed(estimate_, [&] { return inner_.estimate(strategy); });
  }
  std::unique_ptr<Trial> try_out(const Strategy& strategy) override {
    return inner_.try_out(strategy);
  }
  Evaluation evaluate(const Strategy& strategy) override {
    return timed(evaluate_, [&] { return inner_.evaluate(strategy); });
  }
  void offer(const Strategy& strategy, double lower_bound_s) override {
    timed(evaluate_, [&] { return inner_.offer(strategy, lower_bound_s), 0; });
  }
  bool is_out_of_time() override { return inner_.is_out_of_time(); }
  const StrategySpace& space(const SpaceOptions& options) override {
    const StrategySpace* made = nullptr;
    timed(space_, [&] { return made = &inner_.space(options), 0; });
    return *made;
  }
  double least_s(const SpaceOptions& options) override {
    return timed(least_, [&] { return inner_.least_s(options); });
  }
  double least_device_s(const std::vector<SpaceOptions>& meshes) override {
    return timed(least_, [&] { return inner_.least_device_s(meshes); });
  }
  ChunkFlow flow(const Strategy& strategy) override {
    return timed(flow_, [&] { return inner_.flow(strategy); });
  }
  void reject(const std::string& candidate, const std::string& reason) override {
    inner_.reject(candidate, reason);
  }

  std::string text(double total_s) const {
    std::string text;
    const auto add = [&](const char* name, const Spent& spent) {
      text += fmt::format("  {} {:.2f} ({})", name, spent.seconds, spent.count);
      total_s -= spent.seconds;
    };
    add("complete", complete_), add("space", space_), add("flow", flow_), add("least", least_);
    add("estimate", estimate_), add("evaluate", evaluate_);
    return text + fmt::format("  own {:.2f}", total_s);
  }

 private:
  Strategies& inner_;
  mutable Spent complete_;
  Spent estimate_, evaluate_, space_, least_, flow_;
};

void run(const plugin::Registry& registry, const std::string& source, const Row& row,
         std::int64_t level) {
  const cost::CostModel cost(
      config::read_topology(source + "/topologies/" + row.topology + ".yaml", row.num_hosts));
  models::GptConfig config = models::gpt_preset(row.preset);
  config.dtype = row.dtype;
  const Program step = ir::training_step(models::gpt_forward(config, row.batch), {});
  const auto resharding = plugin::make_resharding(registry.find("resharding/broadcast"), Options());
  const auto schedule = plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  const double memory_bytes = cost.cluster().models.front().memory_bytes;
  evaluate::PlanEvaluator evaluator({step, cost, *resharding, *schedule}, memory_bytes);
  Timed timed(evaluator);
  const auto search =
      plugin::make_search(registry.find("search/rhino"), Options({{"level", level}}));
  const double begin_s = wall_s(), begin_cpu_s = cpu_s();
  const std::vector<Strategy> found = search->search({.program = step,
                                                      .cluster = cost.cluster(),
                                                      .micro_batch_counts = row.micro_batch_counts,
                                                      .memory_limit_bytes = memory_bytes,
                                                      .seed = 1,
                                                      .rules = evaluator,
                                                      .prices = evaluator},
                                                     timed);
  const double total_s = wall_s() - begin_s, total_cpu_s = cpu_s() - begin_cpu_s;
  if (found.empty()) return fmt::print("{}, level {}: nothing fits\n", row.name, level);
  double step_s = 0;
  for (const evaluate::Candidate& one : evaluator.candidates())
    step_s = step_s == 0 ? one.step_s : std::min(step_s, one.step_s);
  fmt::print("{}, level {}: {:.2f} s, CPU {:.2f};{}\n    {:.5g} s, of {} simulated: {}\n", row.name,
             level, total_s, total_cpu_s, timed.text(total_s), step_s, evaluator.num_evaluated(),
             found.front().name);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const int only_row = argc > 3 ? std::atoi(argv[3]) : 0,
            only_level = argc > 4 ? std::atoi(argv[4]) : 0;
  for (int row = 1; row <= static_cast<int>(rows().size()); ++row) {
    for (std::int64_t level = 2; level <= rows()[static_cast<std::size_t>(row - 1)].most_level;
         ++level) {
      if ((only_row == 0 || only_row == row) && (only_level == 0 || only_level == level))
        run(registry, argv[2], rows()[static_cast<std::size_t>(row - 1)], level);
    }
  }
}
