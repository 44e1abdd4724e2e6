// SPDX-License-Identifier: Apache-2.0
/// What a search is given of time, and what it hands in where that runs out.
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>

#include "evaluate/evaluator.hpp"
#include "evaluate/fallbacks.hpp"
#include "ir/training_step.hpp"
#include "models/wide_resnet.hpp"
#include "planning.hpp"
#include "plugin/scope.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

constexpr double kAnyMemory = 0;

}  // namespace

TEST_CASE("a search out of time ends at its next price, once there is a strategy to hand in") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  const Strategy strategy = planning.strategy("data_parallel", {});
  evaluator.stop_after(0);
  CHECK(evaluator.estimate(strategy).step_s > 0);
  CHECK(evaluator.quickest() == nullptr);
  REQUIRE(evaluator.evaluate(strategy).feasible);
  CHECK_THROWS_AS(evaluator.evaluate(strategy), plugin::EndOfSearch);
  CHECK_THROWS_AS(evaluator.estimate(strategy), plugin::EndOfSearch);
  CHECK_THROWS_AS(evaluator.try_out(strategy), plugin::EndOfSearch);
  CHECK_THROWS_AS(evaluator.space({.mesh = strategy.chunks.front().mesh}), plugin::EndOfSearch);
  CHECK_THROWS_AS(evaluator.flow(strategy), plugin::EndOfSearch);
  const SpaceOptions options{.mesh = strategy.chunks.front().mesh};
  CHECK_THROWS_AS(evaluator.least_s(options), plugin::EndOfSearch);
  CHECK_THROWS_AS(evaluator.least_device_s({options}), plugin::EndOfSearch);
  CHECK(*evaluator.quickest() == strategy);
  evaluator.stop_after(1000);
  CHECK(evaluator.evaluate(strategy).feasible);
}

TEST_CASE("time runs out within a space, which is made whole where it is asked for again") {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const SpaceOptions options{.mesh = planning.chunks(1, {{"x", 2}, {"y", 2}}).front().mesh,
                             .strided = true};
  evaluate::PlanEvaluator unhurried(planning.context(), kAnyMemory);
  const Clock::time_point begin = Clock::now();
  const StrategySpace& whole = unhurried.space(options);
  const double space_s = Seconds(Clock::now() - begin).count();
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  const Clock::time_point next = Clock::now();
  REQUIRE(evaluator.evaluate(planning.strategy("data_parallel", {}, 2)).feasible);
  evaluator.stop_after(2 * Seconds(Clock::now() - next).count() + space_s / 8);
  CHECK_THROWS_AS(evaluator.space(options), plugin::EndOfSearch);
  evaluator.stop_after(1000);
  const StrategySpace& again = evaluator.space(options);
  REQUIRE(again.classes.size() == whole.classes.size());
  for (std::size_t c = 0; c < whole.classes.size(); ++c)
    CHECK((again.classes[c].strategies == whole.classes[c].strategies));
  REQUIRE(again.layouts.size() == whole.layouts.size());
  for (std::size_t i = 0; i < whole.layouts.size(); ++i) {
    CHECK((again.layouts[i].specs == whole.layouts[i].specs));
    CHECK(again.layouts[i].reshard_s == whole.layouts[i].reshard_s);
  }
}

