// SPDX-License-Identifier: Apache-2.0
#include "measure/shard.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "rhino/error.hpp"

namespace rhino::measure {
namespace {

NamedCell cell_of(std::int32_t case_index, const std::string& backend, int number) {
  NamedCell named{"case " + std::to_string(case_index) + " cell " + std::to_string(number), {}};
  named.cell.case_index = case_index;
  named.cell.backend = backend;
  return named;
}

std::vector<NamedCell> random_cells(std::mt19937& random) {
  std::vector<NamedCell> cells;
  const int num_cases = 1 + static_cast<int>(random() % 12);
  for (int index = 0; index < num_cases; ++index) {
    const std::string backend = random() % 2 ? "simulate" : "ucx";
    for (int number = 1 + static_cast<int>(random() % 6); number > 0; --number)
      cells.push_back(cell_of(index, backend, number));
  }
  return cells;
}

std::int64_t work(const std::vector<NamedCell>& cells, const config::MeasureSpec& measure) {
  std::int64_t units = 0;
  std::set<std::int32_t> measured;
  for (const NamedCell& named : cells) {
    const bool is_measured = named.cell.backend == "ucx";
    units += is_measured ? 1 + measure.rounds : 1;
    if (is_measured && measured.insert(named.cell.case_index).second) units += measure.rounds;
  }
  return units;
}

std::string complaint(const std::string& word) {
  try {
    parse_shard(word);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a shard is one of a number of them") {
  CHECK(parse_shard("1/1") == Shard{1, 1});
  CHECK(parse_shard("4/4") == Shard{4, 4});
  for (const char* word : {"", "x", "/", "1/", "/4", "0/4", "5/4", "1/0", "-1/4", "1/-4", "1/4x",
                           "1/4/4", " 1/4", "1.0/4", "+1/4", "1/99999999999"})
    CHECK(complaint(word) ==
          "--shard: '" + std::string(word) + "' is none; 1/4 is the first of four, 4/4 the last");
}

TEST_CASE("every cell is in one shard, cases are whole, and no shard has a case's work too much") {
  const std::uint32_t seed = 20250;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const config::MeasureSpec measure;
  for (int round = 0; round < 500; ++round) {
    const std::vector<NamedCell> cells = random_cells(random);
    const auto count = static_cast<std::int32_t>(1 + random() % 8);
    std::map<std::string, int> times;
    std::map<std::int32_t, std::int32_t> shard_of_case;
    std::int64_t least = INT64_MAX, most = 0, largest_case = 0;
    for (std::int32_t index = 1; index <= count; ++index) {
      const std::vector<NamedCell> taken = cells_of({index, count}, cells, measure);
      std::map<std::int32_t, std::vector<NamedCell>> by_case;
      for (const NamedCell& cell : taken) {
        ++times[cell.name];
        CHECK(shard_of_case.try_emplace(cell.cell.case_index, index).first->second == index);
        by_case[cell.cell.case_index].push_back(cell);
      }
      for (const auto& [number, of_case] : by_case)
        largest_case = std::max(largest_case, work(of_case, measure));
      least = std::min(least, work(taken, measure));
      most = std::max(most, work(taken, measure));
      CHECK(std::is_sorted(taken.begin(), taken.end(), [](const auto& a, const auto& b) {
        return a.cell.case_index < b.cell.case_index;
      }));
    }
    CHECK(times.size() == cells.size());
    for (const auto& [name, number] : times) CHECK(number == 1);
    // Of list scheduling: who got the last case had the least work before it.
    CHECK(most - least <= largest_case);
  }
}

}  // namespace rhino::measure
