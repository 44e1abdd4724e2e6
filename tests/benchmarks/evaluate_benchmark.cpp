// SPDX-License-Identifier: Apache-2.0
// CPU seconds of what searchers ask of one strategy after another: a draft completed, estimated
// with another value of the first stage made anew each time and looked up again, evaluated with
// gradients summed up otherwise each time, and with another value of the first stage made anew.
// evaluate_benchmark PLUGINS SOURCE [ROW [REPETITIONS]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "config/strategy_file.hpp"
#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"

using namespace rhino;

namespace {

struct Row {
  const char* preset;
  const char* topology;
  std::int64_t num_hosts;  ///< 0: as the topology says
  DType dtype;
  std::int64_t stage, data, tensor, num_micro_batches, batch;
  const char* strategy;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"1.3b", "p3_8xlarge_x2", 0, DType::f32, 2, 1, 4, 16, 32, "gpt_megatron"},
      {"2.6b", "p3_8xlarge_x2", 0, DType::f32, 2, 2, 2, 16, 128, "gpt_megatron"},
      {"2.6b", "p3_8xlarge_x2", 0, DType::f32, 2, 2, 2, 128, 1024, "gpt_megatron"},
      {"76b", "dgx_a100", 8, DType::bf16, 8, 2, 4, 32, 64, "gpt_megatron"},
      {"175b", "dgx_a100", 8, DType::bf16, 16, 1, 4, 128, 128, "gpt_megatron_recompute"},
  };
  return kRows;
}

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The first call, and the middle one of the others.
struct Spent {
  double first_s = 0, again_s = 0;
};

Spent time_of(int repetitions, const std::function<void()>& call) {
  std::vector<double> spent;
  for (int i = 0; i < repetitions; ++i) {
    const double begin_s = cpu_s();
    call();
    spent.push_back(cpu_s() - begin_s);
  }
  const double first_s = spent.front();
  if (spent.size() > 1) spent.erase(spent.begin());
  std::ranges::sort(spent);
  return {first_s, spent[spent.size() / 2]};
}

/// Memory enough for anything: what is timed is planning.
Cluster cluster_of(const std::string& source, const Row& row) {
  Cluster cluster =
      config::read_topology(source + "/topologies/" + row.topology + ".yaml", row.num_hosts);
  for (DeviceModel& model : cluster.models) model.memory_bytes = 1e13;
  return cluster;
}

/// One after the other made anew: what each stage but the first runs stays as it is.
std::vector<ValueId> of_first_stage(const Program& step, const Strategy& strategy) {
  std::vector<ValueId> values;
  for (ValueId id = 0; id < step.size(); ++id) {
    const Op& op = step.op(id);
    if (op.phase == Phase::forward && op.kind == OpKind::dot &&
        strategy.chunk_of[static_cast<std::size_t>(id)] == 0)
      values.push_back(id);
  }
  return values;
}

void run(const plugin::Registry& registry, const std::string& source, const Row& row,
         int repetitions) {
  const cost::CostModel cost(cluster_of(source, row));
  models::GptConfig config = models::gpt_preset(row.preset);
  config.dtype = row.dtype;
  const Program step = ir::training_step(models::gpt_forward(config, row.batch), {});
  const auto resharding = plugin::make_resharding(registry.find("resharding/broadcast"), Options());
  const auto schedule = plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  evaluate::PlanEvaluator evaluator({step, cost, *resharding, *schedule}, 0);
  const config::StrategyFile file = config::read_strategy_file(
      source + "/strategies/" + row.strategy + ".yaml",
      Options({{"stage", row.stage}, {"data", row.data}, {"tensor", row.tensor}}));
  StrategyDraft draft = config::draft_of(file, step, evaluator.chunks(file.num_stages, file.axes),
                                         row.num_micro_batches);
  Strategy strategy;
  double step_s = 0;
  const Spent complete = time_of(repetitions, [&] { strategy = evaluator.complete(draft); });
  // Another strategy each time, as those of a search are.
  const std::vector<ValueId> values = of_first_stage(step, strategy);
  const int most = std::min<int>(repetitions, static_cast<int>(values.size()));
  auto anew = values.begin();
  const Spent estimate = time_of(most, [&] {
    strategy.recompute.assign(1, *anew++);
    evaluator.estimate(strategy);
  });
  const Spent known = time_of(repetitions, [&] { evaluator.estimate(strategy); });
  strategy.recompute.clear();
  const Spent evaluate = time_of(repetitions, [&] {
    strategy.gradient_sums.overlap = !strategy.gradient_sums.overlap;
    step_s = evaluator.evaluate(strategy).step_s;
  });
  anew = values.begin();
  const Spent in_part = time_of(most, [&] {
    strategy.recompute.assign(1, *anew++);
    evaluator.evaluate(strategy);
  });
  fmt::print("{} {} x {} x {} of {} devices, {} micro-batches: step {:.6g} s\n", row.preset,
             row.stage, row.data, row.tensor, cost.cluster().num_devices(), row.num_micro_batches,
             step_s);
  for (const auto& [name, spent] : {std::pair("complete", complete),
                                    {"estimate", estimate},
                                    {"estimate, known", known},
                                    {"evaluate", evaluate},
                                    {"evaluate, another value made anew", in_part}})
    fmt::print("  {} {:.3f} s, then {:.3f}\n", name, spent.first_s, spent.again_s);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const int only = argc > 3 ? std::atoi(argv[3]) : 0;
  const int repetitions = argc > 4 ? std::max(1, std::atoi(argv[4])) : 5;
  for (std::size_t row = 0; row < rows().size(); ++row) {
    if (only == 0 || static_cast<std::size_t>(only) == row + 1)
      run(registry, argv[2], rows()[row], repetitions);
  }
}
