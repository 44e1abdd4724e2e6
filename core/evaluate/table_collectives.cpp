// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "evaluate/tables.hpp"
#include "ir/mesh_groups.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

/// As the simulator knows them (simulate/collective_sets.hpp), for all groups at once.
Tables::Manners Tables::make_manners(const Collective& collective, const Mesh& mesh) const {
  const OpKind op = collective.kind;
  std::vector<std::int32_t> list;
  for (std::int32_t axis = 0; at(axis) < mesh.axes.size(); ++axis) {
    if (collective.axes >> axis & 1) list.push_back(axis);
  }
  const auto groups = ir::devices_along(mesh, list);
  const cost::Links& links = cost_.links();
  std::vector<std::vector<cost::CollectiveFlow>> flows;
  for (const std::vector<DeviceId>& group : groups)
    flows.push_back(
        cost::collective_flows({op, 1, group, collective.forward()}, cost_.cluster(), links));
  Manners manners;
  const auto is_inside = [&](const std::vector<DeviceId>& group) {
    return std::ranges::all_of(group, [&](DeviceId device) {
      return cost_.cluster().host_of[at(device)] == cost_.cluster().host_of[at(group.front())];
    });
  };
  if (std::ranges::all_of(groups, is_inside)) manners.inside = groups.front();
  for (std::size_t m = 0; m < flows.front().size(); ++m) {
    std::unordered_map<std::int32_t, double> seconds;  // per link, of all groups
    for (const auto& of_group : flows) {
      for (const cost::CollectiveFlow::Load& load : of_group[m].loads)
        seconds[load.link] += load.bytes / links.bytes_per_s()[at(load.link)];
    }
    Manner& manner = manners.list.emplace_back();
    manner.latency_s = flows.front()[m].latency_s;
    manner.alone_s = flows.front()[m].transfer_s(links);
    manner.adding_s = groups.front().size() > 1 ? cost_.adding_s(op, 1, groups.front().size()) : 0;
    for (const auto& of_group : flows) {
      double own_s = 0;
      for (const cost::CollectiveFlow::Load& load : of_group[m].loads) {
        own_s = std::max(own_s, seconds[load.link]);
        double& last_s = manner.last_s[links.is_inside(load.link) ? 0 : 1];
        last_s = std::max(last_s, seconds[load.link]);
      }
      manner.latency_s = std::min(manner.latency_s, of_group[m].latency_s);
      manner.quickest_s = &of_group == &flows.front() ? own_s : std::min(manner.quickest_s, own_s);
    }
  }
  return manners;
}

const Tables::Manners& Tables::manners(const Collective& collective, std::int32_t kind) {
  const auto [found, is_new] =
      manners_.try_emplace({collective.kind, kind, collective.axes, collective.forward()});
  if (is_new) found->second = make_manners(collective, kinds_[at(kind)]);
  return found->second;
}

/// In terms of manners, which are those of one byte.
double Tables::linked_bytes(const Manners& manners, const Collective& collective,
                            Slowdown slowdown) const {
  const std::vector<DeviceId>& inside = manners.inside;
  if (inside.empty()) return collective.bytes;
  const Cluster& cluster = cost_.cluster();
  return collective.bytes * slowdown(collective.kind, collective.bytes, inside, cluster) /
         cost::collective_slowdown(collective.kind, 1, inside, cluster);
}

/// The quickest alone is made.
LinkUse Tables::use(const Collective& collective, std::int32_t kind) {
  const Manners& all = manners(collective, kind);
  const double linked_bytes = this->linked_bytes(all, collective, cost::collective_slowdown);
  const auto alone_s = [&](const Manner& manner) {
    return manner.latency_s + collective.bytes * manner.adding_s + linked_bytes * manner.alone_s;
  };
  const Manner& manner = *std::ranges::min_element(all.list, {}, alone_s);
  return {manner.latency_s + collective.bytes * manner.adding_s,
          {linked_bytes * manner.last_s[0], linked_bytes * manner.last_s[1]}};
}

/// Whichever manner a group chooses, and whatever it is joined with.
Tables::Bound Tables::bound(const Collective& collective, std::int32_t kind) {
  const Manners& all = manners(collective, kind);
  const double linked_bytes = this->linked_bytes(all, collective, cost::least_collective_slowdown);
  Bound least{kNever, kNever};
  for (const Manner& manner : all.list) {
    const double busy_s = linked_bytes * manner.quickest_s;
    least.busy_s = std::min(least.busy_s, busy_s);
    least.seconds =
        std::min(least.seconds, manner.latency_s + collective.bytes * manner.adding_s + busy_s);
  }
  return least;
}

}  // namespace rhino::evaluate
