// SPDX-License-Identifier: Apache-2.0
// What searches find where a person has decided a part. RHINO_SEED=SEED RHINO_PROGRAMS=COUNT goes
// on elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "toys.hpp"

namespace rhino::test {
namespace {

/// Of one to three values of the forward pass, inputs too: no dim is split, or one that
/// `num_devices` divide.
std::vector<Pin> drawn_pins(Random& random, const Program& step, std::int32_t num_devices) {
  std::vector<ValueId> values;
  for (ValueId id = 0; id < step.size(); ++id) {
    const Op& op = step.op(id);
    if (op.phase == Phase::forward && !op.shape.dims.empty() && op.kind != OpKind::constant)
      values.push_back(id);
  }
  std::vector<Pin> pins;
  for (std::int64_t i = 1 + draw(random, 3); i > 0; --i) {
    Pin pin{values[at(draw(random, std::ssize(values)))], {}};
    const std::vector<std::int64_t>& dims = step.shape(pin.value).dims;
    const auto dim = static_cast<std::int32_t>(draw(random, std::ssize(dims)));
    if (draw(random, 3) > 0 && dims[at(dim)] % num_devices == 0) pin.dims = {dim};
    pins.push_back(std::move(pin));
  }
  return pins;
}

std::string text(const Program& step, const std::vector<Pin>& pins) {
  std::string text;
  for (const Pin& pin : pins)
    text += fmt::format(" {}%{} split {}", step.op(pin.value).name, pin.value,
                        pin.dims.empty() ? "nowhere" : fmt::format("{}", pin.dims.front()));
  return text;
}

std::vector<Pin> pins_of(const Program& step, const Strategy& strategy) {
  std::vector<Pin> pins;
  for (ValueId id = 0; id < step.size(); ++id) {
    if (strategy.chunk_of[at(id)] < 0) continue;
    Pin pin{id, {}};
    const ShardingSpec& spec = strategy.specs[at(id)];
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      pin.dims = {static_cast<std::int32_t>(d)};
      if (pin.allows(spec, strategy.chunks.front().mesh.axes)) break;
      pin.dims.clear();
    }
    if (pin.allows(spec, strategy.chunks.front().mesh.axes)) pins.push_back(std::move(pin));
  }
  return pins;
}

std::int32_t value_of(const Program& step, const std::string& name) {
  const auto found = std::ranges::find(step.ops, name, &Op::name);
  REQUIRE(found != step.ops.end());
  return static_cast<std::int32_t>(found - step.ops.begin());
}

}  // namespace

TEST_CASE("with pins on random programs rhino finds what exhaustive search finds with them") {
  const std::uint64_t first = from_environment("RHINO_SEED", 1),
                      count = from_environment("RHINO_PROGRAMS", 12);
  int num_found = 0, num_dearer = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Program step =
        ir::training_step(models::random_forward(seed, 12, 3 + draw(random, 4)), {});
    const Cluster cluster = slow_cluster(2 + static_cast<std::int32_t>(draw(random, 3)), false);
    Toy toy(plugins(), step, cluster);
    toy.micro_batch_counts = {1, 2};
    const Answer free = toy.run("search/rhino", {}, 1e12);
    toy.pins = drawn_pins(random, step, cluster.num_devices());
    const Answer all = toy.run("search/exhaustive", {{"most_axes", std::int64_t{2}}}, 1e12);
    for (const std::int64_t level : {2, 3}) {
      const Answer found = toy.run("search/rhino", {{"level", level}}, 1e12);
      CAPTURE(seed, level, cluster.num_devices(), text(step, toy.pins), found.reason, all.reason,
              found.strategy.name, all.strategy.name, found.step_s, all.step_s);
      REQUIRE(found.ok() == all.ok());
      if (!found.ok()) continue;
      CHECK(found.step_s <= all.step_s * (level == 3 ? 1.03 : 1.05));
      CHECK(toy.error_of(found.strategy) < 1e-9);
      num_found += 1;
      num_dearer += found.step_s > free.step_s * 1.01 ? 1 : 0;
    }
  }
  fmt::print("{} found with pins, {} of them dearer than without\n", num_found, num_dearer);
  CHECK(num_dearer > 0);
}

TEST_CASE("equal layers are cut unlike where they are pinned unlike") {
  const Program step = gpt({.num_layers = 4});
  const Cluster cluster = slow_cluster(2, false);
  Toy toy(plugins(), step, cluster);
  for (const std::int32_t layer : {0, 1, 2, 3}) {
    const std::string name = "h" + std::to_string(layer) + ".mlp.up.weight";
    const bool is_split = layer % 2 == 1;
    toy.pins.push_back({value_of(step, name), {}});
    if (is_split) toy.pins.back().dims = {1};
  }
  for (const std::int64_t level : {2, 3}) {
    const Answer found =
        toy.run("search/rhino", {{"level", level}, {"stages", std::int64_t{1}}}, 1e12);
    CAPTURE(level, found.reason);
    REQUIRE(found.ok());
    for (const Pin& pin : toy.pins)
      CHECK(
          pin.allows(found.strategy.specs[at(pin.value)], found.strategy.chunks.front().mesh.axes));
  }
}

TEST_CASE("what is found is found again where all of it is pinned") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  const Answer free = toy.run("search/rhino", {}, 1e12);
  REQUIRE(free.ok());
  toy.pins = pins_of(step, free.strategy);
  CHECK(toy.pins.size() > 20);
  const Answer pinned = toy.run("search/rhino", {}, 1e12);
  CAPTURE(pinned.reason, free.strategy.name, pinned.strategy.name);
  REQUIRE(pinned.ok());
  CHECK(pinned.step_s <= free.step_s * 1.0001);
}

TEST_CASE("grid cuts a parameter as it is pinned, and prices nothing that breaks a pin") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.pins = {{value_of(step, "h0.mlp.up.weight"), {0}}, {value_of(step, "h1.mlp.up.weight"), {}}};
  toy.ask(1e12, [&](const SearchProblem& problem, evaluate::PlanEvaluator& evaluator) {
    const auto search = plugin::make_search(plugins().find("search/grid"), Options());
    const std::vector<Strategy> found = search->search(problem, evaluator);
    CHECK(evaluator.num_evaluated() == std::ssize(evaluator.candidates()));
    REQUIRE_FALSE(found.empty());
    for (const Pin& pin : toy.pins) {
      const Mesh& mesh = found.front().chunks[at(found.front().chunk_of[at(pin.value)])].mesh;
      CHECK(pin.allows(found.front().specs[at(pin.value)], mesh.axes));
    }
  });
}

TEST_CASE("grid says of two dims that are pinned that it cuts one") {
  const Program step = gpt({});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.pins = {{value_of(step, "h0.mlp.up.weight"), {0, 1}}};
  const Answer found = toy.run("search/grid", {}, 1e12);
  CHECK_FALSE(found.ok());
  CHECK(
      found.reason.ends_with("'h0.mlp.up.weight' is not split as it is pinned, by stages, samples "
                             "and one dim of each parameter"));
}

}  // namespace rhino::test
