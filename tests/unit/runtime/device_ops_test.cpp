// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "device_ops_harness.hpp"
#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "rhino/index.hpp"
#include "runtime/device/device.hpp"
#include "statistics_programs.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

constexpr DType kTypes[] = {DType::f32, DType::f64, DType::s32, DType::pred, DType::bf16,
                            DType::f16, DType::s8,  DType::u8,  DType::u32,  DType::s64};

/// No op of it runs on the reference kernel.
void check_is_quick(const Program& program) {
  const std::unique_ptr<Device> device = make_cpu_device({});
  device->compile(program);
  CHECK(device->slow_ops() == "");
}

bool takes(const ir::OpTraits& row, DType dtype) {
  const int kind = is_floating(dtype)     ? ir::kFloating
                   : dtype == DType::pred ? ir::kPred
                                          : ir::kInteger;
  return (row.takes & kind) != 0;
}

/// An operand of `dims` [rows, columns]: whole, one per row, one per column, one for all, or
/// transposed.
ValueId operand(ir::Builder& b, DType dtype, int form, const Initializer& range) {
  constexpr std::int64_t kRows = 37, kColumns = 29;
  const std::vector<std::int64_t> dims{kRows, kColumns};
  const auto input = [&](std::vector<std::int64_t> own) {
    return b.input(InputKind::batch, {dtype, std::move(own)}, range, "x");
  };
  switch (form) {
    case 0: return input(dims);
    case 1: return b.broadcast_in_dim(input({kRows}), dims, {0});
    case 2: return b.broadcast_in_dim(input({kColumns}), dims, {1});
    case 3: return b.broadcast_in_dim(input({}), dims, {});
    default: return b.transpose(input({kColumns, kRows}), {1, 0});
  }
}

constexpr int kNumForms = 5;

ValueId operand(ir::Builder& b, DType dtype, int form) {
  return operand(b, dtype, form, range_of(dtype));
}

/// An op of the row for every form of its operands; the others are whole.
Program all_forms(const ir::OpTraits& row, DType dtype) {
  ir::Builder b("forms");
  const Initializer range = range_of(dtype, row.low, row.high);
  const int count = row.arity == 1 ? kNumForms : kNumForms * kNumForms;
  for (int form = 0; form < count; ++form) {
    Op op{.kind = row.kind};
    for (int i = 0, rest = form; i < row.arity; ++i, rest /= kNumForms) {
      op.operands.push_back(operand(b, dtype, rest % kNumForms, range));
    }
    b.output(b.add(std::move(op)), OutputKind::value);
  }
  return std::move(b).finish();
}

}  // namespace

TEST_CASE("elementwise ops of all types and forms of operands equal the reference") {
  for (const ir::OpTraits& row : ir::all_traits()) {
    const bool has_result_type = row.kind == OpKind::convert || row.kind == OpKind::select ||
                                 row.kind == OpKind::bitcast_convert;
    if (row.op_class != ir::OpClass::elementwise || row.read || has_result_type) continue;
    for (DType dtype : kTypes) {
      if (!takes(row, dtype)) continue;
      INFO(row.name << " of " << dtype_name(dtype));
      const Program program = all_forms(row, dtype);
      check_is_quick(program);
      check_on_cpu(program, random_inputs(program), tolerance_of(dtype));
    }
  }
}

TEST_CASE("samples of every op equal the reference") {
  for (const ir::OpTraits& row : ir::all_traits()) {
    for (std::uint64_t seed = 0; row.sample && seed < 10; ++seed) {
      INFO(row.name << ", seed " << seed);
      std::mt19937_64 random(seed);
      ir::Builder b("sample");
      ir::Sampler sampler(b, random);
      b.output(row.sample(sampler), OutputKind::value);
      const Program program = std::move(b).finish();
      check_on_cpu(program, random_inputs(program), 2e-5);
    }
  }
}

TEST_CASE("comparisons, selections, clamps and conversions equal the reference") {
  for (DType dtype : kTypes) {
    INFO(dtype_name(dtype));
    ir::Builder b("mixed");
    for (int form = 0; form < kNumForms; ++form) {
      const ValueId x = operand(b, dtype, form), y = operand(b, dtype, (form + 2) % kNumForms);
      ValueId less = kNoValue;
      for (Comparison comparison : {Comparison::eq, Comparison::ne, Comparison::le, Comparison::gt,
                                    Comparison::ge, Comparison::lt}) {
        less = b.compare(comparison, x, y);
        b.output(less, OutputKind::value);
      }
      b.output(b.select(less, x, y), OutputKind::value);
      b.output(b.select(operand(b, DType::pred, form), y, x), OutputKind::value);
      if (dtype != DType::pred) b.output(b.clamp(operand(b, dtype, 3), x, y), OutputKind::value);
      for (DType to : kTypes) b.output(b.convert(x, to), OutputKind::value);
    }
    const Program program = std::move(b).finish();
    check_is_quick(program);
    check_on_cpu(program, random_inputs(program), tolerance_of(dtype));
  }
}

