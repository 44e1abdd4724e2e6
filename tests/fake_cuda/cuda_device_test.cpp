// SPDX-License-Identifier: Apache-2.0
// Elementwise ops, folds, states, sorts and random numbers on the cuda device.
#include <catch2/catch.hpp>
#include <random>

#include "../unit/runtime/statistics_programs.hpp"
#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "lower/lower.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/column_sums.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/loop_source.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

constexpr DType kTypes[] = {DType::f32,  DType::f64, DType::s32, DType::u32,
                            DType::bf16, DType::f16, DType::s8,  DType::pred};

bool takes(const ir::OpTraits& row, DType dtype) {
  const int kind = is_floating(dtype)     ? ir::kFloating
                   : dtype == DType::pred ? ir::kPred
                                          : ir::kInteger;
  return (row.takes & kind) != 0;
}

/// Whole, one per row, one per column, one for all, transposed, every other column backwards.
ValueId operand(ir::Builder& b, DType dtype, int form, const Initializer& range) {
  const std::vector<std::int64_t> dims{7, 13};
  const auto input = [&](std::vector<std::int64_t> own) {
    return b.input(InputKind::batch, {dtype, std::move(own)}, range, "x");
  };
  switch (form % 6) {
    case 0: return input(dims);
    case 1: return b.broadcast_in_dim(input({7}), dims, {0});
    case 2: return b.broadcast_in_dim(input({13}), dims, {1});
    case 3: return b.broadcast_in_dim(input({}), dims, {});
    case 4: return b.transpose(input({13, 7}), {1, 0});
    default: return b.slice(b.reverse(input({7, 27}), {1}), {0, 1}, {7, 27}, {1, 2});
  }
}

}  // namespace

TEST_CASE("samples of every op equal the reference on the cuda device") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 2; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    ir::Builder b("samples");
    for (const ir::OpTraits& row : ir::all_traits()) {
      if (!row.sample) continue;
      for (int i = 0; i < 2; ++i) {
        ir::Sampler sampler(b, random);
        b.output(row.sample(sampler), OutputKind::value);
      }
    }
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("elementwise ops of all types and forms of operands equal the reference") {
  for (DType dtype : kTypes) {
    INFO(dtype_name(dtype));
    ir::Builder b("forms");
    int form = 0;
    for (const ir::OpTraits& row : ir::all_traits()) {
      const bool has_result_type = row.kind == OpKind::convert || row.kind == OpKind::select ||
                                   row.kind == OpKind::bitcast_convert;
      if (row.op_class != ir::OpClass::elementwise || row.read || has_result_type) continue;
      if (!takes(row, dtype)) continue;
      for (int i = 0; i < 2; ++i, ++form) {
        Op op{.kind = row.kind};
        for (int k = 0; k < row.arity; ++k)
          op.operands.push_back(
              operand(b, dtype, form + k * 5, range_of(dtype, row.low, row.high)));
        b.output(b.add(std::move(op)), OutputKind::value);
      }
    }
    for (int i = 0; i < 6; ++i) {
      const ValueId x = operand(b, dtype, i, range_of(dtype)),
                    y = operand(b, dtype, i + 2, range_of(dtype));
      const ValueId less = b.compare(static_cast<Comparison>(i), x, y);
      b.output(less, OutputKind::value);
      b.output(b.select(less, x, y), OutputKind::value);
      if (dtype != DType::pred)
        b.output(b.clamp(operand(b, dtype, 3, range_of(dtype)), x, y), OutputKind::value);
    }
    const ValueId x = operand(b, dtype, 0, range_of(dtype));
    for (DType to : kTypes) b.output(b.convert(x, to), OutputKind::value);
    check_program(std::move(b).finish(), tolerance_of(dtype));
  }
}

