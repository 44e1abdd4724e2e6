// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "common/choice/solver.hpp"
#include "common/configurations.hpp"
#include "common/linear_stages.hpp"
#include "common/strategy_graph.hpp"
#include "rhino/search.hpp"

/// The cuts of all values of a configuration as a choice over its space.
namespace rhino::common {

/// Strategies that nothing but micro-batches cuts. What does not depend on mesh axes is worked out
/// once per number of stages and of micro-batches.
class Uncut {
 public:
  /// Both are borrowed. `is_linear`: stages are runs of the program's ops, in its order.
  Uncut(const SearchProblem& problem, Strategies& strategies, bool is_linear)
      : problem_(problem), strategies_(strategies), is_linear_(is_linear) {}

  /// `stage_of`: as of StrategyDraft::chunk_of. Throws Error where the batch does not divide, or
  /// there are too few ops for so many stages.
  Strategy of(const Configuration& configuration, const std::vector<std::int32_t>& stage_of = {}) {
    Strategy own;
    Strategy& known = stage_of.empty()
                          ? known_[{configuration.num_stages, configuration.num_micro_batches}]
                          : own;
    if (known.chunks.empty()) {
      Configuration plain = configuration;
      plain.recompute = Recompute::nothing;
      known = uncut(problem_, strategies_, plain,
                    stage_of.empty() && is_linear_ ? linear(configuration.num_stages) : stage_of);
    }
    Strategy made = known;
    made.name = configuration.name();
    made.chunks = strategies_.chunks(static_cast<std::int32_t>(configuration.num_stages),
                                     configuration.mesh_axes());
    set_recompute(made, problem_.program, configuration.recompute);
    return made;
  }

 private:
  /// Of equal work.
  std::vector<std::int32_t> linear(std::int64_t num_stages) const {
    std::vector<double> work;
    for (const Op& op : problem_.program.ops) {
      const bool is_heavy = detail::is_heavy(op);
      work.push_back(is_heavy ? detail::intensity(problem_.program, op) *
                                    static_cast<double>(num_bytes(op.shape))
                              : 0);
    }
    return LinearStages(problem_.program, work).cut(num_stages);
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  bool is_linear_;
  std::map<std::pair<std::int64_t, std::int64_t>, Strategy> known_;
};

class CutChoice {
 public:
  struct Options {
    bool tied = true;  ///< ops that repeat are cut alike
    bool zero = true, strided = true;
    double reshard_share = 1;  ///< as of StrategyGraph
  };

  /// `problem` is borrowed, `uncut` of the configuration.
  CutChoice(const SearchProblem& problem, Strategies& strategies, Strategy uncut,
            const Configuration& configuration, const Options& options)
      : strategy_(std::move(uncut)),
        configuration_(configuration),
        space_(strategies.space({.mesh = strategy_.chunks.front().mesh,
                                 .num_micro_batches = configuration.num_micro_batches,
                                 .strided = options.strided})),
        graph_(problem.program, space_, graph_options(problem, strategies, options)) {}

  const choice::CostGraph& graph() const { return graph_.graph(); }

  choice::Solution solve(const choice::Effort& effort) const {
    return choice::solve(graph(), effort);
  }

  /// What a choice means for a step of which stages do equal parts, and for each device.
  double step_s(double cost) const { return cost * share_of_step(); }
  double cost(double step_s) const { return step_s / share_of_step(); }
  double device_bytes(const choice::Labels& labels) const {
    return choice::bytes(graph(), labels) / static_cast<double>(configuration_.num_stages);
  }

  /// Of a choice of which each device has so many.
  double bytes(double device_bytes) const {
    return device_bytes * static_cast<double>(configuration_.num_stages);
  }

  std::vector<double> seconds(const choice::Labels& labels) const { return graph_.seconds(labels); }

  Strategy strategy(const choice::Labels& labels) const {
    Strategy made = strategy_;
    graph_.put(labels, made.specs);
    return made;
  }

 private:
  static constexpr double kTemporaryShare = 1.0 / 32;

  double share_of_step() const {
    const auto stages = static_cast<double>(configuration_.num_stages);
    return (1 + (stages - 1) / static_cast<double>(configuration_.num_micro_batches)) / stages;
  }

  StrategyGraph::Options graph_options(const SearchProblem& problem, Strategies& strategies,
                                       const Options& options) const {
    StrategyGraph::Options made = common::graph_options(problem, strategies, strategy_);
    made.tied = options.tied;
    made.zero = options.zero;
    made.reshard_share = options.reshard_share;
    made.temporary_share = kTemporaryShare;
    return made;
  }

  Strategy strategy_;
  Configuration configuration_;
  const StrategySpace& space_;
  StrategyGraph graph_;
};

}  // namespace rhino::common
