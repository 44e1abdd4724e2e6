// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds by tables of all models, schedules and reshardings, on equal hosts and
/// devices: see estimate_test.cpp.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "models/models.hpp"
#include "models/u_transformer.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// On one host, or several as large; kernels take microseconds.
Cluster draw_equal_hosts(Random& random, std::int32_t num_devices) {
  Cluster cluster = modelled_cluster(num_devices);
  const double flops = one_of(random, {1e9, 4e9, 1.6e10});
  cluster.models[0] = {DeviceKind::modelled,
                       "device",
                       1e12,
                       flops * one_of(random, {0.25, 0.5, 2.0}),
                       one_of(random, {0.0, 1e-6, 1e-5}),
                       {{DType::f32, flops}}};
  cluster.intra_host = {flops * one_of(random, {0.05, 0.2, 1.0}), one_of(random, {0.0, 2e-6})};
  cluster.inter_host = {flops * one_of(random, {0.01, 0.1}), one_of(random, {1e-6, 5e-5})};
  const auto per_host = static_cast<std::int32_t>(one_of(random, {1, 2, 4, 64}));
  if (num_devices % per_host != 0) return cluster;
  cluster.hosts.clear();
  for (DeviceId device = 0; device < num_devices; ++device) {
    const std::int32_t host = device / per_host;
    if (host == std::ssize(cluster.hosts)) cluster.hosts.push_back({std::to_string(host), {}});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of[at(device)] = host;
  }
  return cluster;
}

Program draw_model(Random& random, std::int64_t batch, std::string& text) {
  text = one_of<const char*>(random, {"gpt", "llama", "bert", "t5", "moe", "u_transformer", "vgg",
                                      "wide_resnet", "mlp", "branching", "random"});
  if (text == "random")
    return models::random_forward(at(draw(random, 1 << 20)), batch, 20 + draw(random, 40));
  const auto width = one_of<std::int64_t>(random, {64, 320});
  const std::int64_t depth = 2 + draw(random, 4);
  Options options({{"preset", std::string("tiny")}});
  if (text == "mlp" || text == "branching") options = Options({{"width", width}, {"depth", depth}});
  if (text == "gpt")
    return models::gpt_forward({.num_layers = depth,
                                .hidden = width / 2,
                                .num_heads = 4,
                                .vocabulary = 128,
                                .sequence = one_of<std::int64_t>(random, {16, 64})},
                               batch);
  return models::build_forward(text, options, batch, DType::f32).program;
}

std::optional<Drawn> draw_other(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn;
  const auto stage = one_of<std::int64_t>(random, {1, 2, 2, 4}),
             data = one_of<std::int64_t>(random, {1, 2}),
             tensor = one_of<std::int64_t>(random, {1, 2, 4});
  const std::int64_t num_micro_batches = stage * one_of<std::int64_t>(random, {2, 2, 4});
  drawn.program = std::make_unique<const Program>(ir::training_step(
      draw_model(random, num_micro_batches * data * one_of<std::int64_t>(random, {1, 4}),
                 drawn.text),
      {}));
  const Cluster cluster =
      draw_equal_hosts(random, static_cast<std::int32_t>(stage * data * tensor));
  const std::string schedule = one_of<const char*>(
      random, {"1f1b", "auto", "breadth_first", "dualpipe_v", "eager_1f1b", "gpipe", "hanayo",
               "interleaved_1f1b", "zb_h1", "zb_v", "zero_bubble"});
  const std::string resharding = one_of<const char*>(
      random, {"broadcast", "global_allgather", "local_allgather", "send_recv", "striped"});
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster, "schedule/" + schedule,
                                              "resharding/" + resharding);
  drawn.draft.num_micro_batches = num_micro_batches;
  try {
    drawn.draft.chunks = drawn.planning->chunks(static_cast<std::int32_t>(stage),
                                                {{"data", data}, {"tensor", tensor}});
  } catch (const Error&) {  // of another number of meshes
    return std::nullopt;
  }
  if (draw(random, 8) > 0) drawn.draft.batch_axis = 0;
  if (drawn.draft.batch_axis == 0)
    drawn.draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
  drawn.text +=
      " " + schedule + " " + resharding + " " + std::to_string(stage) + "x" + std::to_string(data) +
      "x" + std::to_string(tensor) + " m" + std::to_string(num_micro_batches) + " hosts" +
      std::to_string(cluster.hosts.size()) + " zero" + std::to_string(drawn.draft.zero_stage);
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return drawn;
}

std::optional<Pair> draw_other_pair(std::uint64_t seed) {
  const std::optional<Drawn> drawn = draw_other(seed);
  return drawn ? pair_of(*drawn, drawn->planning->context()) : std::nullopt;
}

}  // namespace

