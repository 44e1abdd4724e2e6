// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>

#include "device_harness.hpp"
#include "ir/builder.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"
#include "runtime/device/device.hpp"

using namespace rhino;
using namespace rhino::runtime;

/// Kernels of the cpu device that are neither loops nor dots, on random forms.
namespace {

using Dims = std::vector<std::int64_t>;

/// Draws for a test; what it drew from is printed where one fails.
struct Draw {
  explicit Draw(int seed) : random(static_cast<std::uint64_t>(seed)) {}
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  }
  Dims dims(std::size_t rank, std::int64_t most) {
    Dims result;
    for (std::size_t d = 0; d < rank; ++d) result.push_back(1 + below(most));
    return result;
  }
  /// Whole numbers, many of them equal; of floating point also NaN, rarely.
  ir::Tensor tensor(const Shape& shape) {
    ir::Tensor result{shape, {}};
    const std::int64_t low =
        shape.dtype == DType::pred || shape.dtype == DType::u8 || shape.dtype == DType::u32 ? 0
                                                                                            : -4;
    const std::int64_t high = shape.dtype == DType::pred ? 2 : 5;
    for (std::int64_t i = 0; i < num_elements(shape); ++i)
      result.elements.push_back(static_cast<double>(low + below(high - low)));
    return result;
  }
  std::mt19937_64 random;
};

/// Runs on the cpu device, on one thread and on two, nowhere on the reference kernel; equal to the
/// reference bit by bit, for all numbers are whole and small.
void check_exact(const Program& program, Draw& draw) {
  std::vector<ir::Tensor> inputs;
  for (const Input& input : program.inputs)
    inputs.push_back(draw.tensor(program.shape(input.value)));
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  for (int num_threads : {1, 2}) {
    const CpuExecutable executable(program, num_threads);
    for (std::size_t i = 0; i < executable.ways().size(); ++i) {
      INFO("group " << i);
      if (executable.lowered().groups[i].kind == lower::KernelGroup::Kind::other)
        CHECK(executable.ways()[i] != "reference");
    }
    const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
    const std::vector<ir::Tensor> actual = run_on(*device, program, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      INFO("output " << i << " " << to_string(expected[i].shape) << ", threads " << num_threads);
      CHECK(relative_error(actual[i], expected[i]) == 0);
    }
  }
}

constexpr DType kNumbers[] = {DType::f32, DType::f64, DType::bf16, DType::f16, DType::s32,
                              DType::s64, DType::u32, DType::s8,   DType::u8};

DType draw_type(Draw& draw) { return kNumbers[draw.below(std::size(kNumbers))]; }

WindowAttr draw_window(Draw& draw, const Dims& dims, Reduction reduction) {
  WindowAttr window;
  window.reduction = reduction;
  for (const std::int64_t extent : dims) {
    const bool is_whole = draw.below(3) == 0;
    const bool is_sum = draw.below(4) == 0;  // of all up to an element
    window.sizes.push_back(is_whole ? 1 : is_sum ? extent : 1 + draw.below(extent + 2));
    window.strides.push_back(is_whole || is_sum ? 1 : 1 + draw.below(3));
    window.low.push_back(is_whole ? 0 : is_sum ? extent - 1 : draw.below(window.sizes.back()));
    window.high.push_back(is_whole || is_sum ? 0 : draw.below(window.sizes.back()));
  }
  return window;
}

}  // namespace

