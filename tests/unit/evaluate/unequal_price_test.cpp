// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds where devices of one mesh, or groups along one axis, are not alike.
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

/// Of a small program on devices some of which are slower in all, or in one thing alone.
std::optional<Pair> draw_unlike_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small_strategy(random);
  Cluster cluster = drawn.planning->cost().cluster();
  DeviceModel slow = cluster.models.front();
  const std::int64_t what = draw(random, 4);
  const double factor = draw(random, 2) == 0 ? 0.5 : 0.8;
  if (what != 1) slow.peak_flops[DType::f32] *= factor;
  if (what != 2) slow.memory_bytes_per_s *= factor;
  if (what == 3) slow.kernel_latency_s /= factor;
  cluster.models.push_back(slow);
  for (std::int32_t& model : cluster.model_of) model = draw(random, 3) == 0 ? 1 : 0;
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  drawn.text += " slow " + std::to_string(what);
  return pair_of(drawn, drawn.planning->context());
}

/// The same on two or three hosts of any number of devices.
std::optional<Pair> draw_uneven_pair(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn = draw_small_strategy(random);
  Cluster cluster = drawn.planning->cost().cluster();
  const std::int32_t num_devices = cluster.num_devices();
  if (num_devices < 3) return std::nullopt;
  cluster.hosts.assign(at(2 + draw(random, 2)), {});
  std::vector<bool> begins(at(num_devices));
  for (std::size_t host = 1; host < cluster.hosts.size(); ++host)
    begins[at(1 + draw(random, num_devices - 1))] = true;
  std::int32_t host = 0;
  for (DeviceId device = 0; device < num_devices; ++device) {
    host += begins[at(device)];
    cluster.hosts[at(host)].name = std::to_string(host);
    cluster.hosts[at(host)].devices.push_back(device);
    cluster.host_of[at(device)] = host;
  }
  cluster.hosts.resize(at(host + 1));
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  for (const Host& each : cluster.hosts) drawn.text += " " + std::to_string(each.devices.size());
  return pair_of(drawn, drawn.planning->context());
}

}  // namespace

TEST_CASE("bounds by tables hold, estimates are near what is simulated: unlike devices") {
  const Quality quality = quality_of(draw_unlike_pair, "unlike", 40);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.15);
}

/// Priced as the first device, which is quick, they were 0.49, 0.53 and 0.55 of the step.
TEST_CASE("a mesh takes as long as its slowest device") {
  for (const std::uint64_t seed : {281, 216, 180}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_unlike_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.1));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

/// By way of the slowest device of each stage the bound of 82 was 1.24 of the step, that of 120
/// 1.01.
TEST_CASE("a micro-batch may meet the quickest device of each mesh") {
  for (const std::uint64_t seed : {82, 120}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_unlike_pair(seed);
    REQUIRE(pair);
    CHECK(pair->bound() <= 1 + 1e-9);
    CHECK(pair->bound() > 0.5);
  }
}

TEST_CASE("bounds by tables hold, estimates are near what is simulated: uneven hosts") {
  const Quality quality = quality_of(draw_uneven_pair, "uneven", 40);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.15);
}

/// Groups inside of hosts take less than those that reach over two: with the latency of the former
/// and links of both, 263, 98 and 310 were 0.30, 0.33 and 0.34 of the step.
TEST_CASE("a collective takes as long as its slowest group") {
  for (const std::uint64_t seed : {263, 98, 310}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = draw_uneven_pair(seed);
    REQUIRE(pair);
    CHECK(pair->ratio() == Approx(1).epsilon(0.1));
    CHECK(pair->bound() <= 1 + 1e-9);
  }
}

TEST_CASE("groups of unlike devices may send at different times") {
  const std::optional<Pair> pair = draw_unlike_pair(8000449);
  REQUIRE(pair);
  CHECK(pair->bound() <= 1 + 1e-9);
}

/// The groups of the second mesh have interfaces in common. Where each gets its parts at a time of
/// its own, they do not meet there.
TEST_CASE("a bound does not take groups of a mesh for at once that wait for another mesh") {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 4, .hidden = 1024, .num_heads = 4, .vocabulary = 64, .sequence = 256}, 32),
      {});
  Cluster cluster = modelled_cluster(6);
  cluster.models.front().memory_bytes_per_s = 1e15;
  cluster.models.front().kernel_latency_s = 0;
  cluster.models.front().peak_flops[DType::f32] = 4e12;
  cluster.intra_host = {1e12, 1e-9};
  cluster.inter_host = {1e9, 1e-9};
  cluster.hosts.assign(3, {});
  for (DeviceId device = 0; device < 6; ++device) {
    Host& host = cluster.hosts[at(device / 2)];
    host.name = std::to_string(device / 2);
    host.devices.push_back(device);
    cluster.host_of[at(device)] = device / 2;
  }
  const std::string resharding = GENERATE("resharding/broadcast", "resharding/striped");
  CAPTURE(resharding);
  Planning planning(step, cluster, "schedule/1f1b", resharding);
  StrategyDraft draft{.num_micro_batches = 16};
  draft.chunks.resize(2);
  draft.chunks[0].mesh = {{{"tensor", 2}, {"data", 1}}, {0, 1}};
  draft.chunks[1].mesh = {{{"tensor", 2}, {"data", 2}}, {2, 3, 4, 5}};
  draft.batch_axis = 1;
  for (const Input& input : step.inputs) {
    const Shape& shape = step.shape(input.value);
    const std::string& name = step.op(input.value).name;
    const auto ends = [&](const char* what) { return name.ends_with(what); };
    std::size_t dim = shape.dims.size();
    if (ends("mlp.up.weight")) dim = 1;
    if (ends("mlp.up.bias") || ends("mlp.down.weight")) dim = 0;
    if (input.kind != InputKind::parameter || dim == shape.dims.size()) continue;
    draft.annotations.push_back({input.value, std::vector<std::vector<AxisId>>(shape.dims.size())});
    draft.annotations.back().dims[dim] = {0};
  }
  REQUIRE(draft.annotations.size() == 12);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy = evaluator.complete(draft);
  const Evaluation evaluation = evaluator.evaluate(strategy);
  REQUIRE(evaluation.feasible);
  CHECK(evaluator.estimate(strategy).bound_s <= evaluation.step_s * (1 + 1e-9));
}

}  // namespace rhino::test
