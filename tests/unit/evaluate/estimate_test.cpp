// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds by tables against the simulation of the plan. RHINO_STRATEGIES: how many of
/// each kind; RHINO_SEED: the first of the seeds, one for each strategy; RHINO_VERBOSE: all of
/// them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "drawn_strategy.hpp"
#include "evaluate/evaluator.hpp"
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
  double ratio() const { return estimate.step_s / evaluation.step_s; }
};

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
  return Pair{evaluator.estimate(strategy), evaluation, drawn.text};
}

std::optional<Pair> draw_small_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  annotate(random, *drawn.program, drawn.draft);
  draw_recompute(random, *drawn.program, drawn.draft);
  return pair_of(drawn, drawn.planning->context());
}

/// Hosts issue kernels, sums of any size are reduced early, backward passes may be cut.
std::optional<Pair> draw_hard_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small(random);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.software = {1e-5, 1 + static_cast<double>(draw(random, 3)), 1};
  const bool is_cut = draw(random, 2) == 1;
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster,
                                              is_cut ? "schedule/zb_h1" : "schedule/1f1b");
  drawn.text = is_cut ? "hard, zb_h1" : "hard";
  drawn.draft.gradient_sums.bucket_bytes = 1 << 10;
  annotate(random, *drawn.program, drawn.draft);
  draw_recompute(random, *drawn.program, drawn.draft);
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
  draw_recompute(random, *drawn.program, drawn.draft);
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
  void add(std::uint64_t seed, const Pair& pair) {
    const double step_s = pair.evaluation.step_s;
    CAPTURE(seed, pair.text);
    CHECK(pair.estimate.bound_s <= step_s * (1 + 1e-9));
    bounds.push_back(pair.estimate.bound_s / step_s);
    errors.push_back(std::abs(pair.ratio() - 1));
    peaks.push_back(std::abs(pair.estimate.peak_bytes / pair.evaluation.peak_bytes - 1));
    if (std::getenv("RHINO_VERBOSE") != nullptr)
      std::printf("seed %3d step %.3g estimate %.3f bound %.3f peak %.3f %s\n",
                  static_cast<int>(seed), step_s, pair.ratio(), bounds.back(),
                  pair.estimate.peak_bytes / pair.evaluation.peak_bytes, pair.text.c_str());
  }
  void print(const char* what) const {
    const auto within = std::ranges::count_if(errors, [](double error) { return error <= 0.1; });
    std::printf(
        "%zu %s: bound / step at most %.3f, median %.3f; estimate off by %.3f (median), %.3f (90 "
        "%%), %.3f (worst), within 10 %%: %.1f %%; peak off by %.3f (median), %.3f (90 %%)\n",
        errors.size(), what, quantile(bounds, 1), quantile(bounds, 0.5), quantile(errors, 0.5),
        quantile(errors, 0.9), quantile(errors, 1),
        100 * static_cast<double>(within) / static_cast<double>(errors.size()),
        quantile(peaks, 0.5), quantile(peaks, 0.9));
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
