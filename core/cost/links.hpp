// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino::cost {

/// The links of a cluster, by number, and which of them a message takes: the one place that knows
/// how devices are wired. Each device has a link out and one in, inside its host; each network
/// interface one out and one in (full duplex), for all that leaves or enters its host through it;
/// each leaf switch one up and one down; each link of its own one per direction.
class Links {
 public:
  explicit Links(const Cluster& cluster);

  std::int32_t num_devices() const { return static_cast<std::int32_t>(host_of_.size()); }
  /// Per link.
  const std::vector<double>& bytes_per_s() const { return bytes_per_s_; }
  /// What a message takes, from its sender to its receiver; different devices.
  std::vector<std::int32_t> route(DeviceId from, DeviceId to) const;
  /// All that messages of a device may take, but for links of its own: each kind at the same place
  /// for all devices.
  std::vector<std::int32_t> of(DeviceId device) const;
  /// Between devices of one host.
  bool is_inside(std::int32_t link) const {
    if (link < 2 * num_devices()) return true;
    return !own_.empty() && link >= own_.front() &&
           is_own_inside_[static_cast<std::size_t>(link - own_.front()) / 2];
  }
  /// A link of its own that a device may send or receive over, and its direction seen from there.
  struct Own {
    std::int32_t link = -1;
    bool is_out = false;
    DeviceId device = 0;
  };
  /// All of them, of hosts' own links for each of their devices.
  std::vector<Own> own() const;
  /// Some of them leads from one host to another.
  bool has_own_between_hosts() const { return has_own_between_hosts_; }

 private:
  std::int32_t add(double bytes_per_s);

  std::vector<std::int32_t> host_of_, leaf_of_;  ///< per device
  std::vector<OwnLink> own_links_;
  // Of a pair of links its first, the one out.
  std::vector<std::int32_t> inside_, interface_;  ///< per device
  std::vector<std::int32_t> uplink_, own_;        ///< per leaf, per link of its own
  std::vector<double> bytes_per_s_;
  std::vector<bool> is_own_inside_;  ///< per link of its own
  bool has_own_between_hosts_ = false;
};

/// What leaves a host, or enters it, goes no faster: over all its interfaces and links of its own,
/// with the least latency of any.
Link widest_link_out(const Cluster& cluster, std::int32_t host);
/// The widest of all hosts.
Link widest_link_out(const Cluster& cluster);
/// What leaves any device, or enters it, inside that host goes no faster.
Link widest_device_link(const Cluster& cluster, std::int32_t host);
/// The widest of all hosts.
Link widest_device_link(const Cluster& cluster);

}  // namespace rhino::cost
