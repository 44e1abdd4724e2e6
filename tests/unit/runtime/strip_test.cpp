// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/strip.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "device_harness.hpp"
#include "ir/builder.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/loop_program.hpp"

using namespace rhino;
using namespace rhino::runtime;

namespace {

using Dims = std::vector<std::int64_t>;
using Kind = BlockInstruction::Kind;

/// Elementwise ops on [rows, columns] of all extents, folds that come back to their rows, sums that
/// accumulate, and a state that is overwritten.
class RandomLoop {
 public:
  explicit RandomLoop(std::uint64_t seed) : random_(seed), b_("loop") {
    dims_ = {below(12) + 1, below(3) == 0 ? below(700) + 1 : below(150) + 1};
  }

  Program run() && {
    const ValueId state = b_.input(InputKind::parameter, shape(), {}, "state");
    values_ = {state, b_.input(InputKind::batch, shape(), {}, "x"),
               b_.broadcast_in_dim(b_.input(InputKind::batch, {DType::f32, {dims_[1]}}, {}, "bias"),
                                   dims_, {1}),
               b_.broadcast_in_dim(b_.input(InputKind::batch, {DType::f32, {dims_[0]}}, {}, "row"),
                                   dims_, {0}),
               b_.fill(shape(), 0.75)};
    const std::int64_t num_ops = 3 + below(60);
    for (std::int64_t i = 0; i < num_ops; ++i) values_.push_back(bounded(next()));
    for (std::int64_t i = 0; i < 3; ++i)
      b_.output(values_[values_.size() - 1 - at(i)], OutputKind::value);
    b_.output(b_.reduce(any(), {0}, Reduction::sum), OutputKind::value);
    b_.output(b_.add(any(), state), OutputKind::updated_state, 0);
    return std::move(b_).finish();
  }

 private:
  std::int64_t below(std::uint64_t count) { return static_cast<std::int64_t>(random_() % count); }
  Shape shape() const { return {DType::f32, dims_}; }
  /// Late values are more likely.
  ValueId any() {
    const std::size_t back = random_() % std::min<std::size_t>(values_.size(), 1 + random_() % 20);
    return values_[values_.size() - 1 - back];
  }
  /// Neither infinite nor tiny, whatever comes before.
  ValueId bounded(ValueId value) { return below(3) == 0 ? b_.unary(OpKind::tanh, value) : value; }

  ValueId next() {
    switch (below(12)) {
      case 0: return b_.unary(OpKind::exponential, b_.unary(OpKind::tanh, any()));
      case 1: return b_.unary(OpKind::negate, any());
      case 2: return b_.select(exact_mask(), any(), any());
      case 3: return b_.select(mask(), any(), any());
      case 4: return b_.sub(any(), any());
      case 5: return square(any());
      case 6: return b_.binary(OpKind::maximum, any(), any());
      case 7: return b_.div(any(), b_.shift(square(b_.unary(OpKind::tanh, any())), 1));
      case 8: return folded(Reduction::max);
      case 9: return b_.scale(folded(Reduction::sum), 1 / static_cast<double>(dims_[1]));
      case 10: return b_.scale(any(), 0.5);
      default: return b_.add(any(), any());
    }
  }

  ValueId square(ValueId value) {
    const ValueId tame = b_.unary(OpKind::tanh, value);
    return b_.mul(tame, tame);
  }
  ValueId folded(Reduction reduction) {
    return b_.broadcast_in_dim(b_.reduce(any(), {1}, reduction), dims_, {0});
  }
  /// Of values that are the same to the last bit in every evaluation.
  ValueId exact_mask() {
    const ValueId x = values_[random_() % 5], y = values_[random_() % 5];
    return b_.compare(Comparison::gt, b_.unary(OpKind::negate, x),
                      b_.binary(OpKind::maximum, x, y));
  }
  ValueId mask() {
    const Shape indices{DType::s32, dims_};
    return b_.compare(Comparison::ge, b_.iota(indices, below(2)), b_.iota(indices, 1));
  }

  std::mt19937_64 random_;
  ir::Builder b_;
  Dims dims_;
  std::vector<ValueId> values_;
};

std::vector<ir::Tensor> random_inputs(const Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> any(-2, 2);
  std::vector<ir::Tensor> tensors;
  for (const Input& input : program.inputs) {
    ir::Tensor& tensor = tensors.emplace_back(ir::Tensor{program.op(input.value).shape, {}});
    tensor.elements.resize(static_cast<std::size_t>(num_elements(tensor.shape)));
    for (double& element : tensor.elements) element = any(random);
  }
  return tensors;
}

/// Steps of the only loop of `program`.
LoopProgram loop_of(const Program& program) {
  const lower::LoweredProgram lowered = lower::lower(program);
  REQUIRE(lowered.groups.size() == 1);
  std::optional<LoopProgram> loop =
      compile_loop(lowered, lowered.groups[0].nests.at(0), lowered.groups[0]);
  REQUIRE(loop.has_value());
  return *std::move(loop);
}

std::vector<Kind> kinds(const LoopProgram& loop) {
  std::vector<Kind> result;
  for (const BlockInstruction& instruction : loop.instructions) result.push_back(instruction.kind);
  return result;
}

/// tanh(x * x + 1) + x.
ValueId curve(ir::Builder& b, ValueId x) {
  return b.add(b.unary(OpKind::tanh, b.shift(b.mul(x, x), 1)), x);
}

ValueId input(ir::Builder& b, DType dtype) {
  return b.input(InputKind::batch, {dtype, {30, 70}}, {}, "x");
}

}  // namespace

