// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sharding/rule.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

const Shape kShape{DType::f32, {12, 10}};

Mesh data_tensor() {
  Mesh mesh = make_mesh({2, 4});
  mesh.axes[0].name = "data";
  mesh.axes[1].name = "tensor";
  return mesh;
}

void expect_error(const ShardingSpec& spec, const std::string& sentence) {
  CHECK_THROWS_WITH(sharding::check_spec(kShape, spec, data_tensor(), 3),
                    Catch::Contains(sentence));
}

}  // namespace

TEST_CASE("accepts nested, strided and partial specs") {
  const Mesh mesh = data_tensor();
  CHECK_NOTHROW(sharding::check_spec(kShape, sharding::replicated(2), mesh));
  CHECK_NOTHROW(
      sharding::check_spec(kShape, {{{{{kMicroAxis, 12}, {1, 4}}}, {{{0, 10}}}}, {}}, mesh, 3));
  CHECK_NOTHROW(sharding::check_spec(kShape, {{{{{1, 4}}}, {}}, {{0, Reduction::max}}}, mesh));
}

TEST_CASE("an axis of one part may stand in front of a split with its period") {
  CHECK_NOTHROW(
      sharding::check_spec(kShape, {{{{{kMicroAxis, 12}, {0, 12}}}, {}}, {}}, data_tensor(), 1));
}

TEST_CASE("names what does not fit in a spec") {
  expect_error({{{}, {{{1, 10}}}}, {}},
               "dim 1 of 10 elements does not divide by axis 'tensor' of 4");
  expect_error({{{{{0, 12}, {1, 12}}}, {}}, {}}, "that does not divide 6");
  expect_error({{{{{0, 5}}}, {}}, {}}, "has a period of 5");
  expect_error({{{{{0, 12}}}, {{{0, 10}}}}, {}}, "axis 'data' occurs twice");
  expect_error({{{{{0, 12}}}, {}}, {{0, Reduction::sum}}}, "axis 'data' occurs twice");
  expect_error({{{{{2, 12}}}, {}}, {}}, "axis 2 of a spec is not on a mesh of 2 axes");
  expect_error({{{}}, {}}, "a spec of 1 dims does not fit f32[12,10]");
  expect_error({{{}, {}}, {{1, Reduction::sum}, {0, Reduction::sum}}}, "are not in order");
  expect_error({{{}, {}}, {{0, Reduction::product}}}, "partial under product");
}

TEST_CASE("prints a spec with axes, periods and partial sums") {
  const ShardingSpec spec{{{{{kMicroAxis, 12}, {0, 4}}}, {}}, {{1, Reduction::sum}}};
  CHECK(sharding::to_string(spec, data_tensor()) == "[micro:12 data:4/2, -] partial sum tensor");
}

}  // namespace rhino::test
