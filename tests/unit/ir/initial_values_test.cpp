// SPDX-License-Identifier: Apache-2.0
#include "ir/initial_values.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "ir/builder.hpp"
#include "ir/philox.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;

namespace {

using Kind = Initializer::Kind;
using Dims = std::vector<std::int64_t>;

std::vector<float> tile(const Initializer& initializer, const Dims& dims,
                        const std::vector<TileBox>& boxes, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_initial(initializer, 42, 3, {DType::f32, dims}, boxes, 1, values.data());
  return values;
}

std::vector<float> whole(const Initializer& initializer, const Dims& dims) {
  const Box box{Dims(dims.size(), 0), dims};
  return tile(initializer, dims, {{box, box}}, num_elements(dims));
}

// Splits of a random spec; 24 divides by all periods that arise.
ShardingSpec random_spec(std::mt19937& random, std::size_t rank, const Mesh& mesh) {
  ShardingSpec spec{std::vector<DimSharding>(rank), {}};
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    auto& splits = spec.dims[random() % rank].splits;
    const std::int64_t part =
        splits.empty()
            ? 24
            : splits.back().period / mesh.axes[static_cast<std::size_t>(splits.back().axis)].size;
    const std::int64_t size = mesh.axes[axis].size;
    const std::int64_t period = random() % 2 == 0 && part % (2 * size) == 0 ? part / 2 : part;
    if (period % size == 0) splits.push_back({static_cast<AxisId>(axis), period});
  }
  return spec;
}

}  // namespace

TEST_CASE("Philox4x32-10 yields the published words") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("tiles of a random sharding are pieces of the whole tensor") {
  const auto seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const Mesh mesh{{{"a", 2}, {"b", 3}, {"c", 2}}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  const Dims dims = {24, 24, 24};
  const ShardingSpec spec = random_spec(random, dims.size(), mesh);
  const Initializer initializer{Kind::normal, 1, 2};
  const std::vector<float> all = whole(initializer, dims);
  std::size_t num_wrong = 0;
  for (std::int64_t rank = 0; rank < 12; ++rank) {
    const std::vector<TileBox> boxes = tile_boxes(dims, spec, mesh, rank);
    const Dims extents = tile_dims(dims, spec, mesh);
    const std::vector<float> part = tile(initializer, dims, boxes, num_elements(extents));
    for (const TileBox& box : boxes) {
      for (std::int64_t i = 0; i < num_elements(box.global); ++i) {
        std::int64_t rest = i, from = 0, to = 0, from_stride = 1, to_stride = 1;
        for (std::size_t d = 3; d-- > 0;) {
          const std::int64_t at = rest % box.global.size[d];
          rest /= box.global.size[d];
          from += (box.global.start[d] + at) * from_stride;
          to += (box.local.start[d] + at) * to_stride;
          from_stride *= dims[d];
          to_stride *= extents[d];
        }
        num_wrong += all[static_cast<std::size_t>(from)] != part[static_cast<std::size_t>(to)];
      }
    }
  }
  CHECK(num_wrong == 0);
}

TEST_CASE("normal values have the moments asked for") {
  const std::vector<float> values = whole({Kind::normal, 1, 2}, {200000});
  double mean = 0, square = 0, cube = 0, fourth = 0;
  for (float value : values) {
    const double x = (value - 1) / 2.0;
    mean += x / 200000, square += x * x / 200000;
    cube += x * x * x / 200000, fourth += x * x * x * x / 200000;
  }
  CHECK(std::abs(mean) < 0.01);
  CHECK(std::abs(square - 1) < 0.015);
  CHECK(std::abs(cube) < 0.04);
  CHECK(std::abs(fourth - 3) < 0.12);
}

TEST_CASE("uniform values fill their half-open range evenly") {
  std::vector<int> counts(10);
  for (float value : whole({Kind::uniform, -1, 1}, {100000})) {
    REQUIRE((value >= -1 && value < 1));
    ++counts[static_cast<std::size_t>((value + 1) * 5)];
  }
  for (int count : counts) CHECK(std::abs(count - 10000) < 500);
}

TEST_CASE("uniform integers take every value of their range alike") {
  std::vector<std::int32_t> values(70000);
  const Box box{{0}, {70000}};
  fill_initial({Kind::uniform_integer, -3, 4}, 1, 0, {DType::s32, {70000}}, {{box, box}}, 1,
               values.data());
  std::map<std::int32_t, int> counts;
  for (std::int32_t value : values) ++counts[value];
  CHECK(counts.size() == 7);
  CHECK(counts.begin()->first == -3);
  for (const auto& [value, count] : counts) CHECK(std::abs(count - 10000) < 500);
  CHECK_THROWS_AS(
      fill_initial({Kind::uniform_integer, 3, 3}, 1, 0, {DType::s32, {}}, {}, 1, nullptr), Error);
}

TEST_CASE("inputs and seeds have values of their own, constants and steps are what they say") {
  Builder builder("p");
  const Shape shape{DType::f32, {8}};
  builder.input(InputKind::parameter, shape, {Kind::normal, 0, 1}, "a");
  builder.input(InputKind::parameter, shape, {Kind::normal, 0, 1}, "b");
  builder.input(InputKind::parameter, shape, {Kind::constant, 0.5, 0}, "c");
  builder.input(InputKind::scalar, {DType::s32, {}}, {Kind::step, 0, 0}, "step");
  const Program program = std::move(builder).finish();
  const std::vector<Tensor> values = initial_tensors(program, 1, 7);
  CHECK(values[0] != values[1]);
  CHECK(values[0] != initial_tensors(program, 2)[0]);
  CHECK(values[0] == initial_tensors(program, 1)[0]);
  CHECK(values[2].elements == std::vector<double>(8, 0.5));
  CHECK(values[3].elements == std::vector<double>{7});
}
