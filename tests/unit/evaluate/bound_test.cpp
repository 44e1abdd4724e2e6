// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "../sharding/spmd_harness.hpp"
#include "ir/flops.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
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

void check_bound(const plan::ExecutionPlan& plan, const cost::CostModel& cost) {
  plan::validate(plan);
  const evaluate::Bound bound = evaluate::step_bound(plan, cost);
  const plan::StepTrace trace =
      simulate::simulate(plan, cost, {.num_steps = 3, .keep_events = false});
  CAPTURE(bound.kind, bound.seconds, trace.step_s, trace.makespan_s);
  CHECK(bound.seconds > 0);
  CHECK(bound.seconds <= trace.makespan_s * 1.000001);
  CHECK(bound.seconds <= trace.step_s * 1.000001);
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
  check_bound(evaluate::make_plan(planning.context(), strategy), planning.cost());
}

TEST_CASE("no simulated step of a gpt beats its bound") {
  const std::int64_t stage = GENERATE(1, 2), tensor = GENERATE(1, 2);
  const std::string schedule = GENERATE("schedule/gpipe", "schedule/1f1b");
  CAPTURE(stage, tensor, schedule);
  Planning planning(small_gpt_step(), modelled_cluster(4), schedule);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", stage}, {"tensor", tensor}});
  check_bound(evaluate::make_plan(planning.context(), strategy), planning.cost());
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

}  // namespace rhino::test
