// SPDX-License-Identifier: Apache-2.0
// The examples in the comments of the api headers, with the numbers that stand there.
#include <catch2/catch.hpp>

#include "rhino/set_table.hpp"
#include "rhino/slices.hpp"
#include "rhino/work_division.hpp"

using namespace rhino;

namespace {

using Elements = std::vector<std::int64_t>;

/// The elements of a dim that the device at `rank` holds, in order.
Elements held(const DimSharding& sharding, std::int64_t extent, const Mesh& mesh,
              std::int64_t rank) {
  Elements elements;
  for (const Interval& range : held_intervals(sharding, extent, mesh, coordinates(mesh, rank))) {
    for (std::int64_t i = range.begin; i < range.end; ++i) elements.push_back(i);
  }
  return elements;
}

const Mesh kTwo{{{"x", 2}}, {0, 1}};
const Mesh kTwoByFour{{{"x", 2}, {"y", 4}}, {0, 1, 2, 3, 4, 5, 6, 7}};

}  // namespace

TEST_CASE("sharding.hpp: periods of a dim of 12 over an axis of 2") {
  CHECK(held({{{0, 12}}}, 12, kTwo, 0) == Elements{0, 1, 2, 3, 4, 5});
  CHECK(held({{{0, 4}}}, 12, kTwo, 0) == Elements{0, 1, 4, 5, 8, 9});
  CHECK(held({{{0, 4}}}, 12, kTwo, 1) == Elements{2, 3, 6, 7, 10, 11});
}

TEST_CASE("sharding.hpp: S01 and S10 of a dim of 16 on a mesh of 2 x 4") {
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      const std::int64_t rank = 4 * i + j;
      CHECK(held({{{0, 16}, {1, 8}}}, 16, kTwoByFour, rank) ==
            Elements{8 * i + 2 * j, 8 * i + 2 * j + 1});
      CHECK(held({{{1, 16}, {0, 4}}}, 16, kTwoByFour, rank) ==
            Elements{4 * j + 2 * i, 4 * j + 2 * i + 1});
    }
  }
}

TEST_CASE("cluster.hpp, tile.hpp: places on a mesh, uneven parts, boxes of a strided tile") {
  CHECK(coordinates({{{"data", 2}, {"tensor", 2}}, {4, 5, 6, 7}}, 2) == Elements{1, 0});
  CHECK(coordinates(kTwoByFour, 5) == Elements{1, 1});
  const Mesh three{{{"x", 3}}, {0, 1, 2}}, four{{{"x", 4}}, {0, 1, 2, 3}};
  CHECK(held({{{0, 8}}}, 8, three, 2) == Elements{6, 7});
  const ShardingSpec rows{{{{{0, 10}}}, {}}, {}};
  CHECK(tile_dims({10, 6}, rows, four) == Elements{3, 6});
  CHECK(tile_boxes({10, 6}, rows, four, 3) ==
        std::vector<TileBox>{{{{9, 0}, {1, 6}}, {{0, 0}, {1, 6}}}});
  CHECK(tile_boxes({8}, {{{{{0, 4}}}}, {}}, kTwo, 1) ==
        std::vector<TileBox>{{{{2}, {2}}, {{0}, {2}}}, {{{6}, {2}}, {{2}, {2}}}});
}

TEST_CASE("transfer.hpp: rows to columns is four boxes of [2, 3]") {
  const Mesh target{{{"x", 2}}, {2, 3}};
  const ShardingSpec rows{{{{{0, 4}}}, {}}, {}}, columns{{{}, {{{0, 6}}}}, {}};
  std::vector<Box> boxes;
  for (std::int64_t from = 0; from < 2; ++from) {
    for (std::int64_t to = 0; to < 2; ++to) {
      boxes.push_back(intersect(tile_boxes({4, 6}, rows, kTwo, from).front().global,
                                tile_boxes({4, 6}, columns, target, to).front().global));
      CHECK(boxes.back().size == Elements{2, 3});
    }
  }
  CHECK(boxes.front() == Box{{0, 0}, {2, 3}});
}

TEST_CASE("slices.hpp: halves to a period of 4 are four slices") {
  const ReshardTensor tensor{
      {DType::f32, {8}}, kTwo, {{{{{0, 8}}}}, {}}, {{kTwo, {{{{{0, 4}}}}, {}}}}};
  std::vector<std::pair<Elements, Interval>> slices;
  const Slicing all = slicing(tensor);
  for (const DimSlice& slice : all.dims[0]) slices.push_back({slice.part, slice.ranges[0]});
  CHECK(slices ==
        decltype(slices){{{0, 0}, {0, 2}}, {{0, 1}, {2, 4}}, {{1, 0}, {4, 6}}, {{1, 1}, {6, 8}}});
}

TEST_CASE("set_table.hpp, work_division.hpp: equal sets, and a work that gives way") {
  SetTable table;
  CHECK(table.index({3, 1}) == table.index({1, 3, 3}));
  WorkDivision division(2, 5);
  division.add(6, {0, 1});
  division.add(4, {0});
  CHECK(division.divide());
  CHECK(division.shares(0)[0].amount == 1);
  CHECK(division.shares(0)[1].amount == 5);
}
