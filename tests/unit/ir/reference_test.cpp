// SPDX-License-Identifier: Apache-2.0
#include "ir/reference.hpp"

#include <cmath>

#include "evaluation.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Catch::Matchers::Contains;
using Row = std::vector<double>;

namespace {

const Tensor kTable = f32({2, 3}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("constants, iotas and random numbers") {
  CHECK(compute({}, OpKind::constant, ConstantAttr{{7}}, {DType::f32, {2, 2}}).elements ==
        Row{7, 7, 7, 7});
  CHECK(compute({}, OpKind::constant, ConstantAttr{{1, 2.5}}, {DType::s32, {2}}).elements ==
        Row{1, 2});
  CHECK(compute({}, OpKind::iota, DimAttr{0}, {DType::s32, {2, 2}}).elements == Row{0, 0, 1, 1});
  CHECK(compute({}, OpKind::iota, DimAttr{1}, {DType::f32, {2, 2}}).elements == Row{0, 1, 0, 1});
  const Shape shape{DType::f32, {1000}};
  const Tensor a = compute({}, OpKind::rng, RngAttr{1, -2, 2}, shape);
  double mean = 0;
  for (double x : a.elements) {
    CHECK((x >= -2 && x < 2));
    mean += x / 1000;
  }
  CHECK(std::abs(mean) < 0.2);
  CHECK(a == compute({}, OpKind::rng, RngAttr{1, -2, 2}, shape));
  CHECK(a != compute({}, OpKind::rng, RngAttr{2, -2, 2}, shape));
}

TEST_CASE("shape ops move elements where their index formulas say") {
  std::mt19937 random(1);
  const Tensor a = random_tensor(random, {DType::f32, {3, 4, 5}}, -99, 99);
  const auto same = [&](const Tensor& result, const std::function<double(const Dims&)>& value) {
    CHECK(result == tabulate(result.shape, value));
  };
  same(compute({a}, OpKind::broadcast, DimsAttr{{0, 2, 3}}, {DType::f32, {3, 2, 4, 5, 2}}),
       [&](const Dims& i) {
         return element(a, {i[0], i[2], i[3]});
       });
  same(compute({a}, OpKind::transpose, DimsAttr{{2, 0, 1}}), [&](const Dims& i) {
    return element(a, {i[1], i[2], i[0]});
  });
  same(compute({a}, OpKind::slice, SliceAttr{{1, 0, 1}, {3, 4, 5}, {1, 3, 2}}), [&](const Dims& i) {
    return element(a, {i[0] + 1, 3 * i[1], 2 * i[2] + 1});
  });
  same(compute({a}, OpKind::reverse, DimsAttr{{0, 2}}), [&](const Dims& i) {
    return element(a, {2 - i[0], i[1], 4 - i[2]});
  });
  same(compute({a}, OpKind::reshape, {}, {DType::f32, {5, 12}}),
       [&](const Dims& i) { return a.elements[at(i[0] * 12 + i[1])]; });
  same(compute({a, a}, OpKind::concatenate, DimAttr{1}), [&](const Dims& i) {
    return element(a, {i[0], i[1] % 4, i[2]});
  });
}

TEST_CASE("padding puts elements apart, adds borders and crops") {
  const Tensor row = f32({4}, {1, 2, 3, 4}), zero = f32({}, {0});
  const auto pad = [&](std::int64_t low, std::int64_t high, std::int64_t interior) {
    return compute({row, zero}, OpKind::pad, PadAttr{{low}, {high}, {interior}}).elements;
  };
  CHECK(pad(1, 2, 0) == Row{0, 1, 2, 3, 4, 0, 0});
  CHECK(pad(0, 0, 1) == Row{1, 0, 2, 0, 3, 0, 4});
  CHECK(pad(-1, -1, 0) == Row{2, 3});
  CHECK(pad(-1, 1, 1) == Row{0, 2, 0, 3, 0, 4, 0});
  CHECK(pad(-2, -3, 2) == Row{0, 2, 0, 0, 3});
  CHECK(pad(-6, 2, 0).empty());
  CHECK(pad(-6, 3, 0) == Row{0});
  CHECK(pad(3, -6, 0) == Row{0});
}

TEST_CASE("dynamic slices clamp their starts") {
  const Tensor tensor = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto start = [](double i) { return s32({}, {i}); };
  CHECK(compute({tensor, start(1), start(1)}, OpKind::dynamic_slice, DynamicSliceAttr{{1, 2}})
            .elements == Row{5, 6});
  CHECK(compute({tensor, start(-9), start(9)}, OpKind::dynamic_slice, DynamicSliceAttr{{1, 2}})
            .elements == Row{2, 3});
  const Tensor update = f32({2, 1}, {8, 9});
  CHECK(compute({tensor, update, start(1), start(2)}, OpKind::dynamic_update_slice).elements ==
        Row{1, 2, 8, 4, 5, 9});
}

TEST_CASE("reductions over any dims") {
  const auto reduce = [](Dims dims, Reduction reduction) {
    return compute({kTable}, OpKind::reduce, ReduceAttr{std::move(dims), reduction}).elements;
  };
  CHECK(reduce({0}, Reduction::sum) == Row{5, 7, 9});
  CHECK(reduce({1}, Reduction::product) == Row{6, 120});
  CHECK(reduce({0, 1}, Reduction::max) == Row{6});
  CHECK(reduce({1, 0}, Reduction::min) == Row{1});
  CHECK(reduce({}, Reduction::sum) == kTable.elements);
  const Tensor flags{{DType::pred, {2, 2}}, {1, 0, 1, 1}};
  CHECK(compute({flags}, OpKind::reduce, ReduceAttr{{1}, Reduction::logical_and}).elements ==
        Row{0, 1});
  CHECK(compute({flags}, OpKind::reduce, ReduceAttr{{1}, Reduction::logical_or}).elements ==
        Row{1, 1});
  CHECK(compute({s32({3}, {12, 10, 6})}, OpKind::reduce, ReduceAttr{{0}, Reduction::logical_or})
            .elements == Row{14});
  CHECK(compute({s32({2}, {2147483647, 1})}, OpKind::reduce, ReduceAttr{{0}}).elements ==
        Row{-2147483648.0});
  CHECK(compute({f32({0}, {})}, OpKind::reduce, ReduceAttr{{0}, Reduction::max}).elements ==
        Row{-INFINITY});
}

TEST_CASE("a dot is a sum over contracted indices for every batch index") {
  std::mt19937 random(2);
  const Tensor a = random_tensor(random, {DType::f32, {2, 3, 4, 5}});
  const Tensor b = random_tensor(random, {DType::f32, {5, 6, 3, 2}});
  // Batch 3 (dims 1 and 2), contracting 5 and 2 (dims 3, 0 and 0, 3).
  const Tensor c = compute({a, b}, OpKind::dot, DotAttr{{1}, {2}, {3, 0}, {0, 3}});
  REQUIRE(c.shape.dims == Dims{3, 4, 6});
  CHECK(c == tabulate(c.shape, [&](const Dims& i) {
          double sum = 0;
          for (std::int64_t k = 0; k < 5; ++k) {
            for (std::int64_t l = 0; l < 2; ++l) {
              sum += element(a, {l, i[0], i[1], k}) * element(b, {k, i[2], i[0], l});
            }
          }
          return sum;
        }));
}

TEST_CASE("sorting is stable, puts NaN last and carries a second tensor") {
  const Tensor keys = f32({2, 4}, {3, 1, std::nan(""), 2, 5, 5, 4, -1});
  const Tensor places = s32({2, 4}, {0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(compute({keys, places}, OpKind::sort, DimAttr{1}).elements == Row{1, 3, 0, 2, 3, 2, 0, 1});
  CHECK(compute({s32({2, 2}, {4, 1, 3, 2})}, OpKind::sort, DimAttr{0}).elements == Row{3, 1, 4, 2});
}

TEST_CASE("a program tells which input does not fit") {
  Builder builder("p");
  builder.output(builder.input(InputKind::batch, {DType::f32, {2}}, {}, "x"), OutputKind::value);
  const Program program = std::move(builder).finish();
  CHECK_THROWS_WITH(evaluate(program, {}), Contains("takes 1 inputs, not 0"));
  CHECK_THROWS_WITH(evaluate(program, std::vector<Tensor>{kTable}),
                    Contains("input 0 of program 'p' is f32[2,3], not f32[2]"));
}

TEST_CASE("all values of a program are kept on request") {
  Builder builder("p");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {2}}, {}, "x");
  const ValueId y = builder.scale(x, 2);
  builder.output(builder.mul(y, y), OutputKind::value);
  const Program program = std::move(builder).finish();
  const std::vector<Tensor> values = evaluate_all(program, std::vector<Tensor>{f32({2}, {1, 3})});
  REQUIRE(values.size() == program.ops.size());
  CHECK(values[at(y)].elements == Row{2, 6});
  CHECK(values.back().elements == Row{4, 36});
}
