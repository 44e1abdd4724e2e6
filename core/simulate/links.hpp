// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino::simulate {

/// The links of a cluster, by number, and which of them a message takes: the one place that knows
/// how devices are wired. Each device has a link of its own out and one in, inside its host; each
/// host has its network interface, out and in (full duplex), for all that leaves or enters it.
class Links {
 public:
  explicit Links(const Cluster& cluster);

  std::int32_t num_devices() const { return static_cast<std::int32_t>(host_of_.size()); }
  /// Per link.
  const std::vector<double>& bytes_per_s() const { return bytes_per_s_; }
  /// What a message takes from its sender and then from its receiver; different devices.
  std::vector<std::int32_t> route(DeviceId from, DeviceId to) const;
  /// All that messages of a device may take, each kind of link at the same place for all devices.
  std::vector<std::int32_t> of(DeviceId device) const;

 private:
  std::vector<std::int32_t> host_of_;
  std::vector<double> bytes_per_s_;  ///< per device out, in; then per host out, in
};

}  // namespace rhino::simulate
