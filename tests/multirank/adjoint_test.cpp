// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "evaluate/planner.hpp"
#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"
#include "plan/validate.hpp"
#include "plugin/registry.hpp"
#include "rhino/index.hpp"
#include "session_fixture.hpp"
#include "sharding/complete.hpp"

/// A value that several later stages use: forward it is copied to each, backward its gradient is
/// the sum of one term from each. The two are adjoint: <F x, y> = <x, F* y>.
namespace rhino {
namespace {

constexpr std::int64_t kRows = 8, kColumns = 12;
constexpr double kTolerance = 1e-5;

/// loss = sum over consumers i of <2 x, y_i>, linear in the parameter x: <F x, y> of F x = (2 x,
/// ..., 2 x). Consumer i is on stage i, x on stage 0.
struct Fan {
  Program step;
  std::vector<std::int32_t> chunk_of;
  std::vector<ValueId> inputs;  ///< x, y_1, ..., y_k
};

Fan make_fan(std::int32_t num_consumers, std::int64_t num_rows = kRows) {
  ir::Builder b("fan");
  const Shape shape{DType::f32, {num_rows, kColumns}};
  const Initializer uniform{Initializer::Kind::uniform, -1, 1};
  Fan fan;
  const auto on_stage = [&](std::int32_t stage) {
    fan.chunk_of.resize(at(b.program().size()), stage);
  };
  fan.inputs.push_back(b.input(InputKind::parameter, shape, uniform, "x"));
  const ValueId sent = b.scale(fan.inputs[0], 2);
  on_stage(0);
  ValueId loss = kNoValue;
  for (std::int32_t i = 1; i <= num_consumers; ++i) {
    fan.inputs.push_back(b.input(InputKind::parameter, shape, uniform, "y" + std::to_string(i)));
    const ValueId term = b.reduce(b.mul(sent, fan.inputs.back()), {0, 1}, Reduction::sum);
    loss = loss == kNoValue ? term : b.add(loss, term);
    on_stage(i);
  }
  b.output(loss, OutputKind::loss);
  fan.step = ir::training_step(std::move(b).finish(),
                               {.kind = ir::Optimizer::Kind::sgd, .learning_rate = 0});
  fan.chunk_of.resize(fan.step.ops.size(), -1);
  return fan;
}

/// Hosts of `per_host` devices.
Cluster cluster_of(std::int32_t num_hosts, std::int32_t per_host) {
  Cluster cluster;
  cluster.name = "test";
  cluster.models = {{DeviceKind::modelled, "device", 1e12, 1e11, 0, {{DType::f32, 1e12}}}};
  cluster.intra_host = {1e11, 1e-6, 0};
  cluster.inter_host = {1e9, 1e-5, 0};
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({"host" + std::to_string(host), {}});
    for (std::int32_t i = 0; i < per_host; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(host);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

/// One stage per host; x is split by rows, y_i by columns where i is odd.
plan::ExecutionPlan plan_of(const Fan& fan, std::int32_t per_host,
                            const std::string& resharding_id) {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  const auto schedule = plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  const auto resharding = plugin::make_resharding(registry.find(resharding_id), Options());
  const auto num_stages = static_cast<std::int32_t>(fan.inputs.size());
  const cost::CostModel cost(cluster_of(num_stages, per_host));
  StrategyDraft draft;
  draft.chunk_of = fan.chunk_of;
  for (std::int32_t stage = 0; stage < num_stages; ++stage) {
    Mesh mesh{{{"part", per_host}}, cost.cluster().hosts[at(stage)].devices};
    draft.chunks.push_back({std::move(mesh), false});
  }
  for (std::size_t i = 0; i < fan.inputs.size(); ++i) {
    Annotation annotation{fan.inputs[i], {{}, {}}};
    if (i == 0) annotation.dims[0] = {0};
    if (i % 2 == 1) annotation.dims[1] = {0};
    draft.annotations.push_back(annotation);
  }
  return evaluate::make_plan({fan.step, cost, *resharding, *schedule},
                             sharding::complete(fan.step, draft));
}

/// Both sides of <F x, y> = <x, F* y>, and the gradient itself.
struct Sides {
  double loss = 0, product = 0;
  std::vector<double> gradient;
};

Sides run(const Fan& fan, const plan::ExecutionPlan& plan) {
  const RunDir dir;
  const runtime::SessionOptions options = quick_options(dir);
  const auto session = runtime::start_session(plan, options);
  session->run_steps(1, false);
  Sides sides;
  for (std::size_t o = 0; o < fan.step.outputs.size(); ++o) {
    const OutputKind kind = fan.step.outputs[o].kind;
    const bool of_x = kind == OutputKind::gradient && fan.step.outputs[o].input == 0;
    if (kind != OutputKind::loss && !of_x) continue;
    runtime::FetchedTensor tensor = session->fetch({static_cast<std::int32_t>(o)}).front();
    if (kind == OutputKind::loss) sides.loss = tensor.elements.front();
    else sides.gradient = std::move(tensor.elements);
  }
  const std::vector<double> x = ir::initial_tensors(fan.step, options.seed)[0].elements;
  sides.product = std::inner_product(x.begin(), x.end(), sides.gradient.begin(), 0.0);
  return sides;
}

std::vector<double> expected_gradient(const Fan& fan, std::uint64_t seed) {
  std::vector<double> sum(at(kRows * kColumns), 0);
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(fan.step, seed);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == 0 || fan.step.inputs[i].kind != InputKind::parameter) continue;
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += 2 * inputs[i].elements[e];
  }
  return sum;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// The transfer that carries a value forward to several stages.
std::size_t fan_out(const plan::ExecutionPlan& plan) {
  for (std::size_t c = 0; c < plan.communications.size(); ++c) {
    for (const plan::TransferLayout& layout : plan.communications[c].layouts) {
      if (layout.source.role == 0 && layout.targets.size() > 1) return c;
    }
  }
  FAIL("no transfer has several targets");
  return 0;
}

}  // namespace

TEST_CASE("what k stages use comes back as the sum of k terms, once each") {
  const auto [num_consumers, per_host] =
      GENERATE(table<std::int32_t, std::int32_t>({{1, 2}, {2, 2}, {3, 1}, {5, 1}}));
  const std::string resharding =
      GENERATE(std::string("resharding/send_recv"), std::string("resharding/broadcast"));
  CAPTURE(num_consumers, per_host, resharding);
  const Fan fan = make_fan(num_consumers);
  const Sides sides = run(fan, plan_of(fan, per_host, resharding));
  CHECK(std::abs(sides.loss) > 1e-3);
  CHECK(sides.loss == Approx(sides.product).epsilon(kTolerance));
  CHECK(distance(sides.gradient, expected_gradient(fan, 7)) < kTolerance);
}

TEST_CASE("a plan in which a consumer gets other elements is not adjoint to itself") {
  const Fan fan = make_fan(3);
  plan::ExecutionPlan plan = plan_of(fan, 1, "resharding/send_recv");
  std::vector<plan::TransferStep>& steps = plan.communications[fan_out(plan)].steps;
  // The first half of the rows goes where the second should.
  plan::TransferStep half = steps.front();
  half.global.size[0] = half.source.size[0] = half.target.size[0] = kRows / 2;
  half.target.start[0] += kRows / 2;
  half.after = {0};
  steps.push_back(half);
  const Sides sides = run(fan, plan);
  CHECK(std::abs(sides.loss - sides.product) > 1e-3);
}

TEST_CASE("a multicast lets a value leave its producer once for all stages that use it") {
  const std::int32_t num_consumers = 3;
  const std::int64_t num_rows = 1 << 14;  // a chain pays only for what is large
  const Fan fan = make_fan(num_consumers, num_rows);
  const auto bytes_out = [&](const std::string& resharding) {
    const plan::ExecutionPlan plan = plan_of(fan, 1, resharding);
    plan::validate(plan);
    const plan::Communication& communication = plan.communications[fan_out(plan)];
    std::int64_t bytes = 0;
    for (const plan::TransferStep& step : communication.steps) {
      const DType dtype = communication.parts[at(step.part)].dtype;
      if (step.from == 0) bytes += num_elements(step.global) * dtype_bytes(dtype);
    }
    return bytes;
  };
  const std::int64_t once = num_rows * kColumns * 4;
  CHECK(bytes_out("resharding/striped") == once);
  CHECK(bytes_out("resharding/broadcast") == once);
  CHECK(bytes_out("resharding/send_recv") == num_consumers * once);
}

}  // namespace rhino
