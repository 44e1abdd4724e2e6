// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds by tables against the simulation of the plan. RHINO_STRATEGIES: how many of
/// each kind; RHINO_SEED: of the first one, others have the next; RHINO_VERBOSE: all of them.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

std::optional<Pair> draw_small_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_small_strategy(random);
  return pair_of(drawn, drawn.planning->context());
}

/// Every collective of activations is waited for where it starts.
std::optional<Pair> draw_blocking_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw(random, 8) == 0 ? draw_large(random) : draw_small_strategy(random);
  evaluate::PlanContext context = drawn.planning->context();
  context.blocking.collectives = true;
  return pair_of(drawn, context);
}

std::optional<Pair> draw_image_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_images(random);
  return pair_of(drawn, drawn.planning->context());
}

std::optional<Pair> draw_hard_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_hard(random);
  return pair_of(drawn, drawn.planning->context());
}

std::optional<Pair> draw_large_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_large(random);
  return pair_of(drawn, drawn.planning->context());
}

/// The same with attention as one kernel each way.
std::optional<Pair> draw_attending_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_large(random);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.software.attention = true;
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  return pair_of(drawn, drawn.planning->context());
}

std::optional<Pair> draw_grouped_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_grouped(random);
  return pair_of(drawn, drawn.planning->context());
}

/// On workers of one machine that was calibrated, by one of the schedules and reshardings.
std::optional<Pair> draw_calibrated_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw(random, 2) == 0 ? draw_large(random) : draw_small_strategy(random);
  Cluster cluster = modelled_cluster(drawn.planning->cost().cluster().num_devices());
  cost::apply(calibrated_workers(), cluster);
  cluster.models.front().memory_bytes = 1e12;
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster, "schedule/1f1b",
                                              "resharding/send_recv", &calibrated_workers());
  return pair_of(drawn, drawn.planning->context());
}

}  // namespace

TEST_CASE("bounds by tables hold, estimates are near what is simulated: calibrated workers") {
  const Quality quality = quality_of(draw_calibrated_pair, "calibrated", 16);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.15);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: small programs") {
  const Quality quality = quality_of(draw_small_pair, "small", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
  CHECK(quantile(quality.peaks, 0.5) < 0.08);
  CHECK(quantile(quality.peaks, 0.9) < 0.16);
  CHECK(quantile(quality.peaks, 1) < 0.35);
  check_spread(quality);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: collectives block") {
  const Quality quality = quality_of(draw_blocking_pair, "blocking", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  check_spread(quality, 0.76);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: large programs") {
  const Quality quality = quality_of(draw_large_pair, "large", 8);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  check_spread(quality);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: attention is one kernel") {
  const Quality quality = quality_of(draw_attending_pair, "attending", 8);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  check_spread(quality);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: heads share keys") {
  const Quality quality = quality_of(draw_grouped_pair, "grouped", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.15);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
  CHECK(quantile(quality.peaks, 0.9) < 0.25);
}

/// Values cut along their depth: devices hold terms of the gradient of a softmax, which are added
/// up before its scores are. As loops over all that these are made of, 122 was 1.64 times too long
/// and took 8.2 times the memory, 368 1.59 and 3.8 times, 292 1.32 and 5.4 times.
TEST_CASE("a gradient of attention is kernels around what is added up in the midst of it") {
  for (const std::uint64_t seed : {122, 368, 292}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_grouped_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.1));
    CHECK(pair->peak() == Approx(1).epsilon(0.15));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

TEST_CASE("a loss over a long vocabulary is priced as devices compute it: on GPUs one kernel") {
  const auto pair_on = [](std::int32_t num_multiprocessors) {
    Cluster cluster = modelled_cluster(2);
    cluster.models.front().num_multiprocessors = num_multiprocessors;
    cluster.models.front().peak_flops = {};  // memory alone takes time
    cluster.models.front().memory_bytes = 1e12;
    Drawn drawn;
    drawn.program = std::make_unique<const Program>(ir::training_step(
        models::gpt_forward(
            {.num_layers = 1, .hidden = 8, .num_heads = 2, .vocabulary = 128256, .sequence = 16},
            4),
        {}));
    drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
    drawn.draft = {.num_micro_batches = 2, .chunks = drawn.planning->chunks(1, {{"data", 2}})};
    drawn.draft.batch_axis = 0;
    return pair_of(drawn, drawn.planning->context());
  };
  const std::optional<Pair> gpus = pair_on(100), others = pair_on(0);
  REQUIRE((gpus && others));
  for (const std::optional<Pair>& pair : {gpus, others}) {
    CHECK(pair->ratio() == Approx(1).epsilon(0.02));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: images cut in space") {
  const Quality quality = quality_of(draw_image_pair, "images", 16);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds hold where hosts issue kernels, sums are reduced early and passes are cut") {
  quality_of(draw_hard_pair, "hard", 40);
}

/// Of 970152 eight micro-batches of two inputs that no op reads were most of what was estimated.
TEST_CASE("inputs that nothing reads take no memory") {
  for (const std::uint64_t seed : {970152, 970091, 970089, 970095}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_small_pair(seed);
    REQUIRE(pair);
    CHECK(pair->peak() == Approx(1).epsilon(0.15));
  }
}

/// Views within loops; tiles that come before much is kept.
TEST_CASE("what is there at different times is not added up") {
  for (const std::uint64_t seed : {85, 456}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_small_pair(seed);
    REQUIRE(pair);
    CHECK(pair->peak() == Approx(1).epsilon(0.15));
  }
}

/// Without what lies between the parts of a backward pass 104 was 28 % too small, without room for
/// the gradient of another stage, from the last pass on, 174 and 4 were 9 and 13 %, without that of
/// an embedding beside the sum that it is added to 120 was 4 %. Reductions of 174 begin one by one.
TEST_CASE("what lies beside micro-batches in the last pass counts") {
  const auto [seed, near] = GENERATE(table<std::uint64_t, double>(
      {{36, 0.06}, {104, 0.18}, {145, 0.18}, {174, 0.12}, {4, 0.06}, {120, 0.02}}));
  CAPTURE(seed);
  const std::optional<Pair> pair = draw_large_pair(seed);
  REQUIRE(pair);
  CHECK(pair->peak() == Approx(1).epsilon(near));
}

/// Eight micro-batches of which each takes a chain of many hops; a weight that two stages share,
/// whose parts cross one after the other, and their sums; gradients of 2 MiB, of which several make
/// one message. Updates that begin with the first bucket of sums; a weight that crosses in front of
/// the first micro-batch; updates that gather over the links of reductions.
TEST_CASE("transfers that overlap and sums that join others take no longer than they do") {
  const std::uint64_t seed = GENERATE(700183, 700212, 700221, 820046, 910091, 910084);
  CAPTURE(seed);
  const std::optional<Pair> pair = draw_large_pair(seed);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.12));
}

