// SPDX-License-Identifier: Apache-2.0
// Dots and convolutions on the CPU device.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "device_ops_harness.hpp"
#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"

using namespace rhino;
using namespace rhino::test;

TEST_CASE("dots of any layout equal the reference") {
  for (DType dtype : {DType::f32, DType::f64, DType::s32, DType::bf16, DType::f16}) {
    ir::Builder b("dots");
    const ValueId a = b.input(InputKind::batch, {dtype, {4, 6, 5, 7}}, {}, "a");
    const ValueId c = b.input(InputKind::batch, {dtype, {4, 5, 7, 3}}, {}, "c");
    b.output(b.dot(a, c, {{0}, {0}, {2, 3}, {1, 2}}), OutputKind::value);
    b.output(b.dot(a, c, {{0}, {0}, {3, 2}, {2, 1}}), OutputKind::value);
    b.output(b.dot(a, c, {{0, 2}, {0, 1}, {3}, {2}}), OutputKind::value);
    b.output(b.dot(a, c, {{}, {}, {0, 3}, {0, 2}}), OutputKind::value);
    b.output(b.dot(a, c, {{2}, {1}, {0}, {0}}), OutputKind::value);
    b.output(b.dot(b.reverse(a, {1}), c, {{0}, {0}, {2}, {1}}), OutputKind::value);
    const ValueId row = b.slice(a, {0, 0, 0, 0}, {4, 1, 1, 7});
    b.output(b.dot(b.broadcast_in_dim(b.reshape(row, {4, 7}), {4, 9, 7}, {0, 2}), c,
                   {{0}, {0}, {2}, {2}}),
             OutputKind::value);
    const ValueId product = b.dot(a, c, {{0}, {0}, {2, 3}, {1, 2}});
    b.output(b.reshape(b.transpose(product, {2, 0, 1}), {12, 6}), OutputKind::value);
    b.output(b.dot(b.constant(dtype, 2), b.constant(dtype, 3), {}), OutputKind::value);
    const Program program = std::move(b).finish();
    check_on_cpu(program, random_inputs(program),
                 dtype == DType::f32 ? 1e-5 : tolerance_of(dtype) * 10);
  }
}

