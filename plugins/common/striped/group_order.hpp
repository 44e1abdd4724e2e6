// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "common/striped/exchange.hpp"
#include "common/striped/rehearsal.hpp"

/// Who is served first. Where several groups of devices wait behind one interface, as replicas of a
/// stage do, one after the other has all within the same time as all side by side; but the first
/// goes on computing while the others are served, and the last is no later.
namespace rhino::common::striped {

namespace detail {

/// Which groups are served together: a group is behind all before it with which it shares a host.
class GroupTurns {
 public:
  GroupTurns(const Inventory& inventory, const std::vector<std::int32_t>& host_of)
      : inventory_(inventory), host_of_(host_of) {}

  std::int32_t of(std::int32_t takers) {
    const auto [found, is_new] = turns_.try_emplace(takers, 0);
    if (!is_new) return found->second;
    for (const DeviceId device : inventory_.devices(takers))
      found->second = std::max(found->second, next_[host_of_[at(device)]]);
    for (const DeviceId device : inventory_.devices(takers))
      next_[host_of_[at(device)]] = found->second + 1;
    return found->second;
  }

 private:
  const Inventory& inventory_;
  const std::vector<std::int32_t>& host_of_;
  std::map<std::int32_t, std::int32_t> turns_;  ///< by set of takers
  std::map<std::int32_t, std::int32_t> next_;   ///< by host
};

/// What leaves one host, turn by turn.
class Gate {
 public:
  /// What number `hop` of a turn has to wait for: the last hop but one of the turn before, so that
  /// the interface is busy meanwhile; -1: nothing.
  std::int32_t pass(std::int32_t turn, std::int32_t hop) {
    if (std::exchange(turn_, turn) != turn) {
      gate_ = last_but_one_ >= 0 ? last_but_one_ : last_;
      last_ = last_but_one_ = -1;
    }
    last_but_one_ = std::exchange(last_, hop);
    return gate_;
  }

 private:
  std::int32_t turn_ = -1, last_ = -1, last_but_one_ = -1, gate_ = -1;
};

}  // namespace detail

/// The same hops, groups of equal takers that share a host one after the other: what holders send
/// out of their host waits for what it sent to the group before. Groups of different hosts still
/// advance side by side.
inline Journey group_by_group(const Journey& journey, const Inventory& inventory,
                              const std::vector<std::int32_t>& host_of) {
  detail::GroupTurns group_turns(inventory, host_of);
  std::vector<std::int32_t> turns, order(journey.hops.size()), place(order.size());
  for (const Hop& hop : journey.hops)
    turns.push_back(
        group_turns.of(inventory.parcels()[at(journey.pieces[at(hop.piece)].parcel)].takers));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return turns[at(a)] < turns[at(b)]; });
  std::map<std::int32_t, detail::Gate> gates;  // by host
  Journey grouped{journey.pieces, {}};
  for (const std::int32_t h : order) {
    place[at(h)] = static_cast<std::int32_t>(grouped.hops.size());
    Hop& hop = grouped.hops.emplace_back(journey.hops[at(h)]);
    const std::int32_t host = host_of[at(hop.from)];
    if (hop.parent >= 0) hop.parent = place[at(hop.parent)];
    else if (host != host_of[at(hop.to)]) hop.after = gates[host].pass(turns[at(h)], place[at(h)]);
  }
  return grouped;
}

}  // namespace rhino::common::striped
