// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "../sharding/spmd_harness.hpp"
#include "ir/builder.hpp"
#include "ir/flops.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// Four devices on one host, or two on each of two, with a slow or a fast network.
Cluster random_cluster(Random& random) {
  Cluster cluster = modelled_cluster(4);
  if (draw(random, 2) == 0) return cluster;
  cluster.hosts = {{"a", {0, 1}}, {"b", {2, 3}}};
  cluster.host_of = {0, 0, 1, 1};
  cluster.inter_host = {draw(random, 2) == 0 ? 1e7 : 1e11, 1e-6};
  return cluster;
}

/// A chunk wants one at least.
std::int64_t num_forward_dots(const Program& program) {
  return std::count_if(program.ops.begin(), program.ops.end(), [](const Op& op) {
    return op.kind == OpKind::dot && op.phase == Phase::forward;
  });
}

void check_bounds(const Program& program, const plan::ExecutionPlan& plan,
                  const cost::CostModel& cost) {
  plan::validate(plan);
  const evaluate::Bound bound = evaluate::step_bound(plan, cost);
  const plan::StepTrace trace =
      simulate::simulate(plan, cost, {.num_steps = 3, .keep_events = false});
  CAPTURE(bound.kind, bound.seconds, trace.step_s, trace.makespan_s);
  CHECK(bound.seconds > 0);
  CHECK(bound.seconds <= trace.makespan_s * 1.000001);
  CHECK(bound.seconds <= trace.step_s * 1.000001);
  const evaluate::Bound of_cell = evaluate::cell_bound(program, cost.cluster(), 0);
  CAPTURE(of_cell.kind, of_cell.seconds);
  CHECK(of_cell.seconds > 0);
  CHECK(of_cell.seconds <= trace.step_s * 1.000001);
}

}  // namespace

TEST_CASE("no simulated step of a random strategy beats its bound") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 60));
  CAPTURE(seed);
  Random random(seed);
  const Program step = ir::training_step(models::random_forward(seed, 8, 25), {});
  Planning planning(step, random_cluster(random));
  const bool may_pipeline = num_forward_dots(step) > 1;
  const std::int32_t num_meshes = may_pipeline && draw(random, 2) == 0 ? 2 : 1;
  const std::vector<MeshAxis> axes =
      num_meshes == 1 ? std::vector<MeshAxis>{{"a", 2}, {"b", 2}} : std::vector<MeshAxis>{{"a", 2}};
  const Strategy strategy = random_strategy(
      random, step,
      {.num_micro_batches = 1 + draw(random, 2), .chunks = planning.chunks(num_meshes, axes)});
  check_bounds(step, evaluate::make_plan(planning.context(), strategy), planning.cost());
}

TEST_CASE("no simulated step of a gpt beats its bound") {
  const std::int64_t stage = GENERATE(1, 2), tensor = GENERATE(1, 2);
  const std::string schedule = GENERATE("schedule/gpipe", "schedule/1f1b");
  CAPTURE(stage, tensor, schedule);
  Planning planning(small_gpt_step(), modelled_cluster(4), schedule);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", stage}, {"tensor", tensor}}, 2);
  check_bounds(small_gpt_step(), evaluate::make_plan(planning.context(), strategy),
               planning.cost());
}

namespace {

/// `num_dots` dots of a tile and a weight per stage, as many micro-batches as rows.
Program stages_of_dots(const std::vector<int>& num_dots, std::int64_t num_micro_batches) {
  ir::Builder b("stages");
  const Shape tile{DType::f32, {num_micro_batches, 64, 64}}, weight{DType::f32, {64, 64}};
  ValueId x =
      b.add(b.input(InputKind::batch, tile, {}, "x"), b.input(InputKind::batch, tile, {}, "y"));
  x = b.add(x,
            b.broadcast_in_dim(b.input(InputKind::parameter, weight, {}, "b"), tile.dims, {1, 2}));
  for (const int count : num_dots) {
    for (int i = 0; i < count; ++i)
      x = b.dot(x, b.input(InputKind::parameter, weight, {}, "w"), {{}, {}, {2}, {0}});
  }
  b.output(b.reduce(x, {0, 1, 2}, Reduction::sum), OutputKind::loss);
  return ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
}

}  // namespace

