// SPDX-License-Identifier: Apache-2.0
// What a PlanEvaluator does about time and budget.
#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

#include "evaluate/bound.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/fallbacks.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"

namespace rhino::evaluate {

static double cpu_s() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// Whether a processor has worked that long. To ask for its time is a system call, and searchers
/// ask often: where there is no limit nobody asks.
static bool has_worked(double limit_s) {
  return limit_s < std::numeric_limits<double>::infinity() && cpu_s() >= limit_s;
}

/// Of the time of a search the part after which it has something to hand in.
constexpr double kDueShare = 0.25;

void PlanEvaluator::stop_after(double seconds) {
  const auto in = [](double after_s) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(after_s));
  };
  stop_ = in(seconds);
  due_ = in(kDueShare * seconds);
}

void PlanEvaluator::set_budget(std::int64_t num_evaluations, double cpu_s) {
  most_evaluated_ = num_evaluations;
  if (cpu_s <= 0) return;
  stop_cpu_s_ = evaluate::cpu_s() + cpu_s;
  due_cpu_s_ = evaluate::cpu_s() + kDueShare * cpu_s;
}

PlanEvaluator::LongestEvaluation::LongestEvaluation(PlanEvaluator& of)
    : of_(of), start_(Clock::now()), start_cpu_s_(evaluate::cpu_s()) {}

PlanEvaluator::LongestEvaluation::~LongestEvaluation() {
  of_.longest_ = std::max(of_.longest_, Clock::now() - start_);
  of_.longest_cpu_s_ = std::max(of_.longest_cpu_s_, evaluate::cpu_s() - start_cpu_s_);
}

bool PlanEvaluator::is_late() const {
  return Clock::now() + 2 * longest_ >= stop_ || has_worked(stop_cpu_s_ - longest_cpu_s_);
}

bool PlanEvaluator::is_budget_used() const {
  return (most_evaluated_ > 0 && num_searched_ >= most_evaluated_) ||
         has_worked(stop_cpu_s_ - longest_cpu_s_);
}

bool PlanEvaluator::is_over() const { return is_budget_used() || is_late(); }

bool PlanEvaluator::is_out_of_time() {
  try_due_fallbacks();
  was_told_ = is_over() || !fault_.empty();
  return was_told_;
}

void PlanEvaluator::check_time() {
  if (!fault_.empty()) throw plugin::EndOfSearch();
  try_due_fallbacks();
  if (!is_over()) return;
  if (!quickest_ || is_fallback_ || is_late()) keep_a_promise();
  if (!quickest_ && is_budget_used()) try_fallbacks();
  if (quickest_) prove_least();
  else if (!is_budget_used()) return;  // up to the deadline something may be found
  throw plugin::EndOfSearch();
}

/// The first of a search may be told late, and up to a deadline the first that fits.
Evaluation PlanEvaluator::evaluate(const Strategy& strategy) {
  try_due_fallbacks();
  if (quickest_ || !fault_.empty() || (num_searched_ > 0 && is_budget_used())) check_time();
  return evaluated(strategy);
}

/// Of a search that has an answer what takes less by more than estimates are off.
bool PlanEvaluator::is_promising(double step_s) const {
  constexpr double kSurely = 0.75;
  if (!quickest_) return true;
  return step_s < (is_fallback_ ? 1 : kSurely) * candidates_[quickest_->number].step_s;
}

/// Slower ones that take less are for where the quicker ones turn out too large.
/// `worth`: of step and bytes of another, what it takes at the most of either.
void PlanEvaluator::note_promise(const Strategy& strategy, const Estimate& estimate, double worth) {
  constexpr std::size_t kMost = 16;
  const auto [step_s, bytes] = std::pair(estimate.step_s, estimate.peak_bytes);
  const auto is_better = [&](const Promise& one) {
    return worth * one.step_s <= step_s && worth * one.peak_bytes <= bytes;
  };
  if (!is_promising(step_s) || bytes >= misled_bytes_) return;
  if (std::ranges::any_of(promises_, is_better)) return;
  if (memory_limit_bytes_ > 0 && bytes > memory_limit_bytes_) return;
  if (broken_pin(strategy) != nullptr) return;
  std::erase_if(promises_, [&](const Promise& one) {
    return one.step_s >= step_s && one.peak_bytes >= bytes;
  });
  const auto place =
      std::ranges::find_if(promises_, [&](const Promise& one) { return one.step_s < step_s; });
  promises_.insert(place, {strategy, step_s, bytes, is_falling_back_});
  if (promises_.size() > kMost) promises_.erase(promises_.begin() + 1);  // not the smallest
}

