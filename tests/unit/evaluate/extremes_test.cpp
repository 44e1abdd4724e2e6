// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds where next to nothing takes time but one thing: each part of a bound is
/// then most of it, so that it shows where it is too long.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// What alone takes time.
enum class Only { arithmetic, memory, launches, links, hops, issue };

/// All else is next to free.
Cluster only(Only what, const Cluster& was) {
  Cluster cluster = was;
  DeviceModel& device = cluster.models[0];
  if (what != Only::arithmetic) device.peak_flops = {{DType::f32, 1e30}, {DType::bf16, 1e30}};
  if (what != Only::memory) device.memory_bytes_per_s = 1e30;
  device.kernel_latency_s = what == Only::launches ? 1 : 0;
  for (Link* const link : {&cluster.intra_host, &cluster.inter_host}) {
    if (what != Only::links) link->bytes_per_s = 1e30;
    if (what != Only::hops) link->latency_s = 0;
  }
  if (what == Only::issue)
    cluster.software = {.kernel_issue_s = 1,
                        .kernels_per_loop = 3,
                        .collective_issue_s = {{OpKind::all_reduce, 5}, {OpKind::all_gather, 2}}};
  return cluster;
}

template <Only what>
std::optional<Pair> draw_only_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  drawn.planning =
      std::make_unique<Planning>(*drawn.program, only(what, drawn.planning->cost().cluster()),
                                 draw(random, 2) == 1 ? "schedule/gpipe" : "schedule/1f1b");
  drawn.text = "extreme";
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  if (seed % 2 == 0) drawn.draft.gradient_sums.bucket_bytes = 1 << 10;  // some sums go early
  const bool is_alone = drawn.planning->cost().cluster().num_devices() == 1;
  if (is_alone && (what == Only::links || what == Only::hops)) return std::nullopt;
  const std::optional<Pair> pair = pair_of(drawn, drawn.planning->context());
  return pair && pair->evaluation.step_s > 1e-12 ? pair : std::nullopt;
}

}  // namespace

TEST_CASE("kernels that hosts issue are as many as plans launch") {
  const Quality quality = quality_of(draw_only_pair<Only::issue>, "kernels", 40);
  CHECK(quantile(quality.errors, 0.5) < 0.06);
  CHECK(quantile(quality.errors, 0.9) < 0.16);
}

/// Sums of 16 bits are sums in f32, which another loop rounds; what an update cuts out is a kernel
/// that loops in front of it and behind it do not join.
TEST_CASE("kernels of a gpt of 16 bits are as many as plans launch") {
  models::GptConfig config{
      .num_layers = 3, .hidden = 32, .num_heads = 4, .vocabulary = 64, .sequence = 16};
  config.dtype = DType::bf16;
  const Program step = ir::training_step(models::gpt_forward(config, 8), {});
  for (const std::int32_t zero : {0, 1}) {
    CAPTURE(zero);
    Planning planning(step, only(Only::issue, modelled_cluster(zero == 0 ? 1 : 4)));
    StrategyDraft draft{.num_micro_batches = 2,
                        .chunks = planning.chunks(1, {{"data", zero == 0 ? 1 : 4}})};
    draft.batch_axis = 0;
    draft.zero_stage = zero;
    evaluate::PlanEvaluator evaluator(planning.context(), 0);
    const Strategy strategy = evaluator.complete(draft);
    const Evaluation evaluation = evaluator.evaluate(strategy);
    REQUIRE(evaluation.feasible);
    CHECK(evaluator.estimate(strategy).step_s == Approx(evaluation.step_s).epsilon(0.06));
  }
}

TEST_CASE("a bound 2 % larger would not hold where nothing but one thing takes time") {
  const auto most = [](const Quality& quality) { return quantile(quality.bounds, 0.8); };
  CHECK(1.02 * most(quality_of(draw_only_pair<Only::arithmetic>, "arithmetic", 25)) > 1);
  CHECK(1.02 * most(quality_of(draw_only_pair<Only::links>, "links", 25)) > 1);
  CHECK(1.02 * most(quality_of(draw_only_pair<Only::hops>, "hops", 25)) > 1);
}

/// How loops are fused is not sure; where there are few, bounds are near.
TEST_CASE("a bound 10 % larger would not always hold where nothing but memory, or kernels, count") {
  const auto most = [](const Quality& quality) { return quantile(quality.bounds, 1); };
  CHECK(1.1 * most(quality_of(draw_only_pair<Only::memory>, "memory", 25)) > 1);
  CHECK(1.1 * most(quality_of(draw_only_pair<Only::launches>, "launches", 25)) > 1);
}

TEST_CASE("the bound of reductions that begin early is that of their links") {
  Planning planning(small_gpt_step(), only(Only::links, modelled_cluster(4)));
  StrategyDraft draft{.num_micro_batches = 2, .chunks = planning.chunks(1, {{"data", 4}})};
  draft.batch_axis = 0;
  draft.gradient_sums.bucket_bytes = 1 << 10;
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy = evaluator.complete(draft);
  const Evaluation evaluation = evaluator.evaluate(strategy);
  REQUIRE(evaluation.feasible);
  const double bound_s = evaluator.estimate(strategy).bound_s;
  CHECK(bound_s <= evaluation.step_s * (1 + 1e-9));
  CHECK(bound_s > 0.9 * evaluation.step_s);
}

/// There and, as a sum, back: nothing else takes time.
TEST_CASE("the bound of a weight that two meshes share is that of its two ways") {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 2, .hidden = 32, .num_heads = 4, .vocabulary = 4096, .sequence = 16}, 2),
      {});
  Cluster cluster = only(Only::links, modelled_cluster(2));
  cluster.hosts = {{"a", {0}}, {"b", {1}}};
  cluster.host_of = {0, 1};
  Planning planning(step, cluster);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", 2}, {"data", 1}, {"tensor", 1}}, 1);
  const Evaluation evaluation = evaluator.evaluate(strategy);
  REQUIRE(evaluation.feasible);
  const double ways_s = 2 * 4096 * 32 * 4 / cluster.inter_host.bytes_per_s;
  const double bound_s = evaluator.estimate(strategy).bound_s;
  CHECK(bound_s >= ways_s * (1 - 1e-9));
  CHECK(bound_s <= evaluation.step_s * (1 + 1e-9));
  CHECK(bound_s > 0.95 * evaluation.step_s);
}

}  // namespace rhino::test
