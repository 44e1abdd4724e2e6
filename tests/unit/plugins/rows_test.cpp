// SPDX-License-Identifier: Apache-2.0
#include "common/choice/rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <random>

#include "common/choice/elimination.hpp"

namespace rhino::common::choice {
namespace {

std::vector<double> drawn(std::mt19937_64& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(random() % 10'000) / 64;
  return values;
}

TEST_CASE("least sums of rows are those of plain loops, for any processor") {
  std::mt19937_64 random(7);
  for (std::size_t width = 1; width < 23; ++width) {
    for (const std::size_t count : {1, 3, 4, 6, 9}) {
      for (const bool is_single : {false, true}) {
        CAPTURE(width, count, is_single);
        const std::size_t stride = is_single ? 2 : width + 3;
        const std::vector<double> base = drawn(random, width * count),
                                  more = drawn(random, stride * count + width);
        const Rows rows{more.data(), stride, is_single};
        std::vector<double> sums(width * count),
            least(width, std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < width; ++j) {
            const double sum = base[i * width + j] + more[i * stride + (is_single ? 0 : j)];
            sums[i * width + j] = sum;
            least[j] = std::min(least[j], sum);
          }
        }
        std::vector<double> found(width * count), found_least(width);
        sum_rows(base.data(), rows, count, width, found.data());
        CHECK(found == sums);
        find_least_of_rows(base.data(), rows, count, width, found_least.data());
        CHECK(found_least == least);
        detail::plain_sums(base.data(), rows, count, width, found.data());
        CHECK(found == sums);
        detail::plain_least(base.data(), rows, count, width, found_least.data());
        CHECK(found_least == least);

        const std::vector<double> costs = drawn(random, count);
        for (std::size_t j = 0; j < width; ++j) {
          least[j] = std::numeric_limits<double>::infinity();
          for (std::size_t i = 0; i < count; ++i)
            least[j] = std::min(least[j], costs[i] + base[i * width + j]);
        }
        find_least_sums(costs, base.data(), found_least);
        CHECK(found_least == least);
        std::ranges::fill(found_least, std::numeric_limits<double>::infinity());
        detail::plain_least_sums(costs.data(), count, base.data(), found_least.data(), width);
        CHECK(found_least == least);

        std::vector<double> left = base, plainly = base;
        const double lowest = *std::ranges::min_element(base);
        CHECK(subtract_least(left) == lowest);
        CHECK(detail::plain_subtract_least(plainly) == lowest);
        CHECK(left == plainly);
        CHECK(*std::ranges::min_element(left) == 0);
      }
    }
  }
}

// Of up to 13 labels, more than are looked at at once, and tables that lie either way round.
TEST_CASE("nodes of many labels are eliminated in any order") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    constexpr std::int32_t kNodes = 4;
    CostGraph graph;
    for (std::int32_t node = 0; node < kNodes; ++node)
      graph.nodes.push_back({drawn(random, 1 + random() % 13), {}});
    for (std::int32_t a = 0; a < kNodes; ++a) {
      for (std::int32_t b = 0; b < a; ++b) {
        const bool is_turned = random() % 2 == 0;
        graph.edges.push_back({is_turned ? a : b, is_turned ? b : a,
                               table(drawn(random, graph.num_labels(a) * graph.num_labels(b)))});
      }
    }
    double least = std::numeric_limits<double>::infinity();
    Labels labels(kNodes);
    for (std::int32_t node = 0; node < kNodes;) {
      if (node == 0) least = std::min(least, cost(graph, labels));
      if (at(++labels[at(node)]) < graph.num_labels(node)) node = 0;
      else labels[at(node++)] = 0;
    }
    std::vector<std::int32_t> order(kNodes);
    std::iota(order.begin(), order.end(), 0);
    do {
      const Elimination elimination(graph, EliminationOrder{.nodes = order});
      CHECK(elimination.constant() == Approx(least).epsilon(1e-12));
      CHECK(cost(graph, elimination.labels({}, {})) == Approx(least).epsilon(1e-12));
    } while (std::ranges::next_permutation(order).found);
  }
}

}  // namespace
}  // namespace rhino::common::choice
