// SPDX-License-Identifier: Apache-2.0
#include "launch/door.hpp"

#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

constexpr std::size_t kMaxGuests = 64;
constexpr std::chrono::seconds kHandshakeTime{5};
/// Who is silent longer makes room, where others wait.
constexpr std::chrono::milliseconds kPatience{250};
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{500};

bool is_link_local(const Endpoint& endpoint) {
  return endpoint.address.ss_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6&>(endpoint.address).sin6_addr);
}

/// Link-local addresses only of interfaces that have no other: they are names on one link alone.
std::vector<Endpoint> chosen(const std::vector<InterfaceAddress>& all,
                             const std::function<bool(const InterfaceAddress&)>& wanted) {
  std::vector<Endpoint> endpoints;
  for (const InterfaceAddress& one : all) {
    if (!wanted(one)) continue;
    bool has_other = false;
    for (const InterfaceAddress& other : all)
      has_other = has_other || (other.interface == one.interface && !is_link_local(other.endpoint));
    if (!is_link_local(one.endpoint) || !has_other) endpoints.push_back(one.endpoint);
  }
  return endpoints;
}

std::vector<Endpoint> endpoints_of(const DoorOptions& options) {
  const std::vector<InterfaceAddress> all = interface_addresses();
  if (!options.interface.empty()) {
    std::vector<Endpoint> endpoints = chosen(
        all, [&](const InterfaceAddress& one) { return one.interface == options.interface; });
    if (endpoints.empty())
      throw Error(::if_nametoindex(options.interface.c_str()) == 0
                      ? "this host has no interface '" + options.interface + "'"
                      : "the interface '" + options.interface + "' is down, or has no address");
    return endpoints;
  }
  std::vector<Endpoint> endpoints =
      chosen(all, [](const InterfaceAddress& one) { return !one.is_loopback; });
  if (options.loopback || endpoints.empty()) {
    for (Endpoint& endpoint :
         chosen(all, [](const InterfaceAddress& one) { return one.is_loopback; }))
      endpoints.push_back(endpoint);
  }
  if (endpoints.empty()) throw Error("no interface of this host has an address");
  return endpoints;
}

bool are_descriptors_short(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Door::Door(const DoorOptions& options) : prover_(options.token) {
  for (const Endpoint& endpoint : endpoints_of(options)) listen_at(endpoint, options.port);
  if (listening_.empty()) throw Error("no address of this host can be listened at");
}

/// An address that is not ready yet, as IPv6 ones are at first, is left out.
void Door::listen_at(Endpoint endpoint, std::uint16_t port) {
  endpoint.set_port(port);
  topology::FileDescriptor socket(
      ::socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open() && errno == EAFNOSUPPORT) return;
  if (!socket.is_open()) throw Error(std::string("cannot make a socket: ") + std::strerror(errno));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (endpoint.address.ss_family == AF_INET6)
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(socket.get(), endpoint.get(), endpoint.size) == 0 &&
      ::listen(socket.get(), SOMAXCONN) == 0) {
    listening_.push_back(std::move(socket));
    return;
  }
  if (errno == EADDRNOTAVAIL) return;
  throw Error("cannot listen at " + endpoint.text() + ": " + std::strerror(errno));
}

std::vector<std::string> Door::addresses() const {
  std::vector<std::string> texts;
  for (const topology::FileDescriptor& socket : listening_)
    texts.push_back(own_end(socket.get()).text());
  return texts;
}

std::vector<int> Door::file_descriptors() const {
  std::vector<int> fds;
  if (has_room(Clock::now())) {
    for (const topology::FileDescriptor& socket : listening_) fds.push_back(socket.get());
  }
  for (const Guest& guest : guests_) fds.push_back(guest.socket.get());
  return fds;
}

