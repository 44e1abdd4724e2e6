// SPDX-License-Identifier: Apache-2.0
#include "models/models.hpp"

#include <set>

#include "../ir/gradient_check.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::models;
using namespace rhino::testing;

namespace {

constexpr std::int64_t kNumOps = 60;

/// Rows [first, first + count) of every batch input.
std::vector<ir::Tensor> rows(const Program& program, const std::vector<ir::Tensor>& inputs,
                             std::int64_t first, std::int64_t count) {
  std::vector<ir::Tensor> result = inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (program.inputs[i].kind != InputKind::batch) continue;
    std::vector<std::int64_t>& dims = result[i].shape.dims;
    const std::int64_t row = num_elements(dims) / dims[0];
    dims[0] = count;
    const auto begin = inputs[i].elements.begin() + first * row;
    result[i].elements.assign(begin, begin + count * row);
  }
  return result;
}

double loss(const Program& program, const std::vector<ir::Tensor>& inputs) {
  return ir::evaluate(program, inputs, ir::Precision::f64)[0].elements.at(0);
}

/// The loss of a batch is the mean of the losses of its halves, as micro-batching needs it.
template <typename Make>
void check_mean_over_batch(Make make, Random& random) {
  const Program whole = make(4), half = make(2);
  const std::vector<ir::Tensor> inputs = random_inputs(whole, random);
  const double first = loss(half, rows(whole, inputs, 0, 2));
  const double second = loss(half, rows(whole, inputs, 2, 2));
  CHECK(loss(whole, inputs) == Approx((first + second) / 2).epsilon(1e-12));
}

GptConfig tiny_gpt() {
  return {.preset = "tiny",
          .num_layers = 2,
          .hidden = 8,
          .num_heads = 2,
          .vocabulary = 12,
          .sequence = 6};
}

}  // namespace

TEST_CASE("the loss of every model is a mean over the batch") {
  Random random(5);
  check_mean_over_batch([](std::int64_t batch) { return gpt_forward(tiny_gpt(), batch); }, random);
  check_mean_over_batch([](std::int64_t batch) { return branching_forward(batch, 4, 3); }, random);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    check_mean_over_batch([&](std::int64_t batch) { return random_forward(seed, batch, kNumOps); },
                          random);
  }
}

TEST_CASE("sampled gradients of gpt equal differences") {
  Random random(11);
  const GradientCheck check(gpt_forward(tiny_gpt(), 2));
  check.by_element(random_inputs(check.step(), random), 4, random);
}

TEST_CASE("gradients of the branching program equal differences") {
  Random random(12);
  const GradientCheck check(branching_forward(3, 4, 2));
  check.by_element(random_inputs(check.step(), random), 6, random);
}

TEST_CASE("gradients of random programs equal differences along random directions") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const GradientCheck check(random_forward(seed, 4, kNumOps));
    const std::vector<ir::Tensor> inputs = random_inputs(check.step(), random);
    for (int direction = 0; direction < 3; ++direction) check.by_direction(inputs, random);
  }
}

TEST_CASE("random programs repeat with their seed and differ between seeds") {
  CHECK(random_forward(3, 4, kNumOps) == random_forward(3, 4, kNumOps));
  CHECK_FALSE(random_forward(3, 4, kNumOps).ops == random_forward(4, 4, kNumOps).ops);
}

TEST_CASE("random programs are finite, let every parameter count, and cover their kinds of ops") {
  std::set<OpKind> kinds;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Program forward = random_forward(seed, 12, kNumOps);
    CHECK(forward.size() < kNumOps + 120);
    for (const Op& op : forward.ops) kinds.insert(op.kind);
    const Program step = ir::training_step(forward, {.kind = ir::Optimizer::Kind::sgd});
    if (seed >= 20) continue;
    Random random(seed);
    for (const ir::Tensor& result : ir::evaluate(step, random_inputs(step, random))) {
      CHECK(std::ranges::all_of(result.elements, [](double x) { return std::isfinite(x); }));
    }
  }
  for (OpKind kind :
       {OpKind::dot, OpKind::reduce, OpKind::reshape, OpKind::transpose, OpKind::slice,
        OpKind::concatenate, OpKind::broadcast, OpKind::select, OpKind::maximum, OpKind::divide,
        OpKind::iota, OpKind::gather, OpKind::compare, OpKind::exponential}) {
    INFO(ir::op_name(kind));
    CHECK(kinds.contains(kind));
  }
}

TEST_CASE("the branching program is no chain") {
  const Program program = branching_forward(4, 8, 2);
  const auto users = ir::users_of(program);
  const auto x = std::ranges::find(program.ops, "x", &Op::name) - program.ops.begin();
  // Both branches and the skip across all of it.
  CHECK(users[static_cast<std::size_t>(x)].size() >= 3);
  CHECK_THROWS_AS(branching_forward(0, 8, 2), Error);
}
