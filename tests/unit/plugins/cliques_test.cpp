// SPDX-License-Identifier: Apache-2.0
#include "common/cliques.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "common/arrangement.hpp"

using namespace rhino::common;

namespace {

std::vector<SmallSet> random_graph(std::mt19937& random, std::size_t num_members) {
  std::vector<SmallSet> neighbours(num_members, 0);
  const std::uint32_t percent = random() % 101;
  for (std::size_t a = 0; a < num_members; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (random() % 100 >= percent) continue;
      neighbours[a] |= only(b);
      neighbours[b] |= only(a);
    }
  }
  return neighbours;
}

/// All but itself are neighbours of each.
std::vector<SmallSet> complete_graph(std::size_t num_members) {
  std::vector<SmallSet> neighbours;
  for (std::size_t m = 0; m < num_members; ++m)
    neighbours.push_back(first_members(num_members) & ~only(m));
  return neighbours;
}

bool is_clique(const std::vector<SmallSet>& neighbours, SmallSet set) {
  for (std::size_t m = 0; m < neighbours.size(); ++m) {
    if (holds(set, m) && (set & ~only(m) & ~neighbours[m]) != 0) return false;
  }
  return true;
}

bool is_maximal(const std::vector<SmallSet>& neighbours, SmallSet set) {
  for (std::size_t m = 0; m < neighbours.size(); ++m) {
    if (!holds(set, m) && (set & ~neighbours[m]) == 0) return false;
  }
  return true;
}

std::vector<SmallSet> brute_force(const std::vector<SmallSet>& neighbours, int least_size) {
  std::vector<SmallSet> sets;
  for (SmallSet set = 1; set < only(neighbours.size()); ++set) {
    if (std::popcount(set) >= least_size && is_clique(neighbours, set) &&
        is_maximal(neighbours, set))
      sets.push_back(set);
  }
  return sets;
}

/// Each of the hosts sends another part to the one beyond them.
std::vector<HostTask> gathering(std::int32_t num_senders) {
  std::vector<HostTask> tasks;
  for (std::int32_t host = 0; host < num_senders; ++host)
    tasks.push_back({4096, {host}, {num_senders}});
  return tasks;
}

}  // namespace

TEST_CASE("the maximal cliques of a graph are those that trying all sets finds") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<SmallSet> neighbours = random_graph(random, 1 + seed % 11);
    for (const int least_size : {1, 3}) {
      std::vector<SmallSet> sets =
          maximal_cliques(neighbours, {.least_size = static_cast<std::size_t>(least_size),
                                       .most_cliques = 1000,
                                       .most_visited = 100000})
              .sets;
      std::sort(sets.begin(), sets.end());
      CHECK(sets == brute_force(neighbours, least_size));
    }
  }
}

TEST_CASE("a clique of all is found in as many visits as it has members") {
  for (const std::size_t num_members : {1, 16, 32, 63, 64}) {
    CAPTURE(num_members);
    const Cliques found = maximal_cliques(complete_graph(num_members), {.least_size = 1});
    CHECK(found.sets == std::vector{first_members(num_members)});
    CHECK(found.num_visited == num_members + 1);
  }
}

TEST_CASE("a search for cliques ends at its limits, with cliques") {
  // 21 sets of three, any two of different sets are neighbours: 3^21 maximal cliques.
  std::vector<SmallSet> parts;
  for (std::size_t m = 0; m < 63; ++m)
    parts.push_back(first_members(63) & ~(SmallSet{7} << m / 3 * 3));
  const Cliques few = maximal_cliques(parts);
  CHECK(few.sets.size() == 64);
  for (const SmallSet set : few.sets) CHECK((is_clique(parts, set) && is_maximal(parts, set)));
  const Cliques none = maximal_cliques(parts, {.least_size = 22});
  CHECK(none.sets.empty());
  CHECK(none.num_visited == CliqueLimits{}.most_visited);
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const std::vector<SmallSet> graph = random_graph(random, 64);
    const Cliques found = maximal_cliques(graph);
    CHECK(found.num_visited <= CliqueLimits{}.most_visited);
    for (const SmallSet set : found.sets) CHECK((is_clique(graph, set) && is_maximal(graph, set)));
  }
}

TEST_CASE("what many hosts send to one takes what comes to it, and that is proved") {
  for (const std::int32_t num_senders : {4, 16, 32, 64}) {
    CAPTURE(num_senders);
    const std::vector<HostTask> tasks = gathering(num_senders);
    CHECK(makespan_bound(tasks) == 4096 * num_senders);
    CHECK(makespan(tasks, arrange(tasks, {})) == 4096 * num_senders);
    CHECK(searched_order(tasks, naive_order(tasks), 0).is_proved);
  }
}
