// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino {

/// Messages in flight that share links: each device's own links (out and in, inside its host) and
/// each host's network interface (out and in, full duplex). Rates are max-min fair: what limits a
/// message least fairly is filled up last.
class Network {
 public:
  explicit Network(const Cluster& cluster);

  /// Puts a message of `bytes` on its way at `now_s`; `id` comes back from `take_arrived`.
  void send(std::int32_t id, DeviceId from, DeviceId to, double bytes, double now_s);
  /// When the next message arrives if none joins; infinity: none is in flight.
  double next_arrival_s() const { return next_arrival_s_; }
  /// Moves time on and returns the messages that have arrived, in order of id.
  std::vector<std::int32_t> take_arrived(double now_s);

 private:
  struct Flow {
    std::int32_t id = 0;
    std::int32_t out = 0, in = 0;  ///< resources
    double left_bytes = 0, rate = 0;
    double end_s = 0;  ///< at this rate
  };
  void advance(double now_s);
  void share();

  Cluster cluster_;
  std::vector<double> capacity_;  ///< per resource: device out, device in, host out, host in
  std::vector<Flow> flows_;
  double now_s_ = 0, next_arrival_s_ = 0;
};

}  // namespace rhino
