// SPDX-License-Identifier: Apache-2.0
#include "simulate/network.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "device_network.hpp"

using namespace rhino;
using rhino::test::DeviceNetwork;

namespace {

/// `num_hosts` hosts of two devices; 10 bytes/s inside a host, 2 between hosts.
Cluster small_cluster(std::int32_t num_hosts) {
  Cluster cluster;
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {10, 0};
  cluster.inter_host = {2, 0};
  for (std::int32_t device = 0; device < 2 * num_hosts; ++device) {
    if (device % 2 == 0) cluster.hosts.push_back({"h", {}});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of.push_back(device / 2);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

/// Arrival time of every message when all start at 0.
std::map<std::int32_t, double> arrivals(DeviceNetwork& network) {
  std::map<std::int32_t, double> times;
  while (std::isfinite(network.next_arrival_s())) {
    const double now = network.next_arrival_s();
    for (const std::int32_t id : network.take_arrived(now)) times[id] = now;
  }
  return times;
}

}  // namespace

TEST_CASE("a message alone takes its bytes over the link") {
  DeviceNetwork network(small_cluster(2));
  network.send({0, 0, 1, 20}, 0);
  network.send({1, 2, 0, 20}, 0);
  const auto times = arrivals(network);
  CHECK(times.at(0) == Approx(2));
  CHECK(times.at(1) == Approx(10));
}

TEST_CASE(
    "devices of a host share its network interface and both directions are free of each other") {
  DeviceNetwork network(small_cluster(2));
  network.send({0, 0, 2, 10}, 0);
  network.send({1, 1, 3, 10}, 0);
  network.send({2, 2, 0, 10}, 0);
  const auto times = arrivals(network);
  CHECK(times.at(0) == Approx(10));
  CHECK(times.at(1) == Approx(10));
  CHECK(times.at(2) == Approx(5));
}

TEST_CASE("what a limited message leaves, others take") {
  // Into host 0: from hosts 1 and 2; host 1 also sends to host 3. Interface in of host 0: 1 each;
  // host 1 has 1 left for the other.
  DeviceNetwork network(small_cluster(4));
  network.send({0, 2, 0, 10}, 0);
  network.send({1, 4, 1, 10}, 0);
  network.send({2, 3, 6, 10}, 0);
  const auto times = arrivals(network);
  CHECK(times.at(0) == Approx(10));
  CHECK(times.at(1) == Approx(10));
  CHECK(times.at(2) == Approx(10));
}

TEST_CASE("a message that joins later slows the others from then on") {
  DeviceNetwork network(small_cluster(2));
  network.send({0, 0, 2, 10}, 0);
  network.send({1, 1, 3, 10}, 2.5);  // half of message 0 is through
  const auto times = arrivals(network);
  CHECK(times.at(0) == Approx(7.5));
  CHECK(times.at(1) == Approx(10));
}

TEST_CASE(
    "random traffic keeps every interface at or below its rate and never idles the most loaded "
    "one") {
  const auto seed = GENERATE(take(20, random(1u, 1000000u)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const Cluster cluster = small_cluster(3);
  DeviceNetwork network(cluster);
  std::vector<double> out(3, 0), in(3, 0);
  std::uniform_int_distribution<int> device(0, 5), size(1, 50);
  for (std::int32_t id = 0; id < 12; ++id) {
    const int from = device(random), to = device(random);
    if (cluster.host_of[static_cast<std::size_t>(from)] ==
        cluster.host_of[static_cast<std::size_t>(to)])
      continue;
    const int bytes = size(random);
    network.send({id, from, to, static_cast<double>(bytes)}, 0);
    out[static_cast<std::size_t>(from / 2)] += bytes;
    in[static_cast<std::size_t>(to / 2)] += bytes;
  }
  double last = 0, total = 0;
  for (const auto& [id, time] : arrivals(network)) last = std::max(last, time);
  for (const double bytes : out) total += bytes;
  const double bound =
      std::max(*std::max_element(out.begin(), out.end()), *std::max_element(in.begin(), in.end())) /
      2;
  CHECK(last >= bound * (1 - 1e-6));
  CHECK(last <= total / 2 + 1e-6);
}
