// SPDX-License-Identifier: Apache-2.0
#include "sharding/defer_scales.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "ir/builder.hpp"
#include "partition_harness.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kBatch = 8, kTokens = 6, kHidden = 4;

/// How a loss uses the count of its tokens.
enum class Form {
  quotient,    ///< sum / max(count, 1)
  weights,     ///< of tokens: mask / count
  inverse,     ///< -(1 / count) * -sum
  root,        ///< sum / sqrt(count * count)
  decayed,     ///< quotient, and a norm of weights
  two_counts,  ///< quotients of two masks, added
  alongside,   ///< quotient, and a mean without a count
};

/// Writes the loss of two layers over tokens whose number differs from sample to sample.
class Writer {
 public:
  Writer(Form form, DType dtype) : form_(form), dtype_(dtype) {}

  Program run() {
    const Initializer uniform{Initializer::Kind::uniform, -1, 1};
    const Shape tokens{dtype_, {kBatch, kTokens, kHidden}};
    const ValueId x = b_.input(InputKind::batch, tokens, uniform, "x"),
                  y = b_.input(InputKind::batch, tokens, uniform, "y"),
                  length = b_.input(InputKind::batch, {DType::s32, {kBatch}},
                                    {Initializer::Kind::uniform_integer, 0, kTokens + 1}, "length"),
                  w1 = b_.input(InputKind::parameter, {dtype_, {kHidden, 8}}, uniform, "w1"),
                  w2 = b_.input(InputKind::parameter, {dtype_, {8, kHidden}}, uniform, "w2");
    const DotAttr last{{}, {}, {2}, {0}};
    const ValueId out = b_.dot(b_.unary(OpKind::tanh, b_.dot(x, w1, last)), w2, last);
    const ValueId error = b_.sub(out, y);
    const ValueId losses = b_.reduce(b_.mul(error, error), {2}, Reduction::sum);
    b_.output(loss(losses, mask(length, 0), mask(length, 2), w2), OutputKind::loss);
    return std::move(b_).finish();
  }

 private:
  /// 1 where a token stands before the length of its sample plus `more`.
  ValueId mask(ValueId length, double more) {
    const std::vector<std::int64_t> dims{kBatch, kTokens};
    const ValueId position = b_.iota({DType::s32, dims}, 1);
    const ValueId end = b_.broadcast_in_dim(b_.shift(length, more), dims, {0});
    return b_.convert(b_.compare(Comparison::lt, position, end), dtype_);
  }

  ValueId count(ValueId mask) {
    const ValueId sum = b_.reduce(mask, {0, 1}, Reduction::sum);
    return b_.binary(OpKind::maximum, sum, b_.constant(dtype_, 1));
  }

  ValueId quotient(ValueId losses, ValueId mask) {
    return b_.div(b_.reduce(b_.mul(losses, mask), {0, 1}, Reduction::sum), count(mask));
  }

  ValueId loss(ValueId losses, ValueId mask, ValueId longer, ValueId weight) {
    const ValueId sum = b_.reduce(b_.mul(losses, mask), {0, 1}, Reduction::sum);
    const ValueId one = b_.constant(dtype_, 1);
    switch (form_) {
      case Form::quotient: return quotient(losses, mask);
      case Form::weights: {
        const ValueId spread = b_.broadcast_in_dim(count(mask), {kBatch, kTokens}, {});
        return b_.reduce(b_.mul(losses, b_.div(mask, spread)), {0, 1}, Reduction::sum);
      }
      case Form::inverse:
        return b_.mul(b_.unary(OpKind::negate, b_.div(one, count(mask))),
                      b_.unary(OpKind::negate, sum));
      case Form::root: return b_.div(sum, b_.unary(OpKind::sqrt, b_.mul(count(mask), count(mask))));
      case Form::decayed:
        return b_.add(quotient(losses, mask),
                      b_.scale(b_.reduce(b_.mul(weight, weight), {0, 1}, Reduction::sum), 0.1));
      case Form::two_counts: return b_.add(quotient(losses, mask), quotient(losses, longer));
      default:
        return b_.add(quotient(losses, mask),
                      b_.scale(b_.reduce(losses, {0, 1}, Reduction::sum), 0.01));
    }
  }

