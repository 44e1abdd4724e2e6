// SPDX-License-Identifier: Apache-2.0
#include "strangers.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace rhino::launch {
namespace {

topology::FileDescriptor connected_to(const std::string& address) {
  const Endpoint endpoint = parse_endpoint(address);
  topology::FileDescriptor socket(
      ::socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), endpoint.get(), endpoint.size) != 0)
    throw std::runtime_error(address + ": " + std::strerror(errno));
  return socket;
}

}  // namespace

int num_open_descriptors() {
  std::filesystem::directory_iterator list("/proc/self/fd");
  return static_cast<int>(std::distance(begin(list), end(list)));
}

std::string bytes_of(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

Stranger::Stranger(const std::string& address) : Stranger(connected_to(address)) {}

Stranger::Stranger(topology::FileDescriptor socket) : socket_(std::move(socket)) {
  const timeval limit{5, 0};
  ::setsockopt(fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void Stranger::say(std::string_view bytes) const {
  ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

std::string Stranger::hear(std::size_t size) const {
  std::string heard(size, '\0');
  std::size_t count = 0;
  while (count < size) {
    const ssize_t got = ::recv(fd(), heard.data() + count, size - count, 0);
    if (got <= 0) break;
    count += static_cast<std::size_t>(got);
  }
  heard.resize(count);
  return heard;
}

Hello Stranger::hear_hello() const {
  const std::string heard = hear(sizeof(Hello));
  if (heard.size() != sizeof(Hello)) throw std::runtime_error("no Hello came");
  Hello hello;
  std::memcpy(&hello, heard.data(), sizeof hello);
  return hello;
}

Answer answer_to(const Hello& controller, const std::string& token) {
  const Hello own = new_hello();
  return {own, Prover(token).mac(Side::agent, controller, own)};
}

House::House(const std::string& token) : door({.interface = "lo", .token = token}) {
  for (const std::string& one : door.addresses()) {
    if (one.starts_with("127.")) address = one;
  }
}

bool House::open_until(const std::function<bool()>& is_done, double limit_s) {
  const TestClock::time_point begin = TestClock::now();
  while (!is_done()) {
    if (seconds_since(begin) > limit_s) return false;
    std::vector<pollfd> fds;
    for (const int fd : door.file_descriptors()) fds.push_back({fd, POLLIN, 0});
    ::poll(fds.data(), fds.size(), 1);
    for (topology::FileDescriptor& one :
         door.admit([this](const std::string& line) { lines.push_back(line); }))
      admitted.push_back(std::move(one));
  }
  return true;
}

void House::open_for(double seconds) {
  open_until([] { return false; }, seconds);
}

Listener::Listener(std::uint16_t wanted)
    : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  Endpoint endpoint = parse_endpoint("127.0.0.1:" + std::to_string(wanted));
  if (::bind(socket.get(), endpoint.get(), endpoint.size) != 0 || ::listen(socket.get(), 64) != 0)
    throw std::runtime_error(endpoint.text() + ": " + std::strerror(errno));
  address = own_end(socket.get()).text();
  port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

Stranger Listener::take() const {
  return Stranger(topology::FileDescriptor(::accept(socket.get(), nullptr, nullptr)));
}

}  // namespace rhino::launch
