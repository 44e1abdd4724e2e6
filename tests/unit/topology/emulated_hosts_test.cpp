// SPDX-License-Identifier: Apache-2.0
// Interfaces, namespaces and what is left of them. Without root only the refusal is tested.
#include "topology/emulated_hosts.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::topology;
using Catch::Contains;

namespace {

Cluster cluster_of(std::size_t num_hosts, double rate_bits_per_s = 1e9) {
  Cluster cluster{.name = "test"};
  cluster.hosts.resize(num_hosts);
  cluster.emulated = {.rate_bits_per_s = rate_bits_per_s, .burst_bytes = 131072};
  return cluster;
}

bool can_emulate() {
  const std::string why = why_not_emulated();
  if (!why.empty()) WARN("skipped: " << why);
  return why.empty();
}

std::string interfaces_of_this_process() {
  std::ifstream stream("/proc/self/net/dev");
  std::string names;
  for (std::string line; std::getline(stream, line);) names += line.substr(0, line.find(':')) + ";";
  return names;
}

/// Whether some process is in the network namespace of this inode.
bool is_in_use(ino_t inode) {
  const std::string wanted = "net:[" + std::to_string(inode) + "]";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    if (std::filesystem::read_symlink(entry.path() / "ns/net", error) == wanted) return true;
  }
  return false;
}

ino_t inode_of(int fd) {
  struct stat status {};
  REQUIRE(::fstat(fd, &status) == 0);
  return status.st_ino;
}

/// Sends `num_bytes` of UDP to the address from inside `network`.
void send_from(int network, const char* address, int num_bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool well = ::setns(network, CLONE_NEWNET) == 0;
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(9);
    ::inet_pton(AF_INET, address, &to.sin_addr);
    const std::string payload(1000, 'x');
    for (int sent = 0; sent < num_bytes; sent += 1000)
      well &= ::sendto(socket, payload.data(), 1000, 0, reinterpret_cast<sockaddr*>(&to),
                       sizeof to) == 1000;
    ::_exit(well ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

}  // namespace

TEST_CASE("goodput is what frames carry") {
  CHECK(goodput_bytes_per_s({1e9, 0}) == Approx(125e6 * 1448 / 1514));
}

TEST_CASE("whoever is not root is told that it takes root") {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    const std::string why = why_not_emulated();
    ::_exit(why.find("it takes root") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a program that is missing or fails is named") {
  if (!can_emulate()) return;
  const OwnedNamespaces own = make_namespaces();
  CHECK_THROWS_WITH(run_inside({.network = own.network.get(), .arguments = {"no-such-program"}}),
                    Contains("no-such-program is not installed"));
  CHECK_THROWS_WITH(
      run_inside({.network = own.network.get(), .arguments = {"ip", "link", "show", "eth7"}}),
      Contains("ip: ") && Contains("eth7"));
}

TEST_CASE("hosts have interfaces of their own, with a bucket at both ends") {
  if (!can_emulate()) return;
  const std::string before = interfaces_of_this_process();
  const EmulatedHosts hosts(cluster_of(3, 4e8));
  CHECK(interfaces_of_this_process() == before);
  REQUIRE(hosts.namespaces().size() == 3);
  for (const HostNamespaces& host : hosts.namespaces()) {
    const std::string buckets =
        run_inside({.network = host.network, .arguments = {"tc", "qdisc", "show", "dev", "eth0"}});
    CHECK_THAT(buckets, Contains("tbf") && Contains("400Mbit"));
    CHECK_THAT(run_inside({.network = host.network, .arguments = {"ip", "-br", "link"}}),
               Contains("lo") && Contains("eth0@"));
  }
}

TEST_CASE("counters tell what crossed, host by host") {
  if (!can_emulate()) return;
  const EmulatedHosts hosts(cluster_of(3));
  const std::vector<HostTraffic> before = hosts.traffic();
  send_from(hosts.namespaces()[0].network, "10.77.0.3", 50'000);
  const std::vector<HostTraffic> after = hosts.traffic();
  const auto within = [](std::int64_t bytes) { return bytes >= 50'000 && bytes < 60'000; };
  CHECK(within(after[0].out_bytes - before[0].out_bytes));
  CHECK(within(after[2].in_bytes - before[2].in_bytes));
  CHECK(after[1].out_bytes - before[1].out_bytes < 2000);
  CHECK(after[1].in_bytes - before[1].in_bytes < 2000);
}

TEST_CASE("nothing is left of hosts whose owner was killed") {
  if (!can_emulate()) return;
  const std::string interfaces = interfaces_of_this_process();
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const EmulatedHosts hosts(cluster_of(4));
    const ino_t inode = inode_of(hosts.namespaces()[3].network);
    const bool told = ::write(ready[1], &inode, sizeof inode) == sizeof inode;
    ::pause();
    ::_exit(told ? 0 : 1);
  }
  ino_t inode = 0;
  REQUIRE(::read(ready[0], &inode, sizeof inode) == sizeof inode);
  ::close(ready[0]);
  ::close(ready[1]);
  ::kill(owner, SIGKILL);
  REQUIRE(::waitpid(owner, nullptr, 0) == owner);
  CHECK(interfaces_of_this_process() == interfaces);
  CHECK_FALSE(is_in_use(inode));
}
