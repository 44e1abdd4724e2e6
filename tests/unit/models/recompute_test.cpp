// SPDX-License-Identifier: Apache-2.0
#include "../ir/gradient_check.hpp"
#include "ir/builder.hpp"
#include "ir/shape_inference.hpp"
#include "models/models.hpp"

using namespace rhino;
using namespace rhino::models;
using namespace rhino::testing;

namespace {

GptConfig tiny_gpt(std::int64_t num_layers) {
  return {.preset = "tiny",
          .num_layers = num_layers,
          .hidden = 8,
          .num_heads = 2,
          .vocabulary = 12,
          .sequence = 6};
}

Program with_gradients(Program program) {
  std::vector<ValueId> parameters;
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::parameter) parameters.push_back(input.value);
  }
  for (ValueId gradient : ir::append_gradients(program, program.outputs[0].value, parameters)) {
    if (gradient != kNoValue) program.outputs.push_back({gradient, OutputKind::value});
  }
  return program;
}

/// x + tanh(x w) again and again, and a loss that reads every x.
Program residual_stream(std::int64_t num_layers) {
  ir::Builder b("residual");
  const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
  ValueId x = b.input(InputKind::batch, {DType::f32, {4, 4}}, standard_normal, "x");
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    const ValueId w = b.input(InputKind::parameter, {DType::f32, {4, 4}}, standard_normal, "w");
    x = b.add(x, b.unary(OpKind::tanh, b.dot(x, w, {{}, {}, {1}, {0}})));
  }
  b.output(b.reduce(b.mul(x, x), {0, 1}, Reduction::sum), OutputKind::loss);
  return std::move(b).finish();
}

/// Most repetitions that follow from one another.
std::int32_t longest_repetition(const Program& program) {
  const std::vector<ValueId> repeated = ir::repeated_ops(program);
  std::vector<std::int32_t> lengths(program.ops.size());
  for (ValueId id = 0; id < program.size(); ++id) {
    if (repeated[static_cast<std::size_t>(id)] == kNoValue) continue;
    std::int32_t before = 0;
    for (ValueId operand : program.op(id).operands) {
      before = std::max(before, lengths[static_cast<std::size_t>(operand)]);
    }
    lengths[static_cast<std::size_t>(id)] = before + 1;
  }
  return *std::ranges::max_element(lengths);
}

/// Recomputation keeps no more bytes, changes no bit, and repeats what it says.
void check_recomputation(const Program& forward, std::uint64_t seed) {
  CAPTURE(forward.name, seed);
  const Program plain = with_gradients(forward);
  const Program repeating = ir::recompute_cheap(plain);
  ir::check_program(repeating);
  CHECK(ir::kept_bytes(repeating) <= ir::kept_bytes(plain));
  Random random(seed);
  const std::vector<ir::Tensor> inputs = random_inputs(plain, random);
  CHECK(ir::evaluate(repeating, inputs) == ir::evaluate(plain, inputs));
  const std::vector<ir::Tensor> values = ir::evaluate_all(repeating, inputs);
  const std::vector<ValueId> repeated = ir::repeated_ops(repeating);
  for (ValueId id = 0; id < repeating.size(); ++id) {
    const ValueId original = repeated[static_cast<std::size_t>(id)];
    if (original == kNoValue) continue;
    CHECK(values[static_cast<std::size_t>(id)] == values[static_cast<std::size_t>(original)]);
  }
}

}  // namespace

TEST_CASE("recomputation keeps no more bytes and changes no bit") {
  check_recomputation(gpt_forward(tiny_gpt(2), 2), 1);
  check_recomputation(branching_forward(6, 4, 3), 2);
  check_recomputation(residual_stream(5), 3);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    check_recomputation(random_forward(seed, 4, 60), seed);
  }
}

TEST_CASE("recomputation keeps much less of gpt and leaves nothing cheap to find") {
  const Program plain = with_gradients(gpt_forward(tiny_gpt(3), 4));
  const Program once = ir::recompute_cheap(plain);
  CHECK(ir::kept_bytes(once) < 0.6 * static_cast<double>(ir::kept_bytes(plain)));
  CHECK(ir::kept_bytes(ir::recompute_cheap(once)) == ir::kept_bytes(once));
}

TEST_CASE("recomputation does not rebuild a residual stream from its beginning") {
  for (const auto& make : {+[](std::int64_t n) { return residual_stream(n); },
                           +[](std::int64_t n) { return gpt_forward(tiny_gpt(n), 2); }}) {
    const auto longest = [&](std::int64_t num_layers) {
      return longest_repetition(ir::recompute_cheap(with_gradients(make(num_layers))));
    };
    CHECK(longest(3) > 0);
    CHECK(longest(12) == longest(3));
  }
}

TEST_CASE("a kept view gives way to what it views where that takes no more bytes") {
  const auto kept = [](std::int64_t extent) {
    ir::Builder b("views");
    const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
    const ValueId x = b.input(InputKind::batch, {DType::f32, {4, 6}}, standard_normal, "x");
    const ValueId w = b.input(InputKind::parameter, {DType::f32, {6, 6}}, standard_normal, "w");
    const ValueId y = b.dot(x, w, {{}, {}, {1}, {0}});
    ValueId loss = kNoValue;
    for (std::int64_t start = 0; start < 2 * extent; start += extent) {
      const ValueId part = b.slice(y, {0, start}, {4, start + extent});
      const ValueId term = b.reduce(b.unary(OpKind::sine, part), {0, 1}, Reduction::sum);
      loss = loss == kNoValue ? term : b.add(loss, term);
    }
    b.output(loss, OutputKind::loss);
    return ir::kept_bytes(ir::recompute_cheap(with_gradients(std::move(b).finish())));
  };
  CHECK(kept(3) == 4 * 6 * 4);      // both halves: the whole, no copies
  CHECK(kept(2) == 2 * 4 * 2 * 4);  // two thirds: the slices
}
