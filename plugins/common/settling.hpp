// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "common/cutting.hpp"
#include "common/descent.hpp"
#include "common/local_costs.hpp"
#include "common/rewriting.hpp"
#include "common/update_descent.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// A candidate, and what its simulation says.
struct Simulated {
  Candidate candidate;
  Evaluation evaluation;

  /// Specs may differ where it makes no difference, as over axes of one device.
  bool is_of(const Candidate& other) const {
    return candidate.estimate == other.estimate &&
           (candidate.configuration == other.configuration ||
            is_same(candidate.strategy, other.strategy));
  }
};

/// Makes strategies of a small program quicker by simulation: value by value, and weights cut as
/// others have them that were simulated. Estimates of toys are some per cent off, of steps and of
/// bytes, which is more than one cut is better than the next, and what needs too much memory by an
/// estimate may not.
class Settling {
 public:
  /// Simulates a candidate; of one that is known already the answer does not fit.
  using Look = std::function<Evaluation(const Candidate&)>;

  /// The first two are borrowed. Below Cutting::whole few are settled.
  /// `num_evaluations`: that the search makes of a larger program; many times as many settle.
  Settling(const SearchProblem& problem, Strategies& strategies, const Cutting::Options& options,
           std::int64_t num_evaluations)
      : problem_(problem), strategies_(strategies), strided_(options.strided) {
    if (problem.program.size() < kFewOps)
      work_ = {.most_begun = 12,
               .most_with_room = 2,
               .most_each = 8 * num_evaluations,
               .most_all = 50 * num_evaluations,
               .rewrites = true,
               .most_added = std::numeric_limits<double>::infinity()};
    else if (problem.program.size() < kSomeOps && options.level < Cutting::whole)
      work_ = {.most_begun = 2,
               .most_with_room = 2,
               .most_each = num_evaluations,
               .most_all = 2 * num_evaluations};
    else if (problem.program.size() < kSomeOps)
      work_ = {.most_begun = 5,
               .most_with_room = 3,
               .most_each = 4 * num_evaluations,
               .most_all = 18 * num_evaluations};
  }

  /// Whether all that was simulated fits, and of what was surveyed all that may be quicker than the
  /// best, by estimates.
  static bool has_room(const SearchProblem& problem, const std::vector<Simulated>& known,
                       const std::vector<Candidate>& surveyed, double best_s) {
    const auto fits = [](const Simulated& one) { return one.evaluation.feasible; };
    const auto lacks_room = [&](const Candidate& one) {
      return !is_small(problem, one.estimate) && one.step_s() < best_s;
    };
    return std::ranges::all_of(known, fits) && std::ranges::none_of(surveyed, lacks_room);
  }

  /// Begins with what fits, the quickest first, and with what nearly does and may be as quick, the
  /// smallest first. `has_room`: as above.
  /// What is looked at may add to what is known: a copy.
  void run(const std::vector<Simulated> known, bool has_room, const Look& look) {
    std::vector<const Simulated*> fitting, large;
    for (const Simulated& one : known) {
      if (!has_equal_meshes(one.candidate.strategy) || one.evaluation.peak_bytes <= 0) continue;
      if (one.evaluation.feasible) fitting.push_back(&one);
      else if (is_nearly_small(one)) large.push_back(&one);
    }
    std::ranges::stable_sort(fitting, {}, [](const auto* one) { return one->evaluation.step_s; });
    const double best_s = fitting.empty() ? std::numeric_limits<double>::infinity()
                                          : fitting.front()->evaluation.step_s;
    std::erase_if(
        large, [&](const auto* one) { return one->candidate.step_s() > kNearlyAsQuick * best_s; });
    std::ranges::stable_sort(large, {}, [](const auto* one) { return one->evaluation.peak_bytes; });
    num_left_of_all_ = work_.most_all;
    // Where all fits what is quickest by its estimate mostly is, and ends as the quickest.
    const std::size_t most = has_room ? work_.most_with_room : work_.most_begun;
    for (std::vector<const Simulated*>* begun : {&fitting, &large}) {
      if (begun->size() > most) begun->resize(most);
      for (const Simulated* one : *begun) settle(*one, known, look);
    }
  }