  Form form_;
  DType dtype_;
  ir::Builder b_{"masked"};
};

Program masked_step(Form form, const ir::Optimizer& optimizer = {}, DType dtype = DType::f32) {
  return ir::training_step(Writer(form, dtype).run(), optimizer);
}

/// Inputs under which halves of the batch have unlike counts: a mean of means would be wrong.
std::vector<ir::Tensor> uneven_inputs(const Program& program, std::uint64_t seed) {
  Random random(seed);
  std::vector<ir::Tensor> inputs = random_inputs(random, program);
  const auto& length = std::ranges::find_if(
      program.inputs, [&](const Input& input) { return program.op(input.value).name == "length"; });
  auto& lengths = inputs[at(length - program.inputs.begin())].elements;
  for (std::size_t i = 0; i < lengths.size() / 2; ++i) lengths[i] = static_cast<double>(i % 2);
  for (std::size_t i = lengths.size() / 2; i < lengths.size(); ++i)
    lengths[i] = static_cast<double>(kTokens - draw(random, 3));
  return inputs;
}

/// Every device's programs of `deferred` yield what the reference makes of the whole `program`.
void check_same(const Program& program, const Program& deferred, const Strategy& strategy,
                const std::vector<ir::Tensor>& inputs, double tolerance = 1e-9) {
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs, ir::Precision::f64);
  const std::vector<ir::Tensor> actual = run_partitioned(deferred, strategy, inputs);
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i, program.producer(program.outputs[i].value).name);
    CHECK(relative_error(actual[i], expected[i]) < tolerance);
  }
}

const std::vector<std::vector<std::vector<std::int64_t>>> kMeshes = {
    {{1}}, {{2}}, {{1, 2}}, {{2, 2}}, {{1}, {1}}, {{2}, {2}}};

}  // namespace

TEST_CASE("a scale by a count of the whole batch waits for the last micro-batch") {
  const Form form =
      GENERATE(Form::quotient, Form::weights, Form::inverse, Form::root, Form::decayed);
  const auto meshes = GENERATE_COPY(from_range(kMeshes));
  const auto num_micro_batches = GENERATE(2, 4);
  const auto zero_stage = GENERATE(0, 1, 2, 3);
  CAPTURE(static_cast<int>(form), meshes, num_micro_batches, zero_stage);
  const Program program = masked_step(form);
  StrategyDraft draft = draft_on(meshes, num_micro_batches);
  draft.zero_stage = zero_stage;
  CHECK_THROWS_WITH(sharding::complete(program, draft),
                    Catch::Contains("every micro-batch needs a sum over all of them"));
  const sharding::Deferral deferral = sharding::defer_scales(program);
  CHECK(deferral.obstacle == "");
  check_same(program, deferral.program, sharding::complete(deferral.program, draft),
             uneven_inputs(program, 7));
}

TEST_CASE("scaled losses of random programs equal the single device in micro-batches") {
  const auto seed = GENERATE(range(1, 61));
  Random random(static_cast<std::uint64_t>(seed));
  ir::Builder b(models::random_forward(static_cast<std::uint64_t>(seed) + 3000, kBatch, 16));
  const ValueId length = b.input(InputKind::batch, {DType::f32, {kBatch}},
                                 {Initializer::Kind::uniform, 0.25, 4}, "length");
  const ValueId count = b.reduce(length, {0}, Reduction::sum);
  Program forward = std::move(b).release();
  ir::Builder more(std::move(forward));
  const auto loss = [&] {
    for (const Output& output : more.program().outputs)
      if (output.kind == OutputKind::loss) return output.value;
    return kNoValue;
  }();
  const ValueId scaled = more.div(loss, count);
  forward = std::move(more).release();
  for (Output& output : forward.outputs)
    if (output.kind == OutputKind::loss) output.value = scaled;
  const Program program = step_of(std::move(forward));
  const sharding::Deferral deferral = sharding::defer_scales(program);
  CAPTURE(seed);
  CHECK(deferral.obstacle == "");
  CHECK_FALSE(deferral.program == program);
  StrategyDraft draft = draft_on({{draw(random, 2) + 1, draw(random, 2) + 1}}, 2);
  check_same(program, deferral.program, random_strategy(random, deferral.program, draft),
             random_inputs(random, program));
}

