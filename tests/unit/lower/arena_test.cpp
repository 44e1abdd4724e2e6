// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "lower/lower.hpp"

using namespace rhino;
using namespace rhino::lower;

namespace {

std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

std::vector<Lifetime> random_lifetimes(std::uint64_t seed, int count, std::int64_t num_times,
                                       std::int64_t longest) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  std::vector<Lifetime> lifetimes;
  for (int i = 0; i < count; ++i) {
    const std::int64_t first = below(num_times);
    lifetimes.push_back({below(10) == 0 ? 0 : 1 + below(5000), first, first + below(longest)});
  }
  return lifetimes;
}

/// The most bytes alive at once: no arena can be smaller.
std::int64_t most_alive(const std::vector<Lifetime>& lifetimes) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const Lifetime& lifetime : lifetimes) {
    changes[lifetime.first] += aligned(lifetime.bytes);
    changes[lifetime.last + 1] -= aligned(lifetime.bytes);
  }
  std::int64_t alive = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, alive += change);
  return most;
}

bool meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

}  // namespace

TEST_CASE("buffers that are alive together never share bytes") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const std::vector<Lifetime> lifetimes =
        random_lifetimes(seed, 200, 100, seed % 3 == 0 ? 100 : 8);
    const Arena arena = allocate(lifetimes);
    bool overlaps = false, is_misaligned = false, sticks_out = false;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      const std::int64_t begin = arena.offsets[i], end = begin + lifetimes[i].bytes;
      is_misaligned = is_misaligned || begin % 64 != 0;
      sticks_out = sticks_out || begin < 0 || end > arena.bytes;
      for (std::size_t j = 0; j < i; ++j) {
        const bool share = arena.offsets[j] < end && begin < arena.offsets[j] + lifetimes[j].bytes;
        overlaps =
            overlaps || (share && lifetimes[i].bytes > 0 && meet(lifetimes[i], lifetimes[j]));
      }
    }
    CHECK_FALSE(overlaps);
    CHECK_FALSE(is_misaligned);
    CHECK_FALSE(sticks_out);
    CHECK(arena.bytes >= most_alive(lifetimes));
    CHECK(static_cast<double>(arena.bytes) <= 1.35 * static_cast<double>(most_alive(lifetimes)));
  }
}

TEST_CASE("a chain of equal buffers takes two places") {
  std::vector<Lifetime> lifetimes;
  for (std::int64_t i = 0; i < 50; ++i) lifetimes.push_back({1024, i, i + 1});
  CHECK(allocate(lifetimes).bytes == 2 * 1024);
}

TEST_CASE("an arena without buffers is empty") {
  CHECK(allocate({}).bytes == 0);
  CHECK(allocate({{0, 3, 5}}).bytes == 0);
}

TEST_CASE("a hundred thousand lifetimes take little more than what is alive at once") {
  std::vector<Lifetime> lifetimes = random_lifetimes(5, 100'000, 50'000, 40);
  for (std::size_t i = 0; i < lifetimes.size(); i += 20) lifetimes[i].last += 20'000;
  CHECK(static_cast<double>(allocate(lifetimes).bytes) <
        1.5 * static_cast<double>(most_alive(lifetimes)));
}
