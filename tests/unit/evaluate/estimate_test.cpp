// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds by tables against the simulation of the plan. RHINO_STRATEGIES: how many
/// (the long suite takes 500); RHINO_SEED: the first of the seeds, one for each strategy.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "../sharding/spmd_harness.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "planning.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

std::int64_t number(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::atoll(text);
}

template <class T>
T one_of(Random& random, std::initializer_list<T> values) {
  return values.begin()[draw(random, static_cast<std::int64_t>(values.size()))];
}

/// As slow as its programs are small: kernels take microseconds, as those of large models do on
/// large devices.
Cluster draw_cluster(Random& random, std::int32_t num_devices) {
  Cluster cluster = modelled_cluster(num_devices);
  const double flops = one_of(random, {1e9, 4e9});
  cluster.models[0] = {
      DeviceKind::modelled, "device", 1e12, flops * one_of(random, {0.5, 2.0}), 1e-6,
      {{DType::f32, flops}}};
  cluster.intra_host = {flops * one_of(random, {0.2, 1.0}), 2e-6};
  cluster.inter_host = {flops * one_of(random, {0.02, 0.2}), 1e-5};
  if (draw(random, 2) == 0) return cluster;
  cluster.hosts = {{"a", {}}, {"b", {}}};
  for (DeviceId device = 0; device < num_devices; ++device) {
    const std::int32_t host = 2 * device / num_devices;
    cluster.hosts[at(host)].devices.push_back(device);
    cluster.host_of[at(device)] = host;
  }
  return cluster;
}

Program draw_program(Random& random) {
  constexpr std::int64_t kBatch = 16;
  switch (draw(random, 3)) {
    case 0:
      return ir::training_step(
          models::random_forward(at(draw(random, 1 << 20)), kBatch, 20 + draw(random, 40)), {});
    case 1:
      return ir::training_step(models::branching_forward(kBatch, 32, 2 + draw(random, 3)), {});
    default:
      return ir::training_step(
          models::gpt_forward({.num_layers = 2 + draw(random, 3),
                               .hidden = one_of<std::int64_t>(random, {32, 64}),
                               .num_heads = 4,
                               .vocabulary = 64,
                               .sequence = one_of<std::int64_t>(random, {16, 32})},
                              kBatch),
          {});
  }
}

/// Random dims of some parameters over an axis other than that of the batch.
void annotate(Random& random, const Program& program, StrategyDraft& draft) {
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::parameter || draw(random, 2) == 0) continue;
    const auto& dims = program.shape(input.value).dims;
    std::vector<std::size_t> fitting;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] % draft.chunks.front().mesh.axes[1].size == 0) fitting.push_back(d);
    }
    if (fitting.empty()) continue;
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(dims.size())};
    annotation.dims[fitting[at(draw(random, static_cast<std::int64_t>(fitting.size())))]] = {1};
    draft.annotations.push_back(std::move(annotation));
  }
}

/// What of it the forward pass does not keep: all of a chunk, or one value in four.
void draw_recompute(Random& random, const Program& program, StrategyDraft& draft) {
  switch (draw(random, 4)) {
    case 0: draft.chunks.front().recompute = true; break;
    case 1:
      for (ValueId id = 0; id < program.size(); ++id) {
        const Op& op = program.op(id);
        if (op.phase == Phase::forward && !op.operands.empty() && draw(random, 4) == 0)
          draft.recompute.push_back(id);
      }
      break;
    default: break;
  }
}

/// What a strategy was found to take, by tables and by simulation.
struct Pair {
  Estimate estimate;
  Evaluation evaluation;
  double ratio() const { return estimate.step_s / evaluation.step_s; }
};

/// A random program on a random cluster.
struct Case {
  Program program;
  std::unique_ptr<Planning> planning;
  StrategyDraft draft;  ///< without annotations
};

Case draw_case(Random& random) {
  Case drawn{draw_program(random), nullptr, {}};
  const std::int64_t stage = 1 + draw(random, 4), data = one_of<std::int64_t>(random, {1, 2}),
                     tensor = one_of<std::int64_t>(random, {1, 2, 4});
  const Cluster cluster = draw_cluster(random, static_cast<std::int32_t>(stage * data * tensor));
  drawn.planning = std::make_unique<Planning>(
      drawn.program, cluster, one_of<const char*>(random, {"schedule/gpipe", "schedule/1f1b"}));
  drawn.draft.num_micro_batches = one_of<std::int64_t>(random, {1, 2, 4, 8});
  drawn.draft.chunks = drawn.planning->chunks(static_cast<std::int32_t>(stage),
                                              {{"data", data}, {"tensor", tensor}});
  if (draw(random, 8) > 0) drawn.draft.batch_axis = 0;
  if (drawn.draft.batch_axis == 0)
    drawn.draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
  return drawn;
}