TEST_CASE("parts of a loss with scales of their own are told apart, if that may take more work") {
  const Form form = GENERATE(Form::two_counts, Form::alongside);
  const Program program = masked_step(form);
  const sharding::Deferral refused = sharding::defer_scales(program);
  CHECK(refused.program == program);
  CHECK_THAT(refused.obstacle, Catch::Contains("would be computed once per part of the loss"));
  CHECK_THROWS_WITH(sharding::complete(program, draft_on({{2}}, 2)),
                    Catch::Contains("the scale cannot wait for it") &&
                        Catch::Contains("once per part of the loss"));
  const sharding::Deferral deferral = sharding::defer_scales(program, true);
  for (const std::int64_t num_micro_batches : {2, 4}) {
    const StrategyDraft draft = draft_on({{2}, {2}}, num_micro_batches);
    check_same(program, deferral.program, sharding::complete(deferral.program, draft),
               uneven_inputs(program, 9));
  }
}

TEST_CASE("what is not linear in a scale is named") {
  Program program = masked_step(Form::quotient);
  // Gradients of activations are clipped in front of the first product that reads them.
  ir::Builder b("clipped");
  std::vector<ValueId> values;
  bool is_clipped = false;
  for (ValueId id = 0; id < program.size(); ++id) {
    Op op = program.op(id);
    for (ValueId& operand : op.operands) operand = values[at(operand)];
    if (op.origin != kNoValue) op.origin = values[at(op.origin)];
    b.set_phase(op.phase, op.origin);
    if (op.kind == OpKind::dot && op.phase == Phase::backward && !is_clipped) {
      for (ValueId& operand : op.operands) {
        if (b.program().op(operand).phase != Phase::backward) continue;
        operand = b.binary(OpKind::minimum, operand, b.fill(b.shape(operand), 1e-3));
        b.name(operand, "clip");
        is_clipped = true;
      }
    }
    values.push_back(b.add_like(op, op.operands, op.name));
  }
  REQUIRE(is_clipped);
  Program clipped = std::move(b).release();
  clipped.inputs = program.inputs;
  clipped.outputs = program.outputs;
  for (Input& input : clipped.inputs) input.value = values[at(input.value)];
  for (Output& output : clipped.outputs) output.value = values[at(output.value)];
  const sharding::Deferral deferral = sharding::defer_scales(clipped);
  CHECK(deferral.program == clipped);
  CHECK_THAT(deferral.obstacle, Catch::Contains("op 'clip' (minimum) is not linear in it"));
  CHECK_THROWS_WITH(sharding::complete(clipped, draft_on({{1}}, 2)),
                    Catch::Contains("op 'clip' (minimum) is not linear in it"));
  CHECK_NOTHROW(sharding::complete(clipped, draft_on({{2}}, 1)));
}