TEST_CASE("a search that has nothing when time runs out hands in what takes no search") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy strategy = planning.strategy("data_parallel", {}, 2);
  const double bytes =
      evaluate::PlanEvaluator(planning.context(), kAnyMemory).evaluate(strategy).peak_bytes;
  // With room for all, with less than data parallelism takes, and with none.
  for (const double memory : {kAnyMemory, 0.7 * bytes, 0.01 * bytes}) {
    evaluate::PlanEvaluator evaluator(planning.context(), memory);
    evaluator.fall_back({1, 2});
    evaluator.stop_after(1000);
    evaluator.flow(strategy);
    CHECK(evaluator.num_evaluated() == 0);  // it has time
    evaluator.stop_after(0);
    if (memory == 0.01 * bytes) {
      CHECK_NOTHROW(evaluator.flow(strategy));
      CHECK(evaluator.quickest() == nullptr);
      continue;
    }
    CHECK_THROWS_AS(evaluator.flow(strategy), plugin::EndOfSearch);
    REQUIRE(evaluator.quickest() != nullptr);
    const Strategy found = *evaluator.quickest();
    CHECK(evaluator.is_fallback());
    CHECK(evaluator.bound_s() > 0);
    CHECK(evaluator.bound_s() <= evaluator.candidates().front().step_s);
    CHECK((memory == kAnyMemory || evaluator.candidates().front().peak_bytes <= memory));
    if (memory == kAnyMemory) {  // what the search finds itself is its answer, slower as it is
      evaluator.stop_after(1000);
      const Strategy slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8);
      // What the search covers need not be that: its bound may be above.
      const double above_s = 1.01 * evaluator.step_s();
      CHECK_NOTHROW(evaluator.offer(found, above_s));
      CHECK(evaluator.bound_s() == above_s);
      REQUIRE(evaluator.evaluate(slow).feasible);
      CHECK(evaluator.candidates().back().step_s > evaluator.candidates().front().step_s);
      CHECK_FALSE(evaluator.is_fallback());
      CHECK(*evaluator.quickest() == slow);
      continue;
    }
    CHECK(evaluator.take_plan(found) == evaluate::make_plan(planning.context(), found));
  }
}

TEST_CASE("a search that has but estimated when time runs out hands in what promised the most") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8),
                 quick = planning.strategy("gpt_megatron", {{"data", 2}, {"tensor", 2}}, 1);
  for (const bool has_room : {true, false}) {
    evaluate::PlanEvaluator own(planning.context(), kAnyMemory);
    const double memory = has_room ? kAnyMemory : 0.99 * own.estimate(quick).peak_bytes;
    REQUIRE(own.estimate(slow).peak_bytes < 0.98 * own.estimate(quick).peak_bytes);
    REQUIRE(own.estimate(slow).step_s > own.estimate(quick).step_s);
    evaluate::PlanEvaluator evaluator(planning.context(), memory);
    evaluator.stop_after(1000);
    for (const Strategy* one : {&slow, &quick, &slow}) evaluator.estimate(*one);
    CHECK(evaluator.num_evaluated() == 0);
    evaluator.stop_after(0);
    CHECK_THROWS_AS(evaluator.estimate(slow), plugin::EndOfSearch);
    REQUIRE(evaluator.quickest() != nullptr);
    CHECK(*evaluator.quickest() == (has_room ? quick : slow));
    CHECK(evaluator.is_promise());
    CHECK_FALSE(evaluator.is_fallback());
    CHECK(evaluator.bound_s() > 0);
    CHECK(evaluator.bound_s() <= evaluator.candidates().front().step_s);
  }
}

TEST_CASE("what a search has estimated takes far less than what it has evaluated, or is left") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8),
                 near = planning.strategy("gpt_megatron", {{"data", 2}, {"tensor", 2}}, 4),
                 quick = planning.strategy("gpt_megatron", {{"data", 2}, {"tensor", 2}}, 1);
  for (const Strategy* promised : {&near, &quick}) {
    for (const bool is_counted : {false, true}) {
      evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
      const double promised_s = evaluator.estimate(*promised).step_s;
      const Evaluation own = evaluator.evaluate(slow);
      REQUIRE(promised_s < (promised == &quick ? 0.7 : 1) * own.step_s);
      REQUIRE(promised_s > (promised == &quick ? 0 : 0.8) * own.step_s);
      if (is_counted) evaluator.set_budget(1, 0);
      else evaluator.stop_after(0);
      CHECK_THROWS_AS(evaluator.flow(slow), plugin::EndOfSearch);
      const bool is_kept = promised == &quick && !is_counted;  // a count is no more than that
      CHECK(*evaluator.quickest() == (is_kept ? quick : slow));
      CHECK(evaluator.is_promise() == is_kept);
      CHECK(evaluator.num_evaluated() == (is_kept ? 2 : 1));
    }
  }
}

