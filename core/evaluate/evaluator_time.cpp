// SPDX-License-Identifier: Apache-2.0
// What a PlanEvaluator does about time and budget.
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

bool PlanEvaluator::is_over() const {
  return Clock::now() + 2 * longest_ >= stop_ ||
         (most_evaluated_ > 0 && num_evaluated_ >= most_evaluated_) || has_worked(stop_cpu_s_);
}

bool PlanEvaluator::is_out_of_time() {
  try_due_fallbacks();
  return is_over();
}

void PlanEvaluator::check_time() {
  try_due_fallbacks();
  if (quickest_ && is_over()) throw plugin::OutOfTime();
}

void PlanEvaluator::try_due_fallbacks() {
  if (quickest_ || fallback_counts_.empty()) return;
  if (Clock::now() >= due_ || has_worked(due_cpu_s_)) try_fallbacks();
}

void PlanEvaluator::try_fallbacks() {
  const std::vector<Fallback> all =
      fallbacks(context_.program, context_.cost.cluster(), std::exchange(fallback_counts_, {}),
                memory_limit_bytes_);
  std::optional<Fallback> made;  // the last one
  for (const Fallback& one : all) {
    // Fewer micro-batches keep more bytes; they are for ops that couple more samples than one has.
    if (made && one.num_stages == made->num_stages &&
        one.num_micro_batches < made->num_micro_batches)
      continue;
    StrategyDraft draft{.name = "data parallelism",
                        .num_micro_batches = one.num_micro_batches,
                        .batch_axis = 0,
                        .zero_stage = one.zero_stage};
    if (one.num_stages > 1) draft.name += " in " + std::to_string(one.num_stages) + " stages";
    if (one.zero_stage > 0) draft.name += ", ZeRO " + std::to_string(one.zero_stage);
    try {
      draft.chunks = chunks(static_cast<std::int32_t>(one.num_stages), {{"data", one.num_parts}});
      Strategy strategy = complete(draft);
      made = one;
      try_fallback(std::move(strategy));
    } catch (const Error&) {
      continue;  // it does not divide, or there are too few ops
    }
    if (!quickest_) continue;
    // What simulated devices keep in caches from step to step, no strategy has to read.
    constexpr double kAllCached = std::numeric_limits<double>::infinity();
    bound_s_ = cell_bound(context_.program, context_.cost.cluster(), kAllCached).seconds;
    tell_best_();
    return;
  }
}

/// With whole forward passes made anew where it is too large without.
void PlanEvaluator::try_fallback(Strategy strategy) {
  for (const bool recompute : {false, true}) {
    for (Chunk& chunk : strategy.chunks) chunk.recompute = recompute;
    if (recompute) strategy.name += ", recomputing";
    const bool is_small =
        memory_limit_bytes_ <= 0 || estimate(strategy).peak_bytes <= memory_limit_bytes_;
    if (!is_small) continue;
    is_falling_back_ = true;
    is_fallback_ = evaluate(strategy).feasible;
    is_falling_back_ = false;
    if (is_fallback_) return;
  }
}

}  // namespace rhino::evaluate