std::vector<topology::FileDescriptor> Door::admit(
    const std::function<void(const std::string&)>& refused) {
  const Clock::time_point now = Clock::now();
  std::vector<topology::FileDescriptor> admitted;
  for (auto guest = guests_.begin(); guest != guests_.end();) {
    const Turn turn = look_at(*guest, now);
    if (turn == Turn::leaves) turn_away(*guest);
    if (turn == Turn::is_through) admitted.push_back(std::move(guest->socket));
    guest = turn == Turn::waits ? std::next(guest) : guests_.erase(guest);
  }
  for (const topology::FileDescriptor& listening : listening_) {
    while (has_room(now) && take_from(listening)) {
    }
  }
  for (const std::string& line : std::exchange(turned_away_, {})) lines_.say(line, now, refused);
  lines_.end_period(now, refused);
  return admitted;
}

bool Door::has_room(Clock::time_point now) const {
  if (now < resumes_) return false;
  return guests_.size() < kMaxGuests || now - guests_.front().since > kPatience;
}

/// False: nobody waits there.
bool Door::take_from(const topology::FileDescriptor& listening) {
  Endpoint from{.size = sizeof(sockaddr_storage)};
  topology::FileDescriptor socket(::accept4(listening.get(),
                                            reinterpret_cast<sockaddr*>(&from.address), &from.size,
                                            SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.is_open()) {
    if (errno == ECONNABORTED || errno == EINTR) return true;
    if (are_descriptors_short(errno)) {
      resumes_ = Clock::now() + kPauseWithoutDescriptors;
      turned_away_.push_back(std::string("cannot take connections: ") + std::strerror(errno));
    }
    return false;
  }
  if (guests_.size() >= kMaxGuests) make_room();
  tune_connection(socket.get(), false);
  Guest guest{.socket = std::move(socket),
              .from = from.text(),
              .hello = new_hello(),
              .since = Clock::now()};
  // A new socket has room for it; who is gone already shows when it is read from.
  ::send(guest.socket.get(), &guest.hello, sizeof guest.hello, MSG_NOSIGNAL);
  guests_.push_back(std::move(guest));
  return true;
}

void Door::make_room() {
  guests_.front().fault = "it kept others waiting";
  turn_away(guests_.front());
  guests_.pop_front();
}

Door::Turn Door::look_at(Guest& guest, Clock::time_point now) const {
  const Turn turn = hear(guest);
  if (turn != Turn::waits || now - guest.since < kHandshakeTime) return turn;
  guest.fault = guest.answer.has_begun() ? "it did not end its handshake within 5 s"
                                         : "it said nothing for 5 s";
  return Turn::leaves;
}

Door::Turn Door::hear(Guest& guest) const {
  const ssize_t got =
      ::recv(guest.socket.get(), guest.answer.next(), guest.answer.missing(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return Turn::waits;
  if (got <= 0) {
    if (guest.answer.has_begun()) guest.fault = "it hung up amid its handshake";
    return Turn::leaves;
  }
  guest.answer.add(static_cast<std::size_t>(got));
  return guest.answer.missing() > 0 ? Turn::waits : judge(guest);
}

Door::Turn Door::judge(Guest& guest) const {
  const Answer& answer = guest.answer.get();
  guest.fault = fault_of(answer.hello);
  if (guest.fault.empty() && !prover_.accepts(answer.mac, Side::agent, guest.hello, answer.hello))
    guest.fault = "its token is another";
  if (!guest.fault.empty()) return Turn::leaves;
  const Proof proof{prover_.mac(Side::controller, guest.hello, answer.hello)};
  if (::send(guest.socket.get(), &proof, sizeof proof, MSG_NOSIGNAL) != sizeof proof)
    return Turn::leaves;
  tune_connection(guest.socket.get(), true);
  return Turn::is_through;
}

void Door::turn_away(const Guest& guest) {
  if (!guest.fault.empty())
    turned_away_.push_back("refused a connection from " + guest.from + ": " + guest.fault);
}

}  // namespace rhino::launch
