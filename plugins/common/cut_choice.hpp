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

/// Strategies that nothing but micro-batches cuts, and how micro-batches run through their chunks.
/// What does not depend on mesh axes is worked out once for all meshes of as many devices.
class Uncut {
 public:
  struct Known {
    Strategy strategy;
    ChunkFlow flow;
  };

  /// Both are borrowed. `is_linear`: stages are runs of the program's ops, in its order.
  Uncut(const SearchProblem& problem, Strategies& strategies, bool is_linear)
      : problem_(problem), strategies_(strategies), is_linear_(is_linear) {}

  /// `stage_of`: as of StrategyDraft::chunk_of. Throws Error where the batch does not divide, or
  /// there are too few ops for so many stages.
  Known of(const Configuration& configuration, const std::vector<std::int32_t>& stage_of = {}) {
    Known own;
    Known& known = stage_of.empty()
                       ? known_[{configuration.num_stages, configuration.num_devices(),
                                 configuration.num_micro_batches, configuration.recompute}]
                       : own;
    if (known.strategy.chunks.empty()) {
      Strategy made = whole(configuration, stage_of);
      known.flow = strategies_.flow(made);
      known.strategy = std::move(made);
    }
    Known made = known;
    made.strategy.name = configuration.name();
    made.strategy.chunks = strategies_.chunks(static_cast<std::int32_t>(configuration.num_stages),
                                              configuration.mesh_axes());
    for (Chunk& chunk : made.strategy.chunks)
      chunk.recompute = configuration.recompute == Recompute::all;
    return made;
  }

 private:
  Strategy whole(Configuration configuration, const std::vector<std::int32_t>& stage_of) {
    const Recompute recompute = std::exchange(configuration.recompute, Recompute::nothing);
    if (recompute == Recompute::nothing)
      return uncut(problem_, strategies_, configuration,
                   stage_of.empty() && is_linear_ ? linear(configuration.num_stages) : stage_of);
    Strategy made = of(configuration, stage_of).strategy;
    set_recompute(made, problem_.program, recompute);
    return made;
  }

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
  /// By stages, devices of one, micro-batches, and what is made anew.
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, Recompute>, Known> known_;
};

class CutChoice {
 public:
  struct Options {
    bool tied = true;  ///< ops that repeat are cut alike
    bool zero = true, strided = true;
    double reshard_share = 1;  ///< as of StrategyGraph
  };

  /// `problem` is borrowed, `uncut` of the configuration.
  CutChoice(const SearchProblem& problem, Strategies& strategies, Uncut::Known uncut,
            const Configuration& configuration, const Options& options)
      : strategy_(std::move(uncut.strategy)),
        configuration_(configuration),
        space_(strategies.space({.mesh = strategy_.chunks.front().mesh,
                                 .num_micro_batches = configuration.num_micro_batches,
                                 .strided = options.strided})),
        graph_(problem.program, space_, graph_options(problem, std::move(uncut.flow), options)) {}

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
    return configuration_.fill() / static_cast<double>(configuration_.num_stages);
  }

  StrategyGraph::Options graph_options(const SearchProblem& problem, ChunkFlow flow,
                                       const Options& options) const {
    StrategyGraph::Options made = common::graph_options(problem, std::move(flow), strategy_);
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
