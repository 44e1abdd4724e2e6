// SPDX-License-Identifier: Apache-2.0
#include "topology/varied.hpp"

#include <catch2/catch.hpp>

using namespace rhino;
using namespace rhino::topology;

TEST_CASE("another network is that of all links between hosts, and of no other") {
  Cluster cluster{.name = "two"};
  cluster.hosts = {{.name = "a", .devices = {0, 1}}, {.name = "b", .devices = {2, 3}}};
  cluster.hosts[1].inside = {50, 1}, cluster.hosts[1].interface = {5, 1};
  cluster.host_of = {0, 0, 1, 1};
  cluster.models = {DeviceModel{}};
  cluster.model_of = {0, 0, 0, 0};
  cluster.intra_host = {100, 1}, cluster.inter_host = {10, 1};
  cluster.uplinks = {{8, 1}};
  // Host 1 is not that of device 1.
  cluster.own_links = {{false, 1, 2, {20, 1}}, {false, 0, 1, {40, 1}}, {true, 1, 0, {60, 1}}};
  const Cluster other = varied(cluster, {.network = 0.5});
  CHECK(other.intra_host.bytes_per_s == 100);
  CHECK(other.inter_host.bytes_per_s == 5);
  CHECK(other.hosts[1].inside.bytes_per_s == 50);
  CHECK(other.hosts[1].interface.bytes_per_s == 2.5);
  CHECK(other.uplinks[0].bytes_per_s == 4);
  CHECK(other.own_links[0].link.bytes_per_s == 10);
  CHECK(other.own_links[1].link.bytes_per_s == 40);
  CHECK(other.own_links[2].link.bytes_per_s == 30);
}
