// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include "plan/plan_mesh.hpp"
#include "plan/shares.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

std::string text(const std::vector<std::int64_t>& element) {
  std::string list = "[";
  for (std::size_t d = 0; d < element.size(); ++d)
    list += (d ? ", " : "") + std::to_string(element[d]);
  return list + "]";
}

/// A pseudo-random function of a boundary between elements `index - 1` and `index` of dim `dim`.
std::uint64_t noise(std::size_t dim, std::int64_t index) {
  std::uint64_t x =
      static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15U + (dim + 1) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The sum, modulo 2^64, of a random weight per element: each weight is a product over dims of
/// noise(d, i + 1) - noise(d, i), so that the sum over a box takes one factor per dim. Boxes cover
/// another box exactly once if and (but for chance of 2^-60) only if their weights add up to its
/// weight: a proof in linear time.
std::uint64_t weight(const Box& box) {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < box.start.size(); ++d)
    product *= noise(d, box.start[d] + box.size[d]) - noise(d, box.start[d]);
  return product;
}

bool contains(const Box& outer, const Box& inner) { return intersect(outer, inner) == inner; }

/// An element of `whole` that the boxes cover another number of times than once, and how often: by
/// trying one element per cell of the grid that all borders draw.
std::optional<std::pair<std::vector<std::int64_t>, int>> find_fault(const Box& whole,
                                                                    const std::vector<Box>& boxes) {
  const std::size_t rank = whole.start.size();
  std::vector<std::vector<std::int64_t>> starts(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    starts[d].push_back(whole.start[d]);
    for (const Box& box : boxes) {
      for (std::int64_t border : {box.start[d], box.start[d] + box.size[d]}) {
        if (border > whole.start[d] && border < whole.start[d] + whole.size[d])
          starts[d].push_back(border);
      }
    }
    std::sort(starts[d].begin(), starts[d].end());
    starts[d].erase(std::unique(starts[d].begin(), starts[d].end()), starts[d].end());
  }
  std::vector<std::size_t> cell(rank, 0);
  while (true) {
    Box element{std::vector<std::int64_t>(rank), std::vector<std::int64_t>(rank, 1)};
    for (std::size_t d = 0; d < rank; ++d) element.start[d] = starts[d][cell[d]];
    const auto count = std::count_if(boxes.begin(), boxes.end(),
                                     [&](const Box& box) { return contains(box, element); });
    if (count != 1) return std::pair(element.start, static_cast<int>(count));
    std::size_t d = rank;
    while (d > 0 && ++cell[d - 1] == starts[d - 1].size()) cell[--d] = 0;
    if (d == 0) return std::nullopt;
  }
}

class TransferChecker {
 public:
  TransferChecker(const ExecutionPlan& plan, std::int32_t index)
      : plan_(plan), communication_(plan.communications[at(index)]), index_(index) {}

  void check() {
    for (std::int64_t share = 0; share < communication_.num_shares; ++share) {
      if (share > 0 || communication_.like >= 0) check_alike(share);
    }
    if (communication_.like >= 0) return;
    for (std::size_t p = 0; p < communication_.layouts.size(); ++p)
      find_tiles(static_cast<std::int32_t>(p));
    for (step_ = 0; step_ < communication_.steps.size(); ++step_)
      check_step(communication_.steps[step_]);
    if (!plan_.incomplete) check_complete();
  }

