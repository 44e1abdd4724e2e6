// SPDX-License-Identifier: Apache-2.0
#include "plan/transfer_steps.hpp"

#include <algorithm>
#include <map>

#include "rhino/error.hpp"

namespace rhino {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool overlap(const Box& a, const Box& b) { return num_elements(intersect(a, b)) > 0; }

/// What a device holds, or is to hold, of one tensor.
struct Tile {
  std::vector<TileBox> boxes;
  bool is_target = false;
};

class Converter {
 public:
  Converter(const ReshardProblem& problem, const TransferPlan& plan)
      : problem_(problem), plan_(plan), tiles_(problem.tensors.size()), op_steps_(plan.ops.size()) {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const ReshardTensor& tensor = problem.tensors[t];
      add_tiles(t, tensor.source_spec, tensor.source_mesh, false);
      for (const ReshardTarget& target : tensor.targets)
        add_tiles(t, target.spec, target.mesh, true);
    }
  }

  std::vector<TransferStep> convert() {
    for (op_ = 0; op_ < plan_.ops.size(); ++op_) {
      const TransferOp& op = plan_.ops[op_];
      if (op.tensor < 0 || at(op.tensor) >= tiles_.size())
        fail("names tensor " + std::to_string(op.tensor) + " of " + std::to_string(tiles_.size()));
      for (std::int32_t earlier : op.after) {
        if (earlier < 0 || at(earlier) >= op_)
          fail("comes after op " + std::to_string(earlier) + ", which is no earlier one");
      }
      std::visit([this](const auto& what) { add(what); }, op.what);
    }
    return std::move(steps_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error("op " + std::to_string(op_) + " of the transfer plan " + sentence);
  }

  void add_tiles(std::size_t tensor, const ShardingSpec& spec, const Mesh& mesh, bool is_target) {
    for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
      tiles_[tensor][mesh.devices[rank]] = {tile_boxes(problem_.tensors[tensor].shape.dims, spec,
                                                       mesh, static_cast<std::int64_t>(rank)),
                                            is_target};
    }
  }

  const Tile& tile(DeviceId device) const {
    const std::map<DeviceId, Tile>& tiles = tiles_[at(plan_.ops[op_].tensor)];
    const auto found = tiles.find(device);
    if (found == tiles.end())
      fail("names device " + std::to_string(device) + ", which is on neither side");
    return found->second;
  }

  void check(const Box& box) const {
    const std::vector<std::int64_t>& dims = problem_.tensors[at(plan_.ops[op_].tensor)].shape.dims;
    bool fits = box.start.size() == dims.size() && box.size.size() == dims.size();
    for (std::size_t d = 0; fits && d < dims.size(); ++d) {
      fits = box.start[d] >= 0 && box.size[d] >= 1 && box.size[d] <= dims[d] &&
             box.start[d] <= dims[d] - box.size[d];
    }
    if (!fits) fail("has a box that is no part of its tensor");
  }

  void add(const Copy& copy) {
    check(copy.box);
    send(copy.from, copy.to, copy.box, {}, true);
  }

  void add(const Multicast& multicast) {
    check(multicast.box);
    if (multicast.num_chunks < 1)
      fail("multicasts in " + std::to_string(multicast.num_chunks) + " pieces");
    for (const Box& piece : pieces(multicast.box, multicast.num_chunks)) {
      std::vector<std::int32_t> arrived;
      DeviceId from = multicast.from;
      for (DeviceId receiver : multicast.receivers) {
        arrived = send(from, receiver, piece, arrived, from == multicast.from);
        from = receiver;
      }
    }
  }

  /// Along the dim that lies furthest apart in memory and is long enough, else as finely as the
  /// longest allows.
  static std::vector<Box> pieces(const Box& box, std::int64_t count) {
    std::size_t dim = 0;
    for (std::size_t d = 0; d < box.size.size(); ++d) {
      if (box.size[d] >= count) {
        dim = d;
        break;
      }
      if (box.size[d] > box.size[dim]) dim = d;
    }
    if (box.size.empty()) return {box};
    count = std::min(count, box.size[dim]);
    std::vector<Box> list;
    for (std::int64_t i = 0; i < count; ++i) {
      Box piece = box;
      const std::int64_t begin = box.size[dim] * i / count, end = box.size[dim] * (i + 1) / count;
      piece.start[dim] += begin;
      piece.size[dim] = end - begin;
      list.push_back(std::move(piece));
    }
    return list;
  }

