// SPDX-License-Identifier: Apache-2.0
#include "topology/host_report.hpp"

#include <catch2/catch.hpp>

#include "codec/binary.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::topology;

namespace {

HostReport report(std::int32_t rank, const std::string& host, std::vector<std::int32_t> cores,
                  const std::string& boot = "") {
  HostReport made{.rank = rank,
                  .name = host,
                  .boot = boot.empty() ? host : boot,
                  .container = host,
                  .engine = "1",
                  .binaries = "abc",
                  .processor = "Xeon",
                  .memory_bytes = 8e9,
                  .total_memory_bytes = 16e9};
  for (const std::int32_t number : cores) made.cores.push_back({.number = number});
  return made;
}

}  // namespace

TEST_CASE("processes of one container are one host, with the cores of all of them") {
  const std::vector<FoundHost> hosts = group_hosts(
      {report(3, "b", {2, 3}), report(0, "a", {0}), report(2, "b", {0, 1}), report(1, "a", {1})});
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[0].report.name == "a");
  CHECK(hosts[0].ranks == std::vector<std::int32_t>{0, 1});
  CHECK(hosts[1].ranks == std::vector<std::int32_t>{2, 3});
  CHECK(hosts[0].report.cores.size() == 2);
  CHECK(hosts[1].report.cores.size() == 4);
  CHECK(hosts[0].machine != hosts[1].machine);
}

TEST_CASE("containers of one machine are hosts that share it") {
  const auto hosts = group_hosts(
      {report(0, "a", {0, 1}, "x"), report(1, "b", {0, 1}, "x"), report(2, "c", {0, 1}, "y")});
  REQUIRE(hosts.size() == 3);
  CHECK(hosts[0].machine == hosts[1].machine);
  CHECK(hosts[0].machine != hosts[2].machine);
  // Alike, with the memory of whoever has least: half a machine's.
  const Cluster cluster = cluster_of(hosts, "cpu", 0, 2);
  REQUIRE(cluster.models.size() == 1);
  CHECK(cluster.models[0].memory_bytes == 8e9 / 4);
}

TEST_CASE("hosts that differ in version or binaries are refused by name") {
  HostReport newer = report(1, "b", {0});
  newer.engine = "2";
  CHECK_THROWS_WITH(group_hosts({report(0, "a", {0}), newer}), "versions differ: 1 on a, 2 on b");
  HostReport other = report(1, "b", {0});
  other.binaries = "abd";
  CHECK_THROWS_WITH(group_hosts({report(0, "a", {0}), other}),
                    "binaries of version 1 differ: abc on a, abd on b");
}

TEST_CASE("a cluster has a device per core, or per process where several were launched") {
  std::vector<FoundHost> hosts = group_hosts({report(0, "a", {0, 1}), report(1, "b", {0, 1, 2})});
  Cluster cluster = cluster_of(hosts, "cpu", 0, 0);
  CHECK(cluster.host_of == std::vector<std::int32_t>{0, 0, 1, 1, 1});
  CHECK(cluster.hosts[1].name == "b");
  CHECK(cluster.hosts[1].devices == std::vector<DeviceId>{2, 3, 4});
  CHECK(cluster.models.size() == 1);  // one core each
  cluster = cluster_of(hosts, "cpu", 1, 0);
  CHECK(cluster.num_devices() == 2);
  cluster = cluster_of(hosts, "cpu", 0, 1);
  CHECK(cluster.num_devices() == 2);
  CHECK(cluster.models.size() == 2);  // two cores, and three
  hosts = group_hosts({report(0, "a", {0, 1}), report(1, "b", {0}), report(2, "b", {1})});
  CHECK(cluster_of(hosts, "cpu", 0, 0).host_of == std::vector<std::int32_t>{0, 1, 1});
  CHECK_THROWS_WITH(cluster_of(hosts, "cpu", 3, 0), "there are 2 hosts, not 3");
  CHECK_THROWS_WITH(cluster_of(hosts, "cuda", 0, 0), Catch::Contains("host a has no GPU"));
}

TEST_CASE("GPUs of several hosts are one cluster, each host with its own links") {
  HostReport a = report(0, "a", {0}), b = report(1, "b", {0});
  const Gpu gpu{.name = "V100",
                .architecture = 70,
                .num_multiprocessors = 80,
                .memory_bytes = 16e9,
                .clock_hz = 1.5e9,
                .memory_clock_hz = 877e6,
                .memory_bus_bits = 4096};
  a.gpus.gpus = {gpu, gpu};
  b.gpus.gpus = {gpu, gpu, gpu};
  const Cluster cluster = cluster_of(group_hosts({a, b}), "cuda", 0, 0);
  CHECK(cluster.host_of == std::vector<std::int32_t>{0, 0, 1, 1, 1});
  CHECK(cluster.models.size() == 1);
  CHECK(cluster.models[0].kind == DeviceKind::cuda);
  CHECK(cluster_of(group_hosts({a, b}), "cuda", 0, 1).num_devices() == 2);
}

TEST_CASE("a report survives its bytes, and this host has one") {
  const HostReport here = report_host("1", {"/proc/self/exe"});
  CHECK(!here.name.empty());
  CHECK(!here.cores.empty());
  CHECK(here.cores_there >= std::ssize(here.cores));
  const auto read = codec::from_bytes<HostReport>(codec::to_bytes(here), "a report");
  CHECK(read.name == here.name);
  CHECK(read.cores == here.cores);
  CHECK(read.binaries == here.binaries);
  CHECK(here.binaries != report_host("1", {"/bin/sh"}).binaries);
}