TEST_CASE("random loops of any size equal the reference") {
  const auto base = static_cast<std::uint64_t>(Catch::rngSeed());
  for (std::uint64_t seed = base; seed < base + 250; ++seed) {
    const Program program = RandomLoop(seed).run();
    INFO("seed " << seed << ", " << to_string(program.op(program.inputs[0].value).shape) << ", "
                 << program.size() << " ops");
    const std::vector<ir::Tensor> inputs = random_inputs(program, seed);
    const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
    for (int num_threads : {1, 2}) {
      const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
      for (Placement placement : {Placement::in_place, Placement::apart}) {
        const std::vector<ir::Tensor> actual = run_on(*device, program, inputs, placement);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          INFO("output " << i << ", threads " << num_threads);
          REQUIRE(relative_error(actual[i], expected[i], 1e-2) <= 1e-3);
        }
      }
    }
  }
}

TEST_CASE("elementwise steps of a loop are one chain") {
  ir::Builder b("chain");
  b.output(curve(b, input(b, DType::f32)), OutputKind::value);
  CHECK(kinds(loop_of(std::move(b).finish())) == std::vector{Kind::strips});
}

TEST_CASE("a chain ends where a fold needs it, and sums come after it") {
  const auto kinds_of = [](std::int64_t columns) {
    ir::Builder b("folds");
    const Shape shape{DType::f32, {30, columns}};
    const ValueId y = curve(b, b.input(InputKind::batch, shape, {}, "x"));
    const ValueId mean = b.broadcast_in_dim(b.reduce(y, {1}, Reduction::max), shape.dims, {0});
    const ValueId centered = b.sub(y, mean), bent = b.mul(centered, centered);
    b.output(b.reduce(centered, {0}, Reduction::sum), OutputKind::value);
    b.output(b.unary(OpKind::negate, bent), OutputKind::value);
    return kinds(loop_of(std::move(b).finish()));
  };
  // A map spreads the mean over a row that is shorter than a strip, of however wide vectors.
  CHECK(kinds_of(strip_elements() / 2 + 6) ==
        std::vector{Kind::strips, Kind::fold, Kind::map, Kind::strips, Kind::accumulate});
  CHECK(kinds_of(strip_elements() + 6) ==
        std::vector{Kind::strips, Kind::fold, Kind::strips, Kind::accumulate});
}

TEST_CASE("one step alone, other types and values of rows are no chain") {
  ir::Builder alone("alone");
  alone.output(alone.unary(OpKind::tanh, input(alone, DType::f32)), OutputKind::value);
  CHECK(kinds(loop_of(std::move(alone).finish())) == std::vector{Kind::map});

  ir::Builder wide("wide");
  wide.output(curve(wide, input(wide, DType::f64)), OutputKind::value);
  CHECK(std::ranges::count(kinds(loop_of(std::move(wide).finish())), Kind::strips) == 0);

  ir::Builder rows("rows");
  const ValueId sum = rows.reduce(input(rows, DType::f32), {1}, Reduction::sum);
  rows.output(curve(rows, sum), OutputKind::value);
  CHECK(std::ranges::count(kinds(loop_of(std::move(rows).finish())), Kind::strips) == 0);
}

TEST_CASE("rows of every length fold each of their elements once") {
  for (DType dtype : {DType::f32, DType::f64, DType::s32, DType::s64, DType::u8}) {
    for (std::int64_t columns = 1; columns <= 300; ++columns) {
      INFO(dtype_name(dtype) << ", " << columns << " columns");
      ir::Builder b("fold");
      const Shape shape{dtype, {3, columns}};
      const ValueId x = b.input(InputKind::batch, shape, {}, "x");
      const ValueId same = b.binary(OpKind::maximum, x, x);
      for (const Reduction reduction : {Reduction::sum, Reduction::max, Reduction::min})
        b.output(b.reduce(same, {1}, reduction), OutputKind::value);
      const Program program = std::move(b).finish();
      std::vector<ir::Tensor> tensors{{shape, {}}};
      ir::Tensor& tensor = tensors[0];  // integers that add up exactly
      for (std::int64_t i = 0; i < 3 * columns; ++i)
        tensor.elements.push_back(
            static_cast<double>(dtype == DType::u8 ? i * 37 % 251 : i * 37 % 1009));
      const std::unique_ptr<Device> device = make_cpu_device({});
      const std::vector<ir::Tensor> expected = ir::evaluate(program, tensors),
                                    actual = run_on(*device, program, tensors);
      for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(actual[i].elements == expected[i].elements);
      if (!is_floating(dtype)) continue;
      tensor.elements[at(columns / 2)] = std::nan("");
      const std::vector<ir::Tensor> spoilt = run_on(*device, program, tensors);
      for (const ir::Tensor& folded : spoilt) {
        REQUIRE(std::isnan(folded.elements[0]));
        REQUIRE(!std::isnan(folded.elements[1]));
      }
    }
  }
}