TEST_CASE("reductions of any dims equal the reference") {
  const std::vector<std::vector<std::int64_t>> kDims = {{0},    {1},    {2},      {0, 1},
                                                        {0, 2}, {1, 2}, {0, 1, 2}};
  for (DType dtype : {DType::f32, DType::f64, DType::s32, DType::pred, DType::bf16}) {
    const std::vector<Reduction> reductions =
        dtype == DType::pred ? std::vector<Reduction>{Reduction::logical_and, Reduction::logical_or}
                             : std::vector<Reduction>{Reduction::sum, Reduction::max,
                                                      Reduction::min, Reduction::product};
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3, 5, 7},
                                                   {40, 1, 90},
                                                   {2, 130, 65},
                                                   {1, 1, 5000},
                                                   {300, 3, 2}}) {
      INFO(dtype_name(dtype) << " " << to_string(Shape{dtype, shape}));
      ir::Builder b("reduce");
      const ValueId x = b.input(InputKind::batch, {dtype, shape}, {}, "x");
      const ValueId made =
          dtype == DType::pred ? b.unary(OpKind::logical_not, x) : b.unary(OpKind::negate, x);
      const ValueId turned = b.transpose(x, {2, 0, 1});
      for (const std::vector<std::int64_t>& dims : kDims) {
        for (Reduction reduction : reductions) {
          b.output(b.reduce(made, dims, reduction), OutputKind::value);
          b.output(b.reduce(turned, dims, reduction), OutputKind::value);
        }
      }
      const Program program = std::move(b).finish();
      check_on_cpu(program, random_inputs(program), tolerance_of(dtype) * 100);
    }
  }
}

