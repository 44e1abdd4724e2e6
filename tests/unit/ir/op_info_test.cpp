// SPDX-License-Identifier: Apache-2.0
#include "ir/op_info.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>
#include <utility>

#include "evaluation.hpp"
#include "ir/flops.hpp"
#include "ir/op_traits.hpp"
#include "rhino/members.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

/// Whether `kind` is an enumerator: the compiler prints others as numbers.
template <OpKind kind>
constexpr bool is_enumerator() {
  return std::string_view(__PRETTY_FUNCTION__).find("= rhino::OpKind::") != std::string_view::npos;
}

template <std::size_t... I>
constexpr std::size_t count_enumerators(std::index_sequence<I...>) {
  return (is_enumerator<static_cast<OpKind>(I)>() + ...);
}

}  // namespace

TEST_CASE("the table has a row for every kind of op") {
  CHECK(all_traits().size() == count_enumerators(std::make_index_sequence<256>()));
  CHECK(std::ssize(all_traits()) == num_values(OpKind{}));
  for (const OpTraits& row : all_traits()) {
    CAPTURE(row.name);
    CHECK(&traits(row.kind) == &row);
    CHECK(row.infer);
    const bool needs_more = row.kind == OpKind::parameter || row.kind == OpKind::axis_index ||
                            row.op_class == OpClass::collective;
    CHECK((row.evaluate != nullptr) == !needs_more);
    CHECK((row.sample != nullptr) == !needs_more);
  }
}

TEST_CASE("every op has a name of its own that finds it") {
  for (const OpTraits& row : all_traits()) {
    CAPTURE(row.name);
    CHECK(op_name(row.kind) == row.name);
    CHECK(op_from_name(row.name) == row.kind);
  }
  CHECK(op_from_name("all-to-all") == OpKind::all_to_all);
  CHECK(op_from_name("halo-exchange") == OpKind::halo_exchange);
  CHECK(op_from_name("dynamic-update-slice") == OpKind::dynamic_update_slice);
  CHECK_FALSE(op_from_name("fft"));
}

TEST_CASE("a neutral element changes no value under its reduction") {
  const std::pair<Reduction, OpKind> cases[] = {{Reduction::sum, OpKind::add},
                                                {Reduction::product, OpKind::multiply},
                                                {Reduction::max, OpKind::maximum},
                                                {Reduction::min, OpKind::minimum},
                                                {Reduction::logical_and, OpKind::logical_and},
                                                {Reduction::logical_or, OpKind::logical_or}};
  for (int t = 0; t <= static_cast<int>(DType::pred); ++t) {
    const auto dtype = static_cast<DType>(t);
    for (const auto& [reduction, kind] : cases) {
      const bool logical = kind == OpKind::logical_and || kind == OpKind::logical_or;
      const bool arithmetic = kind == OpKind::add || kind == OpKind::multiply;
      if ((logical && is_floating(dtype)) || (arithmetic && dtype == DType::pred)) continue;
      CAPTURE(dtype_name(dtype), reduction_name(reduction));
      const Tensor values{{dtype, {3}}, {0, 1, dtype == DType::pred ? 1.0 : 100.0}};
      const Tensor neutral{values.shape, std::vector<double>(3, neutral_element(reduction, dtype))};
      CHECK(compute({values, neutral}, kind) == values);
    }
  }
}

TEST_CASE("users are listed once each, in order") {
  Builder b("p");
  const ValueId x = b.constant(DType::f32, 1), square = b.mul(x, x), sum = b.add(square, x);
  CHECK(users_of(b.program()) == std::vector<std::vector<ValueId>>{{square, sum}, {sum}, {}});
  CHECK(is_elementwise(OpKind::select));
  CHECK_FALSE(is_elementwise(OpKind::broadcast));
  CHECK(is_collective(OpKind::all_gather));
  CHECK_FALSE(is_collective(OpKind::axis_index));
}

TEST_CASE("FLOPs of dots, convolutions, reductions and elementwise ops follow their formulas") {
  Builder b("p");
  const ValueId x = b.fill({DType::f32, {2, 3, 4}}, 1), y = b.fill({DType::f32, {2, 4, 5}}, 1);
  const ValueId dot = b.dot(x, y, {{0}, {0}, {2}, {1}});
  const ValueId sum = b.reduce(dot, {1}, Reduction::sum);
  const ValueId root = b.unary(OpKind::sqrt, sum);
  ConvolutionAttr dims;
  dims.input_spatial = dims.kernel_spatial = dims.output_spatial = {2};
  dims.strides = dims.lhs_dilation = dims.rhs_dilation = {1};
  dims.low = dims.high = {0};
  dims.feature_groups = 2;
  const ValueId convolution =
      b.add(Op{.kind = OpKind::convolution,
               .operands = {b.fill({DType::f32, {2, 4, 9}}, 1), b.fill({DType::f32, {6, 2, 3}}, 1)},
               .attributes = dims});
  const Program& program = b.program();
  CHECK(op_flops(program, dot) == 2.0 * 2 * 3 * 4 * 5);
  CHECK(op_flops(program, sum) == 30);
  CHECK(op_flops(program, root) == 10);
  CHECK(op_flops(program, convolution) == 2.0 * (2 * 6 * 7) * (2 * 3));
  CHECK(op_flops(program, x) == 0);
  CHECK(dot_flops(program) == 240 + 1008);
}

TEST_CASE("a recomputed dot costs the hardware and not the model; a gradient costs both") {
  Builder b("p");
  const ValueId x = b.input(InputKind::parameter, {DType::f32, {4, 4}}, {}, "x");
  const ValueId y = b.unary(OpKind::tanh, x);
  const DotAttr dims{{}, {}, {1}, {0}};
  const ValueId dot = b.dot(x, y, dims);
  b.set_phase(Phase::backward, y);
  const ValueId again = b.unary(OpKind::tanh, x);
  b.set_phase(Phase::backward, dot);
  b.dot(x, again, dims);            // the same once more
  b.dot(b.scale(dot, 2), y, dims);  // derives from it, of other operands
  CHECK(dot_flops(b.program()) == 3 * 128);
  CHECK(model_flops(b.program()) == 2 * 128);
}