 private:
  struct Work {
    std::size_t most_begun = 0;                ///< strategies of either kind
    std::size_t most_with_room = 0;            ///< where all fits
    std::int64_t most_each = 0, most_all = 0;  ///< strategies simulated, for each and for all
    bool rewrites = false;  ///< parameters are cut otherwise, and all else with them
    /// Of a step, by tables: what adds more is not looked at. They know nothing of what fuses: what
    /// adds 12 % by them has been found to be worth it.
    double most_added = 0.25;
  };

  static constexpr std::int32_t kSomeOps = 1500;
  static constexpr double kNear = 1.03;  ///< of the estimate of what it is made of
  /// Of the memory, by bytes as far from their estimate as those of what it is made of.
  static constexpr double kNearRoom = 1.01;
  static constexpr double kNearlySmall = 1.15, kNearlyAsQuick = 1.05;

  static bool has_equal_meshes(const Strategy& strategy) {
    return std::ranges::all_of(strategy.chunks, [&](const Chunk& chunk) {
      return chunk.mesh.axes == strategy.chunks.front().mesh.axes;
    });
  }

  bool is_nearly_small(const Simulated& one) const {
    return one.evaluation.peak_bytes <= kNearlySmall * problem_.memory_limit_bytes;
  }

  void settle(Simulated best, const std::vector<Simulated>& known, const Look& look) {
    const StrategySpace& space =
        strategies_.space({.mesh = best.candidate.strategy.chunks.front().mesh,
                           .num_micro_batches = best.candidate.configuration.num_micro_batches,
                           .strided = strided_});
    const UpdateDescent::Groups weights = UpdateDescent(problem_, space).groups();
    num_left_ = std::min(work_.most_each, num_left_of_all_);
    num_left_of_all_ -= num_left_;
    for (bool is_better = true; is_better && num_left_ > 0;) {
      is_better = change(space, best, look);
      is_better |= cross(weights, known, best, look);
      if (work_.rewrites) is_better |= rewrite(best, look);
    }
    num_left_of_all_ += num_left_;
  }

  bool change(const StrategySpace& space, Simulated& best, const Look& look) {
    const std::unique_ptr<Trial> trial = strategies_.try_out(best.candidate.strategy);
    bool is_better = false;
    for (const Change& change : changes(space, best, *trial))
      is_better |= takes({change.value}, {change.spec}, *trial, best, look);
    return is_better;
  }

  bool cross(const UpdateDescent::Groups& weights, const std::vector<Simulated>& known,
             Simulated& best, const Look& look) {
    const std::unique_ptr<Trial> trial = strategies_.try_out(best.candidate.strategy);
    bool is_better = false;
    for (const Simulated& other : known) {
      if (!is_like(other.candidate, best.candidate)) continue;
      for (const auto& [like, values] : weights) {
        std::vector<const ShardingSpec*> specs;
        for (const ValueId value : values)
          specs.push_back(&other.candidate.strategy.specs[at(value)]);
        is_better |= takes(values, specs, *trial, best, look);
      }
    }
    return is_better;
  }

  bool rewrite(Simulated& best, const Look& look) {
    bool is_better = false;
    Rewriting(problem_, strategies_).each(best.candidate, [&](Candidate& next) {
      if (num_left_ <= 0 || !is_hopeful(next.estimate, best)) return false;
      const bool is_taken = takes(next, best, look);
      is_better |= is_taken;
      return is_taken;
    });
    return is_better;
  }

  /// Whether specs of one are specs of the other.
  static bool is_like(const Candidate& a, const Candidate& b) {
    return a.strategy.chunks.size() == b.strategy.chunks.size() && has_equal_meshes(a.strategy) &&
           a.configuration.is_of_mesh(b.configuration) &&
           a.configuration.num_micro_batches == b.configuration.num_micro_batches;
  }

  struct Change {
    ValueId value;
    const ShardingSpec* spec;
    double step_s;
  };

  /// Per value the first that the space says is like it and is cut as it is: changes of the one do
  /// what those of the other do, or nearly. A change that is made is priced on its own.
  static std::vector<ValueId> first_alike(const StrategySpace& space, const Strategy& strategy) {
    std::vector<ValueId> first(strategy.specs.size());
    std::iota(first.begin(), first.end(), 0);
    for (const std::vector<ValueId>& values : space.repeats) {
      for (const ValueId value : values) {
        first[at(value)] = *std::ranges::find_if(values, [&](ValueId other) {
          return strategy.specs[at(other)] == strategy.specs[at(value)] &&
                 strategy.chunk_of[at(other)] == strategy.chunk_of[at(value)];
        });
      }
    }
    return first;
  }

