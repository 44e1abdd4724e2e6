// SPDX-License-Identifier: Apache-2.0
/// Trials that are changed, priced and taken back in any order, against strategies made so.
/// RHINO_STRATEGIES: how many of each kind; RHINO_SEED: of the first one, others have the next;
/// RHINO_VERBOSE: prints all prices, to the last bit.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "evaluate/evaluator.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

void print(const Estimate& estimate) {
  if (std::getenv("RHINO_VERBOSE") == nullptr) return;
  std::printf("  %a %a %a\n", estimate.bound_s, estimate.step_s, estimate.peak_bytes);
}

/// Some axis cuts a dim that it does not, or no longer cuts it.
ShardingSpec cut_otherwise(Random& random, const Drawn& drawn, ValueId id, ShardingSpec spec) {
  const std::vector<std::int64_t>& dims = drawn.program->shape(id).dims;
  if (dims.empty()) return spec;
  const auto d = at(draw(random, std::ssize(dims)));
  const auto axis =
      static_cast<AxisId>(draw(random, std::ssize(drawn.draft.chunks.front().mesh.axes)));
  const auto is_cut_by_axis = [&](const AxisSplit& split) { return split.axis == axis; };
  bool is_cut = false;
  for (DimSharding& dim : spec.dims) is_cut |= std::erase_if(dim.splits, is_cut_by_axis) > 0;
  std::erase_if(spec.partial, [&](const Partial& partial) { return partial.axis == axis; });
  if (!is_cut && spec.dims[d].splits.empty()) spec.dims[d].splits = {{axis, dims[d]}};
  return spec;
}

/// A trial, and the strategy that it has come to.
class Walk {
 public:
  /// `is_apart`: prices are compared with those of an evaluator that has seen no other strategy.
  Walk(const Drawn& drawn, const Strategy& strategy, bool is_apart)
      : drawn_(drawn),
        is_apart_(is_apart),
        evaluator_(drawn.planning->context(), 0),
        now_(strategy),
        trial_(evaluator_.try_out(strategy)) {
    for (ValueId id = 0; at(id) < strategy.specs.size(); ++id) {
      const std::vector<Partial>& partial = strategy.specs[at(id)].partial;
      if (!partial.empty() && partial.front().axis == kMicroAxis) sums_.push_back(id);
    }
  }

  int num_changes() const { return num_changes_; }

  /// Of sums of micro-batches a third, which several passes are concerned with. Returns whether
  /// that could be set.
  bool set(Random& random) {
    ValueId id = draw(random, drawn_.program->size());
    if (!sums_.empty() && draw(random, 3) == 0) id = sums_[at(draw(random, std::ssize(sums_)))];
    const ShardingSpec spec = cut_otherwise(random, drawn_, id, now_.specs[at(id)]);
    if (spec == now_.specs[at(id)]) return false;
    try {
      trial_->set(id, spec);
    } catch (const Error&) {
      CHECK(trial_->strategy() == now_);
      return false;
    }
    before_.emplace_back(id, std::exchange(now_.specs[at(id)], spec));
    ++num_changes_;
    return true;
  }

  void undo() {
    if (before_.empty()) return;
    trial_->undo();
    now_.specs[at(before_.back().first)] = before_.back().second;
    before_.pop_back();
  }

  /// Against a trial that has seen no other strategy.
  void price(bool checks) {
    const Estimate estimate = trial_->price();
    print(estimate);
    if (!checks) return;
    REQUIRE(trial_->strategy() == now_);
    CHECK(evaluator_.try_out(now_)->price() == estimate);
    if (!is_apart_) return;
    evaluate::PlanEvaluator other(drawn_.planning->context(), 0);
    CHECK(other.try_out(now_)->price() == estimate);
  }

 private:
  const Drawn& drawn_;
  const bool is_apart_;
  evaluate::PlanEvaluator evaluator_;
  Strategy now_;
  const std::unique_ptr<Trial> trial_;
  std::vector<std::pair<ValueId, ShardingSpec>> before_;
  std::vector<ValueId> sums_;
  int num_changes_ = 0;
};

/// As searchers do: a change, its price, mostly back again; now and then several, or none back.
int walk(Random& random, const Drawn& drawn, int num_prices, int check_every, bool is_apart) {
  evaluate::PlanEvaluator evaluator(drawn.planning->context(), 0);
  Strategy strategy;
  try {
    strategy = evaluator.complete(drawn.draft);
  } catch (const Error&) {
    return 0;
  }
  Walk walk(drawn, strategy, is_apart);
  walk.price(true);
  for (int i = 0; i < num_prices; ++i) {
    int num_set = 0;
    for (int wanted = 1 + static_cast<int>(draw(random, 3)), tries = 0; tries < 40; ++tries) {
      if (walk.set(random) && ++num_set == wanted) break;
    }
    if (draw(random, 4) > 0) walk.price(draw(random, check_every) == 0);
    for (std::int64_t back = draw(random, num_set + 2); back-- > 0;) walk.undo();
    if (draw(random, 4) == 0) walk.price(draw(random, check_every) == 0);
  }
  walk.price(true);
  return walk.num_changes();
}

using Draw = Drawn (&)(Random&);

int walk_all(Draw draw_one, std::int64_t num_strategies, int num_prices, int check_every,
             std::int64_t first_seed = 1) {
  int num_changes = 0;
  const std::int64_t first = number("RHINO_SEED", first_seed);
  for (std::int64_t i = 0; i < number("RHINO_STRATEGIES", num_strategies); ++i) {
    Random random(static_cast<std::uint64_t>(first + i));
    const Drawn drawn = draw_one(random);
    CAPTURE(first + i, drawn.text);
    if (std::getenv("RHINO_VERBOSE") != nullptr)
      std::printf("%lld %s\n", static_cast<long long>(first + i), drawn.text.c_str());
    num_changes += walk(random, drawn, num_prices, check_every, first_seed > 1);
  }
  return num_changes;
}

}  // namespace

TEST_CASE("trials that are changed and taken back have the prices of strategies: small programs") {
  CHECK(walk_all(draw_small_strategy, 12, 12, 3) > 150);
}

/// Of 117 the gradient of a tied embedding is added up in the backward pass, or in the update.
TEST_CASE("an evaluator prices as one that has seen nothing else") {
  CHECK(walk_all(draw_small_strategy, 8, 12, 3, 114) > 100);
}

TEST_CASE("trials that are changed and taken back have the prices of strategies: hard ones") {
  CHECK(walk_all(draw_hard, 12, 12, 3) > 150);
}

/// Of 2142, which the update of the chunk that makes it reduces for another.
TEST_CASE("a change of a sum is one of the updates of its mesh") {
  CHECK(walk_all(draw_hard, 3, 12, 3, 2140) > 20);
}

TEST_CASE("trials that are changed and taken back have the prices of strategies: images") {
  CHECK(walk_all(draw_images, 6, 8, 3) > 40);
}

TEST_CASE("trials that are changed and taken back have the prices of strategies: large programs") {
  CHECK(walk_all(draw_large, 3, 8, 6) > 20);
}

TEST_CASE("trials that are changed and taken back have the prices of strategies: attention") {
  CHECK(walk_all(draw_grouped, 6, 8, 3) > 40);
}

}  // namespace rhino::test
