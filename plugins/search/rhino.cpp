// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/cut_choice.hpp"
#include "common/descent.hpp"
#include "common/memory_fit.hpp"
#include "common/shortlist.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using common::Candidate;
using common::Configuration;
using common::CutChoice;
using common::is_small;
using common::kFewOps;
using common::Recompute;
using common::Shortlist;
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
    simulated_.clear(), ranked_.clear();
    common::Uncut uncut(problem, strategies, pipeline_ == "linear");
    uncut_ = &uncut;
    std::vector<Candidate> cheap = cheapest_of_each(problem, strategies);
    least_s_ = common::least_step_s(strategies, configurations(problem), strided_);
    estimate(problem, strategies, cheap);
    SearchProblem corrected = problem;
    std::vector<Candidate> spare;
    for (int attempt = 0; attempt < kMostAttempts && ranked_.empty(); ++attempt) {
      estimated_share_ = 1;
      Shortlist shortlist(corrected, strategies, zero_);
      vary_all(corrected, strategies, cheap, shortlist);
      simulate_all(problem, strategies, shortlist);
      spare = shortlist.spare();
      if (estimated_share_ == 1) break;
      corrected.memory_limit_bytes *= estimated_share_;
    }
    for (const Candidate& candidate : spare) {
      if (ranked_.empty()) simulate(strategies, candidate);
    }
    if (ranked_.empty()) return nothing(strategies, spare);
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked_) {
      if (static_cast<std::int64_t>(best.size()) == max_results_) break;
      best.push_back(std::move(strategy));
    }
    return best;
  }

 private:
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

  /// Of what is cheap all that may be the quickest and fits by its estimate, or nearly.
  void vary_all(const SearchProblem& problem, Strategies& strategies,
                const std::vector<Candidate>& cheap, Shortlist& shortlist) {
    int num_varied = 0;
    for (const Candidate& candidate : cheap) {
      if (candidate.promised_s > kNear * shortlist.least_s()) break;
      if (is_large(problem) && std::isfinite(shortlist.least_s()) && num_varied++ >= 3) break;
      const std::size_t before = shortlist.size();
      vary(problem, strategies, candidate, shortlist);
      shortlist.recount();
      shortlist.sort(before);
      if (shortlist.size() > before && ranked_.empty())
        simulate(strategies, shortlist.all()[before]);
    }
    if (!is_large(problem)) improve(problem, strategies, shortlist);
  }

  /// Others of its stages, mesh and micro-batches: with less of the communication counted; where it
  /// is too large, with bytes at a price, and with more and more made anew.
  void vary(const SearchProblem& problem, Strategies& strategies, const Candidate& quickest,
            Shortlist& shortlist) {
    const std::size_t before = shortlist.size();
    bool is_written = shortlist.add_written(quickest);
    if (is_small(problem, quickest.estimate)) {
      shortlist.add(quickest);
      std::vector<ShardingSpec> last = quickest.strategy.specs;
      for (const double share : {1.0, 0.5, 0.2}) {
        if (share < 1 && is_large(problem)) break;
        Candidate other = cheapest(problem, strategies, quickest.configuration, level_, share);
        if (other.strategy.specs == std::exchange(last, other.strategy.specs)) continue;
        other.estimate = strategies.estimate(other.strategy);
        if (is_small(problem, other.estimate)) shortlist.add(other);
      }
      if (level_ > 2) add_recut(problem, strategies, quickest, shortlist);
      return;
    }
    Configuration configuration = quickest.configuration;
    bool is_cut = false;
    for (const Recompute recompute : common::kLeastFirst) {
      configuration.recompute = recompute;
      is_cut = is_cut || fit(problem, strategies, configuration, shortlist);
      Candidate written = quickest;
      written.configuration = configuration;
      written.strategy.name = configuration.name();
      set_recompute(written.strategy, problem.program, recompute);
      is_written = is_written || shortlist.add_written(written);
      if (is_cut && is_written) break;
    }
    if (shortlist.size() == before)
      strategies.reject(quickest.strategy.name,
                        "needs more memory than there is, however it is cut");
  }

  /// The same with stages that take equally long, cut as values then are.
  void add_recut(const SearchProblem& problem, Strategies& strategies, const Candidate& quickest,
                 Shortlist& shortlist) const {
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
      if (is_small(problem, other.estimate)) shortlist.add(std::move(other));
    } catch (const Error& error) {
      strategies.reject(configuration.name() + ", of equal times", error.what());
    }
  }

  /// The most promising of all, and of each configuration, value by value.
  void improve(const SearchProblem& problem, Strategies& strategies, Shortlist& shortlist) const {
    shortlist.sort();
    std::vector<Candidate>& fitting = shortlist.all();
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
           Shortlist& shortlist) const {
    const std::int64_t level = is_large(problem) ? kQuick : level_;
    const CutChoice choice = cuts(problem, strategies, configuration, level);
    common::MemoryFit fit(problem, strategies, choice, effort(problem, configuration, level),
                          is_large(problem) ? 8 : 60);
    std::vector<common::MemoryFit::Found> found;
    const bool is_cheapest = fit.run(found);
    if (!is_cheapest && problem.program.size() < kFewOps) fit.run_prices(found);
    for (common::MemoryFit::Found& one : found) {
      shortlist.add({.configuration = configuration,
                     .strategy = std::move(one.strategy),
                     .estimate = one.estimate});
    }
    return is_cheapest;
  }

  static common::choice::Effort effort(const SearchProblem& problem,
                                       const Configuration& configuration, std::int64_t level) {
    if (is_exact(problem, configuration, level)) return common::choice::kExact;
    if (level == kQuick && is_large(problem)) return common::choice::kQuick;
    return level < 3 ? common::choice::kThorough : common::choice::Effort{};
  }

  void simulate(Strategies& strategies, const Candidate& candidate) {
    const auto is_known = [&](const Strategy& other) {
      return common::is_same(other, candidate.strategy);
    };
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

  static std::vector<Strategy> nothing(Strategies& strategies,
                                       const std::vector<Candidate>& spare) {
    if (!spare.empty())
      strategies.reject("the smallest that was found",
                        common::needed_text(spare.front().estimate.peak_bytes));
    return {};
  }

  /// In the order of estimates, as long as one may be the quickest.
  void simulate_all(const SearchProblem& problem, Strategies& strategies, Shortlist& shortlist) {
    shortlist.sort();
    const std::size_t most = is_large(problem) ? 4 : at(num_evaluations_);
    for (const Candidate& candidate : shortlist.all()) {
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
  /// Estimates are that near to simulations.
  static constexpr double kNear = 1.25;
  static constexpr int kMostAttempts = 3;
  static constexpr int kMostChanges = 4000;

  common::Uncut* uncut_ = nullptr;  ///< of the search that goes on
  std::vector<Strategy> simulated_;
  double least_s_ = 0;          ///< that any strategy takes which the search covers
  double estimated_share_ = 1;  ///< of the bytes of what is too large those that were expected
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