TEST_CASE("reductions of any dims equal the reference on the cuda device") {
  for (DType dtype : {DType::f32, DType::s32, DType::pred, DType::bf16}) {
    INFO(dtype_name(dtype));
    const std::vector<Reduction> reductions =
        dtype == DType::pred ? std::vector{Reduction::logical_and, Reduction::logical_or}
                             : std::vector{Reduction::sum, Reduction::max, Reduction::product};
    ir::Builder b("reduce");
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{3, 5, 7}, {2, 1, 131}, {1, 1, 5000}, {37, 3, 2}}) {
      const ValueId x = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, -1.5, 1.5), "x");
      const ValueId made =
          dtype == DType::pred ? b.unary(OpKind::logical_not, x) : b.unary(OpKind::negate, x);
      const ValueId turned = b.transpose(x, {2, 0, 1});
      int next = 0;
      for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
               {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
        const Reduction reduction =
            reductions[static_cast<std::size_t>(next++) % reductions.size()];
        b.output(b.reduce(made, dims, reduction), OutputKind::value);
        b.output(b.reduce(turned, dims, reduction), OutputKind::value);
      }
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("sums over rows of columns side by side equal the reference on the cuda device") {
  for (DType dtype : {DType::f32, DType::s32, DType::bf16, DType::f64}) {
    INFO(dtype_name(dtype));
    ir::Builder b("columns");
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{64, 32}, {65, 33}, {2, 40, 3, 24}, {700, 256}, {3, 33, 520}}) {
      const ValueId x = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, -1, 1), "x"),
                    y = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, -1, 1), "y");
      std::vector<std::int64_t> outer;  // of at least 64 elements
      for (std::int64_t count = 1; count < 64;) {
        count *= shape[outer.size()];
        outer.push_back(std::ssize(outer));
      }
      b.output(b.reduce(b.mul(x, y), outer, Reduction::sum), OutputKind::value);
      b.output(b.reduce(b.sub(x, y), outer, Reduction::max), OutputKind::value);
      b.output(b.reduce(y, outer, Reduction::sum), OutputKind::value);
      b.output(b.mul(x, y), OutputKind::value);
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("sums of columns of several blocks are made side by side") {
  for (DType dtype : {DType::f32, DType::bf16}) {
    for (const auto& dims : {std::vector<std::int64_t>{3, 64, 1, 8, 4},
                             {5, 8, 9, 3, 11},
                             {2, 128, 1, 32, 10},
                             {7, 1, 70, 5, 33}}) {
      INFO(dtype_name(dtype) << " " << to_string(Shape{dtype, dims}));
      const Program program = statistics(dtype, dims, {1, 2, 4});
      const lower::LoweredProgram lowered = lower::lower(program);
      std::int64_t num_sums = 0, blocks = 0;
      for (const runtime::cuda::GroupSource& group : runtime::cuda::group_sources(lowered)) {
        for (const runtime::cuda::KernelText& kernel : group.kernels) {
          if (kernel.kind != runtime::cuda::kColumnSumsKind) continue;
          ++num_sums;
          blocks = std::max(blocks, kernel.blocks);
        }
      }
      CHECK(num_sums >= 2);  // for each of the two
      CHECK(blocks % dims[0] == 0);
      check_program(program, tolerance_of(dtype) * 100);
    }
  }
}

TEST_CASE("statistics over any dims equal the reference on the cuda device") {
  std::mt19937_64 random(first_seed());
  INFO("seed " << first_seed());
  for (int i = 0; i < 24; ++i) {
    const DType dtype = i % 4 == 3 ? DType::bf16 : DType::f32;
    const Program program = random_statistics(random, dtype);
    INFO(dtype_name(dtype) << " " << to_string(program.shape(0)));
    check_program(program, tolerance_of(dtype) * 100);
  }
}

