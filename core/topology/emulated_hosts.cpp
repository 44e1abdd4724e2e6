// SPDX-License-Identifier: Apache-2.0
#include "topology/emulated_hosts.hpp"

#include <array>
#include <map>
#include <sstream>

#include "rhino/error.hpp"

namespace rhino::topology {
namespace {

/// Frames and their TCP payload at an MTU of 1500: 14 bytes of Ethernet, 20 of IP, 32 of TCP with
/// timestamps.
constexpr double kFrameBytes = 1514, kPayloadBytes = 1448;

/// A full bucket's queue is dropped from after this long.
constexpr const char* kQueueTime = "50ms";

/// The same on every machine: its own choice of congestion control may probe for bandwidth, and
/// connections that were idle between repetitions would start slowly.
constexpr const char* kTcpSettings =
    "cd /proc/sys/net/ipv4; echo 0 > tcp_slow_start_after_idle;"
    "echo cubic > tcp_congestion_control || echo reno > tcp_congestion_control";

std::string bucket(const std::string& interface, const EmulatedNetwork& network) {
  return "qdisc add dev " + interface + " root tbf rate " +
         std::to_string(static_cast<std::int64_t>(network.rate_bits_per_s)) + "bit burst " +
         std::to_string(static_cast<std::int64_t>(network.burst_bytes)) + "b latency " +
         kQueueTime + "\n";
}

std::string port_name(std::size_t host) { return "port" + std::to_string(host); }

}  // namespace

double goodput_bytes_per_s(const EmulatedNetwork& network) {
  return network.rate_bits_per_s / 8 * kPayloadBytes / kFrameBytes;
}

EmulatedHosts::EmulatedHosts(const Cluster& cluster) {
  try {
    switch_ = make_namespaces();
    run_inside({.network = switch_.network.get(),
                .arguments = {"ip", "-batch", "-"},
                .input = "link add switch type bridge forward_delay 0 mcast_snooping 0\n"
                         "link set switch addrgenmode none up\n"});
    for (std::size_t host = 0; host < cluster.hosts.size(); ++host)
      add_host(cluster.emulated, host);
  } catch (const Error& error) {
    throw Error("cannot set up the emulated hosts of " + cluster.name + ": " + error.what());
  }
}

void EmulatedHosts::add_host(const EmulatedNetwork& network, std::size_t index) {
  hosts_.push_back(make_namespaces());
  const int inside = hosts_.back().network.get(), outside = switch_.network.get();
  const std::string port = port_name(index);
  run_inside({.network = outside,
              .arguments = {"ip", "-batch", "-"},
              .input = "link add " + port + " type veth peer name eth0 netns /proc/self/fd/" +
                       std::to_string(inside) + "\nlink set " + port +
                       " master switch addrgenmode none up\n",
              .inherited = {inside}});
  run_inside({.network = inside,
              .arguments = {"ip", "-batch", "-"},
              .input = "link set lo up\nlink set eth0 addrgenmode none\naddr add 10.77.0." +
                       std::to_string(index + 1) + "/24 dev eth0\nlink set eth0 up\n"});
  run_inside({.network = inside, .arguments = {"sh", "-c", kTcpSettings}});
  run_inside(
      {.network = inside, .arguments = {"tc", "-batch", "-"}, .input = bucket("eth0", network)});
  run_inside(
      {.network = outside, .arguments = {"tc", "-batch", "-"}, .input = bucket(port, network)});
}

std::vector<HostNamespaces> EmulatedHosts::namespaces() const {
  std::vector<HostNamespaces> borrowed;
  for (const OwnedNamespaces& host : hosts_) borrowed.push_back(host.borrow());
  return borrowed;
}

// What the bridge's port of a host received, the host has sent. A line of /proc/net/dev holds a
// name and a colon, eight counters of what was received, eight of what was sent; bytes come first.
std::vector<HostTraffic> EmulatedHosts::traffic() const {
  std::istringstream lines(
      run_inside({.network = switch_.network.get(), .arguments = {"cat", "/proc/self/net/dev"}}));
  std::map<std::string, HostTraffic> of_interface;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream words(line.replace(colon, 1, " "));
    std::string name;
    std::array<std::int64_t, 9> counters{};
    words >> name;
    for (std::int64_t& counter : counters) words >> counter;
    of_interface[name] = {.out_bytes = counters.front(), .in_bytes = counters.back()};
  }
  std::vector<HostTraffic> traffic;
  for (std::size_t host = 0; host < hosts_.size(); ++host)
    traffic.push_back(of_interface[port_name(host)]);
  return traffic;
}

std::string emulation_key(const Cluster& cluster) {
  return cluster.name + "/" + std::to_string(cluster.hosts.size()) + "/" +
         std::to_string(cluster.num_devices()) + "/" +
         std::to_string(cluster.emulated.rate_bits_per_s) + "/" +
         std::to_string(cluster.emulated.burst_bytes);
}

std::vector<HostNamespaces> EmulatedClusters::hosts(const Cluster& cluster) {
  return made_.try_emplace(emulation_key(cluster), cluster).first->second.namespaces();
}

double EmulatedClusters::crossed_bytes(const Cluster& cluster) const {
  const auto found = made_.find(emulation_key(cluster));
  double bytes = 0;
  if (found == made_.end()) return bytes;
  for (const HostTraffic& host : found->second.traffic())
    bytes += static_cast<double>(host.out_bytes);
  return bytes;
}

std::string why_not_emulated() {
  Cluster cluster{.name = "two hosts"};
  cluster.hosts.resize(2);
  cluster.emulated = {.rate_bits_per_s = 1e9, .burst_bytes = 131072};
  try {
    const EmulatedHosts hosts(cluster);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rhino::topology
