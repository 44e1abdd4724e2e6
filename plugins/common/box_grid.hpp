// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rhino/tile.hpp"

namespace rhino::common {

/// The distinct boxes of a sharded tensor with the devices that hold each. Every dim falls into
/// intervals, uneven ones and strided ones alike, and every choice of one interval per dim is a
/// box; so what overlaps a given box is found dim by dim.
class BoxGrid {
 public:
  BoxGrid(const std::vector<std::int64_t>& dims, const ShardingSpec& spec, const Mesh& mesh)
      : whole_{std::vector<std::int64_t>(dims.size(), 0), dims}, intervals_(dims.size()) {
    std::vector<std::vector<std::vector<Interval>>> held(mesh.devices.size());  // [rank][dim]
    for (std::size_t rank = 0; rank < held.size(); ++rank) {
      const auto position = coordinates(mesh, static_cast<std::int64_t>(rank));
      for (std::size_t d = 0; d < dims.size(); ++d) {
        held[rank].push_back(held_intervals(spec.dims[d], dims[d], mesh, position));
        intervals_[d].insert(intervals_[d].end(), held[rank][d].begin(), held[rank][d].end());
      }
    }
    std::size_t num_boxes = 1;
    for (std::vector<Interval>& of_dim : intervals_) {
      std::sort(of_dim.begin(), of_dim.end(),
                [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
      of_dim.erase(std::unique(of_dim.begin(), of_dim.end()), of_dim.end());
      num_boxes *= of_dim.size();
    }
    devices_.resize(num_boxes);
    for (std::size_t rank = 0; rank < held.size(); ++rank)
      add_device(mesh.devices[rank], held[rank], 0, 0);
  }

  /// Calls visit(box, devices) for every box, row-major; devices in mesh order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_overlap(whole_, visit);
  }

  /// Calls visit(common, devices) for the part that each box shares with `box`, row-major.
  template <class Visit>
  void for_each_overlap(const Box& box, Visit&& visit) const {
    const std::size_t rank = intervals_.size();
    std::vector<Range> range(rank);
    std::vector<std::size_t> at(rank);
    for (std::size_t d = 0; d < rank; ++d) {
      range[d] = overlapping(box, d);
      if (range[d].first == range[d].last) return;
      at[d] = range[d].first;
    }
    Box common = box;
    while (true) {
      std::size_t index = 0;
      for (std::size_t d = 0; d < rank; ++d) {
        const Interval& part = intervals_[d][at[d]];
        common.start[d] = std::max(box.start[d], part.begin);
        common.size[d] = std::min(box.start[d] + box.size[d], part.end) - common.start[d];
        index = index * intervals_[d].size() + at[d];
      }
      visit(std::as_const(common), devices_[index]);
      std::size_t d = rank;
      for (; d > 0 && ++at[d - 1] == range[d - 1].last; --d) at[d - 1] = range[d - 1].first;
      if (d == 0) return;
    }
  }

  /// Into how many intervals dim `d` of `box` falls.
  std::size_t num_parts(const Box& box, std::size_t d) const {
    const Range range = overlapping(box, d);
    return range.last - range.first;
  }

 private:
  /// Indices of consecutive intervals of one dim.
  struct Range {
    std::size_t first = 0, last = 0;
  };

  Range overlapping(const Box& box, std::size_t d) const {
    const std::vector<Interval>& parts = intervals_[d];
    const std::int64_t begin = box.start[d], end = begin + box.size[d];
    const auto first = std::partition_point(
        parts.begin(), parts.end(), [&](const Interval& part) { return part.end <= begin; });
    const auto last = std::partition_point(first, parts.end(),
                                           [&](const Interval& part) { return part.begin < end; });
    return {static_cast<std::size_t>(first - parts.begin()),
            static_cast<std::size_t>(last - parts.begin())};
  }

  /// Notes `device` in all boxes of its tile: those of `held` from dim `d` on, below `index`.
  void add_device(DeviceId device, const std::vector<std::vector<Interval>>& held, std::size_t d,
                  std::size_t index) {
    if (d == held.size()) {
      devices_[index].push_back(device);
      return;
    }
    for (const Interval& part : held[d]) {
      const auto found =
          std::partition_point(intervals_[d].begin(), intervals_[d].end(),
                               [&](const Interval& other) { return other.begin < part.begin; });
      const auto offset = static_cast<std::size_t>(found - intervals_[d].begin());
      add_device(device, held, d + 1, index * intervals_[d].size() + offset);
    }
  }

  Box whole_;
  std::vector<std::vector<Interval>> intervals_;  ///< [dim], disjoint, in increasing order
  std::vector<std::vector<DeviceId>> devices_;    ///< [box, row-major over intervals]
};

}  // namespace rhino::common