TEST_CASE("bounds by tables hold, estimates are near what is simulated: other kinds") {
  const Quality quality = quality_of(draw_other_pair, "other", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
}

/// Of a wide_resnet, where two samples share statistics and a device has a part of one: as loops
/// over nothing, its passes were 0.56, 0.59 and 0.72 of what they are.
TEST_CASE("statistics that samples share are of single rows, too") {
  for (const std::uint64_t seed : {198, 259, 385}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.1));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

/// A group norm sums over pixels, then over features, and writes what it spreads once per feature:
/// as many bytes as that, and not as the image has.
TEST_CASE("statistics of groups of features are priced as the few numbers that they are") {
  models::UTransformerConfig config = models::u_transformer_preset("tiny");
  config.image = 16;
  config.channels = 64;
  const Program step = ir::training_step(models::u_transformer_forward(config, 8), {});
  Planning planning(step, modelled_cluster(1));
  StrategyDraft draft{.num_micro_batches = 2, .chunks = planning.chunks(1, {{"data", 1}})};
  draft.batch_axis = 0;
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy = evaluator.complete(draft);
  const Evaluation evaluation = evaluator.evaluate(strategy);
  REQUIRE(evaluation.feasible);
  const Estimate estimate = evaluator.estimate(strategy);
  CHECK(estimate.bound_s <= evaluation.step_s);
  CHECK(estimate.step_s == Approx(evaluation.step_s).epsilon(0.005));
  CHECK(estimate.peak_bytes == Approx(evaluation.peak_bytes).epsilon(0.005));
}

/// Updates of Adam, where arithmetic takes as long as memory: op by op, what is computed beside a
/// write and what beside a read, 50000686 was 1.30, 50001375 1.28 and 50000045 1.27 times too long.
TEST_CASE("a loop computes while it reads and writes, all of it") {
  for (const std::uint64_t seed : {50000686, 50001375, 50000045}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.01));
  }
}

/// What lies in memory, and is exchanged or scattered in another shape, is copied first: without
/// that 50000670 was 0.71 of what it is, 50000617 0.78 and 50000183 0.83.
TEST_CASE("a view of what lies in memory is copied to be sent") {
  for (const std::uint64_t seed : {50000670, 50000617, 50000183}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.04));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

/// What another axis has cut before lies in one piece, however finely it is cut then: copied to be
/// scattered it was 1.30 times too long.
TEST_CASE("a part that lies in one piece is sent as it lies") {
  const std::optional<Pair> pair = draw_other_pair(83000756);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.03));
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// A schedule that goes by times orders otherwise where it is told others: asked with what passes
/// are expected to take, these needed 2.26, 1.98, 1.78 and 0.57 of what they do.
TEST_CASE("a schedule is told by tables what it is told by plans") {
  for (const std::uint64_t seed : {50000915, 50000218, 50000766, 50000098}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->peak() == Approx(1).epsilon(0.2));
  }
}

/// 50000289: halves of a backward pass, whose collectives wait less than those of the whole one;
/// 50001656: updates of two chunks on one mesh, which wait for their gathers at once.
TEST_CASE("bounds hold of what is cut, or put together, otherwise than the bound's passes are") {
  for (const std::uint64_t seed : {50000289, 50001656}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->bound() <= 1 + 1e-9);
    CHECK(pair->bound() > 0.95);
  }
}

/// Evaluated is an outline.
TEST_CASE("a step takes as long, and as much memory, as that of the whole plan, to the last bit") {
  for (const std::uint64_t seed : {1, 3, 4, 8, 13, 17, 20, 24, 43, 45}) {
    CAPTURE(seed);
    const std::optional<Drawn> drawn = draw_other(seed);
    REQUIRE(drawn);
    evaluate::PlanEvaluator evaluator(drawn->planning->context(), 0);
    const Strategy strategy = evaluator.complete(drawn->draft);
    const Evaluation evaluation = evaluator.evaluate(strategy);
    REQUIRE(evaluation.feasible);
    const plan::ExecutionPlan plan = evaluate::make_plan(drawn->planning->context(), strategy);
    CHECK(evaluation.peak_bytes == static_cast<double>(plan::peak_bytes(plan)));
    CHECK(evaluation.step_s ==
          simulate::simulate(plan, drawn->planning->cost(), {.num_steps = 2, .keep_events = false})
              .step_s);
  }
}

/// Of updates that go from one cut to another: 0.92, 0.88 and 0.90 without what comes by them.
TEST_CASE("what an all-to-all leaves lies in memory until it is in order") {
  for (const std::uint64_t seed : {61000045, 61000204, 61000310}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_other_pair(seed);
    REQUIRE(pair);
    CHECK(pair->peak() == Approx(1).epsilon(0.03));
  }
}

}  // namespace rhino::test
