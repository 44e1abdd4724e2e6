// SPDX-License-Identifier: Apache-2.0
// choice_race PLUGINS [SECONDS]: the choices that search/rhino makes for GPTs, each solved here and
// by CBC, which has so many seconds for each: cost, proved bound and CPU seconds of both, proofs
// counted. Exit 1: costs differ, CBC has a better one in its time, or ours is not ten times
// quicker.
// choice_race PLUGINS write LAYERS FILE [SIZE...]: one of them as JSON, over axes of such sizes.
// choice_race PLUGINS solve FILE...
#include <fmt/format.h>

#include <cstdlib>

#include "choice_instance.hpp"
#include "codec/text_file.hpp"
#include "common/choice/solver.hpp"
#include "common/configurations.hpp"
#include "integer_program.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "searching.hpp"

using namespace rhino;
using common::choice::CostGraph;
using common::choice::Solution;

namespace {

struct Question {
  std::int64_t num_layers = 1;
  std::vector<std::int64_t> axes;
  bool tied = true;  ///< equal layers are cut alike: the contracted instance
};

/// The choice of a cut for every op of a small GPT of so many layers.
CostGraph graph_of(const plugin::Registry& registry, const Question& question) {
  const Program step = ir::training_step(models::gpt_forward({.preset = "toy",
                                                              .num_layers = question.num_layers,
                                                              .hidden = 48,
                                                              .num_heads = 12,
                                                              .vocabulary = 960,
                                                              .sequence = 24},
                                                             24),
                                         {});
  const common::Configuration configuration{1, question.axes, 1};
  std::int64_t num_devices = 1;
  for (const std::int64_t size : question.axes) num_devices *= size;
  const Cluster cluster = test::slow_cluster(static_cast<std::int32_t>(num_devices), true);
  test::Toy toy(registry, step, cluster);
  CostGraph graph;
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    const Strategy uncut = common::uncut(problem, strategies, configuration);
    common::StrategyGraph::Options options =
        common::graph_options(problem, strategies.flow(uncut), uncut);
    options.tied = question.tied;
    graph = common::StrategyGraph(step, strategies.space({.mesh = uncut.chunks.front().mesh}),
                                  std::move(options))
                .graph();
  });
  return graph;
}

struct Timed {
  Solution solution;
  double cpu_s = 0;
};

template <class Solve>
Timed timed(Solve&& solve) {
  const std::clock_t begin = std::clock();
  Solution solution = solve();
  return {std::move(solution), static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
}

std::size_t num_labels(const CostGraph& graph) {
  std::size_t count = 0;
  for (const CostGraph::Node& node : graph.nodes) count += node.cost.size();
  return count;
}

bool race(const std::string& name, const CostGraph& graph, double most_s) {
  // What is written and read again is the same question.
  const CostGraph read = test::instance_of(test::text_of(graph));
  const Timed ours = timed([&] { return solve(read, {}); });
  const test::IntegerAnswer theirs = test::solve_as_integers(graph, most_s);
  const Solution& found = theirs.solution;
  const bool is_equal = std::abs(ours.solution.cost - found.cost) <= 1e-6 * ours.solution.cost;
  const bool is_lost = theirs.is_proved
                           ? !is_equal
                           : !found.labels.empty() && found.cost < ours.solution.cost * (1 - 1e-6);
  const bool is_slow = 10 * ours.cpu_s > theirs.cpu_s;
  const std::string told = found.labels.empty() ? fmt::format("{:>10} {:>11}", "none", "")
                                                : fmt::format("{:10.6g} {:9.3} %", found.cost,
                                                              100 * (1 - found.bound / found.cost));
  fmt::print("{:32} {:6} {:7}  {:10.6g} {:9.3} % {:7.3f}  {} {:7.2f}  {:6.1f}x{}{}\n", name,
             graph.nodes.size(), num_labels(graph), ours.solution.cost,
             100 * (1 - ours.solution.bound / ours.solution.cost), ours.cpu_s, told, theirs.cpu_s,
             theirs.cpu_s / ours.cpu_s, is_lost ? " WORSE" : "", is_slow ? " SLOW" : "");
  std::fflush(stdout);
  return !is_lost && !is_slow;
}

int race_all(const plugin::Registry& registry, double most_s) {
  fmt::print("{:32} {:>6} {:>7}  {:>10} {:>11} {:>7}  {:>10} {:>11} {:>7}\n", "", "nodes", "labels",
             "cost", "gap", "CPU s", "CBC: cost", "gap", "CPU s");
  int num_lost = 0;
  for (const Question& question :
       {Question{1, {2}}, Question{1, {4}}, Question{4, {2}}, Question{4, {4}}, Question{1, {2, 2}},
        Question{4, {2, 2}}, Question{2, {4}, false}, Question{8, {2}, false}}) {
    std::string axes;
    for (const std::int64_t size : question.axes)
      axes += fmt::format("{}{}", axes.empty() ? "" : "x", size);
    num_lost += race(fmt::format("{} layers{}, mesh {}", question.num_layers,
                                 question.tied ? " alike" : "", axes),
                     graph_of(registry, question), most_s)
                    ? 0
                    : 1;
  }
  return num_lost > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const plugin::Registry registry({argv[1]});
  const std::string what = argc > 2 ? argv[2] : "60";
  if (what == "write" && argc > 4) {
    std::vector<std::int64_t> axes;
    for (int i = 5; i < argc; ++i) axes.push_back(std::atoi(argv[i]));
    if (axes.empty()) axes = {2, 2};
    codec::write_file(argv[4], test::text_of(graph_of(registry, {std::atoi(argv[3]), axes})));
    return 0;
  }
  if (what != "solve") return race_all(registry, std::atof(what.c_str()));
  for (int i = 3; i < argc; ++i) {
    const CostGraph graph = test::instance_of(codec::read_file(argv[i]));
    const Timed ours = timed([&] { return solve(graph, {}); });
    fmt::print("{}: {:.9g}, at least {:.9g}, in {:.3f} s\n", argv[i], ours.solution.cost,
               ours.solution.bound, ours.cpu_s);
  }
  return 0;
}
