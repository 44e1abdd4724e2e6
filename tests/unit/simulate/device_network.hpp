// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "cost/links.hpp"
#include "simulate/network.hpp"

namespace rhino::test {

/// The network of a cluster by devices: messages from one to another follow each other, and so do
/// all small ones of a device inside its host, and all out of it.
class DeviceNetwork {
 public:
  explicit DeviceNetwork(const Cluster& cluster)
      : host_of_(cluster.host_of), links_(cluster), network_(links_.bytes_per_s()) {}

  struct Message {
    std::int32_t id = 0;
    DeviceId from = 0, to = 0;
    double bytes = 0;
    bool is_small = false;
  };
  void send(const Message& message, double now_s) {
    simulate::Network::Route& route = routes_[{message.from, message.to}];
    if (route.empty()) {
      for (const std::int32_t link : links_.route(message.from, message.to))
        route.push_back({link, 1});
    }
    DeviceId to = message.to;
    if (message.is_small) to = host(message.from) == host(to) ? -1 : -2;
    const auto [connection, is_new] = connections_.try_emplace({message.from, to}, 0);
    if (is_new) connection->second = network_.add_connection();
    network_.send({message.id, connection->second, &route, message.bytes}, now_s);
  }
  double next_arrival_s() { return network_.next_arrival_s(); }
  std::vector<std::int32_t> take_arrived(double now_s) { return network_.take_arrived(now_s); }

 private:
  using Pair = std::pair<DeviceId, DeviceId>;

  std::int32_t host(DeviceId device) const { return host_of_[static_cast<std::size_t>(device)]; }

  std::vector<std::int32_t> host_of_;
  cost::Links links_;
  simulate::Network network_;
  std::map<Pair, std::int32_t> connections_;
  std::map<Pair, simulate::Network::Route> routes_;
};

}  // namespace rhino::test
