// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino::simulate {

/// Messages in flight that share links: each device's own links (out and in, inside its host) and
/// each host's network interface (out and in, full duplex). Messages from one device to another
/// follow each other, as over one connection; so do all small ones of a device inside its host, and
/// all over its interface: their number is not that of rates to be found. Rates of connections are
/// max-min fair: what limits one least fairly is filled up last.
class Network {
 public:
  explicit Network(const Cluster& cluster);

  struct Message {
    std::int32_t id = 0;  ///< comes back from `take_arrived`
    DeviceId from = 0, to = 0;
    double bytes = 0;
    bool is_small = false;
  };
  /// Puts a message on its way. Times never go back.
  void send(const Message& message, double now_s);
  /// When the next message arrives if none joins; infinity: none is in flight.
  double next_arrival_s();
  /// Moves time on and returns the messages that have arrived, in order of id.
  std::vector<std::int32_t> take_arrived(double now_s);

 private:
  /// From one device to another, or of small messages: the first message moves.
  struct Connection {
    std::size_t out = 0, in = 0;  ///< resources of the first message
    std::deque<Message> messages;
    double rate = 0;
    double end_s = 0;  ///< of the first message, at this rate
  };
  struct Resource {
    double bytes_per_s = 0;
    // While it is shared out:
    double left = 0, num_open = 0;  ///< connections without a rate yet
    std::vector<std::size_t> users;
  };
  std::size_t connection(const Message& message);
  bool route(Connection& connection) const;
  std::size_t host_of(DeviceId device) const {
    return static_cast<std::size_t>(cluster_.host_of[static_cast<std::size_t>(device)]);
  }
  void advance(double now_s);
  void share();
  void share_resources();

  Cluster cluster_;
  std::vector<Resource> resources_;  ///< device out, device in, host out, host in
  std::vector<Connection> connections_;
  std::map<std::pair<DeviceId, DeviceId>, std::size_t> index_;
  /// Connections with messages, in the order in which they got some.
  std::vector<std::size_t> active_;
  double now_s_ = 0, next_arrival_s_ = 0;
  bool is_shared_ = true;  ///< rates are up to date
};

}  // namespace rhino::simulate
