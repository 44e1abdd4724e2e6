// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/candidate.hpp"
#include "evaluate/fallbacks.hpp"
#include "evaluate/known_estimates.hpp"
#include "evaluate/planner.hpp"
#include "evaluate/space.hpp"
#include "evaluate/space_outline.hpp"
#include "evaluate/table_trial.hpp"
#include "rhino/search.hpp"
#include "sharding/complete.hpp"

namespace rhino::evaluate {

/// What searchers are given: rules of core/sharding, prices of core/cost, whole strategies by
/// tables and by assembling and simulating.
class PlanEvaluator : public ShardingRules, public Prices, public Strategies {
 public:
  PlanEvaluator(const PlanContext& context, double memory_limit_bytes);

  /// From `seconds` from now on space(), least_s(), least_device_s(), flow(), estimate(), try_out()
  /// and evaluate() throw plugin::EndOfSearch where there is a quickest() strategy; earlier by
  /// twice the time of the longest evaluation so far: one may be under way, and what is found is
  /// planned once more. Where the search has estimated by then what fits and takes far less than
  /// all that it has evaluated, they first evaluate that.
  void stop_after(double seconds);
  /// The same after so many evaluations, or so much time of a processor from now on, earlier by the
  /// longest evaluation; 0: no limit. Equal limits of evaluations alone make equal searches. A
  /// budget that is used up ends a search that has found nothing, too; its first evaluate() runs.
  void set_budget(std::int64_t num_evaluations, double cpu_s);

  /// Where a quarter of that time is up and nothing fits yet, these calls, and is_out_of_time(),
  /// first try strategies that take no search, until one fits: it, or the like of it that promises
  /// the most, is handed in where the search has found nothing itself by the end of its time.
  void fall_back(std::vector<std::int64_t> micro_batch_counts) {
    fallback_counts_ = std::move(micro_batch_counts);
  }

  /// Calls `tell` whenever there comes to be another quickest() strategy, or more is proved of it.
  void tell_best(std::function<void()> tell) { tell_best_ = std::move(tell); }

  /// Strategies that break one of these are not feasible.
  void pin(std::vector<Pin> pins) { pins_ = std::move(pins); }
  /// From now on candidates tell their steps under kPriceChanges, too; of prices that were not
  /// calibrated.
  void change_prices();

  std::vector<OpSplit> splits(ValueId value, std::int64_t num_parts) const override;
  Strategy complete(const StrategyDraft& draft) const override;
  std::vector<Chunk> chunks(std::int32_t num_meshes,
                            const std::vector<MeshAxis>& axes) const override;
  Evaluation evaluate(const Strategy& strategy) override;
  Estimate estimate(const Strategy& strategy) override;
  std::unique_ptr<Trial> try_out(const Strategy& strategy) override;
  double kernel_s(ValueId value, const OpSplit& split, std::int64_t num_parts) const override;
  double collective_s(OpKind kind, double bytes, std::int64_t num_devices,
                      std::int64_t stride) const override;
  const StrategySpace& space(const SpaceOptions& options) override;
  double least_s(const SpaceOptions& options) override;
  double least_device_s(const std::vector<SpaceOptions>& meshes) override;
  ChunkFlow flow(const Strategy& strategy) override;
  void offer(const Strategy& strategy, double lower_bound_s) override;
  bool is_out_of_time() override;
  void reject(const std::string& candidate, const std::string& reason) override;

  /// Throws plugin::EndOfSearch where the budget is used up, or time is and there is a quickest()
  /// strategy.
  void check_time();
  /// Whether that of set_budget() is, but for the time of one more evaluation.
  bool is_budget_used() const;

  /// Why a plan does not fit the memory limit; empty: it does.
  std::string too_large(const plan::ExecutionPlan& plan) const;
  /// Of those that evaluate() found to fit; nullptr: none, or its plan has been taken.
  const Strategy* quickest() const { return quickest_ ? &quickest_->strategy : nullptr; }
  /// What evaluate() made of it: the schedule's answers are drafts.
  const plan::ExecutionPlan* quickest_plan() const {
    return quickest_ ? &quickest_->plan : nullptr;
  }
  /// Of the plan that was taken, or else of quickest(), simulated; 0: there is neither.
  double step_s() const {
    return taken_s_ > 0 || !quickest_ ? taken_s_ : candidates_[quickest_->number].step_s;
  }
  /// Whether is_out_of_time() has said so.
  bool was_told() const { return was_told_; }
  /// Whether quickest() is none of the search's.
  bool is_fallback() const { return is_fallback_; }
  /// Whether the search has evaluated a strategy that fits.
  bool has_found() const { return has_found_; }
  /// Whether the search has no more than estimated quickest().
  bool is_promise() const { return is_promise_; }
  /// The plan that evaluate() made of the strategy, proved; kept for the quickest one alone, and
  /// handed out once. Where the schedule, asked in full, answers otherwise, the plan of that, if it
  /// fits and its step is no longer; the strategy's candidate is then priced so, too. One that it
  /// refuses in full keeps its draft.
  std::optional<plan::ExecutionPlan> take_plan(const Strategy& strategy);
  /// Whether take_plan() has handed out what quickest_plan() was.
  bool took_draft() const { return took_draft_; }
  /// `plan` of the strategy is taken, proved, where take_plan() had none: a candidate as it is.
  void take(const Strategy& strategy, const plan::ExecutionPlan& plan);