/// Nothing where the draw has no strategy. `hard`: hosts issue kernels, sums of any size are
/// reduced early, backward passes may be cut.
std::optional<Pair> draw_pair(std::uint64_t seed, bool hard = false) {
  Random random(seed);
  Case drawn = draw_case(random);
  if (hard) {
    Cluster cluster = drawn.planning->cost().cluster();
    cluster.software = {1e-5, 1 + static_cast<double>(draw(random, 3)), 1};
    drawn.planning = std::make_unique<Planning>(
        drawn.program, cluster, one_of<const char*>(random, {"schedule/1f1b", "schedule/zb_h1"}));
  }
  evaluate::PlanContext context = drawn.planning->context();
  if (hard) context.least_bucket_bytes = 1 << 10;
  evaluate::PlanEvaluator evaluator(context, 0);
  annotate(random, drawn.program, drawn.draft);
  draw_recompute(random, drawn.program, drawn.draft);
  Strategy strategy;
  try {
    strategy = evaluator.complete(drawn.draft);
  } catch (const Error&) {  // fewer dots than stages, a batch that does not divide
    return std::nullopt;
  }
  const Evaluation evaluation = evaluator.evaluate(strategy);
  INFO("seed " << seed << ": " << evaluation.reason);
  REQUIRE(evaluation.feasible);
  return Pair{evaluator.estimate(strategy), evaluation};
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

}  // namespace

TEST_CASE("bounds by tables hold, estimates are near what is simulated") {
  const auto first = static_cast<std::uint64_t>(number("RHINO_SEED", 1));
  const auto wanted = at(number("RHINO_STRATEGIES", 60));
  std::vector<double> bounds, errors, peaks;
  for (std::uint64_t seed = first; errors.size() < wanted; ++seed) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_pair(seed);
    if (!pair) continue;
    const double step_s = pair->evaluation.step_s;
    CHECK(pair->estimate.bound_s <= step_s * (1 + 1e-9));
    bounds.push_back(pair->estimate.bound_s / step_s);
    errors.push_back(std::abs(pair->ratio() - 1));
    peaks.push_back(pair->estimate.peak_bytes / pair->evaluation.peak_bytes);
    if (std::getenv("RHINO_VERBOSE") != nullptr)
      std::printf("seed %3d step %.3g estimate %.3f bound %.3f peak %.3f\n", static_cast<int>(seed),
                  step_s, pair->ratio(), bounds.back(), peaks.back());
  }
  std::printf(
      "%zu strategies from seed %d: bound / step at most %.3f, median %.3f; estimate off by %.3f "
      "(median), %.3f (90 %%), %.3f (worst); peak / plan's %.2f to %.2f, median %.2f\n",
      errors.size(), static_cast<int>(first), quantile(bounds, 1), quantile(bounds, 0.5),
      quantile(errors, 0.5), quantile(errors, 0.9), quantile(errors, 1), quantile(peaks, 0),
      quantile(peaks, 1), quantile(peaks, 0.5));
  CHECK(quantile(bounds, 0.5) > 0.55);
  CHECK(quantile(errors, 0.5) < 0.1);
  CHECK(quantile(errors, 0.9) < 0.25);
}

TEST_CASE("bounds hold where hosts issue kernels, sums are reduced early and passes are cut") {
  int num_drawn = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_pair(seed, true);
    if (!pair) continue;
    ++num_drawn;
    CHECK(pair->estimate.bound_s <= pair->evaluation.step_s * (1 + 1e-9));
  }
  CHECK(num_drawn > 30);
}

TEST_CASE("a strategy that is changed value by value has the price of one made so") {
  int num_set = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Case drawn = draw_case(random);
    evaluate::PlanEvaluator evaluator(drawn.planning->context(), 0);
    Strategy from, to;
    try {
      from = evaluator.complete(drawn.draft);
      annotate(random, drawn.program, drawn.draft);
      to = evaluator.complete(drawn.draft);
    } catch (const Error&) {
      continue;
    }
    const std::unique_ptr<Trial> trial = evaluator.try_out(from);
    const Estimate before = trial->price();
    CHECK(before == evaluator.estimate(from));
    int num_here = 0;
    for (ValueId id = 0; id < drawn.program.size(); ++id) {
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
