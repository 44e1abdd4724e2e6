// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/choice/solver.hpp"
#include "common/configurations.hpp"
#include "common/linear_stages.hpp"
#include "common/strategy_graph.hpp"
#include "common/uncut_labels.hpp"
#include "rhino/search.hpp"

/// The cuts of all values of a configuration as a choice over its space.
namespace rhino::common {

/// Strategies that nothing but micro-batches cuts, and how micro-batches run through their chunks.
/// What does not depend on mesh axes is worked out once for all meshes of as many devices.
class Uncut {
 public:
  struct Known {
    std::string name;
    std::vector<Chunk> chunks;
    std::shared_ptr<const Strategy> like;  ///< with another name, and other mesh axes
    std::shared_ptr<const ChunkFlow> flow;
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
    if (known.like == nullptr) {
      Strategy made = whole(configuration, stage_of);
      known.flow = std::make_shared<const ChunkFlow>(strategies_.flow(made));
      known.like = std::make_shared<const Strategy>(std::move(made));
    }
    Known made = known;
    made.name = configuration.name();
    made.chunks = strategies_.chunks(static_cast<std::int32_t>(configuration.num_stages),
                                     configuration.mesh_axes());
    for (Chunk& chunk : made.chunks) chunk.recompute = configuration.recompute == Recompute::all;
    return made;
  }

 private:
  Strategy whole(Configuration configuration, const std::vector<std::int32_t>& stage_of) {
    const Recompute recompute = std::exchange(configuration.recompute, Recompute::nothing);
    if (recompute == Recompute::nothing)
      return uncut(problem_, strategies_, configuration,
                   stage_of.empty() && is_linear_ ? linear(configuration.num_stages) : stage_of);
    Strategy made = *of(configuration, stage_of).like;
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

  /// What a choice is made of. Problem and space are borrowed; `uncut` is of the configuration.
  struct Parts {
    const SearchProblem& problem;
    const StrategySpace& space;
    Uncut::Known uncut;
    Configuration configuration;
    Options options;
  };
  static Parts parts(const SearchProblem& problem, Strategies& strategies, Uncut::Known uncut,
                     const Configuration& configuration, const Options& options) {
    const StrategySpace& space =
        strategies.space({.mesh = uncut.chunks.front().mesh,
                          .num_micro_batches = configuration.num_micro_batches,
                          .strided = options.strided});
    return {problem, space, std::move(uncut), configuration, options};
  }

  /// Asks no Strategies.
  explicit CutChoice(Parts parts)
      : uncut_(std::move(parts.uncut)),
        configuration_(std::move(parts.configuration)),
        graph_(parts.problem.program, parts.space, graph_options(parts.problem, parts.options)) {}
  CutChoice(const SearchProblem& problem, Strategies& strategies, Uncut::Known uncut,
            const Configuration& configuration, const Options& options)
      : CutChoice(parts(problem, strategies, std::move(uncut), configuration, options)) {}

  const choice::CostGraph& graph() const { return graph_.graph(); }
  const StrategyGraph& strategy_graph() const { return graph_; }

  choice::Solution solve(const choice::Effort& effort) const {
    return choice::solve(graph(), effort);
  }

  /// Where none was found but of what is forbidden: the cheapest one, or nearly, of these labels
  /// and those of which nothing is cut. False: nor is there one of these.
  bool repair(choice::Solution& found, const choice::Effort& effort) const {
    std::vector<choice::Labels> kept = uncut_labels(graph_);
    for (std::size_t n = 0; n < kept.size(); ++n) kept[n].push_back(found.labels[n]);
    return choice::take_of(graph(), std::move(kept), effort, found) ||
           choice::take_of(graph(), uncut_labels(graph_), effort, found);
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
  /// With what it takes to bring a value to where it is read, which is the value's; nothing of it
  /// lies beside kernels. Equal ops are not tied.
  std::vector<double> all_seconds(const choice::Labels& labels) const {
    const std::vector<ValueId> values = graph_.values();
    std::vector<double> seconds(uncut_.like->chunk_of.size());
    for (std::size_t n = 0; n < values.size(); ++n)
      seconds[at(values[n])] += graph().nodes[n].cost[at(labels[n])];
    for (const choice::CostGraph::Edge& edge : graph().edges)
      seconds[at(values[at(edge.from)])] +=
          graph().cost(edge, labels[at(edge.from)], labels[at(edge.to)]);
    return seconds;
  }

  /// Of its chunks and micro-batches, with no annotations.
  StrategyDraft draft() const {
    StrategyDraft draft;
    draft.name = uncut_.name;
    draft.num_micro_batches = uncut_.like->num_micro_batches;
    draft.chunks = uncut_.chunks;
    draft.chunk_of = uncut_.like->chunk_of;
    return draft;
  }

  Strategy strategy(const choice::Labels& labels) const {
    const Strategy& like = *uncut_.like;
    return {.name = uncut_.name,
            .num_micro_batches = like.num_micro_batches,
            .chunks = uncut_.chunks,
            .chunk_of = like.chunk_of,
            .specs = graph_.specs(labels, like.specs),
            .recompute = like.recompute,
            .gradient_sums = like.gradient_sums};
  }

 private:
  static constexpr double kTemporaryShare = 1.0 / 32;

  double share_of_step() const {
    return configuration_.fill() / static_cast<double>(configuration_.num_stages);
  }

  StrategyGraph::Options graph_options(const SearchProblem& problem, const Options& options) const {
    return {.num_micro_batches = configuration_.num_micro_batches,
            .tied = options.tied,
            .zero = options.zero,
            .chunk_of = uncut_.like->chunk_of,
            .flow = *uncut_.flow,
            .reshard_share = options.reshard_share,
            .pins = problem.pins,
            .axes = uncut_.chunks.front().mesh.axes,
            .temporary_share = kTemporaryShare};
  }

  Uncut::Known uncut_;
  Configuration configuration_;
  StrategyGraph graph_;
};

}  // namespace rhino::common
