// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "common/configurations.hpp"
#include "rhino/cluster.hpp"

/// Meshes that are the same under other names.
namespace rhino::common {

/// Whether all that a device of a mesh is linked to is the same for all of them, whatever the order
/// of mesh axes: another order of them is the same mesh with other names.
inline bool is_even(const Cluster& cluster, const Configuration& one) {
  if (!cluster.own_links.empty()) return false;
  const std::int64_t size = one.num_devices();
  for (std::int64_t first = 0; first < one.num_stages * size; first += size) {
    const Host& host = cluster.hosts[at(cluster.host_of[at(first)])];
    const auto is_like = [&](std::int64_t device) {
      return cluster.host_of[at(device)] == cluster.host_of[at(first)] &&
             cluster.model_of[at(device)] == cluster.model_of[at(first)];
    };
    for (std::int64_t device = first; device < first + size; ++device)
      if (!is_like(device)) return false;
    const bool is_shared =
        host.num_interfaces > 1 && host.num_interfaces < std::ssize(host.devices);
    if (one.num_stages > 1 && is_shared) return false;
  }
  return true;
}

/// Leaves of even meshes that differ in the order of their axes the one with the largest first.
inline void leave_turned(const Cluster& cluster, std::vector<Configuration>& all) {
  std::erase_if(all, [&](const Configuration& one) {
    return !std::ranges::is_sorted(one.axes, std::greater<>()) && is_even(cluster, one);
  });
}

}  // namespace rhino::common
