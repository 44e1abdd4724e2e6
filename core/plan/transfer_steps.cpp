// SPDX-License-Identifier: Apache-2.0
#include "plan/transfer_steps.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

bool overlap(const Box& a, const Box& b) {
  for (std::size_t d = 0; d < a.start.size(); ++d) {
    if (a.start[d] + a.size[d] <= b.start[d] || b.start[d] + b.size[d] <= a.start[d]) return false;
  }
  return true;
}

/// A range of one dim that a device holds, and where it lies in its tile.
struct Held {
  std::int64_t begin = 0, end = 0, local = 0;
};

/// What a device holds, or is to hold, of one tensor: ranges per dim, in order.
using Tile = std::vector<std::vector<Held>>;

Tile make_tile(const std::vector<std::int64_t>& dims, const ShardingSpec& spec, const Mesh& mesh,
               std::size_t rank) {
  const std::vector<std::int64_t> position = coordinates(mesh, static_cast<std::int64_t>(rank));
  Tile tile(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::int64_t local = 0;
    for (const Interval& range : held_intervals(spec.dims[d], dims[d], mesh, position)) {
      tile[d].push_back({range.begin, range.end, local});
      local += range.end - range.begin;
    }
  }
  return tile;
}

/// The first of `ranges` that ends behind `index`.
std::vector<Held>::const_iterator first_behind(const std::vector<Held>& ranges,
                                               std::int64_t index) {
  return std::partition_point(ranges.begin(), ranges.end(),
                              [index](const Held& range) { return range.end <= index; });
}

/// How many elements of [begin, end) are in `ranges`.
std::int64_t num_held(const std::vector<Held>& ranges, std::int64_t begin, std::int64_t end) {
  std::int64_t count = 0;
  for (auto range = first_behind(ranges, begin); range != ranges.end() && range->begin < end;
       ++range)
    count += std::min(range->end, end) - std::max(range->begin, begin);
  return count;
}

bool holds(const Tile& tile, const Box& box) {
  for (std::size_t d = 0; d < tile.size(); ++d) {
    if (num_held(tile[d], box.start[d], box.start[d] + box.size[d]) != box.size[d]) return false;
  }
  return true;
}

/// A range that both ends of a message hold.
struct Shared {
  std::int64_t begin = 0, size = 0, source = 0, target = 0;  ///< in the tensor and in both tiles
};

/// The parts of [begin, end) that both hold in one piece.
std::vector<Shared> shared_ranges(const std::vector<Held>& source, const std::vector<Held>& target,
                                  std::int64_t begin, std::int64_t end) {
  std::vector<Shared> shared;
  auto from = first_behind(source, begin);
  auto to = first_behind(target, begin);
  while (from != source.end() && to != target.end()) {
    const std::int64_t first = std::max({from->begin, to->begin, begin});
    const std::int64_t last = std::min({from->end, to->end, end});
    if (first < last) {
      shared.push_back(
          {first, last - first, first - from->begin + from->local, first - to->begin + to->local});
    }
    if (std::max(from->begin, to->begin) >= end) break;
    if (from->end <= to->end) ++from;
    else ++to;
  }
  return shared;
}

/// The tiles of one tensor by device, source and target apart.
class Tiles {
 public:
  explicit Tiles(const ReshardTensor& tensor) {
    add(tensor, tensor.source_spec, tensor.source_mesh, source_);
    for (const ReshardTarget& target : tensor.targets)
      add(tensor, target.spec, target.mesh, target_);
  }

  const Tile* source(DeviceId device) const { return find(source_, device); }
  const Tile* target(DeviceId device) const { return find(target_, device); }

 private:
  void add(const ReshardTensor& tensor, const ShardingSpec& spec, const Mesh& mesh,
           std::vector<std::int32_t>& index) {
    for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
      const std::size_t device = at(mesh.devices[rank]);
      if (index.size() <= device) index.resize(device + 1, -1);
      index[device] = static_cast<std::int32_t>(tiles_.size());
      tiles_.push_back(make_tile(tensor.shape.dims, spec, mesh, rank));
    }
  }
  const Tile* find(const std::vector<std::int32_t>& index, DeviceId device) const {
    const bool known = device >= 0 && at(device) < index.size() && index[at(device)] >= 0;
    return known ? &tiles_[at(index[at(device)])] : nullptr;
  }

  std::vector<std::int32_t> source_, target_;  ///< per device, into tiles_; -1: none
  std::vector<Tile> tiles_;
};

