// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/hosts.hpp"

namespace rhino::common {

/// Picks senders one by one: the receiver itself where it holds the slice, else one on its own
/// host, else any; among equals the one that has sent least so far, then the first (Alpa's default
/// balance).
class SenderChoice {
 public:
  explicit SenderChoice(const Cluster& cluster)
      : cluster_(cluster), sent_(cluster.host_of.size(), 0) {}

  DeviceId pick(const std::vector<DeviceId>& senders, DeviceId receiver, std::int64_t bytes) {
    const std::int32_t host = host_of(cluster_, receiver);
    DeviceId best = senders.front();
    bool best_is_near = false;
    for (const DeviceId device : senders) {
      if (device == receiver) return receiver;
      const bool is_near = host_of(cluster_, device) == host;
      if (is_near < best_is_near) continue;
      if (is_near > best_is_near || sent(device) < sent(best)) best = device;
      best_is_near = is_near;
    }
    sent(best) += bytes;
    return best;
  }

 private:
  std::int64_t& sent(DeviceId device) { return sent_[static_cast<std::size_t>(device)]; }

  const Cluster& cluster_;
  std::vector<std::int64_t> sent_;  ///< bytes, per device
};

}  // namespace rhino::common
