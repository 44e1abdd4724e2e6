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
        most_axes_(options.get<std::int64_t>("most_axes", 2)),
        num_evaluations_(options.get<std::int64_t>("evaluations", 16)),
        max_results_(options.get<std::int64_t>("max_results", 4)) {
    if (level_ != 2 && level_ != 3) throw Error("option 'level' must be 2 or 3");
    if (most_axes_ < 1 || num_evaluations_ < 1 || max_results_ < 1)
      throw Error("most_axes, evaluations and max_results must be at least 1");
  }

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    std::vector<Candidate> quickest, fitting;
    for (const Configuration& configuration :
         common::configurations(problem, joint_axes_ ? at(most_axes_) : 1)) {
      if (strategies.is_out_of_time()) break;
      try {
        quickest.push_back(found(problem, strategies, {configuration, 1, 0}));
      } catch (const Error& error) {
        strategies.reject(configuration.name(), error.what());
      }
    }
    std::ranges::stable_sort(quickest, {}, &Candidate::step_s);
    for (const Candidate& candidate : quickest) {
      if (strategies.is_out_of_time() || candidate.step_s() > kNear * best_s(problem, fitting))
        break;
      vary(problem, strategies, candidate, fitting);
    }
    return evaluated(strategies, std::move(fitting));
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
    double step_s() const { return estimate.step_s; }
  };

  static double best_s(const SearchProblem& problem, const std::vector<Candidate>& candidates) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
      if (is_small(problem, candidate.estimate)) best_s = std::min(best_s, candidate.step_s());
    }
    return best_s;
  }

  /// The cheapest cut of all.
  Candidate found(const SearchProblem& problem, Strategies& strategies, const Point& point) const {
    const std::int64_t count = point.configuration.num_micro_batches;
    Candidate found{point, common::uncut(problem, strategies, point.configuration), {}};
    const common::StrategyGraph graph(problem.program,
                                      strategies.space({.mesh = found.strategy.chunks.front().mesh,
                                                        .num_micro_batches = count,
                                                        .strided = strided_}),
                                      {.num_micro_batches = count,
                                       .tied = level_ == 2,
                                       .zero = zero_,
                                       .in_flight = common::in_flight(problem, found.strategy),
                                       .reshard_share = point.reshard_share,
                                       .temporary_share = kTemporaryShare});
    Solution cheapest = solve(graph.graph(), effort());
    if (point.price > 0) {
      const double price = point.price * cheapest.cost / bytes(graph.graph(), cheapest.labels);
      cheapest = solve(with_price_of_bytes(graph.graph(), price), effort());
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
    Point point = quickest.point;
    if (is_small(problem, quickest.estimate)) {
      fitting.push_back(quickest);
      for (const double share : {0.5, 0.2}) {
        point.reshard_share = share;
        Candidate other = found(problem, strategies, point);
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

  /// At the least price of bytes at which it fits. False: with more made anew it may be quicker.
  bool fit(const SearchProblem& problem, Strategies& strategies, Point point,
           std::vector<Candidate>& fitting) const {
    const auto try_price = [&](int rise) {
      point.price = rise == 0 ? 0 : std::pow(4.0, rise - 5);
      fitting.push_back(found(problem, strategies, point));
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

  common::choice::Effort effort() const {
    if (level_ == 2) return {.most_work = 1 << 21, .num_sweeps = 30, .improvement_work = 1 << 16};
    return {};
  }

  static bool is_small(const SearchProblem& problem, const Estimate& estimate, double near = 1) {
    return problem.memory_limit_bytes <= 0 ||
           estimate.peak_bytes <= near * problem.memory_limit_bytes;
  }

  /// In the order of estimates, as long as one may be the quickest.
  std::vector<Strategy> evaluated(Strategies& strategies, std::vector<Candidate> candidates) const {
    std::ranges::stable_sort(candidates, {}, &Candidate::step_s);
    std::vector<std::pair<double, Strategy>> ranked;
    double best_s = std::numeric_limits<double>::infinity();
    std::int64_t num_evaluated = 0;
    for (Candidate& candidate : candidates) {
      if (candidate.estimate.bound_s >= best_s) continue;
      if (num_evaluated == num_evaluations_ || candidate.step_s() > kNear * best_s) break;
      const Evaluation evaluation = strategies.evaluate(candidate.strategy);
      if (!evaluation.feasible) {
        strategies.reject(candidate.strategy.name, evaluation.reason);
        continue;
      }
      ++num_evaluated;
      best_s = std::min(best_s, evaluation.step_s);
      ranked.emplace_back(evaluation.step_s, std::move(candidate.strategy));
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<double, Strategy>::first);
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked) {
      if (static_cast<std::int64_t>(best.size()) == max_results_) break;
      best.push_back(std::move(strategy));
    }
    return best;
  }

  static constexpr double kTemporaryShare = 1.0 / 32;
  // Estimates are that near to simulations.
  static constexpr double kNear = 1.25, kMemoryNear = 1.3;

  std::int64_t level_;
  bool strided_, joint_axes_, zero_;
  std::int64_t most_axes_, num_evaluations_, max_results_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/rhino", rhino::Rhino,
             "all axes of all meshes at once, cut by an exact solver over tables of prices")
