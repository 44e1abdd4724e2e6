// SPDX-License-Identifier: Apache-2.0
#include "conformance/deliveries.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::conformance {
namespace {

/// Row-major numbers of the elements of `box` in a tensor of `dims`.
std::vector<std::size_t> elements_of(const Box& box, const std::vector<std::int64_t>& dims) {
  std::vector<std::size_t> elements{0};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::size_t> finer;
    for (const std::size_t prefix : elements) {
      for (std::int64_t i = 0; i < box.size[d]; ++i)
        finer.push_back(prefix * at(dims[d]) + at(box.start[d] + i));
    }
    elements = std::move(finer);
  }
  return elements;
}

/// What one device holds, wants and has been sent of one tensor: its source tile and its target
/// tile, which are two even where they overlap. [element]
struct Holding {
  std::vector<bool> source, wanted;
  std::vector<std::int32_t> sent_by;  ///< op that brought it; -1: none
};

class Deliveries {
 public:
  Deliveries(const ReshardProblem& problem, const TransferPlan& plan)
      : problem_(problem), plan_(plan), holdings_(problem.tensors.size()) {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const ReshardTensor& tensor = problem.tensors[t];
      mark(t, tensor.source_mesh, tensor.source_spec, &Holding::source);
      for (const ReshardTarget& target : tensor.targets)
        mark(t, target.mesh, target.spec, &Holding::wanted);
    }
  }

  void play() {
    for (op_ = 0; op_ < plan_.ops.size(); ++op_) {
      const TransferOp& op = plan_.ops[op_];
      require(op.tensor >= 0 && at(op.tensor) < holdings_.size(),
              "names a tensor that is not there");
      note_earlier(op);
      std::visit([&](const auto& what) { deliver(what); }, op.what);
    }
    if (!plan_.incomplete) check_complete();
  }

 private:
  void require(bool condition, const std::string& fault) const {
    if (!condition) throw Error("op " + std::to_string(op_) + " " + fault);
  }

  void mark(std::size_t t, const Mesh& mesh, const ShardingSpec& spec,
            std::vector<bool> Holding::*which) {
    const std::vector<std::int64_t>& dims = problem_.tensors[t].shape.dims;
    for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
      Holding& holding = holdings_[t][mesh.devices[rank]];
      const std::size_t count = at(num_elements(dims));
      holding.source.resize(count);
      holding.wanted.resize(count);
      holding.sent_by.resize(count, -1);
      for (const TileBox& tile : tile_boxes(dims, spec, mesh, static_cast<std::int64_t>(rank))) {
        for (const std::size_t element : elements_of(tile.global, dims))
          (holding.*which)[element] = true;
      }
    }
  }

  /// [op][earlier]: whether `earlier` has ended when `op` begins.
  void note_earlier(const TransferOp& op) {
    std::vector<bool> earlier(plan_.ops.size());
    for (const std::int32_t index : op.after) {
      require(index >= 0 && at(index) < op_, "comes after an op that is no earlier one");
      earlier[at(index)] = true;
      for (std::size_t i = 0; i < at(index); ++i)
        if (after_[at(index)][i]) earlier[i] = true;
    }
    after_.push_back(std::move(earlier));
  }

  Holding& holding(DeviceId device) {
    auto& of_tensor = holdings_[at(plan_.ops[op_].tensor)];
    const auto found = of_tensor.find(device);
    require(found != of_tensor.end(),
            "names device " + std::to_string(device) + ", which is on neither side");
    return found->second;
  }

  std::vector<std::size_t> elements(const Box& box) const {
    const std::vector<std::int64_t>& dims = problem_.tensors[at(plan_.ops[op_].tensor)].shape.dims;
    bool fits = box.start.size() == dims.size() && box.size.size() == dims.size();
    for (std::size_t d = 0; fits && d < dims.size(); ++d) {
      fits = box.start[d] >= 0 && box.size[d] >= 1 && box.size[d] <= dims[d] &&
             box.start[d] <= dims[d] - box.size[d];
    }
    require(fits, "has a box that is no part of its tensor");
    return elements_of(box, dims);
  }

  /// All of it in the source tile, or all of it arrived in the target tile.
  void require_held(DeviceId device, const std::vector<std::size_t>& elements) {
    const Holding& sender = holding(device);
    const auto is_source = [&](std::size_t element) { return sender.source[element]; };
    if (std::all_of(elements.begin(), elements.end(), is_source)) return;
    for (const std::size_t element : elements) {
      const std::int32_t bringer = sender.sent_by[element];
      require(bringer >= 0 && after_[op_][at(bringer)],
              "sends element " + std::to_string(element) + " from device " +
                  std::to_string(device) + ", which does not hold it by then");
    }
  }

  void receive(DeviceId device, const std::vector<std::size_t>& elements) {
    Holding& receiver = holding(device);
    for (const std::size_t element : elements) {
      const std::string what =
          "sends element " + std::to_string(element) + " to device " + std::to_string(device);
      require(receiver.wanted[element], what + ", whose tile lacks it");
      require(receiver.sent_by[element] < 0, what + " once more");
      receiver.sent_by[element] = static_cast<std::int32_t>(op_);
    }
  }

  /// From a device to itself: from its source tile to its target tile.
  void deliver(const Copy& copy) {
    const std::vector<std::size_t> box = elements(copy.box);
    if (copy.from == copy.to) {
      for (const std::size_t element : box)
        require(holding(copy.from).source[element],
                "copies element " + std::to_string(element) + " within device " +
                    std::to_string(copy.from) + ", whose source tile lacks it");
    }
    require_held(copy.from, box);
    receive(copy.to, box);
  }

  void deliver(const Multicast& multicast) {
    const std::vector<std::size_t> box = elements(multicast.box);
    require(multicast.num_chunks >= 1, "multicasts in no piece");
    require(!multicast.receivers.empty(), "multicasts to nobody");
    require_held(multicast.from, box);
    for (const DeviceId device : multicast.receivers) {
      require(device != multicast.from, "multicasts from a device to itself");
      receive(device, box);
    }
  }

  void deliver(const AllGather& gather) {
    require(gather.group.size() == gather.boxes.size(),
            "gathers unlike numbers of boxes and devices");
    for (std::size_t i = 0; i < gather.group.size(); ++i)
      require_held(gather.group[i], elements(gather.boxes[i]));
    for (std::size_t i = 0; i < gather.group.size(); ++i) {
      for (std::size_t j = 0; j < gather.group.size(); ++j)
        if (i != j) receive(gather.group[j], elements(gather.boxes[i]));
    }
  }

  void check_complete() const {
    for (std::size_t t = 0; t < holdings_.size(); ++t) {
      for (const auto& [device, holding] : holdings_[t]) {
        for (std::size_t element = 0; element < holding.wanted.size(); ++element) {
          if (holding.wanted[element] && holding.sent_by[element] < 0) {
            throw Error("element " + std::to_string(element) + " of tensor " + std::to_string(t) +
                        " never reaches device " + std::to_string(device));
          }
        }
      }
    }
  }

  const ReshardProblem& problem_;
  const TransferPlan& plan_;
  std::vector<std::map<DeviceId, Holding>> holdings_;
  std::vector<std::vector<bool>> after_;
  std::size_t op_ = 0;
};

}  // namespace

std::string delivery_fault(const ReshardProblem& problem, const TransferPlan& plan) {
  try {
    Deliveries(problem, plan).play();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace rhino::conformance