/// The second stage waits for the first micro-batch, and the first for the last gradient, which
/// leaves in front of the second's last W: that, or the first's last B and W, ends the step.
TEST_CASE("the bound of a stage is its work behind what is in front of it, or its interface's") {
  const std::int64_t m = 4;
  const int first = GENERATE(1, 2, 3);
  const Program step = stages_of_dots({first, 4}, m);
  Cluster cluster = modelled_cluster(2);
  cluster.hosts = {{"a", {0}}, {"b", {1}}};
  cluster.host_of = {0, 1};
  StrategyDraft draft{.num_micro_batches = m};
  draft.batch_axis = 0;
  for (ValueId id = 0, num_dots = 0; id < step.size(); ++id) {
    const Op& op = step.op(id);
    num_dots += op.phase == Phase::forward && op.kind == OpKind::dot;
    draft.chunk_of.push_back(op.phase == Phase::forward && num_dots > first ? 1 : 0);
  }
  const auto bound_of = [&](double bytes_per_s) {
    cluster.inter_host.bytes_per_s = bytes_per_s;
    Planning planning(step, cluster);
    draft.chunks = planning.chunks(2, {{"data", 1}});
    return evaluate::step_bound(
        evaluate::make_plan(planning.context(), sharding::complete(step, draft)), planning.cost());
  };
  const double dot_s = 2 * std::pow(64, 3) / 1e12;
  const evaluate::Bound fast = bound_of(1e11);
  CHECK(fast.kind == (first == 1 ? "compute" : "pipeline"));
  CHECK(fast.seconds ==
        Approx(static_cast<double>(4 * 3 * m + std::max(0, 3 * first - 4)) * dot_s));
  const evaluate::Bound slow = bound_of(1e6);
  CHECK(slow.kind == "network");
  CHECK(slow.seconds == Approx(m * 64 * 64 * 4 / 1e6));
}

namespace {

/// Of two speeds, in any order; nothing but arithmetic takes time.
Cluster arithmetic_cluster(Random& random, std::int32_t num_devices) {
  Cluster cluster = modelled_cluster(num_devices);
  cluster.models.front().memory_bytes_per_s = 1e18;
  cluster.models.front().kernel_latency_s = 0;
  cluster.intra_host = {1e15, 1e-12};
  cluster.models.push_back(cluster.models.front());
  cluster.models.back().peak_flops[DType::f32] *= static_cast<double>(1 + draw(random, 3));
  for (std::int32_t& model : cluster.model_of) model = static_cast<std::int32_t>(draw(random, 2));
  return cluster;
}

/// Steps of a pipeline of dots, as many micro-batches as every schedule takes.
void check_pipeline(const std::string& schedule, Random& random) {
  const auto num_meshes = static_cast<std::int32_t>(2 + 2 * draw(random, 2));
  const std::int64_t m = num_meshes * (2 + draw(random, 2));
  const Program step = stages_of_dots({static_cast<int>(8 + draw(random, 9))}, m);
  Planning planning(step, arithmetic_cluster(random, num_meshes), "schedule/" + schedule);
  StrategyDraft draft{.num_micro_batches = m, .chunks = planning.chunks(num_meshes, {{"data", 1}})};
  draft.batch_axis = 0;
  check_bounds(step, evaluate::make_plan(planning.context(), sharding::complete(step, draft)),
               planning.cost());
}

}  // namespace

TEST_CASE("no simulated steps of any schedule come quicker behind each other than their bound") {
  const std::string schedule = GENERATE(
      as<std::string>(), "1f1b", "auto", "breadth_first", "chimera", "dualpipe", "dualpipe_v",
      "eager_1f1b", "gpipe", "hanayo", "interleaved_1f1b", "zb_h1", "zb_v", "zero_bubble");
  const auto seed = GENERATE(range<std::uint64_t>(0, 6));
  CAPTURE(schedule, seed);
  Random random(seed);
  check_pipeline(schedule, random);
}

