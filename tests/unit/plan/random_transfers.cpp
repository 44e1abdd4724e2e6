// SPDX-License-Identifier: Apache-2.0
#include "random_transfers.hpp"

#include <algorithm>
#include <vector>

#include "rhino/index.hpp"

namespace rhino::test {
namespace {

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}
bool chance(std::mt19937& random, double probability) {
  return std::bernoulli_distribution(probability)(random);
}

struct Holder {
  DeviceId device = 0;
  std::vector<Box> boxes;
};
std::vector<Holder> holders_of(const ReshardTensor& tensor, const ShardingSpec& spec,
                               const Mesh& mesh) {
  std::vector<Holder> holders;
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    Holder& holder = holders.emplace_back(Holder{mesh.devices[rank], {}});
    for (const TileBox& box :
         tile_boxes(tensor.shape.dims, spec, mesh, static_cast<std::int64_t>(rank)))
      holder.boxes.push_back(box.global);
  }
  return holders;
}

/// Boxes that several devices hold alike.
using Shared = std::vector<std::pair<std::vector<Box>, std::vector<DeviceId>>>;
Shared distinct(const std::vector<Holder>& holders) {
  Shared shared;
  for (const Holder& holder : holders) {
    const auto same = std::find_if(shared.begin(), shared.end(),
                                   [&](const auto& other) { return other.first == holder.boxes; });
    if (same != shared.end()) same->second.push_back(holder.device);
    else shared.push_back({holder.boxes, {holder.device}});
  }
  return shared;
}

/// A piece of one dim after the other: `count` parts as even as may be, empty ones left out.
std::vector<Box> cut(const Box& box, std::int64_t count) {
  std::vector<Box> parts;
  if (box.size.empty()) return {box};
  const auto longest = std::max_element(box.size.begin(), box.size.end()) - box.size.begin();
  for (std::int64_t i = 0; i < count; ++i) {
    Box part = box;
    const std::int64_t extent = box.size[at(longest)];
    part.start[at(longest)] += extent * i / count;
    part.size[at(longest)] = extent * (i + 1) / count - extent * i / count;
    if (part.size[at(longest)] > 0) parts.push_back(part);
  }
  return parts;
}

class Transfers {
 public:
  explicit Transfers(std::mt19937& random) : random_(random) {}

  void add_unit(std::int32_t tensor, const Box& box, const std::vector<DeviceId>& senders,
                std::vector<DeviceId> receivers) {
    std::shuffle(receivers.begin(), receivers.end(), random_);
    // Half of the time those that hold it already take it from themselves.
    const bool at_home = chance(random_, 0.5);
    std::erase_if(receivers, [&](DeviceId device) {
      const bool holds = std::find(senders.begin(), senders.end(), device) != senders.end();
      if (holds && at_home) plan_.ops.push_back({tensor, Copy{device, device, box}, {}});
      return holds && at_home;
    });
    if (receivers.empty()) return;
    const DeviceId from = senders[at(pick(random_, 0, std::ssize(senders) - 1))];
    const auto own = std::find(receivers.begin(), receivers.end(), from);
    if (own != receivers.end()) {
      plan_.ops.push_back({tensor, Copy{from, from, box}, {}});
      receivers.erase(own);
    }
    if (receivers.empty()) return;
    switch (pick(random_, 0, 2)) {
      case 0:
        for (const DeviceId to : receivers) add({tensor, Copy{from, to, box}, {}});
        return;
      case 1: return add({tensor, Multicast{from, receivers, box, pick(random_, 1, 3)}, {}});
      default: return scatter(tensor, box, from, receivers);
    }
  }
  TransferPlan take() { return std::move(plan_); }

 private:
  /// Some ops come after earlier ones for no reason: the order must not matter to what arrives.
  void add(TransferOp op) {
    if (!plan_.ops.empty() && op.after.empty() && chance(random_, 0.2))
      op.after = {static_cast<std::int32_t>(pick(random_, 0, std::ssize(plan_.ops) - 1))};
    plan_.ops.push_back(std::move(op));
  }
  void scatter(std::int32_t tensor, const Box& box, DeviceId from,
               const std::vector<DeviceId>& receivers) {
    const std::vector<Box> parts = cut(box, std::ssize(receivers));
    if (parts.size() != receivers.size())
      return add({tensor, Multicast{from, receivers, box, 1}, {}});
    TransferOp gather{tensor, AllGather{receivers, parts}, {}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      gather.after.push_back(static_cast<std::int32_t>(plan_.ops.size()));
      plan_.ops.push_back({tensor, Copy{from, receivers[i], parts[i]}, {}});
    }
    plan_.ops.push_back(std::move(gather));
  }

  std::mt19937& random_;
  TransferPlan plan_;
};

}  // namespace

TransferPlan random_transfers(const ReshardProblem& problem, std::mt19937& random) {
  Transfers transfers(random);
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    const Shared sources = distinct(holders_of(tensor, tensor.source_spec, tensor.source_mesh));
    for (const ReshardTarget& target : tensor.targets) {
      for (const auto& [wanted, receivers] :
           distinct(holders_of(tensor, target.spec, target.mesh))) {
        for (const auto& [held, senders] : sources) {
          for (const Box& into : wanted) {
            for (const Box& out : held) {
              const Box box = intersect(into, out);
              if (num_elements(box) > 0)
                transfers.add_unit(static_cast<std::int32_t>(t), box, senders, receivers);
            }
          }
        }
      }
    }
  }
  return transfers.take();
}

ReshardProblem reversed(const ReshardProblem& problem) {
  ReshardProblem back{{}, problem.cluster};
  for (const ReshardTensor& tensor : problem.tensors) {
    const ReshardTarget& target = tensor.targets.front();
    back.tensors.push_back(
        {tensor.shape, target.mesh, target.spec, {{tensor.source_mesh, tensor.source_spec}}});
  }
  return back;
}

}  // namespace rhino::test