  /// `in 4.00 GB per device; the smallest that was found, NAME, needs 5.20 GB`, of all whose plan
  /// did not fit or that were estimated ("about"); empty: there is none.
  std::string smallest_need() const;
  /// What a plugin that was asked is at fault for (plugin::Fault), whatever the strategy; empty:
  /// none was. From then on calls that price strategies end the search.
  const std::string& fault() const { return fault_; }
  /// Candidate and reason, in order.
  const std::vector<std::pair<std::string, std::string>>& rejected() const { return rejected_; }
  /// Strategies that fit, with their prices, in the order of evaluate().
  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::int64_t num_evaluated() const { return num_evaluated_; }
  /// The largest that was offered; 0: none.
  double bound_s() const { return bound_s_; }
  /// Whether step_s() is below such a bound, and of a strategy that the search covers.
  bool is_refuted(double bound_s) const;

 private:
  using Clock = std::chrono::steady_clock;
  /// Times one from its making to its end.
  class LongestEvaluation {
   public:
    explicit LongestEvaluation(PlanEvaluator& of);
    ~LongestEvaluation();

   private:
    PlanEvaluator& of_;
    const Clock::time_point start_;
    const double start_cpu_s_;
  };
  struct Evaluated {
    Strategy strategy;
    plan::ExecutionPlan plan;
    std::size_t number = 0;  ///< of its candidate
    std::vector<Ordered> asked;
  };
  struct Need {
    std::string name;
    double bytes = 0;
  };
  /// What is evaluated should time end before the search evaluates anything.
  struct Promise {
    Strategy strategy;
    double step_s = 0, peak_bytes = 0;
    bool is_fallback = false;
  };
  void check(ValueId value, std::int64_t num_parts) const;
  template <class Work>
  auto noting_faults(Work&& work) const;
  template <class Work>
  void blaming_plugins(Work&& work) const;
  Estimate tried(Trial& trial);
  static void note(std::optional<Need>& smallest, const Strategy& strategy, double bytes);
  Evaluation evaluated(const Strategy& strategy);
  Evaluation planned(const Strategy& strategy);
  Estimate estimated(const Strategy& strategy);
  void note_promise(const Strategy& strategy, const Estimate& estimate, double worth = 1);
  void break_promise(const Strategy& strategy);
  void keep_a_promise();
  void prove_least();
  bool promises_more(const Fallback& one);
  Strategy strategy_of(const Fallback& one) const;
  void try_due_fallbacks();
  bool is_late() const;
  bool is_over() const;
  bool is_promising(double step_s) const;
  void try_fallbacks();
  void try_fallback(Strategy strategy);
  const Pin* broken_pin(const Strategy& strategy) const;
  const SpaceOutline& outline(const SpaceOptions& options);
  ClassPrices& prices_of(const SpaceOptions& options);
  Candidate priced(const Strategy& strategy, const plan::ExecutionPlan& plan);
  bool is_full(const std::vector<Ordered>& asked) const;
  std::optional<plan::ExecutionPlan> taken_in_full(const Evaluated& drafted);
  double own_memory_bytes(const Mesh& mesh) const;

  PlanContext context_;  ///< of drafts
  std::vector<cost::CostModel> changed_costs_;
  std::vector<Pin> pins_;
  double memory_limit_bytes_;
  sharding::Completer completer_;
  lower::Lowerings lowerings_;
  plan::KnownCuts cuts_;
  const std::vector<ValueId> unwritten_;
  std::vector<std::pair<std::string, std::string>> rejected_;
  std::optional<Need> smallest_planned_, smallest_estimated_;
  std::vector<Candidate> candidates_;
  std::int64_t num_evaluated_ = 0, num_searched_ = 0, most_evaluated_ = 0;  ///< by the search
  double bound_s_ = 0;
  double stop_cpu_s_ = std::numeric_limits<double>::infinity(), due_cpu_s_ = stop_cpu_s_;
  std::vector<std::int64_t> fallback_counts_;  ///< empty: none, or all have been tried
  std::optional<Evaluated> quickest_;
  double taken_s_ = 0;  ///< of the plan that was taken
  bool took_draft_ = false;
  std::function<void()> tell_best_ = [] {};
  bool is_fallback_ = false, is_falling_back_ = false, is_promise_ = false, has_found_ = false;
  bool was_told_ = false;          ///< the search, that it is out of time
  std::vector<Promise> promises_;  ///< each quicker than the one before it, and larger
  mutable std::string fault_;
  double misled_bytes_ = std::numeric_limits<double>::infinity();  ///< of one that was not kept
  Tables tables_;
  CrossingTimes crossings_;
  KnownEstimates estimates_;
  std::deque<std::pair<SpaceOptions, StrategySpace>> spaces_;
  std::deque<std::pair<SpaceOptions, ClassPrices>> prices_;  ///< of spaces that are not made yet
  Frames frames_;
  std::map<std::int64_t, std::unique_ptr<const SpaceOutline>> outlines_;  ///< by micro-batches
  Clock::time_point stop_ = Clock::time_point::max(), due_ = stop_;       ///< due: of fallbacks
  Clock::duration longest_ = Clock::duration::zero();                     ///< of all evaluations
  double longest_cpu_s_ = 0;
};

}  // namespace rhino::evaluate