/// The steps that an op has become, and those of them that none of the others waits for.
struct OpSteps {
  std::int32_t first = 0, last = 0;  ///< half-open
  std::vector<std::int32_t> ends;
};

class Converter {
 public:
  Converter(const ReshardProblem& problem, const TransferPlan& plan)
      : problem_(problem), plan_(plan) {
    for (const ReshardTensor& tensor : problem.tensors) tiles_.emplace_back(tensor);
    steps_.reserve(plan.ops.size());
    op_steps_.reserve(plan.ops.size());
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
      OpSteps made{.first = static_cast<std::int32_t>(steps_.size()), .last = 0, .ends = {}};
      made.ends = std::visit([this](const auto& what) { return add(what); }, op.what);
      made.last = static_cast<std::int32_t>(steps_.size());
      if (made.ends.empty()) made.ends = ends_before();  // what comes after it comes after those
      op_steps_.push_back(std::move(made));
    }
    return std::move(steps_);
  }

 private:
  using Steps = std::vector<std::int32_t>;

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error("op " + std::to_string(op_) + " of the transfer plan " + sentence);
  }

  std::int32_t tensor() const { return plan_.ops[op_].tensor; }

  void check(const Box& box) const {
    const std::vector<std::int64_t>& dims = problem_.tensors[at(tensor())].shape.dims;
    bool fits = box.start.size() == dims.size() && box.size.size() == dims.size();
    for (std::size_t d = 0; fits && d < dims.size(); ++d) {
      fits = box.start[d] >= 0 && box.size[d] >= 1 && box.size[d] <= dims[d] &&
             box.start[d] <= dims[d] - box.size[d];
    }
    if (!fits) fail("has a box that is no part of its tensor");
  }

  // Each add() returns the ends of the op.

  Steps add(const Copy& copy) {
    check(copy.box);
    return send(copy.from, copy.to, copy.box);
  }

  Steps add(const Multicast& multicast) {
    check(multicast.box);
    if (multicast.num_chunks < 1)
      fail("multicasts in " + std::to_string(multicast.num_chunks) + " pieces");
    Steps ends;
    for (const Box& piece : pieces(multicast.box, multicast.num_chunks)) {
      Steps arrived;
      DeviceId from = multicast.from;
      for (std::size_t i = 0; i < multicast.receivers.size(); ++i) {
        const DeviceId to = multicast.receivers[i];
        arrived = i == 0 ? send(from, to, piece) : relay(from, to, piece, arrived);
        from = to;
      }
      ends.insert(ends.end(), arrived.begin(), arrived.end());
    }
    return ends;
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
  Steps add(const AllGather& gather) {
    const std::size_t n = gather.group.size();
    if (gather.boxes.size() != n)
      fail("gathers " + std::to_string(gather.boxes.size()) + " boxes over " + std::to_string(n) +
           " devices");
    for (const Box& box : gather.boxes) check(box);
    std::vector<Steps> arrived(n);  // of box i, where it is now
    for (std::size_t round = 0; round + 1 < n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        const DeviceId from = gather.group[(i + round) % n];
        const DeviceId to = gather.group[(i + round + 1) % n];
        arrived[i] = round == 0 ? send(from, to, gather.boxes[i])
                                : relay(from, to, gather.boxes[i], arrived[i]);
      }
    }
    Steps ends;
    for (const Steps& steps : arrived) ends.insert(ends.end(), steps.begin(), steps.end());
    return ends;
  }

  const Tile& target_of(DeviceId device) const {
    const Tile* tile = tiles_[at(tensor())].target(device);
    if (tile == nullptr && tiles_[at(tensor())].source(device) == nullptr) fail_device(device);
    if (tile == nullptr) fail("sends to device " + std::to_string(device) + ", which is no target");
    return *tile;
  }
  [[noreturn]] void fail_device(DeviceId device) const {
    fail("names device " + std::to_string(device) + ", which is on neither side");
  }

  /// Sends what `from` held before this op: from its source tile where the whole box lies there or
  /// it has no other, else from its target tile, once that has arrived.
  Steps send(DeviceId from, DeviceId to, const Box& box) {
    const Tile* source = tiles_[at(tensor())].source(from);
    const Tile* relayed = tiles_[at(tensor())].target(from);
    if (source == nullptr && relayed == nullptr) fail_device(from);
    const Tile& target = target_of(to);
    if (source != nullptr && (relayed == nullptr || from == to || holds(*source, box))) {
      return add_steps({from, to, false}, *source, target, box,
                       [this](const Box&) { return ends_before(); });
    }
    if (from == to)
      fail("copies within device " + std::to_string(from) + ", which holds no source tile");
    return add_steps({from, to, true}, *relayed, target, box,
                     [this, from](const Box& part) { return awaited(from, part); });
  }

  /// Passes on what `arrived` brought to `from` in this op.
  Steps relay(DeviceId from, DeviceId to, const Box& box, const Steps& arrived) {
    const Tile& target = target_of(to);
    if (from == to) fail("sends from device " + std::to_string(from) + " to itself");
    return add_steps({from, to, true}, target_of(from), target, box,
                     [&](const Box& part) { return bringing(arrived, part); });
  }

  struct Ends {
    DeviceId from = 0, to = 0;
    bool relayed = false;
  };

  /// One step per part of `box` that lies in one piece in both tiles.
  template <class After>
  Steps add_steps(const Ends& ends, const Tile& source, const Tile& target, const Box& box,
                  After&& after) {
    const std::size_t rank = box.start.size();
    std::vector<std::vector<Shared>> shared(rank);
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t end = box.start[d] + box.size[d];
      if (num_held(target[d], box.start[d], end) != box.size[d]) {
        fail("sends elements to device " + std::to_string(ends.to) +
             " that are outside of its tile");
      }
      if (num_held(source[d], box.start[d], end) != box.size[d]) {
        fail("sends elements from device " + std::to_string(ends.from) +
             " that are outside of its tile");
      }
      shared[d] = shared_ranges(source[d], target[d], box.start[d], end);
    }
    Steps made;
    if (std::any_of(shared.begin(), shared.end(), [](const auto& list) { return list.empty(); }))
      return made;
    std::vector<std::size_t> cell(rank, 0);
    while (true) {
      made.push_back(static_cast<std::int32_t>(steps_.size()));
      steps_.push_back(step_of(ends, shared, cell));
      steps_.back().after = after(steps_.back().global);
      std::size_t d = rank;
      while (d > 0 && ++cell[d - 1] == shared[d - 1].size()) cell[--d] = 0;
      if (d == 0) return made;
    }
  }

  TransferStep step_of(const Ends& ends, const std::vector<std::vector<Shared>>& shared,
                       const std::vector<std::size_t>& cell) const {
    TransferStep step;
    step.part = tensor();
    step.from = ends.from;
    step.to = ends.to;
    step.relayed = ends.relayed;
    for (Box* box : {&step.global, &step.source, &step.target}) {
      box->start.reserve(cell.size());
      box->size.reserve(cell.size());
    }
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Shared& range = shared[d][cell[d]];
      step.global.start.push_back(range.begin);
      step.source.start.push_back(range.source);
      step.target.start.push_back(range.target);
      for (Box* box : {&step.global, &step.source, &step.target}) box->size.push_back(range.size);
    }
    return step;
  }

  /// Those of `steps` that bring elements of `box`.
  Steps bringing(const Steps& steps, const Box& box) const {
    Steps list;
    for (std::int32_t step : steps) {
      if (overlap(steps_[at(step)].global, box)) list.push_back(step);
    }
    return list;
  }

  /// The ends of the ops that this one comes after.
  Steps ends_before() const {
    Steps list;
    for (std::int32_t earlier : plan_.ops[op_].after) {
      const Steps& ends = op_steps_[at(earlier)].ends;
      list.insert(list.end(), ends.begin(), ends.end());
    }
    return sorted(std::move(list));
  }
  /// And of their steps those that bring `box` of this tensor to `from`.
  Steps awaited(DeviceId from, const Box& box) const {
    Steps list = ends_before();
    for (std::int32_t earlier : plan_.ops[op_].after) {
      for (std::int32_t s = op_steps_[at(earlier)].first; s < op_steps_[at(earlier)].last; ++s) {
        const TransferStep& step = steps_[at(s)];
        if (step.to == from && step.part == tensor() && overlap(step.global, box))
          list.push_back(s);
      }
    }
    return sorted(std::move(list));
  }
  static Steps sorted(Steps list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  const ReshardProblem& problem_;
  const TransferPlan& plan_;
  std::vector<Tiles> tiles_;
  std::vector<OpSteps> op_steps_;
  std::vector<TransferStep> steps_;
  std::size_t op_ = 0;
};

}  // namespace

std::vector<TransferStep> transfer_steps(const ReshardProblem& problem, const TransferPlan& plan) {
  return Converter(problem, plan).convert();
}

}  // namespace rhino::plan