TEST_CASE(
    "the bound of a cell is all its dots at the peaks of all devices, or its states' traffic") {
  const Program& step = small_gpt_step();
  Cluster cluster = modelled_cluster(4);
  const evaluate::Bound dots = evaluate::cell_bound(step, cluster, 1e12);
  CHECK(dots.kind == "compute");
  CHECK(dots.seconds == Approx(ir::dot_flops(step) / 4e12));
  double bytes = 0;
  for (const Output& output : step.outputs) {
    if (output.kind == OutputKind::updated_state)
      bytes += static_cast<double>(num_bytes(step.shape(output.value)));
  }
  cluster.models[0].memory_bytes_per_s = 1e3;
  const evaluate::Bound memory = evaluate::cell_bound(step, cluster, 0);
  CHECK(memory.kind == "memory");
  CHECK(memory.seconds == Approx(2 * bytes / 4e3));
}

TEST_CASE("the bound of one device is its dots at the peak rate") {
  const Program& step = small_gpt_step();
  Planning planning(step, modelled_cluster(1));
  const plan::ExecutionPlan plan =
      evaluate::make_plan(planning.context(), planning.strategy("single_device", {}, 1));
  const evaluate::Bound bound = evaluate::step_bound(plan, planning.cost());
  CHECK(bound.kind == "compute");
  CHECK(bound.seconds == Approx(ir::dot_flops(step) / 1e12));
}

ValueId product(ir::Builder& b, ValueId left, ValueId right) {
  return b.dot(left, right, {.lhs_contracting = {1}, .rhs_contracting = {0}});
}

/// Two matrices behind each other.
Program two_matrices(std::int64_t batch) {
  ir::Builder b("two matrices");
  const Initializer any{Initializer::Kind::normal, 0, 1};
  const ValueId x = b.input(InputKind::batch, {DType::f32, {batch, 8}}, any, "x");
  const ValueId w1 = b.input(InputKind::parameter, {DType::f32, {8, 64}}, any, "w1");
  const ValueId w2 = b.input(InputKind::parameter, {DType::f32, {64, 4}}, any, "w2");
  b.output(b.reduce(product(b, product(b, x, w1), w2), {0, 1}, Reduction::sum), OutputKind::loss);
  return ir::training_step(std::move(b).finish(), {});
}

TEST_CASE("no strategy of all for a small program beats the bound of its cell") {
  // Slow memory, or slow arithmetic; kernels and links cost next to nothing.
  const double bytes_per_s = GENERATE(1e6, 1e15);
  const std::string kind = bytes_per_s < 1e9 ? "memory" : "compute";
  Cluster cluster = modelled_cluster(2);
  cluster.models[0].memory_bytes_per_s = bytes_per_s;
  cluster.models[0].peak_flops[DType::f32] = bytes_per_s < 1e9 ? 1e15 : 1e6;
  cluster.models[0].kernel_latency_s = cluster.intra_host.latency_s = 1e-15;
  cluster.intra_host.bytes_per_s = 1e18;
  const Program step = two_matrices(4);
  Planning planning(step, cluster);
  const evaluate::Bound bound = evaluate::cell_bound(step, cluster, 0);
  CHECK(bound.kind == kind);
  const ValueId w1 = step.inputs[1].value, w2 = step.inputs[2].value;
  double best = 1e300;
  int num_plans = 0;
  const std::vector<std::vector<std::vector<AxisId>>> cuts = {{{}, {}}, {{0}, {}}, {{}, {0}}};
  for (const std::int32_t num_meshes : {1, 2}) {
    const std::vector<Chunk> chunks = planning.chunks(num_meshes, {{"a", 2 / num_meshes}});
    for (const auto& first : cuts) {
      for (const auto& second : cuts) {
        for (const std::int64_t num_micro_batches : {1, 2, 4}) {
          for (const AxisId batch : {-1, 0}) {
            for (const std::int32_t zero : {0, 1, 3}) {
              StrategyDraft draft{.num_micro_batches = num_micro_batches, .chunks = chunks};
              draft.annotations = {{w1, first}, {w2, second}};
              if (batch >= 0) draft.batch_axis = batch;
              draft.zero_stage = zero;
              try {
                const plan::ExecutionPlan plan =
                    evaluate::make_plan(planning.context(), sharding::complete(step, draft));
                const plan::StepTrace trace = simulate::simulate(
                    plan, planning.cost(), {.num_steps = 3, .keep_events = false});
                CHECK(bound.seconds <= trace.step_s * 1.000001);
                best = std::min(best, trace.step_s);
                ++num_plans;
              } catch (const Error&) {  // not every combination divides
              }
            }
          }
        }
      }
    }
  }
  CHECK(num_plans > 50);
  CHECK(best < 4 * bound.seconds);  // it is no mere zero
}