/// A sum comes to one device after the other over 25 Gbit/s, and their update ends with collectives
/// of all: no first one sends the next step's embedding any sooner (0.74).
TEST_CASE("devices whose updates end with a collective begin the next step together") {
  const std::optional<Pair> pair = draw_large_pair(62000023);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.1));
}

/// Devices that send nothing begin to reduce over the links by which others of their mesh still
/// send; meshes that share hosts, where collectives of passes meet what crosses.
TEST_CASE("collectives and transfers that take the same links delay each other") {
  const std::optional<Pair> reducing = draw_large_pair(940106);
  REQUIRE(reducing);
  CHECK(reducing->ratio() == Approx(1).epsilon(0.12));
  for (const std::uint64_t seed : {930063, 910035, 930061}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_small_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.12));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

/// What a forward pass has waited for is there, with all that came with it.
TEST_CASE("a backward pass does not wait again for what a forward pass has got") {
  const std::optional<Pair> pair = draw_large_pair(700079);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.03));
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// Simulated, the use of a transfer was over, and its number that of a collective, when the end of
/// the transfer was told.
TEST_CASE("a message that is there before its receiver begins ends nothing else") {
  const std::optional<Pair> pair = draw_small_pair(520070);
  REQUIRE(pair);
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// By tensor and ZeRO along one dim: adjacent in the tile.
TEST_CASE("what is gathered along a dim that other axes cut, too, is not copied") {
  const std::optional<Pair> pair = draw_small_pair(820056);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.15));
}

TEST_CASE("what an op reads twice is read once: a square") {
  const std::optional<Pair> pair = draw_small_pair(520213);
  REQUIRE(pair);
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// The embedding of a gpt, of which both stages make a gradient: that of the last one crosses as a
/// sum over all replicas, and is none for the first one to make whole again.
TEST_CASE("a sum that another mesh reads is reduced once, where it is made") {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 8, .hidden = 64, .num_heads = 4, .vocabulary = 1024, .sequence = 16}, 8),
      {});
  Cluster cluster = modelled_cluster(8);
  cluster.hosts.clear();
  for (DeviceId device = 0; device < 8; ++device) {
    cluster.hosts.push_back({std::to_string(device), {device}});
    cluster.host_of[at(device)] = device;
  }
  cluster.inter_host = {1e8, 1e-6};
  Planning planning(step, cluster);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  for (const bool overlap : {false, true}) {
    CAPTURE(overlap);
    Strategy strategy =
        planning.strategy("gpt_megatron", {{"stage", 2}, {"data", 4}, {"tensor", 1}}, 2);
    strategy.gradient_sums = {.overlap = overlap, .bucket_bytes = 1 << 16};
    const Evaluation evaluation = evaluator.evaluate(strategy);
    REQUIRE(evaluation.feasible);
    const Estimate estimate = evaluator.estimate(strategy);
    CHECK(estimate.bound_s <= evaluation.step_s * (1 + 1e-9));
    CHECK(estimate.bound_s > 0.7 * evaluation.step_s);
    CHECK(estimate.step_s == Approx(evaluation.step_s).epsilon(0.05));
  }
}

/// Where hosts issue kernels: parts of several gradients that ran before are brought together by
/// one, and added to their sums by one.
TEST_CASE("what is scattered together is copied and added up in one go") {
  const std::optional<Pair> pair = draw_large_pair(930233);
  REQUIRE(pair);
  CHECK(pair->ratio() == Approx(1).epsilon(0.2));
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// Sums of one row are sums of all, which no loop goes on with.
TEST_CASE("loops over single rows are fused as those are") {
  for (const std::uint64_t seed : {930010, 930083}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_small_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.1));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

}  // namespace rhino::test
