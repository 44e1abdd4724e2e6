// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/choice/enumeration.hpp"
#include "common/configurations.hpp"
#include "common/option_values.hpp"
#include "common/strategy_graph.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using common::Configuration;
using common::Recompute;

/// The oracle. Of all stages, meshes, micro-batch counts and cuts of every op, strided and partial
/// ones, ZeRO and recomputation included, those that tables of single ops and reshards say are the
/// quickest, and of these the best by simulation. It looks at everything, and so at small programs
/// alone.
class Exhaustive : public Search {
 public:
  explicit Exhaustive(const Options& options)
      : num_best_(common::whole_option(options, "evaluations", 50, {.least = 1})),
        most_axes_(common::whole_option(options, "most_axes", 3, {.least = 1})),
        most_entries_(common::whole_option(options, "most_entries", 1000000, {.least = 1})) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    std::vector<Candidate> candidates;
    for (Configuration& configuration : common::configurations(problem, at(most_axes_))) {
      for (const Recompute recompute : common::kLeastFirst) {
        configuration.recompute = recompute;
        if (!explore(problem, strategies, configuration, candidates)) break;
      }
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::table_s);
    std::vector<std::pair<double, Strategy>> ranked;
    for (Candidate& candidate : candidates) {
      if (static_cast<std::int64_t>(ranked.size()) == num_best_) break;
      const Evaluation evaluation = strategies.evaluate(candidate.strategy);
      if (evaluation.feasible)
        ranked.emplace_back(evaluation.step_s, std::move(candidate.strategy));
      else strategies.reject(candidate.strategy.name, evaluation.reason);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<double, Strategy>::first);
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked) best.push_back(std::move(strategy));
    return best;
  }

 private:
  struct Candidate {
    double table_s = 0;  ///< of a step, of which stages do equal parts
    Strategy strategy;
  };

  /// Whether memory binds, so that recomputing more may be worth it.
  bool explore(const SearchProblem& problem, Strategies& strategies,
               const Configuration& configuration, std::vector<Candidate>& candidates) const {
    Strategy strategy;
    try {
      strategy = common::uncut(problem, strategies, configuration);
    } catch (const Error& error) {
      strategies.reject(configuration.name(), error.what());
      return false;
    }
    const common::StrategyGraph graph(
        problem.program,
        strategies.space({.mesh = strategy.chunks.front().mesh,
                          .num_micro_batches = configuration.num_micro_batches}),
        common::graph_options(problem, strategies.flow(strategy), strategy));
    common::choice::Enumeration::Limits limits{.num_best = at(num_best_),
                                               .most_entries = at(most_entries_)};
    const double stages = static_cast<double>(configuration.num_stages);
    if (problem.memory_limit_bytes > 0) limits.most_bytes = stages * problem.memory_limit_bytes;
    std::vector<common::choice::Labels> best;
    if (!common::choice::Enumeration(graph.graph(), limits).run(best))
      throw Error(too_large_text(configuration, graph.graph()));
    const double bubble = (stages - 1) / static_cast<double>(configuration.num_micro_batches);
    bool binds = best.empty();
    std::vector<std::vector<ShardingSpec>> known;
    for (const common::choice::Labels& labels : best) {
      strategy.specs = graph.specs(labels, strategy.specs);
      if (std::ranges::find(known, strategy.specs) != known.end()) continue;
      known.push_back(strategy.specs);
      candidates.push_back({cost(graph.graph(), labels) / stages * (1 + bubble), strategy});
      const bool is_first = known.size() == 1 && problem.memory_limit_bytes > 0;
      if (is_first)
        binds = strategies.estimate(strategy).peak_bytes > kNear * problem.memory_limit_bytes;
    }
    if (best.empty())
      strategies.reject(configuration.name(), "needs more memory than there is, however it is cut");
    return binds;
  }

  static std::string too_large_text(const Configuration& configuration,
                                    const common::choice::CostGraph& graph) {
    double size = 0;
    for (const auto& node : graph.nodes) size += std::log10(static_cast<double>(node.cost.size()));
    char text[160];
    std::snprintf(text, sizeof text,
                  "%s: 10^%.0f ways to cut %zu ops are too many to look at them all; "
                  "search/rhino does without",
                  configuration.name().c_str(), size, graph.nodes.size());
    return text;
  }

  /// Of the limit estimates may be off by so much.
  static constexpr double kNear = 0.8;

  std::int64_t num_best_, most_axes_, most_entries_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/exhaustive", rhino::Exhaustive,
             "all strategies of small programs, the oracle of other searchers")
