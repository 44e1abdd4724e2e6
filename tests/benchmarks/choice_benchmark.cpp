// SPDX-License-Identifier: Apache-2.0
// How long search/rhino takes to choose a cut for every op of a GPT, none tied to its like in other
// layers, and how far from the proved bound it ends: choice_benchmark PLUGINS SOURCE [LAYERS].
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "common/cut_choice.hpp"
#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"

using namespace rhino;

namespace {

struct Row {
  common::Configuration configuration;
  common::choice::Effort effort;
};

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t num_labels(const common::choice::CostGraph& graph) {
  std::size_t count = 0;
  for (const common::choice::CostGraph::Node& node : graph.nodes) count += node.cost.size();
  return count;
}

void run(const SearchProblem& problem, Strategies& strategies, const Row& row) {
  common::Uncut uncut(problem, strategies, false);
  const common::Uncut::Known known = uncut.of(row.configuration);
  const double begin_s = cpu_s();
  strategies.space({.mesh = known.chunks.front().mesh,
                    .num_micro_batches = row.configuration.num_micro_batches});
  const double space_s = cpu_s();
  const common::CutChoice choice(problem, strategies, known, row.configuration, {.tied = false});
  const double graph_s = cpu_s();
  const common::choice::Solution found = choice.solve(row.effort);
  const double end_s = cpu_s();
  fmt::print(
      "{:36} {:7} nodes {:8} labels: space {:.2f} s, graph {:.2f} s, solved {:.2f} s; "
      "{:.6g} s, {:.3g} % above the bound\n",
      row.configuration.name(), choice.graph().nodes.size(), num_labels(choice.graph()),
      space_s - begin_s, graph_s - space_s, end_s - graph_s, choice.step_s(found.cost),
      100 * (found.cost / found.bound - 1));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const cost::CostModel cost(
      config::read_topology(std::string(argv[2]) + "/topologies/dgx_a100.yaml", 8));
  models::GptConfig config = models::gpt_preset("175b");
  config.num_layers = argc > 3 ? std::atoi(argv[3]) : 96;
  config.dtype = DType::bf16;
  const Program step = ir::training_step(models::gpt_forward(config, 256), {});
  const auto resharding = plugin::make_resharding(registry.find("resharding/broadcast"), Options());
  const auto schedule = plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  evaluate::PlanEvaluator evaluator({step, cost, *resharding, *schedule}, 0);
  const SearchProblem problem{.program = step,
                              .cluster = cost.cluster(),
                              .micro_batch_counts = {16},
                              .rules = evaluator,
                              .prices = evaluator};
  for (const Row& row :
       {Row{{1, {2}, 16}, common::choice::kExact}, Row{{1, {8}, 16}, common::choice::kExact},
        Row{{1, {64}, 16}, common::choice::kExact}, Row{{1, {2, 4}, 16}, {}},
        Row{{1, {8, 8}, 16}, {}}})
    run(problem, evaluator, row);
}