TEST_CASE("a slower strategy that takes less is there where a promise cannot be kept") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy quick = planning.strategy("gpt_megatron", {{"data", 2}, {"tensor", 2}}, 1),
                 slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8);
  evaluate::PlanEvaluator any(planning.context(), kAnyMemory);
  const double expected = any.estimate(quick).peak_bytes, planned = any.evaluate(quick).peak_bytes;
  REQUIRE(expected < planned);
  REQUIRE(any.evaluate(slow).peak_bytes < expected);
  REQUIRE(any.estimate(slow).step_s > any.estimate(quick).step_s);
  const bool is_tried = GENERATE(false, true);  // by the search itself
  evaluate::PlanEvaluator evaluator(planning.context(), 0.5 * (expected + planned));
  for (const Strategy* one : {&quick, &slow}) evaluator.estimate(*one);
  if (is_tried) REQUIRE_FALSE(evaluator.evaluate(quick).feasible);
  evaluator.stop_after(0);
  CHECK_THROWS_AS(evaluator.estimate(slow), plugin::EndOfSearch);
  REQUIRE(evaluator.quickest() != nullptr);
  CHECK(*evaluator.quickest() == slow);
  CHECK(evaluator.num_evaluated() == 2);  // none twice
}

TEST_CASE("what takes no search is none of a budget's evaluations") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8);
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.fall_back({1, 2});
  evaluator.set_budget(1, 2);
  while (evaluator.quickest() == nullptr) REQUIRE_FALSE(evaluator.is_out_of_time());
  CHECK(evaluator.evaluate(slow).feasible);
  CHECK_FALSE(evaluator.is_fallback());
  CHECK_THROWS_AS(evaluator.evaluate(slow), plugin::EndOfSearch);
}

TEST_CASE("what breaks a pin promises nothing") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy slow = planning.strategy("data_parallel", {}, 2),
                 quick = planning.strategy("data_parallel", {}, 1);
  const auto batch = std::ranges::find(small_gpt_step().inputs, InputKind::batch, &Input::kind);
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.pin({{.value = batch->value, .dims = {}}});
  evaluator.estimate(quick);
  evaluator.stop_after(0);
  CHECK_NOTHROW(evaluator.flow(slow));
  CHECK(evaluator.num_evaluated() == 0);
}

TEST_CASE("of what takes no search the micro-batches that promise the most are handed in") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.fall_back({1, 2});
  evaluator.set_budget(0, 1);
  while (evaluator.quickest() == nullptr) REQUIRE_FALSE(evaluator.is_out_of_time());
  CHECK(evaluator.quickest()->num_micro_batches == 2);  // which needs the least
  evaluator.set_budget(0, 1e-9);
  CHECK_THROWS_AS(evaluator.flow(planning.strategy("data_parallel", {}, 2)), plugin::EndOfSearch);
  CHECK(evaluator.quickest()->num_micro_batches == 1);
  CHECK(evaluator.is_fallback());
  CHECK_FALSE(evaluator.is_promise());
  CHECK(evaluator.candidates().back().step_s < evaluator.candidates().front().step_s);
}

TEST_CASE(
    "what takes no search has no more micro-batches than ops that couple samples leave whole") {
  const Program step =
      ir::training_step(models::wide_resnet_forward({.blocks = {1}, .norm_batch = 4}, 8), {});
  Planning planning(step, modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.fall_back({1, 2, 4});
  evaluator.stop_after(0);
  CHECK(evaluator.is_out_of_time());
  REQUIRE(evaluator.quickest() != nullptr);
  CHECK(evaluator.quickest()->num_micro_batches == 2);
}

TEST_CASE("a search that does nothing but look at the time has what takes no search") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.fall_back({1, 2});
  int num_told = 0;
  evaluator.tell_best([&] { ++num_told; });
  evaluator.stop_after(1000);
  CHECK_FALSE(evaluator.is_out_of_time());
  CHECK(num_told == 0);
  evaluator.stop_after(0);
  CHECK(evaluator.is_out_of_time());
  CHECK(evaluator.is_fallback());
  CHECK(num_told > 0);
}