TEST_CASE("what caches hold is not in the bound of a cell") {
  const Program& step = small_gpt_step();
  Cluster cluster = modelled_cluster(4);
  cluster.models[0].memory_bytes_per_s = 1;
  const evaluate::Bound bound = evaluate::cell_bound(step, cluster, 0);
  const double states = 3 * 4 * static_cast<double>(ir::num_parameters(step));  // p, m, v in f32
  CHECK(bound.kind == "memory");
  CHECK(bound.seconds == Approx(2 * states / 4));
  CHECK(evaluate::cell_bound(step, cluster, states / 2).seconds == Approx(states / 4));
  CHECK(evaluate::cell_bound(step, cluster, 2 * states).kind == "compute");
}

TEST_CASE("bounds count a dtype that a device lacks at the rate of its f32") {
  const Program& step = small_gpt_step();
  Cluster cluster = modelled_cluster(2);
  cluster.models.push_back(cluster.models.front());
  cluster.model_of = {0, 1};
  cluster.models[0].peak_flops = {{DType::f32, 1e10}};
  cluster.models[1].peak_flops = {{DType::f32, 1e9}, {DType::bf16, 1e9}};
  CHECK(evaluate::peak_flops(cluster.models[0], DType::bf16) == 1e10);
  CHECK(evaluate::peak_flops(cluster.models[1], DType::f64) == 1e9);
  CHECK(std::isinf(evaluate::peak_flops(cluster.models[0], DType::s32)));
  CHECK(std::isinf(evaluate::peak_flops(DeviceModel{}, DType::f32)));
  CHECK(evaluate::cell_bound(step, cluster, 1e12).seconds == Approx(ir::dot_flops(step) / 1.1e10));
  const Program narrow = ir::training_step(
      models::gpt_forward({.hidden = 32, .sequence = 16, .dtype = DType::bf16}, 8), {});
  CHECK(evaluate::cell_bound(narrow, cluster, 1e12).seconds ==
        Approx(ir::dot_flops(narrow) / 1.1e10));
  cluster.models[1].peak_flops.clear();  // arithmetic is free
  CHECK(evaluate::cell_bound(narrow, cluster, 1e12).seconds == 0);
}

/// Nothing but arithmetic takes time.
TEST_CASE("bounds leave out the scores that a mask hides where attention is one kernel") {
  constexpr std::int64_t kSequence = 256, kHidden = 16, kLayers = 2, kBatch = 4;
  const Program step = ir::training_step(models::gpt_forward({.num_layers = kLayers,
                                                              .hidden = kHidden,
                                                              .num_heads = 4,
                                                              .vocabulary = 64,
                                                              .sequence = kSequence},
                                                             kBatch),
                                         {});
  Cluster cluster = modelled_cluster(1);
  cluster.models.front().memory_bytes_per_s = 1e30;
  cluster.models.front().kernel_latency_s = 0;
  CHECK(evaluate::cell_bound(step, cluster, 0).seconds == Approx(ir::dot_flops(step) / 1e12));
  cluster.software.attention = true;
  // Two products forward and four backward, of which (s + 1) / 2s is seen.
  const double product = 2. * kLayers * kBatch * kSequence * kSequence * kHidden,
               seen = product * (kSequence + 1) / (2. * kSequence),
               least = ir::dot_flops(step) - 6 * (product - seen);
  CHECK(evaluate::cell_bound(step, cluster, 0).seconds == Approx(least / 1e12));
  Planning planning(step, cluster);
  const std::int64_t num_micro_batches = GENERATE(1, 2);
  const plan::ExecutionPlan plan = evaluate::make_plan(
      planning.context(), planning.strategy("single_device", {}, num_micro_batches));
  check_bounds(step, plan, planning.cost());
  CHECK(evaluate::step_bound(plan, planning.cost()).seconds ==
        Approx((least + seen) / 1e12));  // scores are made again
}

}  // namespace rhino::test
