// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino::common {

inline std::int32_t host_of(const Cluster& cluster, DeviceId device) {
  return cluster.host_of[static_cast<std::size_t>(device)];
}

/// `devices` host by host: hosts in the order in which they first appear, devices of a host in the
/// order given. One after the other they are a chain that visits every host once.
inline std::vector<std::vector<DeviceId>> by_host(const Cluster& cluster,
                                                  const std::vector<DeviceId>& devices) {
  std::vector<std::vector<DeviceId>> groups;
  std::map<std::int32_t, std::size_t> index;
  for (const DeviceId device : devices) {
    const auto [found, is_new] = index.try_emplace(host_of(cluster, device), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(device);
  }
  return groups;
}

inline std::vector<DeviceId> chain_order(const Cluster& cluster,
                                         const std::vector<DeviceId>& devices) {
  std::vector<DeviceId> chain;
  for (const std::vector<DeviceId>& group : by_host(cluster, devices))
    chain.insert(chain.end(), group.begin(), group.end());
  return chain;
}

}  // namespace rhino::common