TEST_CASE(
    "whoever is to know is told of each strategy that is the quickest by then, and of proof") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  std::vector<std::pair<Strategy, double>> told;
  evaluator.tell_best([&] {
    REQUIRE(evaluator.quickest_plan() != nullptr);
    CHECK(*evaluator.quickest_plan() ==
          evaluate::make_plan(planning.context(), *evaluator.quickest()));
    told.emplace_back(*evaluator.quickest(), evaluator.bound_s());
  });
  const Strategy slow = planning.strategy("gpt_megatron", {{"stage", 2}, {"tensor", 2}}, 8),
                 quick = planning.strategy("data_parallel", {}, 2);
  REQUIRE(evaluator.evaluate(slow).feasible);
  REQUIRE(evaluator.evaluate(quick).feasible);
  REQUIRE(evaluator.evaluate(slow).feasible);
  REQUIRE(told.size() == 2);
  CHECK(told[0] == std::pair(slow, 0.0));
  CHECK(told[1] == std::pair(quick, 0.0));
  evaluator.offer(quick, 1e-9);
  REQUIRE(told.size() == 3);
  CHECK(told[2] == std::pair(quick, 1e-9));
  evaluator.offer(quick, 1e-10);
  CHECK(told.size() == 3);
}

TEST_CASE("what takes no search are stages of data parallelism that divide and have room") {
  // Batch 8 on 6 devices: not in 6 parts, nor in 3.
  const Cluster cluster = modelled_cluster(6);
  const auto all = evaluate::fallbacks(small_gpt_step(), cluster, {1, 2, 4}, kAnyMemory);
  std::vector<evaluate::Fallback> expected;
  for (const std::int64_t count : {4, 2, 1}) {
    for (std::int32_t zero_stage : {0, 1, 2, 3}) expected.push_back({3, 2, count, zero_stage});
  }
  for (const std::int64_t count : {4, 2, 1}) expected.push_back({6, 1, count, 0});
  CHECK(all == expected);
  double state_bytes = 0;  // parameters and gradients are as many bytes, Adam has two moments
  for (const Input& input : small_gpt_step().inputs) {
    if (input.kind == InputKind::parameter)
      state_bytes += 4 * static_cast<double>(num_bytes(small_gpt_step().shape(input.value)));
  }
  // Of three stages each device has a third of all, and with ZeRO 1 half of the moments less.
  const auto some =
      evaluate::fallbacks(small_gpt_step(), cluster, {1, 2, 4}, 0.99 * state_bytes / 3);
  REQUIRE(some.size() == 12);
  CHECK(some[0] == evaluate::Fallback{3, 2, 4, 1});
  CHECK(evaluate::fallbacks(small_gpt_step(), cluster, {1, 2, 4}, state_bytes / 10).empty());
}

TEST_CASE("a search ends early enough for what it found to be planned once more") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(evaluator.evaluate(planning.strategy("data_parallel", {})).feasible);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  evaluator.stop_after(taken.count());
  CHECK(evaluator.is_out_of_time());
}