TEST_CASE("what reads a count as a position reads it behind the last micro-batch") {
  ir::Builder b("positions");
  const Initializer uniform{Initializer::Kind::uniform, -1, 1};
  const ValueId x = b.input(InputKind::batch, {DType::f32, {kBatch, 4}}, uniform, "x"),
                w = b.input(InputKind::parameter, {DType::f32, {4}}, uniform, "w"),
                table = b.input(InputKind::parameter, {DType::f32, {64}}, uniform, "table");
  const ValueId y = b.dot(x, w, DotAttr{{}, {}, {1}, {0}});
  const ValueId is_counted = b.compare(Comparison::gt, b.reduce(x, {1}, Reduction::sum),
                                       b.fill({DType::f32, {kBatch}}, 0));
  const ValueId count = b.reduce(b.convert(is_counted, DType::f32), {0}, Reduction::sum);
  const ValueId found = b.dynamic_slice(table, {b.convert(count, DType::s32)}, {2});
  b.output(b.add(b.div(b.reduce(b.mul(y, y), {0}, Reduction::sum), count),
                 b.reduce(b.mul(found, found), {0}, Reduction::sum)),
           OutputKind::loss);
  const Program step = ir::training_step(std::move(b).finish(), {});
  CHECK_THROWS_WITH(sharding::complete(step, draft_on({{1}}, 2)),
                    Catch::Contains("every micro-batch needs a sum over all of them"));
  const sharding::Deferral deferral = sharding::defer_scales(step);
  CHECK(deferral.is_changed);
  Random random(3);
  check_same(step, deferral.program, sharding::complete(deferral.program, draft_on({{2}}, 2)),
             random_inputs(random, step));
}

TEST_CASE("what derives from an op still does where scales wait") {
  const Program program = masked_step(Form::quotient),
                deferred = sharding::defer_scales(program).program;
  const auto num_derived = [](const Program& p) {
    return std::ranges::count_if(p.ops, [&](const Op& op) {
      return op.kind == OpKind::dot && op.origin != kNoValue && p.op(op.origin).kind == OpKind::dot;
    });
  };
  CHECK(num_derived(program) > 0);
  CHECK(num_derived(deferred) == num_derived(program));
}

TEST_CASE("a program that no scale couples stays as it is") {
  for (const Program& program : {gpt_step(), step_of(models::branching_forward(kBatch, 6, 3)),
                                 sharding::defer_scales(masked_step(Form::quotient)).program}) {
    const sharding::Deferral deferral = sharding::defer_scales(program);
    CHECK(deferral.program == program);
    CHECK(deferral.obstacle == "");
  }
}

TEST_CASE("no dot is computed again behind a scale, and gradients alone get it back") {
  const Program program = masked_step(Form::quotient),
                deferred = sharding::defer_scales(program).program;
  const auto count = [](const Program& p, OpKind kind) {
    return std::ranges::count(p.ops, kind, &Op::kind);
  };
  CHECK(count(deferred, OpKind::dot) == count(program, OpKind::dot));
  CHECK(ir::update_only(deferred) == ir::update_only(program));
  // Two gradients times the scale.
  CHECK(count(deferred, OpKind::multiply) <= count(program, OpKind::multiply) + 3);
  for (const Output& output : deferred.outputs) {
    if (output.kind != OutputKind::gradient) continue;
    CHECK(deferred.op(output.value).phase == Phase::update);
    CHECK(deferred.op(output.value).kind == OpKind::multiply);
  }
}

TEST_CASE("sums without a scale keep within what 16 bits hold") {
  ir::Optimizer optimizer{.master_weights = true, .wide_gradients = true};
  optimizer.loss_scale = {.initial = 1024, .growth_interval = 4};
  const DType dtype = GENERATE(DType::bf16, DType::f16);
  const Program program = masked_step(Form::quotient, optimizer, dtype);
  const Program deferred = sharding::defer_scales(program).program;
  CHECK_FALSE(deferred == program);
  const std::vector<ir::Tensor> inputs = uneven_inputs(program, 5);
  // In 16 bits: what is left out is about 1 where all of the batch counts.
  const std::vector<ir::Tensor> rounded = ir::evaluate(deferred, inputs),
                                exact = ir::evaluate(program, inputs, ir::Precision::f64);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (program.outputs[i].kind != OutputKind::gradient) continue;
    CAPTURE(i);
    CHECK(deferred.shape(deferred.outputs[i].value).dtype == DType::f32);
    CHECK(relative_error(rounded[i], exact[i]) < 0.05);
  }
  const StrategyDraft draft = draft_on({{2}, {2}}, 2);
  check_same(program, deferred, sharding::complete(deferred, draft), inputs);
}

}  // namespace rhino::test