TEST_CASE("small dots of random dims and layouts equal the reference") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const auto draw = [&](std::int64_t least, std::int64_t most) {
      return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    const DType operands = std::array{DType::f32, DType::bf16, DType::f16}[seed % 3];
    const DType result = draw(0, 1) == 0 ? operands : DType::f32;
    // Dims of the dot in the order of its result, then those that are summed over.
    const std::int64_t batch = draw(0, 2), rows = draw(0, 2), columns = draw(0, 2),
                       terms = draw(0, 2);
    ir::Builder b("small");
    const auto dims = [&](std::int64_t count) {
      std::vector<std::int64_t> extents;
      for (std::int64_t i = 0; i < count; ++i) extents.push_back(draw(1, draw(0, 3) == 0 ? 19 : 5));
      return extents;
    };
    const std::vector<std::int64_t> batches = dims(batch), of_terms = dims(terms);
    // An operand of these dims in any order, each of them seen whole, in part or turned round.
    const auto operand = [&](const std::vector<std::int64_t>& free,
                             std::vector<std::int64_t>& of_batch,
                             std::vector<std::int64_t>& contracting) {
      std::vector<std::int64_t> extents = batches;
      extents.insert(extents.end(), free.begin(), free.end());
      extents.insert(extents.end(), of_terms.begin(), of_terms.end());
      std::vector<std::int64_t> order(extents.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      // order[i]: which of `extents` is dim i of the operand.
      std::vector<std::int64_t> shape, stored, starts, limits, places(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        places[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
        shape.push_back(extents[static_cast<std::size_t>(order[i])]);
        starts.push_back(draw(0, 3) == 0 ? draw(1, 2) : 0);
        limits.push_back(starts.back() + shape.back());
        stored.push_back(limits.back() + (draw(0, 3) == 0 ? 1 : 0));
      }
      ValueId value = b.input(InputKind::batch, {operands, stored}, {}, "operand");
      if (stored != shape) value = b.slice(value, starts, limits);
      if (!shape.empty() && draw(0, 3) == 0)
        value = b.reverse(value, {draw(0, static_cast<std::int64_t>(shape.size()) - 1)});
      of_batch.assign(places.begin(), places.begin() + batch);
      contracting.assign(places.end() - terms, places.end());
      return value;
    };
    DotAttr dot;
    const std::vector<std::int64_t> of_rows = dims(rows), of_columns = dims(columns);
    const ValueId lhs = operand(of_rows, dot.lhs_batch, dot.lhs_contracting);
    const ValueId rhs = operand(of_columns, dot.rhs_batch, dot.rhs_contracting);
    // Free dims of each operand come in its own order.
    const ValueId product = b.add(
        Op{.kind = OpKind::dot, .shape = {result, {}}, .operands = {lhs, rhs}, .attributes = dot});
    if (draw(0, 1) == 0) {
      const ValueId sum =
          b.input(InputKind::optimizer_state, b.program().shape(product), {}, "sum");
      b.output(b.add(sum, product), OutputKind::updated_state, 2);
    } else {
      b.output(product, OutputKind::value);
    }
    const Program program = std::move(b).finish();
    check_on_cpu(program, random_inputs(program),
                 result == DType::f32 ? 1e-5 : tolerance_of(result) * 2);
  }
}

TEST_CASE("dots of 16 bits are sums in f32, rounded once or not at all") {
  for (DType dtype : {DType::bf16, DType::f16}) {
    for (const DType result : {dtype, DType::f32}) {
      INFO(dtype_name(dtype) << " to " << dtype_name(result));
      // Each dim in turn is above one panel of 512.
      ir::Builder b("long");
      const ValueId x = b.input(InputKind::batch, {dtype, {530, 24}}, {}, "x");
      const ValueId y = b.input(InputKind::batch, {dtype, {530, 20}}, {}, "y");
      const ValueId z = b.input(InputKind::batch, {dtype, {24, 20}}, {}, "z");
      const ValueId sum = b.input(InputKind::optimizer_state, {result, {530, 20}}, {}, "sum");
      const auto dot = [&](ValueId lhs, ValueId rhs, DotAttr dims) {
        return b.add(Op{.kind = OpKind::dot,
                        .shape = {result, {}},
                        .operands = {lhs, rhs},
                        .attributes = std::move(dims)});
      };
      b.output(dot(x, z, {{}, {}, {1}, {0}}), OutputKind::value);
      b.output(dot(z, x, {{}, {}, {0}, {1}}), OutputKind::value);
      b.output(b.transpose(dot(z, x, {{}, {}, {0}, {1}}), {1, 0}), OutputKind::value);
      b.output(dot(x, y, {{}, {}, {0}, {0}}), OutputKind::value);
      b.output(b.add(sum, dot(x, z, {{}, {}, {1}, {0}})), OutputKind::updated_state, 3);
      const Program program = std::move(b).finish();
      check_on_cpu(program, random_inputs(program),
                   result == DType::f32 ? 1e-5 : tolerance_of(dtype) * 2);
    }
  }
}

TEST_CASE("convolutions and their derivatives, however they lie, equal the reference") {
  for (int seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    ir::Builder b("convolution");
    ir::Sampler sampler(b, random);
    Op op = b.program().op(ir::traits(OpKind::convolution).sample(sampler));
    const auto rank = static_cast<std::int64_t>(op.shape.dims.size());
    // Features behind space, or dims in any other order.
    ConvolutionAttr a = op.attributes.get<ConvolutionAttr>();
    const auto moved = [&](ValueId x, std::int64_t& first, std::int64_t& second,
                           std::vector<std::int64_t>& spatial) {
      std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
      std::iota(order.begin(), order.end(), 0);
      if (seed % 2 == 0) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
      else std::shuffle(order.begin(), order.end(), random);
      const auto place = [&](std::int64_t& dim) {
        dim = std::find(order.begin(), order.end(), dim) - order.begin();
      };
      place(first), place(second);
      for (std::int64_t& dim : spatial) place(dim);
      return x == kNoValue ? x : b.transpose(x, order);
    };
    const ValueId image = moved(op.operands[0], a.input_batch, a.input_feature, a.input_spatial),
                  kernel = moved(op.operands[1], a.kernel_output, a.kernel_input, a.kernel_spatial);
    moved(kNoValue, a.output_batch, a.output_feature, a.output_spatial);
    const ValueId result =
        b.add(Op{.kind = OpKind::convolution, .operands = {image, kernel}, .attributes = a});
    std::vector<std::int64_t> all(static_cast<std::size_t>(rank));
    std::iota(all.begin(), all.end(), 0);
    const ValueId loss = b.reduce(b.mul(result, result), all, Reduction::sum);
    Program program = b.program();
    for (const ValueId gradient : ir::append_gradients(program, loss, {image, kernel}))
      program.outputs.push_back({gradient, OutputKind::value, -1});
    program.outputs.push_back({result, OutputKind::value, -1});
    check_on_cpu(program, random_inputs(program), 1e-5);
  }
}

TEST_CASE("a convolution that is worth several threads equals the reference") {
  ir::Builder b("large");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {2, 12, 12, 16}}, {}, "x"),
                w = b.input(InputKind::batch, {DType::f32, {3, 3, 16, 64}}, {}, "w");
  ConvolutionAttr dims = ir::channels_last(2);
  dims.low = dims.high = {1, 1};
  const ValueId result =
      b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = dims});
  const ValueId loss = b.reduce(b.mul(result, result), {0, 1, 2, 3}, Reduction::sum);
  Program program = b.program();
  for (const ValueId gradient : ir::append_gradients(program, loss, {x, w}))
    program.outputs.push_back({gradient, OutputKind::value, -1});
  check_on_cpu(program, random_inputs(program), 1e-5);
}
