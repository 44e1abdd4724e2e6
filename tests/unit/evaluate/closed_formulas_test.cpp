// SPDX-License-Identifier: Apache-2.0
/// What tables make of hosts that issue kernels one by one, and of sums that loops add to, against
/// closed formulas: all else is free.
#include <catch2/catch.hpp>

#include "evaluate/evaluator.hpp"
#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kExtent = 16;

/// `first` dots in a stage and `second` in the one behind it, each of its input and a weight.
struct TwoStages {
  TwoStages(int first, int second) {
    ir::Builder b("two stages");
    const Shape tile{DType::f32, {kExtent, kExtent}};
    ValueId x = b.input(InputKind::batch, tile, {}, "x");
    for (int i = 0; i < first + second; ++i) {
      if (i == first) chunk_of.assign(at(b.program().size()), 0);
      x = b.dot(x, b.input(InputKind::parameter, tile, {}, "w"), {{}, {}, {1}, {0}});
    }
    b.output(b.reduce(x, {0, 1}, Reduction::sum), OutputKind::loss);
    chunk_of.resize(at(b.program().size()), 1);
    step = ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
    chunk_of.resize(at(step.size()), 0);
  }
  Program step;
  std::vector<std::int32_t> chunk_of;
};

constexpr double kDotFlops = 2.0 * kExtent * kExtent * kExtent;

/// The first device makes such a dot in a second, the second device all in no time.
Cluster issuing_cluster(double kernel_issue_s) {
  Cluster cluster = modelled_cluster(2);
  cluster.models = {
      {.memory_bytes = 1e12, .memory_bytes_per_s = 1e30, .peak_flops = {{DType::f32, kDotFlops}}},
      {.memory_bytes = 1e12, .memory_bytes_per_s = 1e30, .peak_flops = {{DType::f32, 1e30}}}};
  cluster.model_of = {0, 1};
  cluster.intra_host = {1e30, 1e-6};
  cluster.software = {kernel_issue_s, 1, 1};
  return cluster;
}

Estimate estimate_of(const Program& step, const Cluster& cluster, StrategyDraft draft,
                     const std::vector<MeshAxis>& axes, Evaluation* simulated = nullptr) {
  Planning planning(step, cluster);
  draft.chunks = planning.chunks(cluster.num_devices(), axes);
  draft.batch_axis = 0;
  const Strategy strategy = sharding::complete(step, draft);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  if (simulated != nullptr) *simulated = evaluator.evaluate(strategy);
  return evaluator.estimate(strategy);
}

}  // namespace

/// The first stage: a dot forward and two backward per weight, but for the gradient of the input,
/// and an update of two floating-point operations per element. In between it waits for the second
/// one, whose host issues a dot of the forward pass, and then one of the gradient that leaves, per
/// weight: surely behind the arrival are those of the forward pass alone.
TEST_CASE("what a host issues behind an arrival is in the way of a step, all of it, once") {
  constexpr double kIssue = 0.1, kUpdateFlops = 2.0 * kExtent * kExtent;
  constexpr int kFirst = 3;
  constexpr double first_s = 3 * kFirst - 1 + kFirst * kUpdateFlops / kDotFlops;
  std::vector<Estimate> estimates;
  std::vector<Evaluation> simulated;
  for (const int second : {2, 4, 8}) {
    CAPTURE(second);
    const TwoStages work(kFirst, second);
    StrategyDraft draft{.num_micro_batches = 1};
    draft.chunk_of = work.chunk_of;
    estimates.push_back(estimate_of(work.step, issuing_cluster(kIssue), draft, {{"data", 1}},
                                    &simulated.emplace_back()));
    CHECK(estimates.back().bound_s == Approx(first_s + second * kIssue).epsilon(1e-5));
    CHECK(estimates.back().bound_s <= simulated.back().step_s);
    CHECK(estimates.back().step_s == Approx(simulated.back().step_s).epsilon(0.02));
  }
  // Four weights more.
  CHECK(simulated[2].step_s - simulated[1].step_s == Approx(2 * 4 * kIssue).epsilon(1e-4));
  CHECK(estimates[2].step_s - estimates[1].step_s == Approx(2 * 4 * kIssue).epsilon(1e-4));
}

/// A pass forward reads a row and a weight; one backward reads a row and adds to the gradient of
/// the weight, which but for the first micro-batch it has to read and write.
TEST_CASE("the bound of a step reads the sums that its loops add to, but for the first time") {
  constexpr std::int64_t kWidth = 1024;
  std::vector<double> bounds_s;
  std::vector<Evaluation> simulated;
  for (const std::int64_t m : {2, 3, 7}) {
    ir::Builder b("sums");
    const Shape rows{DType::f32, {m, kWidth}};
    const ValueId x = b.input(InputKind::batch, rows, {}, "x"),
                  w = b.input(InputKind::parameter, {DType::f32, {kWidth}}, {}, "w");
    b.output(b.reduce(b.mul(x, b.broadcast_in_dim(w, rows.dims, {1})), {0, 1}, Reduction::sum),
             OutputKind::loss);
    const Program step =
        ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
    Cluster cluster = modelled_cluster(1);
    cluster.models = {{.memory_bytes = 1e12,
                       .memory_bytes_per_s = 4.0 * kWidth,  // a row a second
                       .peak_flops = {{DType::f32, 1e30}}}};
    bounds_s.push_back(estimate_of(step, cluster, {.num_micro_batches = m}, {{"data", 1}},
                                   &simulated.emplace_back())
                           .bound_s);
    CHECK(bounds_s.back() <= simulated.back().step_s);
  }
  constexpr double kMicroBatch = 2 + 3;
  CHECK(bounds_s[1] - bounds_s[0] == Approx(kMicroBatch).epsilon(1e-3));
  CHECK(bounds_s[2] - bounds_s[1] == Approx(4 * kMicroBatch).epsilon(1e-3));
}

/// A weight, three and five times it, which all passes read and no update, and the sums of both
/// gradients lie beside each other while passes run; all else is small.
TEST_CASE("what is made once a step in front of the passes that read it is in a device's memory") {
  constexpr std::int64_t kSide = 256, kBatch = 8;
  ir::Builder b("scaled weights");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {kBatch, kSide}}, {}, "x"),
                w = b.input(InputKind::parameter, {DType::f32, {kSide, kSide}}, {}, "w");
  const auto times = [&](double factor) {
    return b.dot(x, b.mul(w, b.fill(Shape(b.shape(w)), factor)), {{}, {}, {1}, {0}});
  };
  const ValueId y = b.add(times(3), b.unary(OpKind::tanh, times(5)));
  b.output(b.reduce(b.unary(OpKind::tanh, y), {0, 1}, Reduction::sum), OutputKind::loss);
  const Program step = ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
  Cluster cluster = modelled_cluster(1);
  cluster.models.front().memory_bytes = 1e12;
  Evaluation simulated;
  const Estimate estimate =
      estimate_of(step, cluster, {.num_micro_batches = 4}, {{"all", 1}}, &simulated);
  const double weight_bytes = 4.0 * kSide * kSide;
  CHECK(simulated.peak_bytes == Approx(5 * weight_bytes).epsilon(0.05));
  CHECK(estimate.peak_bytes == Approx(simulated.peak_bytes).epsilon(0.02));
}

}  // namespace rhino::test
