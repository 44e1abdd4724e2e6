// SPDX-License-Identifier: Apache-2.0
#include "simulate/links.hpp"

#include "rhino/index.hpp"

namespace rhino::simulate {

Links::Links(const Cluster& cluster) : host_of_(cluster.host_of) {
  bytes_per_s_.assign(2 * host_of_.size(), cluster.intra_host.bytes_per_s);
  bytes_per_s_.resize(2 * (host_of_.size() + cluster.hosts.size()), cluster.inter_host.bytes_per_s);
}

std::vector<std::int32_t> Links::of(DeviceId device) const {
  const std::int32_t own = 2 * device;
  const std::int32_t host = 2 * (static_cast<std::int32_t>(host_of_.size()) + host_of_[at(device)]);
  return {own, own + 1, host, host + 1};
}

std::vector<std::int32_t> Links::route(DeviceId from, DeviceId to) const {
  const std::size_t out = host_of_[at(from)] == host_of_[at(to)] ? 0 : 2;
  return {of(from)[out], of(to)[out + 1]};
}

}  // namespace rhino::simulate