TEST_CASE("reductions over windows of any form and type equal the reference") {
  for (int seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("windows");
    const DType dtype = seed % 10 == 0 ? DType::pred : draw_type(draw);
    const Dims dims = draw.dims(static_cast<std::size_t>(1 + draw.below(4)), 9);
    const ValueId x = b.input(InputKind::batch, {dtype, dims}, {}, "x");
    const Reduction reduction =
        dtype == DType::pred ? (draw.below(2) ? Reduction::logical_and : Reduction::logical_or)
                             : std::vector{Reduction::sum, Reduction::max,
                                           Reduction::min}[static_cast<std::size_t>(draw.below(3))];
    b.output(b.add(Op{.kind = OpKind::reduce_window,
                      .operands = {x},
                      .attributes = draw_window(draw, dims, reduction)}),
             OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

TEST_CASE("what is added to the selected elements of windows equals the reference") {
  for (int seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("selection");
    const DType dtype = draw_type(draw);
    const Dims dims = draw.dims(static_cast<std::size_t>(1 + draw.below(4)), 7);
    const ValueId x = b.input(InputKind::batch, {dtype, dims}, {}, "x");
    const WindowAttr window =
        draw_window(draw, dims, draw.below(2) ? Reduction::max : Reduction::min);
    const ValueId pooled =
        b.add(Op{.kind = OpKind::reduce_window, .operands = {x}, .attributes = window});
    const ValueId source =
        b.input(InputKind::batch, {dtype, b.program().shape(pooled).dims}, {}, "source");
    b.output(
        b.add(
            Op{.kind = OpKind::select_and_scatter, .operands = {x, source}, .attributes = window}),
        OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

TEST_CASE("sorts of any dim and type, alone and of values by keys, equal the reference") {
  for (int seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("sort");
    const Dims dims = draw.dims(static_cast<std::size_t>(1 + draw.below(3)), 40);
    const DimAttr dim{draw.below(static_cast<std::int64_t>(dims.size()))};
    const ValueId keys = b.input(InputKind::batch, {draw_type(draw), dims}, {}, "keys");
    const ValueId values = b.input(InputKind::batch, {draw_type(draw), dims}, {}, "values");
    b.output(b.add(Op{.kind = OpKind::sort, .operands = {keys}, .attributes = dim}),
             OutputKind::value);
    b.output(b.add(Op{.kind = OpKind::sort, .operands = {keys, values}, .attributes = dim}),
             OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

TEST_CASE("scatters of any reduction and type, also across the border, equal the reference") {
  for (int seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("scatter");
    const DType dtype = draw_type(draw);
    const DType indices =
        std::vector{DType::s32, DType::s64}[static_cast<std::size_t>(draw.below(2))];
    const std::int64_t count = 1 + draw.below(6), width = 1 + draw.below(3);
    const Dims table{1 + draw.below(4), 5, 1 + draw.below(20)};
    const ValueId at = b.input(InputKind::batch, {indices, {count, 2}}, {}, "indices");
    // Windows over dims 1 and 2; the place along dims 0 and 1 is looked up.
    const ScatterAttr attributes{
        .update_window_dims = {1, 2},
        .inserted_window_dims = {0},
        .scatter_dims_to_operand_dims = {0, 1},
        .index_vector_dim = 1,
        .reduction = std::vector{Reduction::sum, Reduction::max,
                                 Reduction::min}[static_cast<std::size_t>(draw.below(3))]};
    const ValueId x = draw.below(2) ? b.input(InputKind::batch, {dtype, table}, {}, "x")
                                    : b.fill({dtype, table}, 1);
    const ValueId updates =
        b.input(InputKind::batch, {dtype, {count, width, table[2]}}, {}, "updates");
    b.output(b.scatter(x, at, updates, attributes), OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

/// Slices that begin at any column, many upon each other, some of them over the border.
TEST_CASE("threads that scatter into the same columns do not lose each other's sums") {
  for (int seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("scatter");
    const bool shifts_columns = seed % 2 == 0;
    const Dims table{6, 256}, slice{2, shifts_columns ? 200 : 256};
    const ValueId at =
        b.input(InputKind::batch, {DType::s32, {1500, shifts_columns ? 2 : 1}}, {}, "indices");
    const ScatterAttr attributes{
        .update_window_dims = {1, 2},
        .inserted_window_dims = {},
        .scatter_dims_to_operand_dims = shifts_columns ? Dims{0, 1} : Dims{0},
        .index_vector_dim = 1};
    const ValueId x = b.input(InputKind::batch, {DType::s32, table}, {}, "x");
    const ValueId updates =
        b.input(InputKind::batch, {DType::s32, {1500, slice[0], slice[1]}}, {}, "updates");
    b.output(b.scatter(x, at, updates, attributes), OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

TEST_CASE("convolutions of any type, dilated and in groups, equal the reference") {
  for (int seed = 0; seed < 80; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    ir::Builder b("convolution");
    const DType dtype = draw_type(draw);
    const std::int64_t groups = 1 + draw.below(3);
    ConvolutionAttr a;
    (draw.below(2) ? a.feature_groups : a.batch_groups) = groups;
    const std::int64_t inputs = 1 + draw.below(3), outputs = 1 + draw.below(4);
    const std::size_t rank = static_cast<std::size_t>(1 + draw.below(2));
    Dims image{draw.below(3) + 1, inputs}, kernel{outputs * groups, inputs};
    image[0] *= a.batch_groups, image[1] *= a.feature_groups;
    for (std::size_t s = 0; s < rank; ++s) {
      const auto dim = static_cast<std::int64_t>(s) + 2;
      a.input_spatial.push_back(dim), a.kernel_spatial.push_back(dim);
      a.output_spatial.push_back(dim);
      image.push_back(3 + draw.below(5)), kernel.push_back(1 + draw.below(3));
      a.strides.push_back(1 + draw.below(2)), a.rhs_dilation.push_back(1 + draw.below(2));
      a.lhs_dilation.push_back(1 + draw.below(2));
      a.low.push_back(draw.below(4) - 1), a.high.push_back(draw.below(3));
    }
    const ValueId x = b.input(InputKind::batch, {dtype, image}, {}, "x"),
                  w = b.input(InputKind::batch, {dtype, kernel}, {}, "w");
    b.output(b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = a}),
             OutputKind::value);
    const Program program = std::move(b).finish();
    check_exact(program, draw);
  }
}

TEST_CASE("what follows updates of slices and scatters changes the table where it lies") {
  Draw draw(1);
  ir::Builder b("in place");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {6, 32}}, {}, "x");
  const ValueId y = b.input(InputKind::batch, {DType::f32, {1, 32}}, {}, "y");
  const ValueId at = b.input(InputKind::batch, {DType::s32, {2, 1}}, {}, "at");
  const auto number = [&](int i) { return b.constant(DType::s32, i); };
  const ValueId table = b.mul(x, x);
  const ValueId first = b.dynamic_update_slice(table, y, {number(1), number(0)});
  const ValueId second = b.dynamic_update_slice(first, y, {number(4), number(0)});
  const ScatterAttr rows{.update_window_dims = {1},
                         .inserted_window_dims = {0},
                         .scatter_dims_to_operand_dims = {0},
                         .index_vector_dim = 1};
  const ValueId third = b.scatter(second, at, b.slice(x, {0, 0}, {2, 32}, {1, 1}), rows);
  // Read again later on: its table must stay as it is.
  const ValueId kept = b.dynamic_update_slice(third, y, {number(0), number(0)});
  b.output(b.dot(third, kept, {{}, {}, {1}, {1}}), OutputKind::value);
  const Program program = std::move(b).finish();
  const CpuExecutable executable(program, 1);
  int in_place = 0;
  for (const ValueId input : executable.lowered().placed_in) in_place += input != kNoValue;
  CHECK(in_place == 3);
  check_exact(program, draw);
}
