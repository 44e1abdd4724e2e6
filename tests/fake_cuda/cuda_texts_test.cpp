// SPDX-License-Identifier: Apache-2.0
// What the texts of kernels call things, how wide their indices are, and that compilers take them
// at their word.
#include <catch2/catch.hpp>
#include <functional>

#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "lower/lower.hpp"
#include "runtime/cuda/kernel_unit.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

/// An input of 8 GiB, as none is made for a test.
ValueId columns_of_wide_rows(ir::Builder& b, std::int64_t first) {
  constexpr std::int64_t kRows = 65536, kColumns = 1024;
  const ValueId x = b.input(InputKind::batch, {DType::bf16, {kRows, kRows}}, {}, "x");
  return b.slice(x, {0, first}, {kRows, first + kColumns});
}

void check_wide(const std::function<ValueId(ir::Builder&)>& make) {
  ir::Builder b("wide");
  b.output(make(b), OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  std::size_t num_wide = 0;
  for (const cuda::GroupSource& group : cuda::group_sources(lowered)) {
    for (const cuda::KernelText& kernel : group.kernels)
      num_wide += kernel.text.find("typedef s64 Index;") != std::string::npos;
  }
  CHECK(num_wide > 0);
}

}  // namespace

TEST_CASE("what many packs are called is the name of no type") {
  for (const auto& [dtype, num] :
       {std::pair{DType::s8, 8}, {DType::s8, 9}, {DType::bf16, 16}, {DType::bf16, 32}}) {
    INFO(num << " of " << dtype_name(dtype));
    ir::Builder b("packs");
    const Shape shape{dtype, {1024}};
    ValueId sum = b.input(InputKind::batch, shape, range_of(dtype), "x");
    for (int i = 1; i < num; ++i)
      sum = b.add(sum, b.input(InputKind::batch, shape, range_of(dtype), "x"));
    const ValueId is_early = b.compare(Comparison::lt, b.iota({DType::s32, {1024}}, 0),
                                       b.fill({DType::s32, {1024}}, 700));
    b.output(b.select(is_early, sum, b.fill(shape, 0)), OutputKind::value);
    check_program(std::move(b).finish(), tolerance_of(dtype));
  }
}

TEST_CASE("windows of many dims have starts that are called as no type is") {
  ir::Builder b("windows");
  const std::vector<std::int64_t> dims{2, 1, 1, 2, 1, 1, 1, 1, 5}, ones(9, 1), zeros(9, 0);
  std::vector<std::int64_t> sizes = ones;
  sizes.back() = 3;
  const WindowAttr window{sizes, ones, zeros, zeros, Reduction::max};
  const ValueId x = b.input(InputKind::batch, {DType::s8, dims}, range_of(DType::s8), "x");
  b.output(b.add({.kind = OpKind::reduce_window, .operands = {x}, .attributes = window}),
           OutputKind::value);
  check_program(std::move(b).finish(), 0);
}

TEST_CASE("an index is wide where a view's memory is large, however few elements it has") {
  check_wide([](ir::Builder& b) {
    return b.concatenate({columns_of_wide_rows(b, 0), columns_of_wide_rows(b, 8192)}, 1);
  });
  check_wide([](ir::Builder& b) {
    return b.add(
        {.kind = OpKind::sort, .operands = {columns_of_wide_rows(b, 0)}, .attributes = DimAttr{1}});
  });
  check_wide([](ir::Builder& b) {
    return b.pad(columns_of_wide_rows(b, 64512), b.constant(DType::bf16, 0), {0, 1}, {0, 1});
  });
}

TEST_CASE("a product is rounded before it is added, in whatever order ops stand") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const bool keeps_gradient : {false, true}) {
      INFO(dtype_name(dtype) << (keeps_gradient ? ", gradients kept" : ""));
      ir::Builder b("updates");
      const Shape shape{dtype, {16}};
      for (int i = 0; i < 8; ++i) {
        const auto input = [&] { return b.input(InputKind::batch, shape, range_of(dtype), "x"); };
        const ValueId own = input(), other = input(), moment = input(), parameter = input();
        ValueId decayed = keeps_gradient ? kNoValue : b.mul(moment, b.fill(shape, 0.9));
        const ValueId gradient = b.add(own, other);
        const ValueId share = b.mul(gradient, b.fill(shape, 0.1));
        if (keeps_gradient) decayed = b.mul(moment, b.fill(shape, 0.9));
        const ValueId next = b.add(decayed, share);
        b.output(next, OutputKind::value);
        b.output(b.sub(parameter, b.mul(next, b.fill(shape, 0.3))), OutputKind::value);
        if (keeps_gradient) b.output(gradient, OutputKind::value);
      }
      check_program(std::move(b).finish(), 0);
    }
  }
}
