// SPDX-License-Identifier: Apache-2.0
#include "rhino/tile.hpp"

#include <catch2/catch.hpp>

#include "rhino/options.hpp"

using namespace rhino;

TEST_CASE("a strided tile holds one range per period") {
  const Mesh mesh{{{"tensor", 2}}, {0, 1}};
  const ShardingSpec spec{{{{{0, 4}}}}, {}};
  const std::vector<TileBox> boxes = tile_boxes({12}, spec, mesh, 1);
  REQUIRE(boxes.size() == 3);
  CHECK(boxes[1].global.start[0] == 6);
  CHECK(boxes[1].local.start[0] == 2);
  CHECK(boxes[1].global.size[0] == 2);
}

TEST_CASE("two axes on one dim nest major to minor") {
  const Mesh mesh{{{"data", 2}, {"tensor", 2}}, {0, 1, 2, 3}};
  const ShardingSpec spec{{{{{0, 16}, {1, 4}}}}, {}};
  const auto held = held_intervals(spec.dims[0], 16, mesh, coordinates(mesh, 3));
  CHECK(held == std::vector<Interval>{{10, 12}, {14, 16}});
  CHECK(tile_dims({16}, spec, mesh) == std::vector<std::int64_t>{4});
}

TEST_CASE("parts that do not divide are rounded up and the last devices hold the rest") {
  const Mesh mesh{{{"a", 2}, {"b", 4}}, {0, 1, 2, 3, 4, 5, 6, 7}};
  for (std::int64_t extent = 1; extent <= 40; ++extent) {
    CAPTURE(extent);
    const std::int64_t half = (extent + 1) / 2;
    const DimSharding both{{{0, extent}, {1, half}}};
    const ShardingSpec spec{{both}, {}};
    const std::int64_t most = tile_dims({extent}, spec, mesh).front();
    CHECK(most == (half + 3) / 4);
    std::int64_t next = 0;
    for (std::int64_t rank = 0; rank < 8; ++rank) {
      for (const Interval& range : held_intervals(both, extent, mesh, coordinates(mesh, rank))) {
        CHECK(range.begin == next);
        CHECK(range.end - range.begin <= most);
        CHECK(range.end > range.begin);
        next = range.end;
      }
    }
    CHECK(next == extent);
  }
}

TEST_CASE("every element of a tensor is held by exactly the devices of one replica group") {
  const Mesh mesh{{{"a", 2}, {"b", 3}}, {0, 1, 2, 3, 4, 5}};
  const ShardingSpec spec{{{{{1, 6}}}, {{{0, 4}}}}, {}};
  std::vector<int> count(12 * 8, 0);
  for (std::int64_t rank = 0; rank < 6; ++rank) {
    for (const TileBox& box : tile_boxes({12, 8}, spec, mesh, rank)) {
      for (std::int64_t i = 0; i < box.global.size[0]; ++i) {
        for (std::int64_t j = 0; j < box.global.size[1]; ++j) {
          ++count[static_cast<std::size_t>((box.global.start[0] + i) * 8 + box.global.start[1] +
                                           j)];
        }
      }
    }
  }
  CHECK(count == std::vector<int>(12 * 8, 1));
}

TEST_CASE("an option that nobody read is known") {
  const Options options({{"order", std::string("greedy")}, {"chunks", std::int64_t{4}}});
  CHECK(options.get<double>("chunks", 0) == 4.0);
  CHECK(options.unread() == std::vector<std::string>{"order"});
  CHECK_THROWS_AS(options.get<std::int64_t>("order", 0), Error);
}
