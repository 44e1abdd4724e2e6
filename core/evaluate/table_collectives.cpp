// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "evaluate/tables.hpp"
#include "ir/mesh_groups.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

/// As the simulator knows them (simulate/collective_sets.hpp), for all groups at once.
std::vector<Tables::AlikeGroups> Tables::make_groups(const Collective& collective,
                                                     std::int32_t kind) const {
  const OpKind op = collective.kind;
  const Mesh& mesh = kinds_[at(kind)];
  std::vector<std::int32_t> list;
  for (std::int32_t axis = 0; at(axis) < mesh.axes.size(); ++axis) {
    if (collective.axes >> axis & 1) list.push_back(axis);
  }
  const cost::Links& links = cost_.links();
  struct Group {
    std::vector<DeviceId> devices;
    std::vector<cost::CollectiveFlow> flows;  ///< per manner
  };
  const auto is_inside = [&](const std::vector<DeviceId>& group) {
    return std::ranges::all_of(group, [&](DeviceId device) {
      return cost_.cluster().host_of[at(device)] == cost_.cluster().host_of[at(group.front())];
    });
  };
  // What a group takes alone tells them apart.
  std::map<std::pair<bool, std::vector<double>>, std::vector<Group>> alike;
  std::vector<std::unordered_map<std::int32_t, double>> seconds;  // per manner and link, of all
  for (std::vector<DeviceId>& devices : ir::devices_along(mesh, list)) {
    Group group{std::move(devices), {}};
    group.flows = cost::collective_flows({op, 1, group.devices, collective.forward()},
                                         cost_.cluster(), links);
    seconds.resize(std::max(seconds.size(), group.flows.size()));
    std::pair<bool, std::vector<double>> key{is_inside(group.devices), {}};
    // Larger ones may be slowed down otherwise.
    if (key.first && !cost_.cluster().shares_of_model.empty())
      key.second.push_back(cost_.cluster().model_of[at(group.devices.front())]);
    for (std::size_t m = 0; m < group.flows.size(); ++m) {
      key.second.push_back(group.flows[m].latency_s);
      key.second.push_back(group.flows[m].transfer_s(links));
      for (const cost::CollectiveFlow::Load& load : group.flows[m].loads)
        seconds[m][load.link] += load.bytes / links.bytes_per_s()[at(load.link)];
    }
    alike[std::move(key)].push_back(std::move(group));
  }
  // Others take other links, or come at other times.
  const bool are_together = alike.size() == 1 && models_[at(kind)].others.empty();
  std::vector<AlikeGroups> made;
  for (const auto& [key, groups] : alike) {
    const Group& first = groups.front();
    AlikeGroups& one = made.emplace_back();
    if (key.first) one.inside = first.devices;
    for (std::size_t m = 0; m < first.flows.size(); ++m) {
      Manner& manner = one.manners.emplace_back();
      manner.latency_s = first.flows[m].latency_s;
      manner.by_size = first.flows[m].by_size;
      manner.alone_s = first.flows[m].transfer_s(links);
      manner.adding_s = first.devices.size() > 1 ? cost_.adding_s(op, 1, first.devices.size()) : 0;
      manner.quickest_s = are_together ? kNever : manner.alone_s;
      for (const Group& group : groups) {
        double own_s = 0;
        for (const cost::CollectiveFlow::Load& load : group.flows[m].loads) {
          own_s = std::max(own_s, seconds[m][load.link]);
          double& last_s = manner.last_s[links.is_inside(load.link) ? 0 : 1];
          last_s = std::max(last_s, seconds[m][load.link]);
        }
        manner.quickest_s = std::min(manner.quickest_s, own_s);
      }
    }
  }
  return made;
}

const std::vector<Tables::AlikeGroups>& Tables::groups(const Collective& collective,
                                                       std::int32_t kind) {
  const auto [found, is_new] =
      groups_.try_emplace({collective.kind, kind, collective.axes, collective.forward()});
  if (is_new) found->second = make_groups(collective, kind);
  return found->second;
}

/// In terms of manners, which are those of one byte.
double Tables::linked_bytes(const AlikeGroups& groups, const Collective& collective,
                            Slowdown slowdown) const {
  const std::vector<DeviceId>& inside = groups.inside;
  if (inside.empty()) return collective.bytes;
  const Cluster& cluster = cost_.cluster();
  return collective.bytes * slowdown(collective.kind, collective.bytes, inside, cluster) /
         cost::collective_slowdown(collective.kind, 1, inside, cluster);
}

double Tables::Manner::waited_s(const Collective& collective) const {
  return latency_s + by_size.latency_s(collective.bytes) + collective.bytes * adding_s;
}

double Tables::alone_s(const Manner& manner, const Collective& collective, double linked_bytes) {
  return manner.waited_s(collective) +
         linked_bytes * manner.by_size.slowdown(collective.bytes) * manner.alone_s;
}

/// The quickest manner alone is made.
LinkUse Tables::use(const AlikeGroups& groups, const Collective& collective) const {
  const double linked_bytes = this->linked_bytes(groups, collective, cost::collective_slowdown);
  const Manner& manner = *std::ranges::min_element(groups.manners, {}, [&](const Manner& manner) {
    return alone_s(manner, collective, linked_bytes);
  });
  const double own_bytes = linked_bytes * manner.by_size.slowdown(collective.bytes);
  return {manner.waited_s(collective),
          {own_bytes * manner.last_s[0], own_bytes * manner.last_s[1]}};
}

LinkUse Tables::use(const Collective& collective, std::int32_t kind) {
  const std::vector<AlikeGroups>& all = groups(collective, kind);
  LinkUse slowest = use(all.front(), collective);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const LinkUse other = use(all[i], collective);
    if (other.alone_s() > slowest.alone_s()) slowest = other;
  }
  return slowest;
}

/// Whichever manner a group chooses, and whatever it is joined with.
Tables::Bound Tables::bound(const Collective& collective, std::int32_t kind, bool at_once) {
  Bound least{kNever, kNever};
  for (const AlikeGroups& groups : this->groups(collective, kind)) {
    const double linked_bytes =
        this->linked_bytes(groups, collective, cost::least_collective_slowdown);
    for (const Manner& manner : groups.manners) {
      const double busy_s =
          linked_bytes * manner.by_size.least_slowdown() * manner.links_s(at_once);
      least.busy_s = std::min(least.busy_s, busy_s);
      least.seconds = std::min(least.seconds, manner.waited_s(collective) + busy_s);
    }
  }
  return least;
}

/// Manners that are as quick but for rounding may all be chosen.
Tables::Bound Tables::bound_of_message(const Collective& message, std::int32_t kind, bool at_once) {
  constexpr double kAlike = 1 + 1e-9;
  Bound least{kNever, kNever};
  for (const AlikeGroups& groups : this->groups(message, kind)) {
    const double linked_bytes = this->linked_bytes(groups, message, cost::collective_slowdown);
    double quickest_s = kNever;
    for (const Manner& manner : groups.manners)
      quickest_s = std::min(quickest_s, alone_s(manner, message, linked_bytes));
    for (const Manner& manner : groups.manners) {
      if (alone_s(manner, message, linked_bytes) > kAlike * quickest_s) continue;
      const double busy_s =
          linked_bytes * manner.by_size.slowdown(message.bytes) * manner.links_s(at_once);
      least.busy_s = std::min(least.busy_s, busy_s);
      least.seconds = std::min(least.seconds, manner.waited_s(message) + busy_s);
    }
  }
  return least;
}

}  // namespace rhino::evaluate