TEST_CASE("a budget of evaluations ends a search at the same call each time") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const OptionValue two = std::int64_t{2};
  const std::vector<Strategy> proposed{planning.strategy("gpt_megatron", {{"tensor", two}}),
                                       planning.strategy("data_parallel", {{"data", two}}),
                                       planning.strategy("gpt_megatron", {{"stage", two}})};
  std::vector<Strategy> found;
  for (int repetition = 0; repetition < 2; ++repetition) {
    evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
    evaluator.set_budget(2, 0);
    double bound_s = evaluator.estimate(proposed[0]).bound_s;
    for (const Strategy& strategy : proposed)
      bound_s = std::min(bound_s, evaluator.estimate(strategy).bound_s);
    CHECK_FALSE(evaluator.is_out_of_time());
    evaluator.offer(proposed[0], bound_s);
    CHECK(evaluator.evaluate(proposed[1]).feasible);
    CHECK(evaluator.is_out_of_time());
    CHECK_THROWS_AS(evaluator.evaluate(proposed[2]), plugin::EndOfSearch);
    CHECK(evaluator.num_evaluated() == 2);
    REQUIRE(evaluator.quickest() != nullptr);
    found.push_back(*evaluator.quickest());
    // What has been offered by then is proved of all of them.
    CHECK(evaluator.bound_s() == bound_s);
    for (const evaluate::Candidate& candidate : evaluator.candidates())
      CHECK(bound_s <= candidate.step_s);
  }
  CHECK(found[0] == found[1]);
}

TEST_CASE("a budget that is used up ends a search that has found nothing, a deadline does not") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy strategy = planning.strategy("data_parallel", {}, 2);
  constexpr double kNoRoom = 1000;
  for (const bool is_counted : {false, true}) {
    evaluate::PlanEvaluator evaluator(planning.context(), kNoRoom);
    evaluator.fall_back({1, 2});
    evaluator.stop_after(0);
    CHECK_FALSE(evaluator.evaluate(strategy).feasible);
    CHECK_FALSE(evaluator.evaluate(strategy).feasible);
    CHECK(evaluator.estimate(strategy).peak_bytes > kNoRoom);
    if (is_counted) evaluator.set_budget(2, 0);
    else evaluator.set_budget(0, 1e-9);
    CHECK_THROWS_AS(evaluator.evaluate(strategy), plugin::EndOfSearch);
    CHECK_THROWS_AS(evaluator.estimate(strategy), plugin::EndOfSearch);
    CHECK_THROWS_AS(evaluator.space({.mesh = strategy.chunks.front().mesh}), plugin::EndOfSearch);
    CHECK(evaluator.quickest() == nullptr);
    CHECK(evaluator.num_evaluated() == 2);
  }
}

TEST_CASE("a budget of evaluations that is used up leaves what takes no search, if that fits") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy large = planning.strategy("data_parallel", {}, 1);
  evaluate::PlanEvaluator any(planning.context(), kAnyMemory);
  const double bytes = any.evaluate(large).peak_bytes;
  evaluate::PlanEvaluator evaluator(planning.context(), 0.9 * bytes);
  evaluator.fall_back({1, 2, 8});
  evaluator.set_budget(1, 0);
  REQUIRE_FALSE(evaluator.evaluate(large).feasible);
  CHECK_THROWS_AS(evaluator.evaluate(large), plugin::EndOfSearch);
  REQUIRE(evaluator.quickest() != nullptr);
  CHECK(evaluator.is_fallback());
  CHECK(evaluator.bound_s() > 0);
}

TEST_CASE("a budget of a processor's time leaves room for one more evaluation") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  const std::clock_t start = std::clock();
  REQUIRE(evaluator.evaluate(planning.strategy("data_parallel", {})).feasible);
  const double taken_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  evaluator.set_budget(0, 0.5 * taken_s);
  CHECK(evaluator.is_out_of_time());
}

TEST_CASE("time of a processor can be a budget") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kAnyMemory);
  evaluator.set_budget(0, 1e-9);
  CHECK(evaluator.is_out_of_time());
  const Strategy strategy = planning.strategy("data_parallel", {});
  CHECK(evaluator.evaluate(strategy).feasible);  // the first may always run
  CHECK_THROWS_AS(evaluator.estimate(strategy), plugin::EndOfSearch);
}

}  // namespace rhino::test