  /// A ring: in round r every device passes on what it got in round r - 1.
  void add(const AllGather& gather) {
    const std::size_t n = gather.group.size();
    if (gather.boxes.size() != n)
      fail("gathers " + std::to_string(gather.boxes.size()) + " boxes over " + std::to_string(n) +
           " devices");
    for (const Box& box : gather.boxes) check(box);
    std::vector<std::vector<std::int32_t>> arrived(n);  // of box i, where it is now
    for (std::size_t round = 0; round + 1 < n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t holder = (i + round) % n;
        arrived[i] = send(gather.group[holder], gather.group[(holder + 1) % n], gather.boxes[i],
                          arrived[i], round == 0);
      }
    }
  }

  /// One step per pair of tile boxes that share a part of `box`. `first`: the data was there before
  /// this op.
  std::vector<std::int32_t> send(DeviceId from, DeviceId to, const Box& box,
                                 const std::vector<std::int32_t>& arrived, bool first) {
    const Tile& source = tile(from);
    const Tile& target = tile(to);
    if (!target.is_target) fail("sends to device " + std::to_string(to) + ", which is no target");
    if (from == to) fail("sends from device " + std::to_string(from) + " to itself");
    std::vector<std::int32_t> made;
    std::int64_t wanted = 0;
    for (const TileBox& into : target.boxes) {
      const Box part = intersect(box, into.global);
      wanted += num_elements(part);
      if (num_elements(part) == 0) continue;
      for (const TileBox& out : source.boxes) {
        const Box common = intersect(part, out.global);
        if (num_elements(common) == 0) continue;
        made.push_back(static_cast<std::int32_t>(steps_.size()));
        steps_.push_back({plan_.ops[op_].tensor, from, to, common, local(common, out),
                          local(common, into), source.is_target,
                          first ? awaited(from, common) : data(arrived, common)});
        op_steps_[op_].push_back(made.back());
      }
    }
    if (wanted != num_elements(box))
      fail("sends elements to device " + std::to_string(to) + " that are outside of its tile");
    return made;
  }

  static Box local(const Box& global, const TileBox& tile) {
    Box box = global;
    for (std::size_t d = 0; d < box.start.size(); ++d)
      box.start[d] += tile.local.start[d] - tile.global.start[d];
    return box;
  }

  /// Those of `steps` that bring elements of `box`.
  std::vector<std::int32_t> data(const std::vector<std::int32_t>& steps, const Box& box) const {
    std::vector<std::int32_t> list;
    for (std::int32_t step : steps) {
      if (overlap(steps_[at(step)].global, box)) list.push_back(step);
    }
    return list;
  }

  /// The ends of the ops that this one comes after, and where they bring `box` of this tensor to
  /// `from`, those steps.
  std::vector<std::int32_t> awaited(DeviceId from, const Box& box) const {
    std::vector<std::int32_t> list;
    for (std::int32_t earlier : plan_.ops[op_].after) {
      for (std::int32_t step : op_steps_[at(earlier)]) {
        const TransferStep& other = steps_[at(step)];
        const bool brings =
            other.to == from && other.part == plan_.ops[op_].tensor && overlap(other.global, box);
        if (brings || is_end(earlier, step)) list.push_back(step);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  /// No other step of the same op waits for `step`.
  bool is_end(std::int32_t op, std::int32_t step) const {
    if (std::holds_alternative<Copy>(plan_.ops[at(op)].what)) return true;
    if (const auto* multicast = std::get_if<Multicast>(&plan_.ops[at(op)].what))
      return steps_[at(step)].to == multicast->receivers.back();
    const auto& gather = std::get<AllGather>(plan_.ops[at(op)].what);
    return std::count_if(op_steps_[at(op)].begin(), op_steps_[at(op)].end(),
                         [&](std::int32_t later) {
                           const std::vector<std::int32_t>& after = steps_[at(later)].after;
                           return std::find(after.begin(), after.end(), step) != after.end();
                         }) == 0 &&
           !gather.group.empty();
  }

  const ReshardProblem& problem_;
  const TransferPlan& plan_;
  std::vector<std::map<DeviceId, Tile>> tiles_;
  std::vector<std::vector<std::int32_t>> op_steps_;
  std::vector<TransferStep> steps_;
  std::size_t op_ = 0;
};

}  // namespace

std::vector<TransferStep> transfer_steps(const ReshardProblem& problem, const TransferPlan& plan) {
  return Converter(problem, plan).convert();
}

}  // namespace rhino