TEST_CASE("what sums over rows meet is stored by them, beside what rows fold to") {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{400, 128}, {330, 1280}, {70, 2048}}) {
    for (DType dtype : {DType::f32, DType::bf16}) {
      INFO(dtype_name(dtype) << " " << rows << " rows of " << columns << " columns");
      ir::Builder b("rows");
      const std::vector<std::int64_t> dims{rows, columns};
      const ValueId x = b.input(InputKind::batch, {dtype, dims}, range_of(dtype, -1, 1), "x"),
                    y = b.input(InputKind::batch, {dtype, dims}, range_of(dtype, -1, 1), "y");
      const ValueId mean =
          b.scale(b.reduce(b.mul(x, y), {1}, Reduction::sum), 1.0 / static_cast<double>(columns));
      const ValueId z = b.sub(y, b.mul(x, b.broadcast_in_dim(mean, dims, {0})));
      b.output(z, OutputKind::value);
      b.output(b.reduce(z, {0}, Reduction::sum), OutputKind::value);
      b.output(b.reduce(b.add(x, y), {0}, Reduction::max), OutputKind::value);
      const Program program = std::move(b).finish();
      const lower::LoweredProgram lowered = lower::lower(program);
      std::size_t num_rows = 0, num_sums = 0;
      for (const runtime::cuda::GroupSource& group : runtime::cuda::group_sources(lowered)) {
        for (const runtime::cuda::KernelText& kernel : group.kernels) {
          num_rows += kernel.kind == runtime::cuda::kRowsKind;
          num_sums += kernel.kind == runtime::cuda::kColumnSumsKind;
        }
      }
      CHECK(num_rows == 1);  // which fold
      CHECK(num_sums == 3);  // with two that add up what blocks have of each
      check_program(program, tolerance_of(dtype) * 100);
    }
  }
}

TEST_CASE("what rows fold to meets whole rows and sums over rows") {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{19, 33}, {19, 70}, {19, 300}, {80, 40}, {200, 256}}) {
    INFO(rows << " rows of " << columns << " columns");
    ir::Builder b("rows");
    const std::vector<std::int64_t> dims{rows, columns};
    const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, {}, "x");
    const auto mean = [&](ValueId v) {
      return b.scale(b.reduce(v, {1}, Reduction::sum), 1.0 / static_cast<double>(columns));
    };
    const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
    const ValueId centered = b.sub(x, spread(mean(x)));
    const ValueId deviation = b.unary(OpKind::sqrt, mean(b.mul(centered, centered)));
    const ValueId normal = b.div(centered, spread(deviation));
    b.output(normal, OutputKind::value);
    b.output(deviation, OutputKind::value);
    b.output(b.reduce(deviation, {0}, Reduction::max), OutputKind::value);
    b.output(b.reduce(normal, {0}, Reduction::sum), OutputKind::value);
    b.output(b.reduce(b.mul(normal, x), {0, 1}, Reduction::sum), OutputKind::value);
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("states are updated in place, and constants lie in memory, on the cuda device") {
  ir::Builder b("update");
  const Shape shape{DType::f32, {5, 11}};
  const ValueId w = b.input(InputKind::parameter, shape, {Initializer::Kind::uniform, -1, 1}, "w");
  const ValueId g = b.input(InputKind::batch, shape, {Initializer::Kind::uniform, -1, 1}, "g");
  Op table{.kind = OpKind::constant, .shape = {DType::f32, {11}}};
  table.attributes = ConstantAttr{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}};
  const ValueId rates = b.broadcast_in_dim(b.add(std::move(table)), shape.dims, {1});
  b.output(b.sub(w, b.mul(g, rates)), OutputKind::updated_state, 0);
  b.output(b.reduce(w, {0}, Reduction::sum), OutputKind::value);
  b.output(b.transpose(w, {1, 0}), OutputKind::value);
  check_program(std::move(b).finish(), 2e-6);
}

