// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/index.hpp"

namespace rhino::common::striped {

/// The network interfaces of all hosts, counted through, and which one a device uses.
struct Interfaces {
  explicit Interfaces(const Cluster& cluster) : of(cluster.host_of.size()) {
    std::vector<std::size_t> first;
    for (std::int32_t host = 0; host < std::ssize(cluster.hosts); ++host) {
      first.push_back(links.size());
      links.resize(links.size() + at(cluster.hosts[at(host)].num_interfaces),
                   cluster.interface(host));
    }
    for (std::size_t device = 0; device < of.size(); ++device) {
      const std::int32_t interface = cluster.interface_of(static_cast<DeviceId>(device));
      of[device] = first[at(cluster.host_of[device])] + at(interface);
    }
  }

  std::vector<std::size_t> of;  ///< per device
  std::vector<Link> links;      ///< per interface
};

}  // namespace rhino::common::striped
