// SPDX-License-Identifier: Apache-2.0
#include "measure/shard.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "rhino/error.hpp"

namespace rhino::measure {
namespace {

/// The whole of `word` as a number; 0: it is none from 1 up.
std::int32_t count_in(const std::string& word) {
  std::int32_t number = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && rest == end ? std::max(number, 0) : 0;
}

struct Work {
  std::int32_t case_index = 0;
  std::int64_t units = 0;
};

std::vector<Work> work_by_case(const std::vector<NamedCell>& cells,
                               const config::MeasureSpec& measure) {
  std::map<std::int32_t, std::int64_t> units;
  std::set<std::int32_t> measured;
  for (const NamedCell& named : cells) {
    const bool is_simulated = named.cell.backend == "simulate";
    units[named.cell.case_index] += is_simulated ? 1 : 1 + measure.rounds;
    if (!is_simulated) measured.insert(named.cell.case_index);
  }
  std::vector<Work> work;
  for (const auto& [index, sum] : units)
    work.push_back({index, sum + (measured.contains(index) ? measure.rounds : 0)});
  return work;
}

}  // namespace

Shard parse_shard(const std::string& word) {
  const std::size_t slash = word.find('/');
  const bool has_both = slash != std::string::npos;
  const Shard shard{has_both ? count_in(word.substr(0, slash)) : 0,
                    has_both ? count_in(word.substr(slash + 1)) : 0};
  if (shard.index < 1 || shard.count < 1 || shard.index > shard.count)
    throw Error("--shard: '" + word + "' is none; 1/4 is the first of four, 4/4 the last");
  return shard;
}

std::vector<NamedCell> cells_of(Shard shard, const std::vector<NamedCell>& cells,
                                const config::MeasureSpec& measure) {
  std::vector<Work> work = work_by_case(cells, measure);
  std::ranges::stable_sort(work, std::greater(), &Work::units);
  // No more shards than cases get any.
  std::vector<std::int64_t> load(std::min<std::size_t>(static_cast<std::size_t>(shard.count),
                                                       std::max<std::size_t>(work.size(), 1)));
  std::set<std::int32_t> own;
  for (const Work& one : work) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += one.units;
    if (least - load.begin() == shard.index - 1) own.insert(one.case_index);
  }
  std::vector<NamedCell> taken;
  for (const NamedCell& cell : cells) {
    if (own.contains(cell.cell.case_index)) taken.push_back(cell);
  }
  return taken;
}

}  // namespace rhino::measure
