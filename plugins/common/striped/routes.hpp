// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/striped/rehearsal.hpp"
#include "common/striped/relay_trees.hpp"

/// Crossings between nodes as messages between devices.
namespace rhino::common::striped {

/// What nodes are: hosts, or (`inside`) devices.
struct Ground {
  Inventory& inventory;
  const Cluster& cluster;
  bool inside = false;
};

namespace detail {

class Router {
 public:
  /// Pieces of the traffic are those of the journey from `first_piece` on.
  Router(const Traffic& traffic, const Ground& ground, Journey& journey)
      : traffic_(traffic),
        ground_(ground),
        journey_(journey),
        first_piece_(static_cast<std::int32_t>(journey.pieces.size())),
        sent_(ground.cluster.host_of.size(), 0),
        entered_(sent_),
        hops_of_(traffic.crossings.size()) {
    journey.pieces.insert(journey.pieces.end(), traffic.pieces.begin(), traffic.pieces.end());
  }

  void add(std::int32_t index) {
    const Crossing& crossing = traffic_.crossings[at(index)];
    const Piece& piece = traffic_.pieces[at(crossing.piece)];
    const Parcel& parcel = ground_.inventory.parcels()[at(piece.parcel)];
    auto [from, parent] = sender(crossing, parcel);
    sent_[at(from)] += piece.portions.bytes;
    const std::vector<DeviceId> entered =
        enter(from, devices(parcel.takers, crossing.to), piece.portions.bytes);
    hops_of_[at(index)] = {static_cast<std::int32_t>(journey_.hops.size()),
                           static_cast<std::int32_t>(journey_.hops.size() + entered.size())};
    for (const DeviceId device : entered) {
      journey_.hops.push_back({from, device, parent, first_piece_ + crossing.piece});
      from = device;
      parent = static_cast<std::int32_t>(journey_.hops.size()) - 1;
    }
  }

 private:
  /// The device that sends a crossing, and the hop that brought it there.
  std::pair<DeviceId, std::int32_t> sender(const Crossing& crossing, const Parcel& parcel) {
    if (crossing.parent < 0) return {least(devices(parcel.holders, crossing.from), sent_), -1};
    auto [best, end] = hops_of_[at(crossing.parent)];
    const auto sent = [&](std::int32_t hop) { return sent_[at(journey_.hops[at(hop)].to)]; };
    for (std::int32_t hop = best; hop < end; ++hop)
      if (sent(hop) < sent(best)) best = hop;
    return {journey_.hops[at(best)].to, best};
  }

  /// Those of a set that belong to a node.
  std::vector<DeviceId> devices(std::int32_t set, std::int32_t node) {
    if (ground_.inside) return {node};
    return ground_.inventory.on_host(set, node);
  }

  static DeviceId least(const std::vector<DeviceId>& devices,
                        const std::vector<std::int64_t>& bytes) {
    return *std::min_element(devices.begin(), devices.end(),
                             [&](DeviceId a, DeviceId b) { return bytes[at(a)] < bytes[at(b)]; });
  }

  /// From the device that has been entered least, on in a circle. A sender stays with a device for
  /// a while: messages to the same one follow each other and arrive sooner than side by side.
  std::vector<DeviceId> enter(DeviceId sender, std::vector<DeviceId> devices, std::int64_t bytes) {
    constexpr std::int64_t kRun = 8;
    DeviceId entry = least(devices, entered_);
    DeviceId& before =
        entry_of_.try_emplace((std::int64_t{sender} << 32) | devices.front(), entry).first->second;
    const auto same = std::find(devices.begin(), devices.end(), before);
    if (same != devices.end() &&
        entered_[at(before)] < entered_[at(entry)] + kRun * traffic_.piece_bytes)
      entry = before;
    before = entry;
    entered_[at(entry)] += bytes;
    std::rotate(devices.begin(), std::find(devices.begin(), devices.end(), entry), devices.end());
    return devices;
  }

  const Traffic& traffic_;
  const Ground& ground_;
  Journey& journey_;
  std::int32_t first_piece_;
  std::vector<std::int64_t> sent_, entered_;  ///< bytes per device
  /// Per crossing: first and end of the hops into its host, entry first.
  std::vector<std::pair<std::int32_t, std::int32_t>> hops_of_;
  /// By sender and first device of a group: where its last piece entered the group.
  std::unordered_map<std::int64_t, DeviceId> entry_of_;
};

/// The parts of one dim that two devices hold.
inline std::vector<Interval> common(const std::vector<Interval>& a,
                                    const std::vector<Interval>& b) {
  std::vector<Interval> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval range{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (range.begin < range.end) both.push_back(range);
    if (a[i].end < b[j].end) ++i;
    else ++j;
  }
  return both;
}

inline std::vector<Box> common_boxes(const ReshardTensor& tensor, std::size_t source_rank,
                                     const ReshardTarget& target, std::size_t target_rank) {
  const auto from = coordinates(tensor.source_mesh, static_cast<std::int64_t>(source_rank));
  const auto to = coordinates(target.mesh, static_cast<std::int64_t>(target_rank));
  std::vector<Box> boxes{Box{}};
  for (std::size_t d = 0; d < tensor.shape.dims.size(); ++d) {
    const std::int64_t extent = tensor.shape.dims[d];
    const std::vector<Interval> ranges =
        common(held_intervals(tensor.source_spec.dims[d], extent, tensor.source_mesh, from),
               held_intervals(target.spec.dims[d], extent, target.mesh, to));
    std::vector<Box> finer;
    for (const Box& box : boxes) {
      for (const Interval& range : ranges) {
        finer.push_back(box);
        finer.back().start.push_back(range.begin);
        finer.back().size.push_back(range.end - range.begin);
      }
    }
    boxes = std::move(finer);
  }
  return boxes;
}

}  // namespace detail

/// Hops of all crossings of one exchange, in the order in which those begin.
inline void add_hops(const Traffic& traffic, const std::vector<std::int32_t>& order,
                     const Ground& ground, Journey& journey) {
  detail::Router router(traffic, ground, journey);
  for (const std::int32_t crossing : order) router.add(crossing);
}

/// What a device holds at the source and wants too.
inline void add_copies_in_place(const ReshardProblem& problem, TransferPlan& plan) {
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    std::vector<std::int64_t> source_rank(problem.cluster.host_of.size(), -1);
    for (std::size_t rank = 0; rank < tensor.source_mesh.devices.size(); ++rank)
      source_rank[at(tensor.source_mesh.devices[rank])] = static_cast<std::int64_t>(rank);
    for (const ReshardTarget& target : tensor.targets) {
      for (std::size_t rank = 0; rank < target.mesh.devices.size(); ++rank) {
        const DeviceId device = target.mesh.devices[rank];
        if (source_rank[at(device)] < 0) continue;
        for (Box& box : detail::common_boxes(tensor, at(source_rank[at(device)]), target, rank)) {
          plan.ops.push_back(
              {static_cast<std::int32_t>(t), Copy{device, device, std::move(box)}, {}});
        }
      }
    }
  }
}

}  // namespace rhino::common::striped
