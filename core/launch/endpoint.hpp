// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "topology/file_descriptor.hpp"

namespace rhino::launch {

/// A numeric address with a port.
struct Endpoint {
  sockaddr_storage address{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
  /// `10.0.0.1:4711`, `[fe80::1%eth0]:4711`.
  std::string text() const;
  void set_port(std::uint16_t port);
};

/// Of what `text()` wrote. Throws Error for anything else, names of hosts included.
Endpoint parse_endpoint(const std::string& text);

/// All that a host's name stands for. Throws Error naming it.
std::vector<Endpoint> resolve(const std::string& host, std::uint16_t port);

/// Both ends of a connection.
Endpoint own_end(int socket);
Endpoint far_end(int socket);

/// An address of an interface that is up; port 0.
struct InterfaceAddress {
  std::string interface;
  bool is_loopback = false;
  Endpoint endpoint;
};

/// All of this host, or network namespace. Throws Error.
std::vector<InterfaceAddress> interface_addresses();

/// Name of the interface that has this address, empty: none has.
std::string interface_with(const Endpoint& endpoint);

/// What every connection of a run is: small messages leave at once, a peer that is gone without a
/// word (its host, or the link) is noticed within 8 s. `is_blocking`: how calls wait on it.
void tune_connection(int socket, bool is_blocking);

}  // namespace rhino::launch
