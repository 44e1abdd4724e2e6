// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cost/collectives.hpp"
#include "cost/links.hpp"
#include "rhino/cluster.hpp"

/// Hosts whose collectives are to be priced.
namespace rhino::test {

inline constexpr double kBytes = 1 << 30;

/// `num_hosts` of four devices and two interfaces; 100 bytes/s inside, 10 per interface.
inline Cluster hosts(std::int32_t num_hosts, CollectiveLibrary library) {
  Cluster cluster;
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {100, 3};
  cluster.inter_host = {10, 5};
  cluster.collectives = library;
  for (DeviceId device = 0; device < 4 * num_hosts; ++device) {
    if (device % 4 == 0) cluster.hosts.push_back({.name = "h", .devices = {}, .num_interfaces = 2});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of.push_back(device / 4);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

inline std::vector<DeviceId> first_devices(std::int32_t count, std::int32_t stride = 1) {
  std::vector<DeviceId> group;
  for (std::int32_t i = 0; i < count; ++i) group.push_back(i * stride);
  return group;
}

inline cost::CollectiveFlow flow_of(const Cluster& cluster, const std::string& algorithm,
                                    const cost::CollectiveProblem& problem) {
  for (const cost::CollectiveFlow& flow :
       cost::collective_flows(problem, cluster, cost::Links(cluster))) {
    if (flow.algorithm == algorithm) return flow;
  }
  throw std::runtime_error("there is no " + algorithm);
}

}  // namespace rhino::test
