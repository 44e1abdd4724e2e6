// SPDX-License-Identifier: Apache-2.0
/// Estimates of a strategy that is tried out: changed value by value, and back.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/frame.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {

/// In 16 bits, of ZeRO 1: made of the part of the f32 parameter that a device updates, and
/// gathered.
TEST_CASE("a new parameter leaves the update as the old one was cut") {
  Random random(940135);
  const Drawn drawn = draw_large(random);
  const std::optional<Pair> pair = pair_of(drawn, drawn.planning->context());
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.1));
  CHECK(pair->bound() <= 1 + 1e-9);

  evaluate::PlanEvaluator evaluator(drawn.planning->context(), 0);
  Strategy changed = evaluator.complete(drawn.draft);
  const std::unique_ptr<Trial> trial = evaluator.try_out(changed);
  const Estimate before = trial->price();
  const auto parameter = std::ranges::find_if(drawn.program->inputs, [&](const Input& input) {
    return input.kind == InputKind::parameter && drawn.program->shape(input.value).dims.size() == 2;
  });
  ShardingSpec& spec = changed.specs[at(parameter->value)];
  REQUIRE(spec.dims[1].splits.empty());
  spec.dims[1].splits = {{.axis = 0, .period = drawn.program->shape(parameter->value).dims[1]}};
  trial->set(parameter->value, spec);
  CHECK(trial->price() == evaluator.estimate(changed));
  CHECK(trial->price() != before);
}

TEST_CASE("a strategy whose batch is cut otherwise has the price of one made so") {
  Random random(930010);
  const Drawn drawn = draw_small_strategy(random);
  evaluate::PlanEvaluator evaluator(drawn.planning->context(), 0);
  Strategy changed = evaluator.complete(drawn.draft);
  REQUIRE(evaluate::num_single_rows(*drawn.program, changed) > 0);
  const std::unique_ptr<Trial> trial = evaluator.try_out(changed);
  const Estimate before = trial->price();
  for (const Input& input : drawn.program->inputs) {
    if (input.kind != InputKind::batch) continue;
    ShardingSpec& spec = changed.specs[at(input.value)];
    std::erase_if(spec.dims[0].splits, [](const AxisSplit& cut) { return cut.axis != kMicroAxis; });
    trial->set(input.value, spec);
  }
  CHECK(evaluate::num_single_rows(*drawn.program, changed) == 0);
  CHECK(trial->price() == evaluator.estimate(changed));
  while (trial->strategy() != evaluator.complete(drawn.draft)) trial->undo();
  CHECK(trial->price() == before);
}

TEST_CASE("a strategy that is changed value by value has the price of one made so") {
  int num_set = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Drawn drawn = draw_small(random);
    evaluate::PlanEvaluator evaluator(drawn.planning->context(), 0);
    Strategy from, to;
    try {
      from = evaluator.complete(drawn.draft);
      annotate(random, *drawn.program, drawn.draft);
      to = evaluator.complete(drawn.draft);
    } catch (const Error&) {
      continue;
    }
    const std::unique_ptr<Trial> trial = evaluator.try_out(from);
    const Estimate before = trial->price();
    CHECK(before == evaluator.estimate(from));
    int num_here = 0;
    for (ValueId id = 0; id < drawn.program->size(); ++id) {
      if (from.specs[at(id)] == to.specs[at(id)]) continue;
      ShardingSpec wrong = to.specs[at(id)];
      wrong.dims.emplace_back();
      CHECK_THROWS_WITH(trial->set(id, wrong), Catch::Contains("does not fit"));
      trial->set(id, to.specs[at(id)]);
      from.specs[at(id)] = to.specs[at(id)];
      ++num_here;
      REQUIRE(trial->strategy() == from);
      if (draw(random, 8) == 0) CHECK(trial->price() == evaluator.estimate(from));
    }
    CHECK(trial->price() == evaluator.estimate(from));
    num_set += num_here;
    while (num_here-- > 0) trial->undo();
    CHECK(trial->price() == before);
    CHECK_THROWS_WITH(trial->undo(), Catch::Contains("no change"));
  }
  CHECK(num_set > 100);
}

}  // namespace rhino::test
