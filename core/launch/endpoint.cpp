// SPDX-License-Identifier: Apache-2.0
#include "launch/endpoint.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Found = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Found look_up(const std::string& host, const std::string& port, int flags, int& error) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  return {error == 0 ? found : nullptr, &::freeaddrinfo};
}

Endpoint endpoint_of(const sockaddr* address, socklen_t size) {
  Endpoint endpoint{.size = size};
  std::memcpy(&endpoint.address, address, size);
  return endpoint;
}

/// Of the two families that there are names for; 0: another.
socklen_t size_of(const sockaddr* address) {
  if (address == nullptr) return 0;
  if (address->sa_family == AF_INET) return sizeof(sockaddr_in);
  return address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : 0;
}

bool is_port(const std::string& text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

/// Without the port, which says nothing of the interface.
bool is_same_address(const Endpoint& a, const Endpoint& b) {
  if (a.address.ss_family != b.address.ss_family) return false;
  if (a.address.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(a.address).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(b.address).sin_addr.s_addr;
  const auto& first = reinterpret_cast<const sockaddr_in6&>(a.address);
  const auto& second = reinterpret_cast<const sockaddr_in6&>(b.address);
  return std::memcmp(&first.sin6_addr, &second.sin6_addr, sizeof(in6_addr)) == 0 &&
         first.sin6_scope_id == second.sin6_scope_id;
}

void set_option(int socket, int level, int name, int value) {
  ::setsockopt(socket, level, name, &value, sizeof value);
}

}  // namespace

std::string Endpoint::text() const {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getnameinfo(get(), size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "an address without a name";
  const bool is_v6 = address.ss_family == AF_INET6;
  return (is_v6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + port;
}

void Endpoint::set_port(std::uint16_t port) {
  if (address.ss_family == AF_INET) reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  else reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
}

Endpoint parse_endpoint(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon == std::string::npos ? 0 : colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string::npos) host.clear();  // an IPv6 address wants brackets
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  int error = 0;
  if (!host.empty() && is_port(port)) {
    const Found found = look_up(host, port, AI_NUMERICHOST | AI_NUMERICSERV, error);
    if (found) return endpoint_of(found->ai_addr, found->ai_addrlen);
  }
  throw Error("'" + text + "' is no address with a port of this host's networks");
}

std::vector<Endpoint> resolve(const std::string& host, std::uint16_t port) {
  int error = 0;
  const Found found = look_up(host, std::to_string(port), AI_NUMERICSERV, error);
  if (!found)
    throw Error("cannot find the host '" + host + "': " + std::string(::gai_strerror(error)));
  std::vector<Endpoint> endpoints;
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next)
    endpoints.push_back(endpoint_of(one->ai_addr, one->ai_addrlen));
  return endpoints;
}

Endpoint own_end(int socket) {
  Endpoint endpoint{.size = sizeof(sockaddr_storage)};
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.size);
  return endpoint;
}

Endpoint far_end(int socket) {
  Endpoint endpoint{.size = sizeof(sockaddr_storage)};
  ::getpeername(socket, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.size);
  return endpoint;
}

std::vector<InterfaceAddress> interface_addresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0)
    throw Error(std::string("cannot list the interfaces of this host: ") + std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned{list, &::freeifaddrs};
  std::vector<InterfaceAddress> addresses;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    const socklen_t size = size_of(one->ifa_addr);
    if (size == 0 || (one->ifa_flags & IFF_UP) == 0) continue;
    addresses.push_back({.interface = one->ifa_name,
                         .is_loopback = (one->ifa_flags & IFF_LOOPBACK) != 0,
                         .endpoint = endpoint_of(one->ifa_addr, size)});
  }
  return addresses;
}

std::string interface_with(const Endpoint& endpoint) {
  for (const InterfaceAddress& own : interface_addresses()) {
    if (is_same_address(own.endpoint, endpoint)) return own.interface;
  }
  return {};
}

void tune_connection(int socket, bool is_blocking) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 2);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 5);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 8000);
  const int flags = ::fcntl(socket, F_GETFL);
  ::fcntl(socket, F_SETFL, is_blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

}  // namespace rhino::launch
