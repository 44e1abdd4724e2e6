// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/choice/solver.hpp"
#include "common/configurations.hpp"
#include "common/strategy_graph.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using common::Configuration;
using common::Recompute;
using common::choice::Solution;

/// Rhino's question, answered over tables: per number of stages, factorization of their devices
/// into mesh axes and micro-batch count the cut of every op, over all axes at once, that takes the
/// least seconds in kernels and collectives; where that needs too much memory, with bytes at a
/// price, and with more and more recomputed. What is estimated to be quick is simulated.
class Rhino : public Search {
 public:
  explicit Rhino(const Options& options)
      : level_(options.get<std::int64_t>("level", 3)),
        strided_(options.get<bool>("strided", true)),
        joint_axes_(options.get<bool>("joint_axes", true)),
        zero_(options.get<bool>("zero", true)),
        stages_(options.get<std::int64_t>("stages", 0)),
        most_axes_(options.get<std::int64_t>("most_axes", 2)),
        num_evaluations_(options.get<std::int64_t>("evaluations", 24)),
        max_results_(options.get<std::int64_t>("max_results", 4)) {
    if (level_ != 2 && level_ != 3) throw Error("option 'level' must be 2 or 3");
    if (most_axes_ < 1 || num_evaluations_ < 1 || max_results_ < 1)
      throw Error("most_axes, evaluations and max_results must be at least 1");
  }

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    simulated_.clear(), ranked_.clear();
    std::vector<Candidate> quickest, fitting;
    for (const auto& group : groups(problem)) explore(problem, strategies, group, quickest);
    double least_s = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : quickest) least_s = std::min(least_s, candidate.least_s);
    if (!ranked_.empty()) strategies.offer(ranked_.front().second, least_s);
    std::ranges::stable_sort(quickest, {}, &Candidate::step_s);
    for (const Candidate& candidate : quickest) {
      if (candidate.step_s() > kNear * best_s(problem, fitting)) break;
      const std::size_t before = fitting.size();
      vary(problem, strategies, candidate, fitting);
      std::ranges::stable_sort(fitting.begin() + static_cast<std::ptrdiff_t>(before), fitting.end(),
                               {}, &Candidate::step_s);
      if (fitting.size() > before) simulate(strategies, fitting[before]);
    }
    simulate_all(strategies, std::move(fitting));
    if (ranked_.empty()) return {};
    strategies.offer(ranked_.front().second, least_s);
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked_) {
      if (static_cast<std::int64_t>(best.size()) == max_results_) break;
      best.push_back(std::move(strategy));
    }
    return best;
  }

 private:
  /// What the cut of every op follows from.
  struct Point {
    Configuration configuration;
    double reshard_share = 1;  ///< of seconds in collectives, the rest lying beside kernels
    double price = 0;          ///< of bytes, as a multiple of what the quickest spends on one
  };
  struct Candidate {
    Point point;
    Strategy strategy;
    Estimate estimate;
    double least_s = 0;  ///< that any cut of it takes
    double step_s() const { return estimate.step_s; }
  };

  /// Configurations that differ in micro-batches alone, most of them first.
  std::vector<std::vector<Configuration>> groups(const SearchProblem& problem) const {
    std::vector<std::vector<Configuration>> groups;
    std::vector<Configuration> all =
        common::configurations(problem, joint_axes_ ? at(most_axes_) : 1);
    std::ranges::reverse(all);
    for (Configuration& configuration : all) {
      if (stages_ != 0 && configuration.num_stages != stages_) continue;
      const bool is_new = groups.empty() || groups.back().front().axes != configuration.axes;
      if (is_new) groups.emplace_back();
      groups.back().push_back(std::move(configuration));
    }
    return groups;
  }

  /// The quickest of each, as long as fewer micro-batches take less, and no more memory than there
  /// is where more took less than that. The first that fits is simulated, to have something.
  void explore(const SearchProblem& problem, Strategies& strategies,
               const std::vector<Configuration>& group, std::vector<Candidate>& quickest) {
    double best_s = std::numeric_limits<double>::infinity();
    bool has_fitted = false;
    for (const Configuration& configuration : group) {
      try {
        Candidate candidate = found(problem, strategies, {configuration}, 2);
        const bool fits = is_small(problem, candidate.estimate);
        if (fits && ranked_.empty()) simulate(strategies, candidate);
        const bool is_worse = candidate.step_s() > 1.1 * best_s || (has_fitted && !fits);
        best_s = std::min(best_s, candidate.step_s());
        has_fitted |= fits;
        quickest.push_back(std::move(candidate));
        if (is_worse) return;
      } catch (const Error& error) {
        strategies.reject(configuration.name(), error.what());
      }
    }
  }

  static double best_s(const SearchProblem& problem, const std::vector<Candidate>& candidates) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
      if (is_small(problem, candidate.estimate)) best_s = std::min(best_s, candidate.step_s());
    }
    return best_s;
  }

  /// The cheapest cut of all.
  Candidate found(const SearchProblem& problem, Strategies& strategies, const Point& point,
                  std::int64_t level) const {
    Candidate found{point, common::uncut(problem, strategies, point.configuration), {}};
    const StrategySpace& space =
        strategies.space({.mesh = found.strategy.chunks.front().mesh,
                          .num_micro_batches = point.configuration.num_micro_batches,
                          .strided = strided_});
    found.least_s = common::least_step_s(problem.program, space, point.configuration);
    common::StrategyGraph::Options options = common::graph_options(strategies, found.strategy);
    options.tied = level == 2 || problem.program.size() > kMostUntied;
    options.zero = zero_;
    options.reshard_share = point.reshard_share;
    options.temporary_share = kTemporaryShare;
    const common::StrategyGraph graph(problem.program, space, std::move(options));
    Solution cheapest = solve(graph.graph(), effort(level));
    if (point.price > 0) {
      const double price = point.price * cheapest.cost / bytes(graph.graph(), cheapest.labels);
      cheapest = solve(with_price_of_bytes(graph.graph(), price), effort(level));
    }
    graph.put(cheapest.labels, found.strategy.specs);
    found.estimate = strategies.estimate(found.strategy);
    return found;
  }

  /// Others of its stages, mesh and micro-batches: with less of the communication counted; where it
  /// is too large, with bytes at a price, and with more and more made anew.
  void vary(const SearchProblem& problem, Strategies& strategies, const Candidate& quickest,
            std::vector<Candidate>& fitting) const {
    const std::size_t before = fitting.size();
    add_data_parallel(problem, strategies, quickest, fitting);
    Point point = quickest.point;
    if (is_small(problem, quickest.estimate)) {
      fitting.push_back(quickest);
      for (const double share : {1.0, 0.5, 0.2}) {
        if (level_ == 2 && share == 1) continue;  // that is the quickest
        point.reshard_share = share;
        Candidate other = found(problem, strategies, point, level_);
        const bool is_new = other.strategy.specs != fitting.back().strategy.specs;
        if (is_new && is_small(problem, other.estimate)) fitting.push_back(std::move(other));
      }
      return;
    }
    for (const Recompute recompute :
         {Recompute::nothing, Recompute::cheap, Recompute::most, Recompute::all}) {
      point.configuration.recompute = recompute;
      if (fit(problem, strategies, point, fitting)) break;
    }
    if (fitting.size() == before)
      strategies.reject(quickest.strategy.name,
                        "needs more memory than there is, however it is cut");
  }

  /// The batch cut over the only axis, and nothing, or states alone, beside it: simulations may
  /// find what tables do not.
  static void add_data_parallel(const SearchProblem& problem, Strategies& strategies,
                                const Candidate& quickest, std::vector<Candidate>& fitting) {
    if (quickest.point.configuration.axes.size() > 1) return;
    for (const std::int32_t zero_stage : {0, 1}) {
      Candidate candidate = quickest;
      candidate.strategy.name = quickest.strategy.name + ", data-parallel";
      try {
        candidate.strategy =
            strategies.complete({.name = candidate.strategy.name,
                                 .num_micro_batches = candidate.strategy.num_micro_batches,
                                 .chunks = candidate.strategy.chunks,
                                 .annotations = {},
                                 .chunk_of = {},
                                 .batch_axis = 0,
                                 .zero_stage = zero_stage,
                                 .recompute = {}});
        candidate.estimate = strategies.estimate(candidate.strategy);
      } catch (const Error&) {
        return;  // the batch does not divide by so many devices
      }
      if (is_small(problem, candidate.estimate)) fitting.push_back(std::move(candidate));
    }
  }

  /// At the least price of bytes at which it fits. False: with more made anew it may be quicker.
  bool fit(const SearchProblem& problem, Strategies& strategies, Point point,
           std::vector<Candidate>& fitting) const {
    const auto try_price = [&](int rise) {
      point.price = rise == 0 ? 0 : std::pow(4.0, rise - 5);
      fitting.push_back(found(problem, strategies, point, level_));
      const bool fits = is_small(problem, fitting.back().estimate);
      if (!is_small(problem, fitting.back().estimate, kMemoryNear)) fitting.pop_back();
      return fits;
    };
    if (point.configuration.recompute != Recompute::nothing && try_price(0)) return true;
    int low = 0, high = 9;
    if (!try_price(high)) return false;
    while (high - low > 1) (try_price((low + high) / 2) ? high : low) = (low + high) / 2;
    return false;
  }

  static common::choice::Effort effort(std::int64_t level) {
    if (level == 2) return {.most_work = 1 << 21, .num_sweeps = 30, .improvement_work = 1 << 16};
    return {};
  }

  static bool is_small(const SearchProblem& problem, const Estimate& estimate, double near = 1) {
    return problem.memory_limit_bytes <= 0 ||
           estimate.peak_bytes <= near * problem.memory_limit_bytes;
  }

  void simulate(Strategies& strategies, const Candidate& candidate) {
    const auto is_known = [&](const auto& other) { return other == candidate.strategy; };
    if (std::ranges::any_of(simulated_, is_known)) return;
    simulated_.push_back(candidate.strategy);
    const Evaluation evaluation = strategies.evaluate(candidate.strategy);
    if (!evaluation.feasible) {
      strategies.reject(candidate.strategy.name, evaluation.reason);
      return;
    }
    ranked_.emplace_back(evaluation.step_s, candidate.strategy);
    std::ranges::stable_sort(ranked_, {}, &std::pair<double, Strategy>::first);
  }

  /// In the order of estimates, as long as one may be the quickest.
  void simulate_all(Strategies& strategies, std::vector<Candidate> candidates) {
    std::ranges::stable_sort(candidates, {}, &Candidate::step_s);
    for (const Candidate& candidate : candidates) {
      const double best_s =
          ranked_.empty() ? std::numeric_limits<double>::infinity() : ranked_.front().first;
      if (candidate.estimate.bound_s >= best_s) continue;
      if (static_cast<std::int64_t>(ranked_.size()) >= num_evaluations_) break;
      if (candidate.step_s() > kNear * best_s) break;
      simulate(strategies, candidate);
    }
  }

  /// Of a program of more ops those that repeat are cut alike at either level.
  static constexpr std::int32_t kMostUntied = 4000;
  static constexpr double kTemporaryShare = 1.0 / 32;
  // Estimates are that near to simulations.
  static constexpr double kNear = 1.25, kMemoryNear = 1.3;

  std::vector<Strategy> simulated_;
  std::vector<std::pair<double, Strategy>> ranked_;  ///< that fit, with the seconds of their step
  std::int64_t level_;
  bool strided_, joint_axes_, zero_;
  std::int64_t stages_, most_axes_, num_evaluations_, max_results_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/rhino", rhino::Rhino,
             "all axes of all meshes at once, cut by an exact solver over tables of prices")