/// It was evaluated, and is not feasible.
void PlanEvaluator::break_promise(const Strategy& strategy) {
  std::erase_if(promises_, [&](const Promise& one) { return one.strategy == strategy; });
}

/// Evaluates the quickest of them that fits; a few, as time is up.
void PlanEvaluator::keep_a_promise() {
  constexpr int kMost = 3;
  std::vector<Promise> promises = std::exchange(promises_, {});
  for (int num_tried = 0; num_tried < kMost && !promises.empty(); promises.pop_back()) {
    const Promise& best = promises.back();
    if (!is_promising(best.step_s)) return;
    if (best.peak_bytes >= misled_bytes_) continue;
    ++num_tried;
    is_falling_back_ = true;
    const bool is_kept = evaluated(best.strategy).feasible;
    is_falling_back_ = false;
    if (!is_kept) misled_bytes_ = std::min(misled_bytes_, best.peak_bytes);
    if (!is_kept || quickest_->strategy != best.strategy) continue;
    is_promise_ = !best.is_fallback;
    is_fallback_ = best.is_fallback;
    return;
  }
}

/// What simulated devices keep in caches from step to step, no strategy has to read.
void PlanEvaluator::prove_least() {
  constexpr double kAllCached = std::numeric_limits<double>::infinity();
  if (bound_s_ > 0) return;
  bound_s_ = cell_bound(context_.program, context_.cost.cluster(), kAllCached).seconds;
}

void PlanEvaluator::try_due_fallbacks() {
  if (!quickest_ && (Clock::now() >= due_ || has_worked(due_cpu_s_))) try_fallbacks();
}

void PlanEvaluator::try_fallbacks() {
  if (fallback_counts_.empty()) return;
  const std::vector<Fallback> all =
      fallbacks(context_.program, context_.cost.cluster(), std::exchange(fallback_counts_, {}),
                memory_limit_bytes_);
  std::optional<Fallback> made;  // the last one
  for (const Fallback& one : all) {
    // Fewer micro-batches keep more bytes; they are for ops that couple more samples than one has.
    if (made && one.num_stages == made->num_stages &&
        one.num_micro_batches < made->num_micro_batches)
      continue;
    try {
      Strategy strategy = strategy_of(one);
      made = one;
      try_fallback(std::move(strategy));
    } catch (const Error&) {
      continue;  // it does not divide, or there are too few ops
    }
    if (!quickest_) continue;
    prove_least();
    tell_best_();
    for (auto other = all.rbegin(); other != all.rend() && !is_over(); ++other) {
      if (other->num_stages == one.num_stages && other->zero_stage == one.zero_stage &&
          !promises_more(*other))
        return;
    }
    return;
  }
}

Strategy PlanEvaluator::strategy_of(const Fallback& one) const {
  StrategyDraft draft{.name = "data parallelism",
                      .num_micro_batches = one.num_micro_batches,
                      .batch_axis = 0,
                      .zero_stage = one.zero_stage};
  if (one.num_stages > 1) draft.name += " in " + std::to_string(one.num_stages) + " stages";
  if (one.zero_stage > 0) draft.name += ", ZeRO " + std::to_string(one.zero_stage);
  draft.chunks = chunks(static_cast<std::int32_t>(one.num_stages), {{"data", one.num_parts}});
  return complete(draft);
}

/// Of those alike with more and more micro-batches: false where another takes less.
bool PlanEvaluator::promises_more(const Fallback& one) {
  try {
    const Strategy strategy = strategy_of(one);
    const Estimate estimate = estimated(strategy);
    if (!promises_.empty() && estimate.step_s >= promises_.back().step_s) return false;
    is_falling_back_ = true;
    note_promise(strategy, estimate);
    is_falling_back_ = false;
  } catch (const Error&) {  // it does not divide
  }
  return true;
}

/// With whole forward passes made anew where it is too large without.
void PlanEvaluator::try_fallback(Strategy strategy) {
  for (const bool recompute : {false, true}) {
    for (Chunk& chunk : strategy.chunks) chunk.recompute = recompute;
    if (recompute) strategy.name += ", recomputing";
    const bool is_small =
        memory_limit_bytes_ <= 0 || estimated(strategy).peak_bytes <= memory_limit_bytes_;
    if (!is_small) continue;
    is_falling_back_ = true;
    is_fallback_ = evaluated(strategy).feasible;
    is_falling_back_ = false;
    if (is_fallback_) return;
  }
}

}  // namespace rhino::evaluate
