// SPDX-License-Identifier: Apache-2.0
#include "plan/reshard_shares.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Calls `f(mesh, spec)` for both ends of a tensor.
template <class Tensor, class F>
void for_each_end(Tensor& tensor, F&& f) {
  f(tensor.source_mesh, tensor.source_spec);
  for (auto& target : tensor.targets) f(target.mesh, target.spec);
}

bool uses(const ShardingSpec& spec, std::int32_t axis) {
  return std::any_of(spec.dims.begin(), spec.dims.end(), [&](const DimSharding& dim) {
    return std::any_of(dim.splits.begin(), dim.splits.end(),
                       [&](const AxisSplit& split) { return split.axis == axis; });
  });
}

/// The dim that `axis` cuts outermost into contiguous equal parts; -1: none.
std::int64_t dim_cut(const Shape& shape, const ShardingSpec& spec, const Mesh& mesh,
                     std::int32_t axis) {
  for (std::size_t d = 0; d < shape.dims.size(); ++d) {
    const std::vector<AxisSplit>& splits = spec.dims[d].splits;
    if (!splits.empty() && splits.front().axis == axis && splits.front().period == shape.dims[d] &&
        shape.dims[d] % mesh.axes[at(axis)].size == 0)
      return static_cast<std::int64_t>(d);
  }
  return -1;
}

/// The greatest number of ranges that `axis` may fall into at all ends of a tensor; 1: none.
std::int64_t most_shares(const ReshardTensor& tensor, const std::string& name) {
  std::int64_t most = 0;
  std::set<std::int64_t> dims;
  for_each_end(tensor, [&](const Mesh& mesh, const ShardingSpec& spec) {
    const std::int32_t axis = axis_of(mesh, name);
    if (axis < 0) return void(most = 1);
    const std::int64_t dim = uses(spec, axis) ? dim_cut(tensor.shape, spec, mesh, axis) : -2;
    if (dim == -1) most = 1;
    dims.insert(dim);
    most = std::gcd(most, mesh.axes[at(axis)].size);
  });
  return dims.size() == 1 ? most : 1;
}

/// Calls `f(device)` for all devices of a problem.
template <class F>
void for_each_device(const ReshardProblem& problem, F&& f) {
  for (const ReshardTensor& tensor : problem.tensors) {
    for_each_end(tensor, [&](const Mesh& mesh, const ShardingSpec&) {
      for (const DeviceId device : mesh.devices) f(device);
    });
  }
}

/// Two hosts, or devices of two, have a link of their own.
bool joins_hosts(const Cluster& cluster) {
  return std::ranges::any_of(cluster.own_links, [&](const OwnLink& own) {
    return own.between_hosts || cluster.host_of[at(own.a)] != cluster.host_of[at(own.b)];
  });
}

std::int32_t leaf_of(const Cluster& cluster, DeviceId device) {
  return cluster.uplinks.empty() ? -1 : cluster.hosts[at(cluster.host_of[at(device)])].leaf;
}

/// The hosts of a problem; and, as negative numbers, the leaves where it is on more than one.
std::set<std::int32_t> used_links(const ReshardProblem& problem) {
  std::set<std::int32_t> hosts, leaves;
  for_each_device(problem, [&](DeviceId device) {
    hosts.insert(problem.cluster.host_of[at(device)]);
    leaves.insert(-2 - leaf_of(problem.cluster, device));
  });
  if (leaves.size() > 1) hosts.insert(leaves.begin(), leaves.end());
  return hosts;
}

/// Whether the shares are one question and use nothing together.
bool are_alike(const ReshardProblem& problem, const ReshardShares& shares) {
  const ReshardQuestion first = question_of(share_of(problem, shares, 0));
  std::set<std::int32_t> all;
  for (std::int64_t share = 0; share < shares.num_shares; ++share) {
    const ReshardProblem part = share_of(problem, shares, share);
    if (share > 0 && question_of(part) != first) return false;
    for (const std::int32_t link : used_links(part)) {
      if (!all.insert(link).second) return false;
    }
  }
  return true;
}

