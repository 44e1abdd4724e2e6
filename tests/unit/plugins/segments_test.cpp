// SPDX-License-Identifier: Apache-2.0
// Segments that are made anew, against all ways to cut short passes, and on passes of equal layers.
#include "common/segments.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace rhino;
using common::Segments;
using Row = Segments::Row;

namespace {

struct Bytes {
  double kept = 0, largest = 0;
};

/// Of segments that end where bits are set, and behind the last row.
Bytes bytes(const std::vector<Row>& rows, unsigned ends) {
  Bytes sum;
  const auto segment = [&](std::size_t row) {
    int before = 0;
    for (std::size_t i = 0; i < row; ++i) before += ends >> i & 1;
    return before;
  };
  std::vector<double> stashed(rows.size() + 1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const int last = rows[row].last_read;
    if (last >= 0 && segment(at(last)) > segment(row)) sum.kept += rows[row].bytes;
    else if (rows[row].is_stashed) stashed[at(segment(row))] += rows[row].bytes;
  }
  sum.largest = *std::ranges::max_element(stashed);
  return sum;
}

unsigned bits(const std::vector<int>& ends) {
  unsigned made = 0;
  for (const int end : ends) made |= 1U << (end - 1);
  return made;
}

}  // namespace

TEST_CASE("segments need as few bytes as any, but for a tenth of the largest") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<Row> rows(1 + random() % 11);
    for (int row = 0; row < std::ssize(rows); ++row) {
      const int behind = static_cast<int>(std::ssize(rows)) - row - 1;
      const int reach = 1 + static_cast<int>(random() % (random() % 4 == 0 ? 8 : 2));
      rows[at(row)] = {.bytes = 1.0 + random() % 50,
                       .last_read = behind == 0 ? -1 : row + std::min(behind, reach),
                       .is_stashed = random() % 4 != 0};
    }
    double least = std::numeric_limits<double>::infinity();
    for (unsigned ends = 0; ends < 1U << rows.size(); ++ends) {
      const Bytes one = bytes(rows, ends);
      least = std::min(least, one.kept + 1.1 * one.largest);
    }
    const Segments segments(rows);
    const Bytes found = bytes(rows, bits(segments.ends()));
    CHECK(segments.bytes() == Approx(found.kept + found.largest));
    CHECK(segments.bytes() <= least);
  }
}

TEST_CASE("segments of equal layers are these, the last one is not made anew") {
  // Of six ops each: 30 bytes within, 4 to the next one.
  std::vector<Row> rows;
  for (int layer = 0; layer < 8; ++layer) {
    for (int op = 0; op < 5; ++op) rows.push_back({6, static_cast<int>(rows.size()) + 1, true});
    rows.push_back({4, layer < 7 ? static_cast<int>(rows.size()) + 6 : -1, true});
  }
  const Segments segments(rows);
  CHECK(segments.ends() == std::vector<int>{6, 12, 18, 24, 30, 36, 42, 48});
  CHECK(segments.bytes() == 7 * 4 + 34);
  const std::vector<bool> remade = segments.remade();
  for (std::size_t row = 0; row < rows.size(); ++row)
    CHECK(remade[row] == (row < 42 && row % 6 != 5));
}

TEST_CASE("a pass of which nothing is stashed, or of no op, is one segment") {
  CHECK(Segments({}).remade().empty());
  CHECK(Segments({{8, 1, false}, {8, -1, false}}).remade() == std::vector<bool>{false, false});
}
