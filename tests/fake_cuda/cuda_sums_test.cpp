// SPDX-License-Identifier: Apache-2.0
// Reductions of many elements into few, by many blocks.
#include <catch2/catch.hpp>

#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "lower/lower.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/other_sums.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

using Dims = std::vector<std::int64_t>;

std::vector<Reduction> reductions_of(DType dtype) {
  if (dtype == DType::pred) return {Reduction::logical_and, Reduction::logical_or};
  return {Reduction::sum, Reduction::product, Reduction::max, Reduction::min};
}

/// Products of many elements neither vanish nor overflow.
Initializer range_for(Reduction reduction, DType dtype) {
  if (!is_floating(dtype)) return range_of(dtype);
  const double far = reduction == Reduction::product ? 1e-3 : 1;
  return {Initializer::Kind::uniform, 1 - far, 1 + far};
}

std::vector<cuda::KernelText> sums_of(const Program& program) {
  const lower::LoweredProgram lowered = lower::lower(program);
  std::vector<cuda::KernelText> found;
  for (const cuda::GroupSource& group : cuda::group_sources(lowered)) {
    for (const cuda::KernelText& kernel : group.kernels) {
      if (kernel.kind == std::string(cuda::kSumsByBlocksKind)) found.push_back(kernel);
    }
  }
  return found;
}

Program total_of(const Shape& shape) {
  ir::Builder b("total");
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  Dims all;
  for (std::size_t d = 0; d < shape.dims.size(); ++d) all.push_back(static_cast<std::int64_t>(d));
  b.output(b.reduce(b.unary(OpKind::is_finite, x), all, Reduction::logical_and), OutputKind::value);
  return std::move(b).finish();
}

}  // namespace

TEST_CASE("reductions of everything by many blocks equal the reference") {
  for (DType dtype : {DType::f32, DType::f64, DType::s32, DType::u32, DType::bf16, DType::f16,
                      DType::s8, DType::pred}) {
    INFO(dtype_name(dtype));
    ir::Builder b("totals");
    for (const std::int64_t count : {8191, 8200, 20011, 32768}) {
      for (Reduction reduction : reductions_of(dtype)) {
        const ValueId x =
            b.input(InputKind::batch, {dtype, {count}}, range_for(reduction, dtype), "x");
        b.output(b.reduce(x, {0}, reduction), OutputKind::value);
      }
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("all bits of an and, and none of an or, are met wherever they lie") {
  for (const std::int64_t place : {0, 4095, 4096, 8191, 16383, 16384}) {
    INFO(place);
    ir::Builder b("place");
    const std::int64_t count = 16385;
    const ValueId is_there = b.compare(Comparison::eq, b.iota({DType::s32, {count}}, 0),
                                       b.fill({DType::s32, {count}}, static_cast<double>(place)));
    const ValueId x = b.input(InputKind::batch, {DType::f32, {count}}, {}, "x");
    const ValueId broken =
        b.select(is_there, b.unary(OpKind::log, b.fill({DType::f32, {count}}, 0)), x);
    b.output(b.reduce(b.unary(OpKind::is_finite, broken), {0}, Reduction::logical_and),
             OutputKind::value);
    b.output(b.reduce(is_there, {0}, Reduction::logical_or), OutputKind::value);
    check_program(std::move(b).finish(), 0);
  }
}

TEST_CASE("reductions of many elements into few results, kept wherever, equal the reference") {
  for (DType dtype : {DType::f32, DType::bf16, DType::s32}) {
    INFO(dtype_name(dtype));
    ir::Builder b("few");
    for (const auto& [shape, dims] : {std::pair<Dims, Dims>{{3, 70, 131}, {1, 2}},
                                      {{100, 3, 128}, {0, 2}},
                                      {{96, 97, 5}, {0, 1}},
                                      {{8192, 3}, {0}},
                                      {{2, 128, 2, 80}, {1, 3}},
                                      {{5, 1, 8208}, {1, 2}}}) {
      const ValueId x = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, 0, 1), "x"),
                    y = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, 0, 1), "y");
      b.output(b.reduce(b.mul(x, y), dims, Reduction::sum), OutputKind::value);
      b.output(b.reduce(b.add(x, y), dims, Reduction::max), OutputKind::value);
      b.output(b.mul(x, y), OutputKind::value);
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("sums of everything meet what rows fold to") {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{129, 128}, {80, 257}, {20011, 2}}) {
    INFO(rows << " rows of " << columns << " columns");
    ir::Builder b("rows");
    const Dims dims{rows, columns};
    const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, range_of(DType::f32, 0), "x");
    const ValueId sum = b.reduce(x, {1}, Reduction::sum);
    const ValueId part = b.div(x, b.broadcast_in_dim(sum, dims, {0}));
    b.output(b.reduce(b.mul(part, x), {0, 1}, Reduction::sum), OutputKind::value);
    b.output(b.reduce(b.unary(OpKind::sqrt, sum), {0}, Reduction::sum), OutputKind::value);
    b.output(part, OutputKind::value);
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("a GPU is full of blocks that make a sum of many elements, 16 bytes at a time") {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    INFO(dtype_name(dtype));
    const std::vector<cuda::KernelText> sums = sums_of(total_of({dtype, {8192, 8192}}));
    REQUIRE(sums.size() == 2);
    CHECK(sums[0].blocks == 1024);
    CHECK(sums[0].threads == 256);
    CHECK(sums[0].text.find(is_narrow(dtype) ? "load_pack<u16, 8>" : "load_pack<float, 8>") !=
          std::string::npos);
    CHECK(sums[1].blocks == 1);
  }
  CHECK(sums_of(total_of({DType::f32, {8191}})).size() == 1);  // too few for two blocks
  const std::vector<cuda::KernelText> two = sums_of(total_of({DType::f32, {8192}}));
  REQUIRE(two.size() == 2);
  CHECK(two[0].blocks == 2);
}
