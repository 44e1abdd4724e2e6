// SPDX-License-Identifier: Apache-2.0
#include "topology/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::topology;

namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

std::vector<Core> numbered(const std::vector<std::int32_t>& nodes) {
  std::vector<Core> cores;
  for (const std::int32_t node : nodes)
    cores.push_back({.number = static_cast<std::int32_t>(cores.size()), .node = node});
  return cores;
}

std::size_t num_nodes(const std::vector<Core>& cores, const std::vector<std::int32_t>& numbers) {
  std::set<std::int32_t> nodes;
  for (const Core& core : cores) {
    if (std::find(numbers.begin(), numbers.end(), core.number) != numbers.end())
      nodes.insert(core.node);
  }
  return nodes.size();
}

}  // namespace

TEST_CASE("cores are those that this process may run on") {
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  const std::vector<Core>& cores = discover_cores();
  CHECK(std::ssize(cores) == CPU_COUNT(&before));
  for (const Core& core : cores) {
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(core.number), &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
  }
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
}

TEST_CASE("workers get equally many cores, each but once") {
  const std::vector<Core> cores = numbered({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2});
  for (std::int32_t num_ranks = 1; num_ranks <= 12; ++num_ranks) {
    const Lists shares = share_cores(cores, num_ranks);
    REQUIRE(std::ssize(shares) == num_ranks);
    std::set<std::int32_t> seen;
    for (const std::vector<std::int32_t>& share : shares) {
      CHECK(share.size() == shares.front().size());
      CHECK(4 * share.size() >= 3 * (cores.size() / shares.size()));
      for (const std::int32_t core : share) CHECK(seen.insert(core).second);
    }
  }
  CHECK(share_cores(cores, 13) == Lists(13));
}

TEST_CASE("a worker leaves its node only where it would lose more than a quarter of its cores") {
  CHECK(share_cores(numbered({0, 0, 0, 1}), 2) == Lists{{0, 1}, {2, 3}});
  CHECK(share_cores(numbered({0, 0, 0, 0, 0, 1, 1, 1, 1}), 2) == Lists{{0, 1, 2, 3}, {5, 6, 7, 8}});
}

TEST_CASE("lists of cores are short") {
  CHECK(core_list({}) == "");
  CHECK(core_list({3}) == "3");
  CHECK(core_list({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
}

#ifdef RHINO_HWLOC
TEST_CASE("two packages of two nodes of four cores") {
  const std::vector<Core> cores = synthetic_cores("package:2 numa:2 l3:1 core:4 pu:1");
  REQUIRE(cores.size() == 16);
  CHECK(cores[5] == Core{.number = 5, .package = 0, .node = 1, .cache = 1});
  CHECK(cores[15] == Core{.number = 15, .package = 1, .node = 3, .cache = 3});
  CHECK(describe_cores(cores).starts_with("2 packages, 4 NUMA nodes, 4 last-level caches (hwloc"));
  CHECK(share_cores(cores, 1).front().size() == 16);
  CHECK(share_cores(cores, 2) == Lists{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}});
  CHECK(share_cores(cores, 3) == Lists{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});
  for (const std::int32_t num_ranks : {3, 4, 6, 8, 16}) {
    for (const std::vector<std::int32_t>& share : share_cores(cores, num_ranks))
      CHECK(num_nodes(cores, share) == 1);
  }
  CHECK(share_cores(cores, 8).back() == std::vector<std::int32_t>{14, 15});
  CHECK(share_cores(cores, 16).back() == std::vector<std::int32_t>{15});
  CHECK(share_cores(cores, 17) == Lists(17));
}

TEST_CASE("a worker's cores share a cache where they can") {
  const std::vector<Core> cores = synthetic_cores("package:1 numa:1 l3:2 core:4 pu:1");
  CHECK(share_cores(cores, 2) == Lists{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(share_cores(cores, 3) == Lists{{0, 1}, {2, 3}, {4, 5}});
}

TEST_CASE("both threads of a core go to the same worker") {
  const std::vector<Core> cores = synthetic_cores("package:1 core:2 pu:2");
  CHECK(share_cores(cores, 2) == Lists{{0, 1}, {2, 3}});
}

TEST_CASE("a machine that hwloc does not understand is refused") {
  CHECK_THROWS_AS(synthetic_cores("nonsense"), Error);
}
#endif