  /// Of one value each, what is estimated to be the quickest first.
  std::vector<Change> changes(const StrategySpace& space, const Simulated& of, Trial& trial) const {
    const std::vector<bool> is_free = free_values(problem_, space);
    LocalCosts local(problem_.program, space, of.candidate.strategy);
    const double infinite = std::numeric_limits<double>::infinity(),
                 most_added_s = work_.most_added * of.candidate.step_s();
    const std::vector<ValueId> alike = first_alike(space, of.candidate.strategy);
    std::map<std::pair<ValueId, std::int32_t>, double> known;  // of the first that is alike
    std::vector<Change> changes;
    for (const OpClass& op : space.classes) {
      for (const ValueId value : op.values) {
        if (!is_free[at(value)]) continue;
        std::int32_t last = -1;
        for (const OpStrategy& strategy : op.strategies) {
          if (strategy.result == std::exchange(last, strategy.result)) continue;
          const ShardingSpec& spec = space.layouts[at(op.result_set)].specs[at(last)];
          const auto [step_s, is_new] = known.try_emplace({alike[at(value)], last}, infinite);
          if (is_new && local.added_s(value, last) <= most_added_s) {
            const int num_set = set({value}, {&spec}, trial);
            if (num_set > 0) {
              const Estimate now = trial.price();
              if (is_hopeful(now, of)) step_s->second = now.step_s;
            }
            undo(trial, num_set);
          }
          if (step_s->second < infinite) changes.push_back({value, &spec, step_s->second});
        }
      }
    }
    std::ranges::stable_sort(changes, {}, &Change::step_s);
    return changes;
  }

  /// Keeps these values cut so where that is quicker.
  bool takes(const std::vector<ValueId>& values, const std::vector<const ShardingSpec*>& specs,
             Trial& trial, Simulated& best, const Look& look) {
    if (num_left_ <= 0) return false;
    const int num_set = set(values, specs, trial);
    if (num_set == 0) return false;
    Candidate next = best.candidate;
    next.estimate = trial.price();
    if (is_hopeful(next.estimate, best)) {
      next.strategy = trial.strategy();
      if (takes(next, best, look)) return true;
    }
    undo(trial, num_set);
    return false;
  }

  bool takes(const Candidate& next, Simulated& best, const Look& look) {
    --num_left_;
    const Evaluation evaluation = look(next);
    const bool is_taken = is_better(evaluation, best.evaluation);
    if (is_taken) best = {next, evaluation};
    return is_taken;
  }

  /// What does not fit is better the smaller it is.
  static bool is_better(const Evaluation& a, const Evaluation& b) {
    if (!b.feasible) return a.feasible || (a.peak_bytes > 0 && a.peak_bytes < b.peak_bytes);
    return a.feasible && a.step_s < b.step_s * (1 - 1e-6);
  }

  bool is_hopeful(const Estimate& now, const Simulated& of) const {
    const double off = of.evaluation.peak_bytes / of.candidate.estimate.peak_bytes;
    return now.step_s <= kNear * of.candidate.step_s() &&
           (problem_.memory_limit_bytes <= 0 ||
            off * now.peak_bytes <=
                std::max(kNearRoom * problem_.memory_limit_bytes, of.evaluation.peak_bytes));
  }

  /// How many were set; 0 where some op cannot be cut so, too.
  static int set(const std::vector<ValueId>& values, const std::vector<const ShardingSpec*>& specs,
                 Trial& trial) {
    int num_set = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (trial.strategy().specs[at(values[i])] == *specs[i]) continue;
      try {
        trial.set(values[i], *specs[i]);
      } catch (const Error&) {
        undo(trial, num_set);
        return 0;
      }
      ++num_set;
    }
    return num_set;
  }
  static void undo(Trial& trial, int num_set) {
    for (; num_set > 0; --num_set) trial.undo();
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  bool strided_;
  Work work_;
  std::int64_t num_left_ = 0, num_left_of_all_ = 0;
};

}  // namespace rhino::common
