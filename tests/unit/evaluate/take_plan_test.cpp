// SPDX-License-Identifier: Apache-2.0
// Which plan of a strategy that was evaluated is handed out.
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "evaluate/evaluator.hpp"
#include "planning.hpp"
#include "rhino/error.hpp"

namespace rhino::test {
namespace {

constexpr double kUnlimited = 0;

/// Counts what a schedule is asked: once each time a strategy is assembled, and for a plan that is
/// handed out.
class CountingSchedule final : public Schedule {
 public:
  explicit CountingSchedule(Schedule& schedule) : schedule_(schedule) {}
  Placement placement(std::int32_t num_meshes) override { return schedule_.placement(num_meshes); }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    ++num_asked;
    return schedule_.schedule(problem);
  }
  int num_asked = 0;

 private:
  Schedule& schedule_;
};

/// Drafts as one schedule, and answers as the other in full.
class DraftingSchedule final : public Schedule {
 public:
  DraftingSchedule(Schedule& draft, Schedule& full) : draft_(draft), full_(full) {}
  Placement placement(std::int32_t num_meshes) override { return full_.placement(num_meshes); }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    return (problem.is_draft ? draft_ : full_).schedule(problem);
  }

 private:
  Schedule &draft_, &full_;
};

/// Has no answer but drafts.
class RefusingSchedule final : public Schedule {
 public:
  explicit RefusingSchedule(Schedule& draft) : draft_(draft) {}
  Placement placement(std::int32_t num_meshes) override { return draft_.placement(num_meshes); }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    if (!problem.is_draft) throw Error("the question is too hard");
    return draft_.schedule(problem);
  }

 private:
  Schedule& draft_;
};

}  // namespace

TEST_CASE("the quickest strategy's plan is handed out as it was evaluated, not assembled again") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const evaluate::PlanContext context = planning.context();
  CountingSchedule counted(context.schedule);
  evaluate::PlanEvaluator evaluator({context.program, context.cost, context.resharding, counted},
                                    kUnlimited);
  const std::map<std::string, OptionValue> stages = {{"stage", std::int64_t{2}},
                                                     {"tensor", std::int64_t{1}}};
  Strategy quick = planning.strategy("gpt_megatron", stages, 4),
           slow = planning.strategy("gpt_megatron", stages, 1);
  if (evaluator.evaluate(quick).step_s > evaluator.evaluate(slow).step_s) std::swap(quick, slow);
  CHECK_FALSE(evaluator.take_plan(slow));
  const std::optional<plan::ExecutionPlan> plan = evaluator.take_plan(quick);
  CHECK(counted.num_asked == 3);
  REQUIRE(plan);
  CHECK(*plan == evaluate::make_plan(context, quick));
  CHECK_FALSE(evaluator.take_plan(quick));
}

TEST_CASE("what is handed out is of the schedule's full answer, unless that is slower") {
  Planning gpipe(small_gpt_step(), modelled_cluster(2), "schedule/gpipe"),
      zb_h1(small_gpt_step(), modelled_cluster(2), "schedule/zb_h1");
  const Strategy strategy =
      gpipe.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{1}}}, 8);
  const auto step_s = [&](Planning& planning) {
    return evaluate::PlanEvaluator(planning.context(), kUnlimited).evaluate(strategy).step_s;
  };
  Planning &quick = step_s(zb_h1) < step_s(gpipe) ? zb_h1 : gpipe,
           &slow = &quick == &gpipe ? zb_h1 : gpipe;
  REQUIRE(step_s(quick) < step_s(slow));
  for (const bool drafts_slowly : {true, false}) {
    CAPTURE(drafts_slowly);
    const evaluate::PlanContext context = (drafts_slowly ? quick : slow).context();
    DraftingSchedule drafting((drafts_slowly ? slow : quick).context().schedule, context.schedule);
    evaluate::PlanEvaluator evaluator({context.program, context.cost, context.resharding, drafting},
                                      kUnlimited);
    CHECK(evaluator.evaluate(strategy).step_s == step_s(drafts_slowly ? slow : quick));
    CHECK(evaluator.take_plan(strategy) == evaluate::make_plan(quick.context(), strategy));
    CHECK(evaluator.candidates().size() == 1);
    CHECK(evaluator.candidates().front().step_s == step_s(quick));
    CHECK(evaluator.took_draft() == !drafts_slowly);
  }
}

TEST_CASE("what the schedule refuses to answer in full is handed out as it was drafted") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const evaluate::PlanContext context = planning.context();
  RefusingSchedule refusing(context.schedule);
  evaluate::PlanEvaluator evaluator({context.program, context.cost, context.resharding, refusing},
                                    kUnlimited);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{1}}});
  const double step_s = evaluator.evaluate(strategy).step_s;
  CHECK(evaluator.take_plan(strategy) == evaluate::make_plan(context, strategy));
  CHECK(evaluator.took_draft());
  CHECK(evaluator.step_s() == step_s);
}

}  // namespace rhino::test
