// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/striped/rehearsal.hpp"

namespace rhino::common::striped {

/// Each taker of a slice gets a part of it from a holder, and passes on to the next one in a circle
/// what it got last, until all parts have come round: all links work all the time, and receivers
/// of any number cost holders one copy. `box_by_box`: each box of a slice in parts, not the slice.
/// No hop where there would be more than `most_hops`.
inline Journey rings(const Inventory& inventory, const Cluster& cluster, bool box_by_box,
                     std::int64_t most_hops) {
  SliceBytes slices = slice_bytes(inventory.parcels());
  const auto share = [&](const Parcel& parcel) {
    const std::int64_t count = std::ssize(inventory.devices(parcel.takers));
    const std::int64_t bytes = box_by_box ? parcel.bytes : slices[{parcel.holders, parcel.takers}];
    return std::max<std::int64_t>(1, bytes / count);
  };
  Cargo cargo = pack(inventory.parcels(), share);
  for (const Piece& piece : cargo.pieces)
    most_hops -= std::ssize(inventory.devices(inventory.parcels()[at(piece.parcel)].takers));
  if (most_hops < 0) return {};
  std::vector<Hop> hops;
  std::vector<double> turns;
  std::vector<std::int64_t> sent(cluster.host_of.size(), 0);
  for (std::size_t b = 0; b < cargo.bundles.size(); ++b) {
    const Bundle& bundle = cargo.bundles[b];
    const Parcel& parcel = inventory.parcels()[at(bundle.parcel)];
    const std::vector<DeviceId>& takers = inventory.devices(parcel.takers);
    const auto far = [&](DeviceId holder) {
      return std::pair(
          cluster.host_of[at(holder)] != cluster.host_of[at(takers[b % takers.size()])],
          sent[at(holder)]);
    };
    const std::vector<DeviceId>& holders = inventory.devices(parcel.holders);
    DeviceId from = *std::min_element(holders.begin(), holders.end(),
                                      [&](DeviceId x, DeviceId y) { return far(x) < far(y); });
    sent[at(from)] += bundle.bytes;
    for (std::size_t i = 0; i < takers.size(); ++i) {
      const DeviceId to = takers[(b + i) % takers.size()];
      const std::int32_t parent = i == 0 ? -1 : static_cast<std::int32_t>(hops.size()) - 1;
      hops.push_back({from, to, parent, static_cast<std::int32_t>(b)});
      turns.push_back(static_cast<double>(2 * i + 1) / static_cast<double>(takers.size()));
      from = to;
    }
  }
  return in_turn(std::move(cargo), hops, turns);
}

}  // namespace rhino::common::striped