TEST_CASE("a state per row is replaced when all of the row has read it") {
  ir::Builder b("rows in place");
  const std::vector<std::int64_t> dims{7, 300};
  const ValueId s =
      b.input(InputKind::parameter, {DType::f32, {7}}, range_of(DType::f32, -1, 1), "s");
  const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, range_of(DType::f32, -1, 1), "x");
  const ValueId sum = b.reduce(x, {1}, Reduction::sum);
  const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
  b.output(b.add(s, sum), OutputKind::updated_state, 0);
  b.output(b.add(b.mul(x, spread(s)), spread(sum)), OutputKind::value);
  check_program(std::move(b).finish(), 2e-5);
}

TEST_CASE("a state per row is replaced in place, behind what other warps make of the old one") {
  ir::Builder b("rows in place, read by rows");
  const std::vector<std::int64_t> dims{7, 300};
  const Initializer range = range_of(DType::f32, -1, 1);
  const ValueId s = b.input(InputKind::parameter, {DType::f32, {7}}, range, "s");
  const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, range, "x");
  const ValueId sum = b.reduce(x, {1}, Reduction::sum);
  const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
  b.output(b.add(s, sum), OutputKind::updated_state, 0);
  b.output(b.mul(x, spread(b.mul(b.unary(OpKind::tanh, s), sum))), OutputKind::value);
  const Program program = std::move(b).finish();
  const lower::LoweredProgram lowered = lower::lower(program);
  CHECK(lowered.groups.size() == 1);  // so that one kernel reads and replaces it
  CHECK(std::ranges::any_of(lowered.placed_in, [](ValueId input) { return input != kNoValue; }));
  check_program(program, 2e-5);
}

TEST_CASE("no op that the CPU device runs is refused") {
  std::string refused;
  for (const ir::OpTraits& row : ir::all_traits()) {
    if (!row.sample) continue;
    std::mt19937_64 random(1);
    ir::Builder b("refused");
    ir::Sampler sampler(b, random);
    b.output(row.sample(sampler), OutputKind::value);
    try {
      cuda::group_sources(lower::lower(std::move(b).finish()));
    } catch (const Error& error) {
      refused += std::string(error.what()) + "; ";
    }
  }
  CHECK(refused == "");
}

TEST_CASE("lines of any length are sorted, stable, and others follow them") {
  for (DType dtype : {DType::f32, DType::s32, DType::bf16}) {
    INFO(dtype_name(dtype));
    ir::Builder b("sort");
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{1}, {3, 33, 2}, {2, 200}, {97, 3}, {0, 5}}) {
      const ValueId keys = b.input(InputKind::batch, {dtype, dims}, range_of(DType::s32, 0), "k");
      const ValueId order = b.iota({DType::s32, dims}, static_cast<std::int64_t>(dims.size()) - 1);
      for (std::int64_t d = 0; d < std::ssize(dims); ++d) {
        for (const std::vector<ValueId>& operands : {std::vector<ValueId>{keys}, {keys, order}}) {
          b.output(b.add(Op{.kind = OpKind::sort, .operands = operands, .attributes = DimAttr{d}}),
                   OutputKind::value);
        }
      }
    }
    check_program(std::move(b).finish(), 0);
  }
}

TEST_CASE("rng gives what the CPU device gives, bit by bit") {
  ir::Builder b("rng");
  for (DType dtype : {DType::f32, DType::f64, DType::bf16, DType::f16}) {
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{}, {3, 7, 5}, {1000}, {0}}) {
      b.output(b.add(Op{.kind = OpKind::rng,
                        .shape = {dtype, dims},
                        .attributes = RngAttr{0x123456789abcdefu, -1.3, 2.1}}),
               OutputKind::value);
    }
  }
  const Program program = std::move(b).finish();
  const std::unique_ptr<Device> gpu = cuda::make_cuda_device({}), cpu = make_cpu_device({});
  const std::vector<ir::Tensor> made = run_on_device(*gpu, program, {}, false),
                                expected = run_on(*cpu, program, {});
  for (std::size_t i = 0; i < made.size(); ++i) {
    INFO(to_string(made[i].shape));
    CHECK(std::ranges::mismatch(made[i].elements, expected[i].elements).in1 ==
          made[i].elements.end());
  }
}
