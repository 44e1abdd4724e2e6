// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/best_found.hpp"
#include "common/even_meshes.hpp"
#include "common/first_offer.hpp"
#include "common/fitted.hpp"
#include "common/hopes.hpp"
#include "common/how_much.hpp"
#include "common/misled.hpp"
#include "common/of_equal_times.hpp"
#include "common/one_axis.hpp"
#include "common/option_values.hpp"
#include "common/other_cuts.hpp"
#include "common/refinement.hpp"
#include "common/remade_stages.hpp"
#include "common/settling.hpp"
#include "common/shortlist.hpp"
#include "common/survey.hpp"
#include "common/unequal_stages.hpp"
#include "common/weight_by_weight.hpp"
#include "rhino/error.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using common::Candidate;
using common::Configuration;
using common::CutChoice;
using common::Cutting;
using common::is_small;
using common::kFewOps;
using common::Recompute;
using common::Shortlist;

/// Rhino's question, answered over tables: per number of stages, factorization of their devices
/// into mesh axes and micro-batch count the cut of every op, over all axes at once, that takes the
/// least seconds in kernels and collectives; where that needs too much memory, with bytes at a
/// price, and with more and more recomputed. What is estimated to be quick is simulated.
class Rhino : public Search {
 public:
  explicit Rhino(const Options& options)
      : level_(common::whole_option(options, "level", 3, {.least = 2, .most = 3})),
        strided_(options.get<bool>("strided", true)),
        joint_axes_(options.get<bool>("joint_axes", true)),
        zero_(options.get<bool>("zero", true)),
        unequal_(options.get<bool>("unequal", true)),
        pipeline_(common::word_option(options, "pipeline", "any", {"any", "linear"})),
        stages_(common::whole_option(options, "stages", 0, {.least = 0})),
        most_axes_(common::whole_option(options, "most_axes", 2, {.least = 1})),
        num_evaluations_(common::whole_option(options, "evaluations", 40, {.least = 1})),
        max_results_(common::whole_option(options, "max_results", 4, {.least = 1})) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    best_.clear(), earlier_.clear(), first_.reset();
    solutions_ = std::make_shared<common::choice::KnownSolutions>();
    // Segments may have what the whole graph, which of few ops takes no longer, overlooks.
    const std::int32_t num_ops = problem.program.size();
    is_first_ = level_ == Cutting::whole && num_ops >= kFewOps && num_ops <= kMostTwice;
    if (is_first_) run(problem, strategies, Cutting::segments);
    is_first_ = false;
    const std::int64_t last = num_ops < kFewOps ? std::int64_t{Cutting::whole} : level_;
    run(problem, strategies, last);
    const SearchProblem poorer = common::of_least_memory(problem);
    if (best_.empty() && poorer.memory_limit_bytes < problem.memory_limit_bytes)
      run(poorer, strategies, last);
    if (first_) best_.add(first_->first, first_->second);  // so late, as it bounds no search
    return best_.strategies(at(max_results_));
  }

 private:
  void run(const SearchProblem& problem, Strategies& strategies, std::int64_t level) {
    common::Cutting cutting(
        problem, strategies,
        {.zero = zero_, .strided = strided_, .is_linear = pipeline_ == "linear", .level = level},
        solutions_);
    cutting_ = &cutting;
    hopes_ = common::Hopes({.is_quick = is_quick(), .is_long = is_long()});
    const bool is_first = best_.empty() && !first_ && stages_ <= 1;  // it has one stage
    if (is_first && (level_ == Cutting::whole || !is_quick()))
      first_ = common::offer_data_parallelism(problem, strategies, zero_);
    std::vector<std::vector<Configuration>> all;  // of as many devices
    std::vector<double> least_s;
    const std::vector<std::int64_t> counts = common::device_counts(problem.cluster);
    for (const std::int64_t count : counts) {
      all.push_back(configurations(problem, count));
      least_s.push_back(cutting.least_steps().of(all.back()));
      if (has_unequal())
        least_s.back() = std::min(
            least_s.back(), common::UnequalStages(problem, cutting, axes_options()).least_s(count));
    }
    if (std::ranges::all_of(all, &std::vector<Configuration>::empty))
      strategies.reject("stages",
                        "the devices do not divide into " + std::to_string(stages_) + " stages");
    least_s_ = *std::ranges::min_element(least_s);
    if (is_first && first_ && std::isfinite(least_s_)) strategies.offer(first_->second, least_s_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      num_devices_ = counts[i];
      if (i > 0 && least_s[i] >= best_s()) continue;
      if (!is_quick() && common::are_axes_dear(cutting, all[i]))
        explore(problem, strategies, common::of_one_axis(all[i]));
      explore(problem, strategies, all[i]);
    }
  }

  std::int64_t level() const { return cutting_->options().level; }
  bool has_unequal() const { return unequal_ && !cutting_->is_large(); }
  common::UnequalStages::Options axes_options() const {
    return {.most_axes = joint_axes_ ? at(most_axes_) : 1, .num_stages = stages_};
  }

  /// On as many devices, most micro-batches first.
  std::vector<Configuration> configurations(const SearchProblem& problem,
                                            std::int64_t num_devices) const {
    std::vector<Configuration> all =
        common::configurations(problem, num_devices, joint_axes_ ? at(most_axes_) : 1);
    if (stages_ != 0) std::erase_if(all, [&](auto& one) { return one.num_stages != stages_; });
    if (is_long()) common::leave_turned(problem.cluster, all);
    std::ranges::reverse(all);
    return all;
  }

  /// Of all that was simulated; infinite: nothing fits yet.
  double best_s() const { return best_.step_s(); }

  /// All of as many devices.
  void explore(const SearchProblem& problem, Strategies& strategies,
               const std::vector<Configuration>& all) {
    const common::Survey survey(*cutting_);
    std::vector<Candidate> cheap = survey.run(all);
    simulated_.clear(), num_fitting_ = 0;
    std::vector<Candidate> spare = fit_all(problem, strategies, cheap, has_unequal());
    const std::vector<Candidate> dear = survey.left_out(all, cheap, best_s());
    std::ranges::move(fit_all(problem, strategies, dear, false), std::back_inserter(spare));
    cheap.insert(cheap.end(), dear.begin(), dear.end());
    const bool has_room = common::Settling::has_room(problem, simulated_, cheap, best_s());
    if (problem.program.size() < kFewOps && !has_room)
      cut_by_weight(problem, strategies, all, Recompute::nothing);
    settle(problem, strategies, has_room);
    for (const Candidate& candidate : spare) {
      if (best_.empty()) simulate(strategies, candidate);
    }
    if (best_.empty() && problem.program.size() < kMostResorted)
      cut_by_weight(problem, strategies, all, Recompute::all);
  }

  /// Where all fits, what the first of two runs has simulated is settled in the other one.
  void settle(const SearchProblem& problem, Strategies& strategies, bool has_room) {
    if (is_first_ && has_room) {
      earlier_.insert(earlier_.end(), simulated_.begin(), simulated_.end());
      return;
    }
    earlier_.insert(earlier_.begin(), simulated_.begin(), simulated_.end());
    common::Settling(problem, strategies, cutting_->options(), num_evaluations_)
        .run(std::exchange(earlier_, {}), has_room,
             [&](const Candidate& one) { return simulate(strategies, one); });
  }

  /// Simulates what of these is the quickest that fits. Returns what else may fit.
  std::vector<Candidate> fit_all(const SearchProblem& problem, Strategies& strategies,
                                 const std::vector<Candidate>& cheap, bool has_unequal) {
    SearchProblem corrected = problem;
    std::vector<Candidate> spare, looked;  // none: all
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      misled_ = {};
      const std::size_t before = num_fitting_;
      Shortlist shortlist(corrected, strategies, zero_, common::written_near(*cutting_));
      vary_all(corrected, strategies, looked.empty() ? cheap : looked, shortlist);
      if (has_unequal && (looked.empty() || looked.size() == cheap.size()))
        common::UnequalStages(corrected, *cutting_, axes_options()).run(num_devices_, shortlist);
      simulate_all(corrected, strategies, shortlist, before);
      spare = shortlist.spare();
      // What has room is chosen anew, too, where what seemed to have it and to be quicker has not:
      // of a small program all, else what was misleading.
      const auto& quickest = misled_.quickest();
      const bool is_misled = quickest.step_s < common::misled_near(*cutting_) * best_s();
      if (misled_.least_share() == 1 || (num_fitting_ > 0 && !is_misled)) break;
      corrected.memory_limit_bytes *= num_fitting_ == 0 ? misled_.least_share() : quickest.share;
      if (num_fitting_ > 0 && problem.program.size() >= kFewOps) {
        looked = common::alike(looked.empty() ? cheap : looked, quickest.configuration);
        if (looked.empty()) break;
      }
    }
    return spare;
  }

  void cut_by_weight(const SearchProblem& problem, Strategies& strategies,
                     const std::vector<Configuration>& all, Recompute recompute) {
    common::WeightByWeight by_weight(problem, strategies, cutting_->options(), kMostByWeight);
    for (const Candidate& one : by_weight.run(all, recompute)) simulate(strategies, one);
  }

  /// Of what is cheap all that may be the quickest and fits by its estimate, or nearly; of a large
  /// program one of a mesh, and a few meshes.
  void vary_all(const SearchProblem& problem, Strategies& strategies,
                const std::vector<Candidate>& cheap, Shortlist& shortlist) {
    constexpr std::size_t kMostMeshes = 4;
    std::vector<Configuration> varied;  // of meshes of which something fits
    for (const Candidate& candidate : cheap) {
      // An estimate may be far too low: what was simulated tells more.
      const bool is_told = cutting_->is_large() && !best_.empty();
      const double least_s = is_told ? best_s() : std::min(best_s(), shortlist.least_s());
      if (candidate.promised_s > promising() * least_s) continue;
      // To make it fit takes time, of the search and of the step.
      const double fitting_s =
          candidate.promised_s * common::squeeze(problem, candidate.estimate.peak_bytes);
      if (is_quick() && fitting_s > kWorthFitting * least_s &&
          !is_small(problem, candidate.estimate))
        continue;
      if (cutting_->is_large() && is_of_any(candidate.configuration, varied)) continue;
      if (cutting_->is_large() && varied.size() >= kMostMeshes) break;
      const std::size_t before = shortlist.size();
      try {
        vary(problem, strategies,
             cutting_->is_large() ? common::roomiest(problem, candidate, cheap) : candidate,
             shortlist);
      } catch (const Error& error) {  // one of its cuts was not found
        strategies.reject(candidate.configuration.name(), error.what());
      }
      shortlist.recount();
      shortlist.sort(before);
      bool is_any = false;
      for (std::size_t i = before; i < shortlist.size(); ++i) {
        const Candidate& first = shortlist.all()[i];
        if (!is_small(problem, first.estimate)) continue;
        is_any = true;
        // What is full by its estimate may not fit, and takes the longest to plan.
        if (is_quick() && !is_small(problem, first.estimate, kSurelySmall)) continue;
        if (num_fitting_ == 0 && first.step_s() <= kHopeful * cheap.front().step_s())
          simulate(strategies, first);
        break;
      }
      if (is_any) varied.push_back(candidate.configuration);
    }
    cutting_->forget();
    if (!cutting_->is_large())
      common::Refinement(problem, strategies, cutting_->options()).run(shortlist);
  }

  /// Others of its stages, mesh and micro-batches: with less of the communication counted; where it
  /// is too large, with bytes at a price, and with more and more made anew.
  void vary(const SearchProblem& problem, Strategies& strategies, Candidate quickest,
            Shortlist& shortlist) {
    const std::size_t before = shortlist.size();
    const bool is_promising =
        !is_quick() || quickest.step_s() <= kNearlyQuickest * least_s(shortlist);
    const bool is_nearly_small = is_small(problem, quickest.estimate, common::kNearlyRoomy);
    if (is_nearly_small) cutting_->begin_all(quickest.configuration, level());
    bool is_written = shortlist.add_written(quickest);
    if (is_small(problem, quickest.estimate)) {
      shortlist.add(quickest);
      Candidate cheap = quickest;  // what is made anew within kernels is not read
      cheap.configuration.recompute = Recompute::cheap;
      cheap.strategy.name = cheap.configuration.name();
      set_recompute(cheap.strategy, problem.program, Recompute::cheap);
      cheap.estimate = strategies.estimate(cheap.strategy);
      shortlist.add(std::move(cheap));
      if (may_be_cut_better(quickest, shortlist)) {
        Candidate better = cutting_->cheapest(quickest.configuration, Cutting::whole);
        better.estimate = strategies.estimate(better.strategy);
        if (is_small(problem, better.estimate)) shortlist.add(std::move(better));
      }
      add_other_cuts(problem, quickest, is_promising, shortlist);
      if (level() < Cutting::whole) return;
      const std::optional<Candidate> equal =
          common::of_equal_times(*cutting_, quickest.configuration);
      if (equal && is_small(problem, equal->estimate)) shortlist.add(*equal);
      return;
    }
    const bool fits = is_nearly_small && add_other_cuts(problem, quickest, is_promising, shortlist);
    if (fits && cutting_->is_large()) return;  // of a smaller program others may be quicker
    const double whole_s = quickest.step_s();
    bool is_cut = false;
    for (const Recompute recompute : common::kLeastFirst) {
      quickest.configuration.recompute = recompute;
      set_recompute(quickest.strategy, problem.program, recompute);
      quickest.estimate = strategies.estimate(quickest.strategy);
      // It takes its time, however values are cut; what is simulated tells enough of long ones.
      const bool is_told = (cutting_->is_brisk() && shortlist.size() > before) ||
                           (cutting_->is_brief() && !best_.empty());
      const double known_s = std::min(best_s(), shortlist.least_s()),
                   most_s = (is_told ? 1 : promising()) * known_s;
      if (quickest.step_s() > most_s) continue;
      const Configuration& mesh = quickest.configuration;
      const double most_whole_s = most_s * whole_s / quickest.step_s();
      is_cut = is_cut || common::add_fitted(problem, *cutting_, mesh, is_quick() ? known_s : most_s,
                                            shortlist);
      is_written = is_written || shortlist.add_written(quickest, most_whole_s);
      if (is_cut && is_written) break;
    }
    if (!is_quick()) common::RemadeStages(problem, *cutting_).run(before, shortlist);
    if (shortlist.size() == before)
      strategies.reject(quickest.strategy.name,
                        "needs more memory than there is, however it is cut");
  }

  /// Whether one fits by its estimate.
  bool add_other_cuts(const SearchProblem& problem, const Candidate& quickest, bool is_promising,
                      Shortlist& shortlist) {
    bool fits = false;
    for (Candidate& one :
         common::other_cuts(*cutting_, quickest, least_s(shortlist), is_promising)) {
      if (is_small(problem, one.estimate)) shortlist.add(std::move(one)), fits = true;
    }
    return fits;
  }

  /// At level 2, where its cut ended far above what none costs less than: whether it would be the
  /// quickest did it cost as little.
  bool may_be_cut_better(const Candidate& candidate, const Shortlist& shortlist) const {
    const double share = candidate.table_bound_s / candidate.table_s;
    if (!is_quick() || cutting_->is_huge() || share > kSettledNear) return false;
    return share * candidate.step_s() < least_s(shortlist);
  }
  double least_s(const Shortlist& shortlist) const {
    return best_.empty() ? shortlist.least_s() : best_s();
  }

  /// What is known already does not fit.
  Evaluation simulate(Strategies& strategies, const Candidate& candidate) {
    const auto is_known = [&](const common::Simulated& other) { return other.is_of(candidate); };
    if (std::ranges::any_of(simulated_, is_known)) return {};
    const Evaluation evaluation = strategies.evaluate(candidate.strategy);
    simulated_.push_back({candidate, evaluation});
    hopes_.add(candidate, evaluation);
    if (!evaluation.feasible) {
      misled_.note(cutting_->problem(), candidate, evaluation);
      strategies.reject(candidate.strategy.name, evaluation.reason);
      return evaluation;
    }
    if (best_.empty()) strategies.offer(candidate.strategy, least_s_);
    ++num_fitting_;
    best_.add(evaluation.step_s, candidate.strategy);
    return evaluation;
  }

  /// In the order of estimates, as long as one may be the quickest. Of those that fit there are
  /// `num_before` of other attempts.
  void simulate_all(const SearchProblem& problem, Strategies& strategies, Shortlist& shortlist,
                    std::size_t num_before) {
    shortlist.sort();
    const std::size_t most = common::most_simulated(*cutting_, num_evaluations_),
                      before = simulated_.size();
    for (const Candidate& candidate : shortlist.all()) {
      if (candidate.estimate.bound_s >= best_s()) continue;
      if (num_fitting_ >= num_before + most || simulated_.size() >= before + 4 * most) break;
      if (candidate.step_s() > near() * best_s()) break;
      const bool is_hopeful =
          !cutting_->is_large() || best_.empty() || hopes_.is_hopeful(problem, candidate, best_s());
      if (is_hopeful) simulate(strategies, candidate);
    }
  }

  bool is_quick() const { return cutting_->is_quick(); }
  bool is_long() const { return cutting_->problem().program.size() > kLong; }

  /// Estimates are that near to simulations, of most strategies.
  double near() const { return cutting_->is_brisk() ? 1.1 : 1.25; }
  /// What is varied of a large program, whose estimates are nearer.
  double promising() const {
    return is_quick() ? kQuickNear : cutting_->is_large() ? kLargeNear : near();
  }

  static constexpr double kHopeful = 1.25, kSettledNear = 0.98, kQuickNear = 1.05,
                          kNearlyQuickest = 1.02, kLargeNear = 1.15, kWorthFitting = 0.98,
                          kSurelySmall = 0.98;
  static constexpr int kMostAttempts = 3, kMostByWeight = 400, kMostResorted = 1500, kLong = 8000,
                       kMostTwice = 20000;

  common::Cutting* cutting_ = nullptr;  ///< of the search that goes on
  double least_s_ = 0;                  ///< that any strategy takes which the search covers
  std::int64_t num_devices_ = 0;        ///< that are explored
  common::Misled misled_;               ///< in this attempt
  common::BestFound best_;              ///< of all that was simulated
  std::optional<std::pair<double, Strategy>> first_;  ///< was offered before all else, and fits
  std::vector<common::Simulated> simulated_;          ///< of as many devices
  bool is_first_ = false;                             ///< of two runs
  std::vector<common::Simulated> earlier_;            ///< by it
  std::shared_ptr<common::choice::KnownSolutions> solutions_;  ///< of all levels
  common::Hopes hopes_;                                        ///< of these, and of those before
  std::size_t num_fitting_ = 0;                                ///< of these
  std::int64_t level_;
  bool strided_, joint_axes_, zero_, unequal_;
  std::string pipeline_;
  std::int64_t stages_, most_axes_, num_evaluations_, max_results_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/rhino", rhino::Rhino,
             "all axes of all meshes at once, cut by an exact solver over tables of prices")
