// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds by tables against the simulation of the plan, in all and by class.
/// RHINO_STRATEGIES: how many of each kind; RHINO_SEED: the first of the seeds, one for each
/// strategy; RHINO_VERBOSE: all of them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "drawn_strategy.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

std::int64_t number(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::atoll(text);
}

/// What a strategy was found to take, by tables and by simulation.
struct Pair {
  Estimate estimate;
  Evaluation evaluation;
  std::string text;
  std::vector<std::string> classes;  ///< that it is of
  double bound() const { return estimate.bound_s / evaluation.step_s; }
  double ratio() const { return estimate.step_s / evaluation.step_s; }
  double peak() const { return estimate.peak_bytes / evaluation.peak_bytes; }
};

std::vector<std::string> classes_of(const Drawn& drawn, const Cluster& cluster) {
  const StrategyDraft& draft = drawn.draft;
  return {"ZeRO " + std::to_string(draft.zero_stage),
          std::to_string(std::ranges::max(evaluate::mesh_numbers(draft.chunks)) + 1) + " stages",
          cluster.software.kernel_issue_s > 0 ? "hosts issue kernels" : "kernels issue themselves",
          draft.gradient_sums.overlap ? "reductions overlap" : "reductions do not overlap",
          cluster.hosts.size() > 1 ? "several hosts" : "one host"};
}

/// Nothing where the draw has no strategy: fewer dots than stages, a batch that does not divide.
std::optional<Pair> pair_of(const Drawn& drawn, const evaluate::PlanContext& context) {
  evaluate::PlanEvaluator evaluator(context, 0);
  Strategy strategy;
  try {
    strategy = evaluator.complete(drawn.draft);
  } catch (const Error&) {
    return std::nullopt;
  }
  const Evaluation evaluation = evaluator.evaluate(strategy);
  INFO(drawn.text << ": " << evaluation.reason);
  REQUIRE(evaluation.feasible);
  return Pair{evaluator.estimate(strategy), evaluation, drawn.text,
              classes_of(drawn, context.cost.cluster())};
}

std::optional<Pair> draw_small_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return pair_of(drawn, drawn.planning->context());
}

/// Hosts issue kernels, sums of any size are reduced early, backward passes may be cut, meshes may
/// have several chunks, small collectives may get a part of the rate of links.
std::optional<Pair> draw_hard_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.software = {1e-5, 1 + static_cast<double>(draw(random, 3)), 1};
  if (seed % 2 == 0) cluster.collective_shares = {{1 << 6, 0.1}, {1 << 14, 0.9}, {1 << 16, 0.6}};
  const std::int32_t num_meshes = std::ranges::max(evaluate::mesh_numbers(drawn.draft.chunks)) + 1;
  const bool may_interleave = drawn.draft.num_micro_batches % num_meshes == 0;
  const char* const schedule =
      std::array{"schedule/1f1b", "schedule/zb_h1",
                 "schedule/interleaved_1f1b"}[at(draw(random, may_interleave ? 3 : 2))];
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster, schedule);
  drawn.draft.chunks =
      drawn.planning->chunks(num_meshes, std::vector(drawn.draft.chunks.front().mesh.axes));
  drawn.text = std::string("hard, ") + schedule;
  drawn.draft.gradient_sums.bucket_bytes = 1 << 10;
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return pair_of(drawn, drawn.planning->context());
}

/// Nothing takes time but arithmetic: bounds are next to what is simulated, so that hardly anything
/// can be added to them.
std::optional<Pair> draw_arithmetic_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.models[0].memory_bytes_per_s = 1e30;
  cluster.models[0].kernel_latency_s = 0;
  cluster.intra_host = cluster.inter_host = {1e30, 0};
  drawn.planning = std::make_unique<Planning>(
      *drawn.program, cluster, draw(random, 2) == 1 ? "schedule/gpipe" : "schedule/1f1b");
  drawn.text = "arithmetic";
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return pair_of(drawn, drawn.planning->context());
}

/// Nothing takes time but links.
std::optional<Pair> draw_links_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.models[0].memory_bytes_per_s = 1e30;
  cluster.models[0].peak_flops = {{DType::f32, 1e30}};
  cluster.models[0].kernel_latency_s = 0;
  cluster.intra_host.latency_s = cluster.inter_host.latency_s = 0;
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  drawn.text = "links";
  annotate(random, *drawn.program, drawn.draft);
  if (drawn.planning->cost().cluster().num_devices() == 1) return std::nullopt;
  const std::optional<Pair> pair = pair_of(drawn, drawn.planning->context());
  return pair && pair->evaluation.step_s > 1e-12 ? pair : std::nullopt;
}

/// Nothing takes time but hosts, which issue a kernel a second: steps are numbers of kernels.
Cluster issuing(Cluster cluster) {
  cluster.models[0].memory_bytes_per_s = 1e30;
  cluster.models[0].peak_flops = {{DType::f32, 1e30}, {DType::bf16, 1e30}};
  cluster.models[0].kernel_latency_s = 0;
  cluster.intra_host = cluster.inter_host = {1e30, 0};
  cluster.software = {1, 3, 1};
  return cluster;
}