ReshardQuestion::Place place_of(const Cluster& cluster, DeviceId device) {
  const Host& host = cluster.hosts[at(cluster.host_of[at(device)])];
  const std::int32_t leaf = leaf_of(cluster, device);
  ReshardQuestion::Place place{.leaf = leaf,
                               .interface = cluster.interface_of(device),
                               .model = cluster.model_of[at(device)],
                               .num_neighbours = host.devices.size(),
                               .shape = host,
                               .uplink = leaf < 0 ? Link{} : cluster.uplinks[at(leaf)]};
  place.shape.name.clear();
  place.shape.devices.clear();
  place.shape.leaf = -1;
  return place;
}

}  // namespace

std::int32_t axis_of(const Mesh& mesh, const std::string& name) {
  const auto found = std::find_if(mesh.axes.begin(), mesh.axes.end(),
                                  [&](const MeshAxis& axis) { return axis.name == name; });
  return found == mesh.axes.end() ? -1 : static_cast<std::int32_t>(found - mesh.axes.begin());
}

ReshardShares find_shares(const ReshardProblem& problem) {
  ReshardShares best;
  if (problem.tensors.empty() || joins_hosts(problem.cluster)) return best;
  for (const MeshAxis& axis : problem.tensors.front().source_mesh.axes) {
    std::int64_t most = 0;
    for (const ReshardTensor& tensor : problem.tensors)
      most = std::gcd(most, most_shares(tensor, axis.name));
    for (std::int64_t n = most; n > best.num_shares; --n) {
      if (most % n == 0 && are_alike(problem, {n, axis.name})) best = {n, axis.name};
    }
  }
  return best;
}

ReshardProblem share_of(const ReshardProblem& problem, const ReshardShares& shares,
                        std::int64_t share) {
  ReshardProblem part = problem;
  if (shares.num_shares == 1) return part;
  for (ReshardTensor& tensor : part.tensors) {
    std::int64_t cut = -1;
    for_each_end(tensor, [&](Mesh& mesh, ShardingSpec& spec) {
      const std::int32_t axis = axis_of(mesh, shares.axis);
      const std::int64_t dim = dim_cut(tensor.shape, spec, mesh, axis);
      std::vector<DeviceId> devices;
      for (const std::size_t rank : share_ranks(mesh, axis, shares.num_shares, share))
        devices.push_back(mesh.devices[rank]);
      mesh.devices = std::move(devices);
      mesh.axes[at(axis)].size /= shares.num_shares;
      if (dim < 0) return;
      cut = dim;
      std::vector<AxisSplit>& splits = spec.dims[at(dim)].splits;
      splits.front().period /= shares.num_shares;
      if (mesh.axes[at(axis)].size == 1) splits.erase(splits.begin());
    });
    if (cut >= 0) tensor.shape.dims[at(cut)] /= shares.num_shares;
  }
  return part;
}

ReshardQuestion question_of(const ReshardProblem& problem) {
  ReshardQuestion question{problem.tensors, {}, {}};
  if (joins_hosts(problem.cluster)) return question;
  std::unordered_map<DeviceId, std::int32_t> number_of;
  std::map<std::int32_t, std::int32_t> first_on, first_at;  // per host, per leaf
  for (ReshardTensor& tensor : question.tensors) {
    for_each_end(tensor, [&](Mesh& mesh, const ShardingSpec&) {
      for (DeviceId& device : mesh.devices) {
        const auto number = static_cast<std::int32_t>(number_of.size());
        const auto [found, is_new] = number_of.try_emplace(device, number);
        if (is_new) {
          ReshardQuestion::Place& place =
              question.places.emplace_back(place_of(problem.cluster, device));
          const std::int32_t host = problem.cluster.host_of[at(device)];
          place.host = first_on.try_emplace(host, number).first->second;
          if (place.leaf >= 0) place.leaf = first_at.try_emplace(place.leaf, number).first->second;
        }
        device = found->second;
      }
    });
  }
  for (const OwnLink& own : problem.cluster.own_links) {
    const auto a = number_of.find(own.a), b = number_of.find(own.b);
    for (const auto& end : {a, b})
      if (end != number_of.end()) question.places[at(end->second)].has_own = true;
    if (a == number_of.end() || b == number_of.end()) continue;
    const auto [low, high] = std::minmax(a->second, b->second);
    question.joined.push_back({low, high, own.link});
  }
  std::ranges::sort(question.joined, {},
                    [](const auto& one) { return std::pair(one.low, one.high); });
  return question;
}

}  // namespace rhino::plan