TEST_CASE("statistics over any dims, and what is made with them, equal the reference") {
  const std::uint64_t seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) {
    const DType dtype = std::array{DType::f32, DType::f32, DType::bf16, DType::s32}[at(i % 4)];
    const Program program = random_statistics(random, dtype);
    INFO(dtype_name(dtype) << " " << to_string(program.shape(0)));
    check_on_cpu(program, random_inputs(program), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("values of the rows of a loop meet whole ones") {
  ir::Builder b("rows");
  const std::vector<std::int64_t> dims{90, 70};
  const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, {}, "x");
  const auto mean = [&](ValueId v) { return b.scale(b.reduce(v, {1}, Reduction::sum), 1.0 / 70); };
  const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
  const ValueId centered = b.sub(x, spread(mean(x)));
  const ValueId deviation = b.unary(OpKind::sqrt, mean(b.mul(centered, centered)));
  b.output(b.div(centered, spread(deviation)), OutputKind::value);
  b.output(deviation, OutputKind::value);
  b.output(b.reduce(deviation, {0}, Reduction::max), OutputKind::value);
  b.output(b.reduce(centered, {0}, Reduction::max), OutputKind::value);
  const Program program = std::move(b).finish();
  check_on_cpu(program, random_inputs(program), 1e-5);
}

TEST_CASE("iotas, constants and masks are made where they are read") {
  for (DType dtype : {DType::f32, DType::f64, DType::s32}) {
    ir::Builder b("iota");
    const Shape shape{dtype, {6, 8, 10}};
    const ValueId x = b.input(InputKind::batch, shape, {}, "x");
    ValueId sum = x;
    for (std::int64_t dim : {0, 1, 2}) sum = b.add(sum, b.iota(shape, dim));
    b.output(sum, OutputKind::value);
    const ValueId line = b.iota({dtype, {20}}, 0);
    const ValueId part = b.slice(b.reverse(line, {0}), {1}, {17}, {2});  // 8 elements
    b.output(b.mul(x, b.broadcast_in_dim(part, shape.dims, {1})), OutputKind::value);
    b.output(b.iota(shape, 1), OutputKind::value);  // in memory
    b.output(b.reduce(b.iota(shape, 2), {0, 2}, Reduction::sum), OutputKind::value);
    Op table{.kind = OpKind::constant, .shape = {dtype, {8}}};
    table.attributes = ConstantAttr{{3, 1, 4, 1, 5, 9, 2, 6}};
    const ValueId constant = b.add(std::move(table));
    b.output(b.add(x, b.broadcast_in_dim(constant, shape.dims, {1})), OutputKind::value);
    b.output(constant, OutputKind::value);
    b.output(b.fill(shape, 7), OutputKind::value);
    const Program program = std::move(b).finish();
    check_on_cpu(program, random_inputs(program), tolerance_of(dtype));
  }
}

TEST_CASE("gather, scatter, pad, concatenate and dynamic slices equal the reference") {
  for (DType dtype : {DType::f32, DType::f64, DType::s32, DType::bf16}) {
    ir::Builder b("indexing");
    const ValueId table = b.input(InputKind::batch, {dtype, {9, 64}}, {}, "table");
    const ValueId indices = b.input(InputKind::batch, {DType::s32, {4, 5}}, {}, "indices");
    const ValueId fill = b.input(InputKind::batch, {dtype, {}}, {}, "fill");
    const ValueId start = b.input(InputKind::batch, {DType::s32, {}}, {}, "start");
    GatherAttr rows;
    rows.offset_dims = {2};
    rows.collapsed_slice_dims = {0};
    rows.start_index_map = {0};
    rows.slice_sizes = {1, 64};
    rows.index_vector_dim = 2;
    const ValueId picked = b.gather(table, indices, rows);
    b.output(picked, OutputKind::value);
    ScatterAttr back;
    back.update_window_dims = {2};
    back.inserted_window_dims = {0};
    back.scatter_dims_to_operand_dims = {0};
    back.index_vector_dim = 2;
    for (Reduction reduction : {Reduction::sum, Reduction::max}) {
      back.reduction = reduction;
      b.output(b.scatter(b.fill({dtype, {9, 64}}, 0), indices, picked, back), OutputKind::value);
      b.output(b.scatter(table, indices, picked, back), OutputKind::value);
    }
    b.output(b.pad(table, fill, {1, -2}, {-3, 4}, {2, 0}), OutputKind::value);
    b.output(b.pad(table, b.constant(dtype, 5), {0, 3}, {2, 0}), OutputKind::value);
    const ValueId made = b.add(table, table);
    b.output(b.concatenate({made, table, b.slice(table, {0, 0}, {9, 32}, {1, 1})}, 1),
             OutputKind::value);
    b.output(b.concatenate({table, made}, 0), OutputKind::value);
    b.output(b.dynamic_slice(table, {start, start}, {4, 8}), OutputKind::value);
    const ValueId update = b.slice(table, {0, 0}, {4, 8});
    b.output(b.dynamic_update_slice(table, update, {start, start}), OutputKind::value);
    b.output(b.dynamic_update_slice(b.fill({dtype, {9, 64}}, 3), update, {start, start}),
             OutputKind::value);
    const Program program = std::move(b).finish();
    check_on_cpu(program, random_inputs(program), tolerance_of(dtype));
  }
}

TEST_CASE("ops on tensors without elements equal the reference") {
  ir::Builder b("empty");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {3, 8}}, {}, "x");
  const ValueId given = b.input(InputKind::batch, {DType::f32, {3, 0}}, {}, "given");
  const ValueId none = b.slice(x, {0, 4}, {3, 4}, {1, 1});
  const ValueId sum = b.add(none, given);
  b.output(sum, OutputKind::value);
  b.output(b.reshape(sum, {0, 3}), OutputKind::value);
  b.output(b.concatenate({sum, b.unary(OpKind::tanh, x), none}, 1), OutputKind::value);
  b.output(b.concatenate({sum, none}, 1), OutputKind::value);
  for (Reduction reduction : {Reduction::sum, Reduction::max, Reduction::product})
    b.output(b.mul(b.reduce(sum, {1}, reduction), b.reduce(sum, {1}, Reduction::sum)),
             OutputKind::value);
  b.output(b.dot(sum, b.transpose(given, {1, 0}), {{}, {}, {1}, {0}}), OutputKind::value);
  b.output(b.pad(sum, b.reduce(x, {0, 1}, Reduction::max), {0, 2}, {1, 3}), OutputKind::value);
  const ValueId start = b.constant(DType::s32, 1);
  b.output(b.dynamic_update_slice(x, none, {start, start}), OutputKind::value);
  b.output(b.dynamic_slice(x, {start, start}, {3, 0}), OutputKind::value);
  const Program program = std::move(b).finish();
  check_on_cpu(program, random_inputs(program), 1e-6);
}

TEST_CASE("windows, sorts and rng equal the reference, and the device says what it is slow at") {
  ir::Builder b("rare");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {3, 8}}, {}, "x");
  Op window{.kind = OpKind::reduce_window, .shape = {DType::f32, {3, 7}}};
  window.operands = {b.unary(OpKind::tanh, x)};
  window.attributes = WindowAttr{{1, 2}, {1, 1}, {0, 0}, {0, 0}, Reduction::max};
  const ValueId pooled = b.add(std::move(window));
  b.output(b.unary(OpKind::negate, pooled), OutputKind::value);
  Op sort{.kind = OpKind::sort, .shape = {DType::f32, {3, 8}}};
  sort.operands = {x};
  sort.attributes = DimAttr{1};
  b.output(b.add(std::move(sort)), OutputKind::value);
  Op rng{.kind = OpKind::rng, .shape = {DType::f32, {3, 8}}};
  rng.attributes = RngAttr{5, -1, 1};
  b.output(b.mul(b.add(std::move(rng)), x), OutputKind::value);
  const Program program = std::move(b).finish();
  check_on_cpu(program, random_inputs(program), 1e-6);
  const std::unique_ptr<Device> device = make_cpu_device({});
  CHECK(device->slow_ops().empty());
  device->compile(program);
  CHECK(device->slow_ops() == "rng");
}
