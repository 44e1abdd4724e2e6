// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/striped/relay_trees.hpp"

/// Who has time waits for who has none.
namespace rhino::striped {

/// Per crossing, one that must have ended before it begins; -1: none.
///
/// Links are shared fairly among messages, whatever plans say. Where a node that is nearly always
/// receiving gets from nodes that are nearly always sending and from others, the others would send
/// early, the busy ones would find it slow just then and idle, and lose time that they cannot make
/// up. So the others follow the busy ones' progress into that node, as in the order given.
inline std::vector<std::int32_t> paces(const Traffic& traffic,
                                       const std::vector<std::int32_t>& order,
                                       std::int32_t num_nodes) {
  constexpr double kBusy = 0.9;
  constexpr std::size_t kAhead = 4;  ///< pieces by which they may be ahead
  std::vector<std::int64_t> sends(at(num_nodes), 0), receives(sends);
  for (const Crossing& crossing : traffic.crossings) {
    sends[at(crossing.from)] += traffic.pieces[at(crossing.piece)].bytes;
    receives[at(crossing.to)] += traffic.pieces[at(crossing.piece)].bytes;
  }
  const std::int64_t most = std::max(*std::max_element(sends.begin(), sends.end()),
                                     *std::max_element(receives.begin(), receives.end()));
  const auto is_busy = [&](std::int64_t bytes) {
    return static_cast<double>(bytes) >= kBusy * static_cast<double>(most);
  };
  std::vector<std::int32_t> waits(traffic.crossings.size(), -1);
  std::vector<std::vector<std::int32_t>> from_busy(at(num_nodes));  // per receiver, so far
  for (const std::int32_t c : order) {
    const Crossing& crossing = traffic.crossings[at(c)];
    if (!is_busy(receives[at(crossing.to)])) continue;
    std::vector<std::int32_t>& before = from_busy[at(crossing.to)];
    if (is_busy(sends[at(crossing.from)])) before.push_back(c);
    else if (before.size() > kAhead) waits[at(c)] = before[before.size() - 1 - kAhead];
  }
  return waits;
}

}  // namespace rhino::striped
