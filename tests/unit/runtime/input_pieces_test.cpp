// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/input_pieces.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "ir/initial_values.hpp"

namespace rhino::runtime {
namespace {

constexpr Initializer kNormal{Initializer::Kind::normal, 0, 1};

std::int64_t elements(const TileBox& box) { return num_elements(box.global.size); }

}  // namespace

TEST_CASE("an input made in pieces is the one that is made at once, and no piece is large") {
  const std::vector<std::vector<std::int64_t>> all_dims = {{}, {1}, {1000}, {1, 37, 9}, {40, 3, 5}};
  for (const std::vector<std::int64_t>& dims : all_dims) {
    CAPTURE(dims);
    const Shape shape{DType::f32, dims};
    const std::vector<std::int64_t> zeros(dims.size(), 0);
    const TileBox whole{.global = {zeros, dims}, .local = {zeros, dims}};
    const auto size = static_cast<std::size_t>(num_elements(shape));
    std::vector<float> expected(size, -1), made(size, -2);
    ir::fill_initial(kNormal, 5, 3, shape, {whole}, dims, 1, expected.data());
    std::int64_t sum = 0;
    for (const TileBox& piece : pieces_of(whole, 64)) {
      CHECK(elements(piece) <= 64);
      sum += elements(piece);
      ir::fill_initial(kNormal, 5, 3, shape, {piece}, dims, 1, made.data());
    }
    CHECK(sum == num_elements(shape));
    CHECK(made == expected);
  }
}

TEST_CASE("what one row exceeds is cut by rows") {
  const TileBox box{.global = {{4, 0}, {3, 100}}, .local = {{1, 0}, {3, 100}}};
  const std::vector<TileBox> pieces = pieces_of(box, 64);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[2] == TileBox{{{6, 0}, {1, 100}}, {{3, 0}, {1, 100}}});
}

}  // namespace rhino::runtime
