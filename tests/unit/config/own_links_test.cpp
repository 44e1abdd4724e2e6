// SPDX-License-Identifier: Apache-2.0
/// Links that two devices or hosts of a topology have of their own.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "config/topology_file.hpp"
#include "temporary_file.hpp"
#include "topology_text.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

TEST_CASE("any two devices or hosts may have a link of their own") {
  const TemporaryFile file(switched(R"(own_links:
  - {hosts: [0, 3], bytes_per_s: 1e9, latency_s: 1e-2}
  - {devices: [2, 1], bytes_per_s: 50e9, latency_s: 3e-6}
)"));
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.link(25, 7) == Link{1e9, 1e-2, 0});
  CHECK(cluster.link(1, 2) == Link{50e9, 3e-6, 0});
  CHECK(cluster.link(1, 3) == Link{200e9, 1e-6, 0});
}

TEST_CASE("pairs of devices of each host have links of their own, those that a case takes") {
  const TemporaryFile file(switched(R"(own_links:
  - {pairs_of_each_host: [[0, 1], [6, 7]], bytes_per_s: 50e9, latency_s: 3e-6}
  - {devices: [2, 3], bytes_per_s: 1e9, latency_s: 3e-6}
)"));
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.own_links.size() == 9);
  CHECK(cluster.link(24, 25) == Link{50e9, 3e-6, 0});
  CHECK(cluster.link(15, 14) == Link{50e9, 3e-6, 0});
  CHECK(cluster.link(3, 2) == Link{1e9, 3e-6, 0});
  CHECK(cluster.link(11, 10) == Link{200e9, 1e-6, 0});
  CHECK(read_topology(file.path(), 5, 6).own_links.size() == 6);
}

TEST_CASE("ends of links of their own are those of the file, whatever a case takes of it") {
  const TemporaryFile file(switched(R"(own_links:
  - {devices: [9, 8], bytes_per_s: 50e9, latency_s: 3e-6}
  - {devices: [1, 25], bytes_per_s: 40e9, latency_s: 3e-6}
  - {devices: [2, 3], bytes_per_s: 30e9, latency_s: 3e-6}
  - {hosts: [1, 3], bytes_per_s: 2e9, latency_s: 1e-2}
  - {hosts: [1, 0], bytes_per_s: 1e9, latency_s: 1e-2}
)"));
  const Link pair{50e9, 3e-6, 0}, far{40e9, 3e-6, 0}, second{30e9, 3e-6, 0};
  const Link slow{2e9, 1e-2, 0}, slower{1e9, 1e-2, 0};
  using Links = std::vector<OwnLink>;
  CHECK(read_topology(file.path(), 0, 2).own_links ==
        Links{{false, 3, 2, pair}, {false, 1, 7, far}, {true, 1, 3, slow}, {true, 1, 0, slower}});
  CHECK(read_topology(file.path(), 2, 4).own_links ==
        Links{{false, 5, 4, pair}, {false, 2, 3, second}, {true, 1, 0, slower}});
  CHECK(read_topology(file.path(), 3, 1).own_links == Links{{true, 1, 0, slower}});
  CHECK(read_topology(file.path(), 1, 1).own_links.empty());
  CHECK(read_topology(file.path(), 9).own_links == read_topology(file.path()).own_links);
  const std::string beyond = "own_links: [{hosts: [0, 4], bytes_per_s: 1, latency_s: 0}]";
  CHECK_THAT(refused(switched(beyond), 9), Contains("two of the 4 hosts are wanted, from 0"));
}

TEST_CASE("ends of links of their own count through classes, some devices left out or not") {
  const TemporaryFile file(std::string(kClasses) + R"(own_links:
  - {devices: [6, 7], bytes_per_s: 50e9, latency_s: 3e-6}
  - {devices: [3, 0], bytes_per_s: 40e9, latency_s: 3e-6}
  - {devices: [1, 2], bytes_per_s: 30e9, latency_s: 3e-6}
)");
  const auto ends = [&](std::int64_t devices_per_host) {
    std::vector<std::pair<std::int32_t, std::int32_t>> all;
    for (const OwnLink& own : read_topology(file.path(), 0, devices_per_host).own_links)
      all.emplace_back(own.a, own.b);
    return all;
  };
  using Ends = std::vector<std::pair<std::int32_t, std::int32_t>>;
  CHECK(ends(0) == Ends{{6, 7}, {3, 0}, {1, 2}});
  CHECK(ends(2) == Ends{{4, 5}, {3, 0}, {1, 2}});
  CHECK(ends(1).empty());
}

TEST_CASE("a link of two devices goes before that of their hosts, in whatever order they stand") {
  const std::string of_hosts = "  - {hosts: [0, 1], bytes_per_s: 1e9, latency_s: 1e-2}\n";
  const std::string of_devices = "  - {devices: [9, 2], bytes_per_s: 50e9, latency_s: 3e-6}\n";
  for (const std::string& lines : {of_hosts + of_devices, of_devices + of_hosts}) {
    const TemporaryFile file(switched("own_links:\n" + lines));
    const Cluster cluster = read_topology(file.path());
    CHECK(cluster.link(2, 9) == Link{50e9, 3e-6, 0});
    CHECK(cluster.link(9, 3) == Link{1e9, 1e-2, 0});
  }
}
