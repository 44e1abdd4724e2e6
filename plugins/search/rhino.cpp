// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/cut_choice.hpp"
#include "common/descent.hpp"
#include "common/memory_fit.hpp"
#include "common/written.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using common::Configuration;
using common::CutChoice;
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
        pipeline_(options.get<std::string>("pipeline", "any")),
        stages_(options.get<std::int64_t>("stages", 0)),
        most_axes_(options.get<std::int64_t>("most_axes", 2)),
        num_evaluations_(options.get<std::int64_t>("evaluations", 40)),
        max_results_(options.get<std::int64_t>("max_results", 4)) {
    if (level_ != 2 && level_ != 3) throw Error("option 'level' must be 2 or 3");
    if (pipeline_ != "any" && pipeline_ != "linear")
      throw Error("option 'pipeline' must be any or linear");
    if (most_axes_ < 1 || num_evaluations_ < 1 || max_results_ < 1)
      throw Error("most_axes, evaluations and max_results must be at least 1");
  }

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    simulated_.clear(), ranked_.clear(), spare_.clear();
    common::Uncut uncut(problem, strategies, pipeline_ == "linear");
    uncut_ = &uncut;
    std::vector<Candidate> cheap = cheapest_of_each(problem, strategies);
    least_s_ = common::least_step_s(strategies, configurations(problem), strided_);
    estimate(problem, strategies, cheap);
    SearchProblem corrected = problem;
    for (int attempt = 0; attempt < kMostAttempts && ranked_.empty(); ++attempt) {
      estimated_share_ = 1;
      simulate_all(problem, strategies, varied(corrected, strategies, cheap));
      if (estimated_share_ == 1) break;
      corrected.memory_limit_bytes *= estimated_share_;
    }
    for (const Candidate& candidate : spare_) {
      if (ranked_.empty()) simulate(strategies, candidate);
    }
    if (ranked_.empty()) return nothing(strategies);
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked_) {
      if (static_cast<std::int64_t>(best.size()) == max_results_) break;
      best.push_back(std::move(strategy));
    }
    return best;
  }

 private:
  struct Candidate {
    Configuration configuration;
    Strategy strategy;
    double table_s = 0;  ///< of a step in which nothing overlaps and stages do equal parts
    Estimate estimate = {};
    double promised_s = 0;  ///< of what is surveyed: its step, or of its mesh as it may be written
    double step_s() const { return estimate.step_s; }
  };

  /// All that the search covers, most micro-batches first.
  std::vector<Configuration> configurations(const SearchProblem& problem) const {
    std::vector<Configuration> all =
        common::configurations(problem, joint_axes_ ? at(most_axes_) : 1);
    std::erase_if(
        all, [&](const Configuration& one) { return stages_ != 0 && one.num_stages != stages_; });
    std::ranges::reverse(all);
    return all;
  }

  /// The cheapest cut of each configuration, by tables; of fewer micro-batches as long as they take
  /// less. In the order of what they cost.
  std::vector<Candidate> cheapest_of_each(const SearchProblem& problem, Strategies& strategies) {
    std::vector<Candidate> cheap;
    for (const std::vector<Configuration>& group : common::by_mesh(configurations(problem))) {
      double best_s = std::numeric_limits<double>::infinity();
      for (const Configuration& configuration : group) {
        try {
          cheap.push_back(cheapest(problem, strategies, configuration, kQuick));
        } catch (const Error& error) {
          strategies.reject(configuration.name(), error.what());
          continue;
        }
        if (cheap.back().table_s > 1.1 * best_s) break;
        best_s = std::min(best_s, cheap.back().table_s);
      }
    }
    std::ranges::stable_sort(cheap, {}, &Candidate::table_s);
    return cheap;
  }

  CutChoice cuts(const SearchProblem& problem, Strategies& strategies,
                 const Configuration& configuration, std::int64_t level, double share = 1,
                 const std::vector<std::int32_t>& stage_of = {}) const {
    return {problem,
            strategies,
            uncut_->of(configuration, stage_of),
            configuration,
            {.tied = !is_exact(problem, configuration, level),
             .zero = zero_,
             .strided = strided_,
             .reshard_share = share}};
  }

  /// `share`: of seconds in collectives, the rest lying beside kernels.
  Candidate cheapest(const SearchProblem& problem, Strategies& strategies,
                     const Configuration& configuration, std::int64_t level,
                     double share = 1) const {
    const CutChoice choice = cuts(problem, strategies, configuration, level, share);
    const Solution found = choice.solve(effort(problem, configuration, level));
    if (found.cost >= common::choice::kForbidden) throw Error("no cut of it keeps to the pins");
    return {configuration, choice.strategy(found.labels), choice.step_s(found.cost)};
  }

  /// Of those that may be the quickest, and of the cheapest of each mesh; the others are dropped.
  /// In the order of what they promise.
  void estimate(const SearchProblem& problem, Strategies& strategies,
                std::vector<Candidate>& cheap) const {
    constexpr std::size_t kMostEstimates = 12;
    std::vector<Candidate> looked;
    std::vector<double> shares;  // of estimates that meshes promise
    std::vector<std::vector<std::int64_t>> meshes;
    for (Candidate& candidate : cheap) {
      std::vector<std::int64_t> mesh = candidate.configuration.axes;
      mesh.push_back(candidate.configuration.num_stages);
      const std::size_t m = at(std::ranges::find(meshes, mesh) - meshes.begin());
      if (m < meshes.size() && looked.size() >= kMostEstimates && is_large(problem)) continue;
      candidate.estimate = strategies.estimate(candidate.strategy);
      if (m == meshes.size()) {
        meshes.push_back(std::move(mesh));
        shares.push_back(common::written_s(problem.program, strategies, candidate.strategy, zero_) /
                         candidate.step_s());
      }
      candidate.promised_s = candidate.step_s() * std::min(1.0, shares[m]);
      looked.push_back(std::move(candidate));
    }
    cheap = std::move(looked);
    std::ranges::stable_sort(cheap, {}, &Candidate::promised_s);
  }

  /// Whether op by op is affordable: over one axis eliminating nodes is exact.
  static bool is_exact(const SearchProblem& problem, const Configuration& configuration,
                       std::int64_t level) {
    return level == 3 && (!is_large(problem) || configuration.axes.size() == 1);
  }

  static bool is_large(const SearchProblem& problem) {
    return problem.program.size() > kMostUntied;
  }

  static double best_s(const SearchProblem& problem, const std::vector<Candidate>& candidates) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
      if (is_small(problem, candidate.estimate)) best_s = std::min(best_s, candidate.step_s());
    }
    return best_s;
  }

  /// Of what is cheap all that may be the quickest and fits by its estimate, or nearly.
  std::vector<Candidate> varied(const SearchProblem& problem, Strategies& strategies,
                                const std::vector<Candidate>& cheap) {
    std::vector<Candidate> fitting;
    int num_varied = 0;
    for (const Candidate& candidate : cheap) {
      if (candidate.promised_s > kNear * best_s(problem, fitting)) break;
      if (is_large(problem) && !fitting.empty() && num_varied++ >= 3) break;
      const std::size_t before = fitting.size();
      vary(problem, strategies, candidate, fitting);
      std::ranges::stable_sort(fitting.begin() + static_cast<std::ptrdiff_t>(before), fitting.end(),
                               {}, &Candidate::step_s);
      if (fitting.size() > before && ranked_.empty()) simulate(strategies, fitting[before]);
    }
    if (!is_large(problem)) improve(problem, strategies, fitting);
    return fitting;
  }

  /// Others of its stages, mesh and micro-batches: with less of the communication counted; where it
  /// is too large, with bytes at a price, and with more and more made anew.
  void vary(const SearchProblem& problem, Strategies& strategies, const Candidate& quickest,
            std::vector<Candidate>& fitting) {
    const std::size_t before = fitting.size();
    add_propagated(problem, strategies, quickest, fitting);
    if (is_small(problem, quickest.estimate)) {
      fitting.push_back(quickest);
      for (const double share : {1.0, 0.5, 0.2}) {
        if (share < 1 && is_large(problem)) break;
        Candidate other = cheapest(problem, strategies, quickest.configuration, level_, share);
        if (other.strategy.specs == fitting.back().strategy.specs) continue;
        other.estimate = strategies.estimate(other.strategy);
        if (is_small(problem, other.estimate)) fitting.push_back(std::move(other));
      }
      if (level_ > 2) add_recut(problem, strategies, quickest, fitting);
      return;
    }
    Configuration configuration = quickest.configuration;
    for (const Recompute recompute :
         {Recompute::nothing, Recompute::cheap, Recompute::most, Recompute::all}) {
      configuration.recompute = recompute;
      if (fit(problem, strategies, configuration, fitting)) break;
    }
    Candidate smallest = quickest;
    smallest.configuration = configuration;
    smallest.strategy.name = configuration.name();
    for (Chunk& chunk : smallest.strategy.chunks) chunk.recompute = true;
    add_propagated(problem, strategies, smallest, fitting);
    if (fitting.size() == before)
      strategies.reject(quickest.strategy.name,
                        "needs more memory than there is, however it is cut");
  }

  /// The same with stages that take equally long, cut as values then are.
  void add_recut(const SearchProblem& problem, Strategies& strategies, const Candidate& quickest,
                 std::vector<Candidate>& fitting) const {
    const Configuration& configuration = quickest.configuration;
    if (configuration.num_stages == 1) return;
    const CutChoice equal = cuts(problem, strategies, configuration, 2, 1);
    const common::LinearStages stages(
        problem.program, equal.seconds(equal.solve(effort(problem, configuration, 2)).labels));
    try {
      const CutChoice choice =
          cuts(problem, strategies, configuration, level_, 1, stages.cut(configuration.num_stages));
      Candidate other{configuration,
                      choice.strategy(choice.solve(effort(problem, configuration, level_)).labels)};
      other.estimate = strategies.estimate(other.strategy);
      if (is_small(problem, other.estimate)) fitting.push_back(std::move(other));
    } catch (const Error& error) {
      strategies.reject(configuration.name() + ", of equal times", error.what());
    }
  }

  /// As a person would write it. Simulations may find what tables do not.
  void add_propagated(const SearchProblem& problem, Strategies& strategies,
                      const Candidate& candidate, std::vector<Candidate>& fitting) {
    for (StrategyDraft& draft : common::written_ways(problem.program, candidate.strategy))
      add_completed(problem, strategies, {candidate.configuration, {}}, draft, fitting);
  }

  /// With states whole; cut like the batch; gradients too; parameters too.
  void add_completed(const SearchProblem& problem, Strategies& strategies, Candidate candidate,
                     StrategyDraft& draft, std::vector<Candidate>& fitting) {
    const int most_zero = zero_ && draft.batch_axis >= 0 ? 3 : 0;
    for (draft.zero_stage = 0; draft.zero_stage <= most_zero; ++draft.zero_stage) {
      try {
        candidate.strategy = strategies.complete(draft);
        candidate.estimate = strategies.estimate(candidate.strategy);
      } catch (const Error&) {
        return;  // as above
      }
      keep(problem, candidate, fitting);
    }
  }

  /// The most promising of all, and of each configuration, value by value.
  void improve(const SearchProblem& problem, Strategies& strategies,
               std::vector<Candidate>& fitting) const {
    std::ranges::stable_sort(fitting, {}, &Candidate::step_s);
    std::vector<Configuration> known;
    const std::size_t count = fitting.size();
    for (std::size_t i = 0; i < count && known.size() < 4; ++i) {
      if (!is_small(problem, fitting[i].estimate)) continue;
      if (std::ranges::count(known, fitting[i].configuration) > 0) continue;
      known.push_back(fitting[i].configuration);
      Candidate better = fitting[i];
      const StrategySpace& space =
          strategies.space({.mesh = better.strategy.chunks.front().mesh,
                            .num_micro_batches = better.configuration.num_micro_batches,
                            .strided = strided_});
      better.strategy = common::Descent(problem, space, kMostChanges)
                            .run(strategies, fitting[i].strategy, better.estimate);
      if (better.estimate != fitting[i].estimate) fitting.push_back(std::move(better));
    }
  }

  /// True where the cheapest cut fits: to make more anew does not help then.
  bool fit(const SearchProblem& problem, Strategies& strategies, const Configuration& configuration,
           std::vector<Candidate>& fitting) {
    const std::int64_t level = is_large(problem) ? kQuick : level_;
    const CutChoice choice = cuts(problem, strategies, configuration, level);
    common::MemoryFit fit(problem, strategies, choice, effort(problem, configuration, level),
                          is_large(problem) ? 8 : 60);
    std::vector<common::MemoryFit::Found> found;
    const bool is_cheapest = fit.run(found);
    if (!is_cheapest && problem.program.size() < kFewOps) fit.run_prices(found);
    for (common::MemoryFit::Found& one : found) {
      keep(problem,
           {.configuration = configuration,
            .strategy = std::move(one.strategy),
            .estimate = one.estimate},
           fitting);
    }
    return is_cheapest;
  }

  /// Estimates of bytes are a little off, and of toys more: what is far too large by its own is
  /// simulated where nothing else fits, the smallest first.
  void keep(const SearchProblem& problem, Candidate candidate, std::vector<Candidate>& fitting) {
    if (!common::keeps_pins(problem, candidate.strategy)) return;
    const double near = problem.program.size() < kFewOps ? 2 : kMemoryNear;
    if (is_small(problem, candidate.estimate, near)) return fitting.push_back(std::move(candidate));
    spare_.push_back(std::move(candidate));
    std::ranges::stable_sort(spare_, {},
                             [](const Candidate& one) { return one.estimate.peak_bytes; });
    if (spare_.size() > kMostSpare) spare_.pop_back();
  }

  static common::choice::Effort effort(const SearchProblem& problem,
                                       const Configuration& configuration, std::int64_t level) {
    if (is_exact(problem, configuration, level)) return common::choice::kExact;
    if (level == kQuick && is_large(problem)) return common::choice::kQuick;
    return level < 3 ? common::choice::kThorough : common::choice::Effort{};
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
      if (evaluation.peak_bytes > candidate.estimate.peak_bytes)
        estimated_share_ =
            std::min(estimated_share_, candidate.estimate.peak_bytes / evaluation.peak_bytes);
      strategies.reject(candidate.strategy.name, evaluation.reason);
      return;
    }
    if (ranked_.empty()) strategies.offer(candidate.strategy, least_s_);
    ranked_.emplace_back(evaluation.step_s, candidate.strategy);
    std::ranges::stable_sort(ranked_, {}, &std::pair<double, Strategy>::first);
  }

  std::vector<Strategy> nothing(Strategies& strategies) const {
    if (!spare_.empty())
      strategies.reject("the smallest that was found",
                        common::needed_text(spare_.front().estimate.peak_bytes));
    return {};
  }

  /// In the order of estimates, as long as one may be the quickest.
  void simulate_all(const SearchProblem& problem, Strategies& strategies,
                    std::vector<Candidate> candidates) {
    std::ranges::stable_sort(candidates, {}, &Candidate::step_s);
    const std::size_t most = is_large(problem) ? 4 : at(num_evaluations_);
    for (const Candidate& candidate : candidates) {
      const double best_s =
          ranked_.empty() ? std::numeric_limits<double>::infinity() : ranked_.front().first;
      if (candidate.estimate.bound_s >= best_s) continue;
      if (ranked_.size() >= most || simulated_.size() >= 4 * most) break;
      if (candidate.step_s() > kNear * best_s) break;
      simulate(strategies, candidate);
    }
  }

  /// A level for what is looked at first.
  static constexpr std::int64_t kQuick = 1;
  /// Of a program of more ops those that repeat are cut alike over several axes.
  static constexpr std::int32_t kMostUntied = 4000;
  /// Of fewer ops estimates of memory say little.
  static constexpr std::int32_t kFewOps = 400;
  // Estimates are that near to simulations.
  static constexpr double kNear = 1.25, kMemoryNear = 1.3;
  static constexpr std::size_t kMostSpare = 16;
  static constexpr int kMostAttempts = 3;
  static constexpr int kMostChanges = 4000;

  common::Uncut* uncut_ = nullptr;  ///< of the search that goes on
  std::vector<Strategy> simulated_;
  double least_s_ = 0;            ///< that any strategy takes which the search covers
  double estimated_share_ = 1;    ///< of the bytes of what is too large those that were expected
  std::vector<Candidate> spare_;  ///< that are too large by their estimates, the smallest first
  std::vector<std::pair<double, Strategy>> ranked_;  ///< that fit, with the seconds of their step
  std::int64_t level_;
  bool strided_, joint_axes_, zero_;
  std::string pipeline_;
  std::int64_t stages_, most_axes_, num_evaluations_, max_results_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/rhino", rhino::Rhino,
             "all axes of all meshes at once, cut by an exact solver over tables of prices")
