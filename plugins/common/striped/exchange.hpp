// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "rhino/set_table.hpp"
#include "rhino/slices.hpp"

/// What has to move where, seen twice: between hosts, whose devices share an interface, and between
/// the devices of a host.
namespace rhino::common::striped {

/// A box that the same devices hold and the same others lack.
struct Parcel {
  std::int32_t tensor = 0;
  Box box;
  std::int64_t bytes = 0;
  std::int32_t holders = 0, takers = 0;  ///< sets of devices
};

/// Parcels that are alike to the nodes of an exchange.
struct Demand {
  std::vector<std::int32_t> holders, takers;  ///< nodes, disjoint, neither empty
  std::vector<std::int32_t> parcels;
  std::int64_t bytes = 0;
};

/// Nodes, each with a full-duplex link of its own to all others, and what they owe each other.
struct Exchange {
  std::int32_t num_nodes = 0;
  Link link;
  std::vector<Demand> demands;
};

/// All parcels of a problem, in the order of its tensors and their slices.
class Inventory {
 public:
  explicit Inventory(const ReshardProblem& problem)
      : host_of_(problem.cluster.host_of),
        between_hosts_{num_hosts(), problem.cluster.host_link(0), {}},
        inside_hosts_{problem.cluster.num_devices(), problem.cluster.inside(0), {}} {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t)
      add(static_cast<std::int32_t>(t), problem.tensors[t]);
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }
  const Exchange& between_hosts() const { return between_hosts_; }
  const Exchange& inside_hosts() const { return inside_hosts_; }
  const std::vector<DeviceId>& devices(std::int32_t set) const { return devices_.members(set); }
  /// The devices of a set that are on one host.
  const std::vector<DeviceId>& on_host(std::int32_t set, std::int32_t host) {
    return devices_.members(by_host(set).at(host));
  }

 private:
  using ByHost = std::map<std::int32_t, std::int32_t>;  ///< host → set of devices

  std::int32_t num_hosts() const { return 1 + *std::max_element(host_of_.begin(), host_of_.end()); }

  void add(std::int32_t index, const ReshardTensor& tensor) {
    const Slicing slices = slicing(tensor);
    if (slices.sides.size() == 1) return;
    std::vector<std::vector<std::int32_t>> tiles;  // [side][tile]: set of devices
    for (const TileHolders& side : slices.sides) {
      tiles.emplace_back();
      for (const std::vector<DeviceId>& devices : side.devices)
        tiles.back().push_back(devices_.index(devices));
    }
    for_each_slice(slices, [&](const Slice& slice) {
      const std::int32_t holders = tiles[0][slice.tile[0]];
      std::int32_t wanting = tiles[1][slice.tile[1]];
      for (std::size_t s = 2; s < tiles.size(); ++s)
        wanting = devices_.unite(wanting, tiles[s][slice.tile[s]]);
      const std::int32_t takers = devices_.without(wanting, holders);
      if (!devices_.members(takers).empty())
        add(Parcel{index, {}, dtype_bytes(tensor.shape.dtype), holders, takers}, slice);
    });
  }

  /// One parcel per box of the slice.
  void add(const Parcel& prototype, const Slice& slice) {
    const std::size_t first = parcels_.size();
    std::vector<std::size_t> choice(slice.ranges.size(), 0);
    while (true) {
      Parcel& parcel = parcels_.emplace_back(prototype);
      for (std::size_t d = 0; d < choice.size(); ++d) {
        const Interval range = slice.ranges[d]->ranges[choice[d]];
        parcel.box.start.push_back(range.begin);
        parcel.box.size.push_back(range.end - range.begin);
        parcel.bytes *= range.end - range.begin;
      }
      std::size_t d = choice.size();
      while (d > 0 && ++choice[d - 1] == slice.ranges[d - 1]->ranges.size()) choice[--d] = 0;
      if (d == 0) break;
    }
    demand(first, prototype);
  }

  /// Enters the parcels from `first` on in the exchanges that they take part in.
  void demand(std::size_t first, const Parcel& like) {
    const std::int32_t holding = hosts_of(like.holders), wanting = hosts_of(like.takers);
    const std::int32_t lacking = hosts_.without(wanting, holding);
    if (!hosts_.members(lacking).empty()) {
      enter(first, between_index_[both(holding, lacking)], between_hosts_, hosts_.members(holding),
            hosts_.members(lacking));
    }
    if (lacking == wanting) return;
    for (const auto& [host, takers] : by_host(like.takers)) {
      const auto found = by_host(like.holders).find(host);
      if (found == by_host(like.holders).end()) continue;
      enter(first, inside_index_[both(found->second, takers)], inside_hosts_,
            devices_.members(found->second), devices_.members(takers));
    }
  }

  static std::int64_t both(std::int32_t a, std::int32_t b) { return (std::int64_t{a} << 32) | b; }

  /// `index`: 1 + the demand's, 0 where it is new.
  void enter(std::size_t first, std::size_t& index, Exchange& exchange,
             const std::vector<std::int32_t>& holders, const std::vector<std::int32_t>& takers) {
    if (index == 0) {
      exchange.demands.push_back({holders, takers, {}, 0});
      index = exchange.demands.size();
    }
    Demand& demand = exchange.demands[index - 1];
    for (std::size_t p = first; p < parcels_.size(); ++p) {
      demand.parcels.push_back(static_cast<std::int32_t>(p));
      demand.bytes += parcels_[p].bytes;
    }
  }

  const ByHost& by_host(std::int32_t set) {
    const auto [found, is_new] = by_host_.try_emplace(set);
    if (is_new) {
      std::map<std::int32_t, std::vector<DeviceId>> parts;
      for (const DeviceId device : devices_.members(set))
        parts[host_of_[at(device)]].push_back(device);
      for (auto& [host, part] : parts) found->second[host] = devices_.index(std::move(part));
    }
    return found->second;
  }

  std::int32_t hosts_of(std::int32_t set) {
    const auto [found, is_new] = hosts_of_.try_emplace(set, 0);
    if (is_new) {
      std::vector<std::int32_t> hosts;
      for (const DeviceId device : devices_.members(set)) hosts.push_back(host_of_[at(device)]);
      found->second = hosts_.index(std::move(hosts));
    }
    return found->second;
  }

  const std::vector<std::int32_t>& host_of_;
  SetTable devices_, hosts_;
  std::unordered_map<std::int32_t, ByHost> by_host_;
  std::unordered_map<std::int32_t, std::int32_t> hosts_of_;  ///< of a set of devices
  std::vector<Parcel> parcels_;
  Exchange between_hosts_, inside_hosts_;
  std::unordered_map<std::int64_t, std::size_t> between_index_, inside_index_;  ///< by both sets
};

}  // namespace rhino::common::striped