std::optional<Pair> draw_issue_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  drawn.planning =
      std::make_unique<Planning>(*drawn.program, issuing(drawn.planning->cost().cluster()));
  drawn.text = "kernels";
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return pair_of(drawn, drawn.planning->context());
}

std::optional<Pair> draw_large_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = draw_large(random);
  return pair_of(drawn, drawn.planning->context());
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

struct Quality {
  std::vector<double> bounds, errors, peaks;  ///< per strategy, over what was simulated
  std::map<std::string, std::vector<Pair>> classes;
  void add(std::uint64_t seed, const Pair& pair) {
    CAPTURE(seed, pair.text);
    CHECK(pair.bound() <= 1 + 1e-9);
    bounds.push_back(pair.bound());
    errors.push_back(std::abs(pair.ratio() - 1));
    peaks.push_back(std::abs(pair.peak() - 1));
    for (const std::string& name : pair.classes) classes[name].push_back(pair);
    if (std::getenv("RHINO_VERBOSE") != nullptr)
      std::printf("seed %3d step %.3g estimate %.3f bound %.3f peak %.3f %s\n",
                  static_cast<int>(seed), pair.evaluation.step_s, pair.ratio(), pair.bound(),
                  pair.peak(), pair.text.c_str());
  }
  void print(const char* what) const {
    const auto within = std::ranges::count_if(errors, [](double error) { return error <= 0.1; });
    std::printf(
        "%zu %s: bound / step at most %.3f, median %.3f; estimate off by %.3f (median), %.3f (90 "
        "%%), %.3f (worst), within 10 %%: %.1f %%; peak off by %.3f (median), %.3f (90 %%), %.3f "
        "(worst)\n",
        errors.size(), what, quantile(bounds, 1), quantile(bounds, 0.5), quantile(errors, 0.5),
        quantile(errors, 0.9), quantile(errors, 1),
        100 * static_cast<double>(within) / static_cast<double>(errors.size()),
        quantile(peaks, 0.5), quantile(peaks, 0.9), quantile(peaks, 1));
    std::printf("  %-26s %4s  %-18s  %-18s  %-18s\n", "least, median, most of", "", "bound / step",
                "estimate / step", "estimated memory");
    for (const auto& [name, pairs] : classes) {
      std::printf("  %-26s %4zu", name.c_str(), pairs.size());
      for (double (Pair::*const member)() const : {&Pair::bound, &Pair::ratio, &Pair::peak}) {
        std::vector<double> values;
        for (const Pair& pair : pairs) values.push_back((pair.*member)());
        std::printf("  %.3f %.3f %.3f ", quantile(values, 0), quantile(values, 0.5),
                    quantile(values, 1));
      }
      std::printf("\n");
    }
  }
};

/// The first `wanted` draws from a seed on that are strategies; RHINO_SEED and RHINO_STRATEGIES (of
/// each kind) for other ones.
Quality quality_of(std::optional<Pair> (*draw)(std::uint64_t), const char* what, int wanted) {
  const auto first = static_cast<std::uint64_t>(number("RHINO_SEED", 1));
  const auto count = at(number("RHINO_STRATEGIES", wanted));
  Quality quality;
  for (std::uint64_t seed = first; quality.errors.size() < count; ++seed) {
    if (const std::optional<Pair> pair = draw(seed)) quality.add(seed, *pair);
  }
  quality.print(what);
  return quality;
}

}  // namespace

TEST_CASE("bounds by tables hold, estimates are near what is simulated: small programs") {
  const Quality quality = quality_of(draw_small_pair, "small", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: large programs") {
  const Quality quality = quality_of(draw_large_pair, "large", 8);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
}

TEST_CASE("bounds hold where hosts issue kernels, sums are reduced early and passes are cut") {
  quality_of(draw_hard_pair, "hard", 40);
}

TEST_CASE("kernels that hosts issue are as many as plans launch") {
  const Quality quality = quality_of(draw_issue_pair, "kernels", 40);
  CHECK(quantile(quality.errors, 0.5) < 0.05);
  CHECK(quantile(quality.errors, 0.9) < 0.11);
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
    Planning planning(step, issuing(modelled_cluster(zero == 0 ? 1 : 4)));
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

/// Simulated, the use of a transfer was over, and its number that of a collective, when the end of
/// the transfer was told.
TEST_CASE("a message that is there before its receiver begins ends nothing else") {
  const std::optional<Pair> pair = draw_small_pair(520070);
  REQUIRE(pair);
  CHECK(pair->bound() <= 1 + 1e-9);
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
    CHECK(estimate.step_s == Approx(evaluation.step_s).epsilon(0.12));
  }
}

TEST_CASE("a bound 2 % larger would not hold where nothing but arithmetic, or links, take time") {
  CHECK(1.02 * quantile(quality_of(draw_arithmetic_pair, "arithmetic", 25).bounds, 0.8) > 1);
  CHECK(1.02 * quantile(quality_of(draw_links_pair, "links", 25).bounds, 0.8) > 1);
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