 private:
  struct Tile {
    std::vector<TileBox> boxes;
    std::vector<std::int32_t> arrivals;  ///< target: the steps that write it
  };
  using Key = std::pair<std::int32_t, DeviceId>;  ///< (part, device)

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error("communication " + std::to_string(index_) + " '" + communication_.name +
                "', step " + std::to_string(step_) + ": " + sentence);
  }

  /// A device of a share and what it holds, the share's first element counted as 0.
  struct Place {
    DeviceId device = 0;
    std::vector<TileBox> boxes;
  };
  /// Of one part, end after end.
  std::vector<Place> places(const Communication& communication, std::size_t part,
                            std::int64_t share) const {
    std::vector<Place> list;
    const std::vector<std::int64_t> begin = share_begin(communication, part, share);
    const auto add = [&](const TransferEnd& end) {
      const Mesh& mesh = mesh_of(plan_, end);
      for (const std::size_t rank :
           share_ranks(mesh, end.share_axis, communication.num_shares, share)) {
        list.push_back({mesh.devices[rank], tile_boxes(communication.parts[part].dims, end.spec,
                                                       mesh, static_cast<std::int64_t>(rank))});
        for (TileBox& box : list.back().boxes) {
          for (std::size_t d = 0; d < begin.size(); ++d) box.global.start[d] -= begin[d];
        }
      }
    };
    add(communication.layouts[part].source);
    for (const TransferEnd& target : communication.layouts[part].targets) add(target);
    return list;
  }

  /// One device of a share for each of the first, which holds the same but for where the share
  /// begins: then steps that are right for the first are right for it.
  void check_alike(std::int64_t share) const {
    const Communication& stated = stated_by(plan_.communications, communication_);
    std::map<DeviceId, DeviceId> stands_for, is_stated_by;
    const auto fail_share = [&](DeviceId device) {
      throw Error("communication " + std::to_string(index_) + " '" + communication_.name +
                  "': device " + std::to_string(device) + " of share " + std::to_string(share) +
                  " has no like among those whose steps it takes");
    };
    for (std::size_t p = 0; p < communication_.parts.size(); ++p) {
      const std::vector<Place> first = places(stated, p, 0), own = places(communication_, p, share);
      if (communication_.layouts[p].targets.size() != stated.layouts[p].targets.size() ||
          communication_.parts[p].dtype != stated.parts[p].dtype || first.size() != own.size())
        fail_share(own.front().device);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const DeviceId a = first[i].device, b = own[i].device;
        if (stands_for.try_emplace(b, a).first->second != a ||
            is_stated_by.try_emplace(a, b).first->second != b || first[i].boxes != own[i].boxes)
          fail_share(b);
      }
    }
  }

  void find_tiles(std::int32_t part) {
    const TransferLayout& layout = communication_.layouts[at(part)];
    add_tiles(part, layout.source, sources_);
    for (const TransferEnd& target : layout.targets) add_tiles(part, target, targets_);
  }
  void add_tiles(std::int32_t part, const TransferEnd& end, std::map<Key, Tile>& tiles) const {
    const Mesh& mesh = mesh_of(plan_, end);
    for (const std::size_t rank : share_ranks(mesh, end.share_axis, communication_.num_shares, 0)) {
      const auto [tile, added] = tiles.try_emplace({part, mesh.devices[rank]});
      if (!added) {
        throw Error("communication " + std::to_string(index_) + " '" + communication_.name +
                    "': device " + std::to_string(mesh.devices[rank]) +
                    " has two target tiles of part " + std::to_string(part));
      }
      tile->second.boxes = tile_boxes(communication_.parts[at(part)].dims, end.spec, mesh,
                                      static_cast<std::int64_t>(rank));
    }
  }

  void check_step(const TransferStep& step) {
    const auto target = targets_.find({step.part, step.to});
    if (target == targets_.end())
      fail("device " + std::to_string(step.to) + " is no target of part " +
           std::to_string(step.part));
    if (step.from == step.to && step.relayed)
      fail("device " + std::to_string(step.from) + " copies its target tile onto itself");
    require_at(target->second, step.global, step.target,
               "device " + std::to_string(step.to) + " writes");
    std::map<Key, Tile>& tiles = step.relayed ? targets_ : sources_;
    const auto source = tiles.find({step.part, step.from});
    if (source == tiles.end())
      fail("device " + std::to_string(step.from) + " has no part " + std::to_string(step.part) +
           " to send");
    require_at(source->second, step.global, step.source,
               "device " + std::to_string(step.from) + " reads");
    if (step.relayed) check_arrived(step, source->second);
    target->second.arrivals.push_back(static_cast<std::int32_t>(step_));
  }

  /// `global` lies in the tile, at `local`.
  void require_at(const Tile& tile, const Box& global, const Box& local,
                  const std::string& what) const {
    for (const TileBox& box : tile.boxes) {
      if (!contains(box.global, global)) continue;
      for (std::size_t d = 0; d < global.start.size(); ++d) {
        if (local.start[d] - box.local.start[d] != global.start[d] - box.global.start[d]) {
          fail(what + " element " + text(global.start) + " of part at " + text(local.start) +
               " of its tile, where another lies");
        }
      }
      return;
    }
    fail(what + " element " + text(global.start) +
         " and those around it, which are not all in its tile");
  }

  /// What a device passes on has come to it in earlier steps that this one waits for.
  void check_arrived(const TransferStep& step, const Tile& tile) {
    std::vector<Box> have;
    std::uint64_t sum = 0;
    const auto add = [&](std::int32_t earlier) {
      const TransferStep& other = communication_.steps[at(earlier)];
      if (other.part != step.part || other.to != step.from) return;
      const Box common = intersect(other.global, step.global);
      if (num_elements(common) == 0) return;
      have.push_back(common);
      sum += weight(common);
    };
    for (std::int32_t earlier : step.after) add(earlier);
    if (sum == weight(step.global)) return;
    have.clear();
    sum = 0;
    const std::vector<bool> before = ancestors(step);
    for (std::int32_t earlier : tile.arrivals) {
      if (before[at(earlier)]) add(earlier);
    }
    if (sum == weight(step.global)) return;
    const auto fault = find_fault(step.global, have);
    fail("device " + std::to_string(step.from) + " passes on element " +
         text(fault ? fault->first : step.global.start) + " of part " + std::to_string(step.part) +
         " before it holds it");
  }
  std::vector<bool> ancestors(const TransferStep& step) const {
    std::vector<bool> seen(communication_.steps.size());
    std::vector<std::int32_t> stack = step.after;
    while (!stack.empty()) {
      const std::int32_t next = stack.back();
      stack.pop_back();
      if (seen[at(next)]) continue;
      seen[at(next)] = true;
      const std::vector<std::int32_t>& after = communication_.steps[at(next)].after;
      stack.insert(stack.end(), after.begin(), after.end());
    }
    return seen;
  }

  void check_complete() const {
    for (const auto& [key, tile] : targets_) {
      std::uint64_t wanted = 0, sum = 0;
      for (const TileBox& box : tile.boxes) wanted += weight(box.global);
      for (std::int32_t step : tile.arrivals) sum += weight(communication_.steps[at(step)].global);
      if (sum != wanted) fail_incomplete(key, tile);
    }
  }
  [[noreturn]] void fail_incomplete(const Key& key, const Tile& tile) const {
    std::vector<Box> boxes;
    for (std::int32_t step : tile.arrivals) boxes.push_back(communication_.steps[at(step)].global);
    const std::string place =
        "communication " + std::to_string(index_) + " '" + communication_.name + "'";
    for (const TileBox& box : tile.boxes) {
      const auto fault = find_fault(box.global, boxes);
      if (!fault) continue;
      const std::string count =
          fault->second == 0 ? "never" : std::to_string(fault->second) + " times";
      throw Error(place + ": element " + text(fault->first) + " of part " +
                  std::to_string(key.first) + " (" +
                  to_string(communication_.parts[at(key.first)]) + ") arrives at device " +
                  std::to_string(key.second) + " " + count);
    }
    throw Error(place + ": part " + std::to_string(key.first) + " does not arrive at device " +
                std::to_string(key.second) + " exactly once");
  }

  const ExecutionPlan& plan_;
  const Communication& communication_;
  const std::int32_t index_;
  std::map<Key, Tile> sources_, targets_;
  std::size_t step_ = 0;
};

}  // namespace

void check_transfers(const ExecutionPlan& plan) {
  for (std::size_t c = 0; c < plan.communications.size(); ++c) {
    const Communication& communication = plan.communications[c];
    const std::string place = "communication " + std::to_string(c);
    if (communication.kind != CommunicationKind::transfer) {
      if (!communication.steps.empty())
        throw Error(place + " is a collective and has transfer steps");
      continue;
    }
    if (communication.layouts.size() != communication.parts.size())
      throw Error(place + " does not say how its parts lie");
    TransferChecker(plan, static_cast<std::int32_t>(c)).check();
  }
}

}  // namespace rhino::plan
