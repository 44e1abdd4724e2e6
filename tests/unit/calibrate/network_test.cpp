// SPDX-License-Identifier: Apache-2.0
#include "calibrate/network.hpp"

#include <catch2/catch.hpp>

#include "store/calibration_file.hpp"
#include "topology/emulated_hosts.hpp"

using namespace rhino;
using namespace rhino::calibrate;
using Catch::Contains;

TEST_CASE("a network is judged by what its rate leaves for payload") {
  Cluster cluster;
  cluster.emulated = {.rate_bits_per_s = 1e9, .burst_bytes = 131072};
  const double goodput = topology::goodput_bytes_per_s(cluster.emulated);
  cost::Calibration calibration{.inter_host = {goodput * 0.96, 1e-4}};
  CHECK_FALSE(judge_network(calibration, cluster).deviates);
  CHECK_THAT(judge_network(calibration, cluster).sentence,
             Contains("114.8 MB/s between hosts, 4.0 % below"));
  calibration.inter_host.bytes_per_s = goodput * 0.9;
  CHECK(judge_network(calibration, cluster).deviates);
  calibration.inter_host.bytes_per_s = goodput * 1.1;
  CHECK(judge_network(calibration, cluster).deviates);
  CHECK_THAT(judge_network(calibration, cluster).sentence, Contains("10.0 % above"));
}

TEST_CASE("the network of a disturbed machine is known by one fingerprint, which says so") {
  Cluster cluster;
  cluster.hosts = {{"a", {0, 1}}};
  cluster.emulated = {.rate_bits_per_s = 1e9, .burst_bytes = 131072};
  const std::string calm = network_fingerprint({.fingerprint = "f"}, cluster);
  CHECK(calm == "f-1000000000bit-131072b-2-beside");
  CHECK(network_fingerprint({.fingerprint = as_disturbed("f")}, cluster) == calm);
}

TEST_CASE("a measured network replaces both links of an emulated cluster") {
  Cluster cluster;
  cluster.emulated = {.rate_bits_per_s = 1e9, .burst_bytes = 131072};
  const cost::Calibration calibration{.intra_host = {4e9, 1e-4},
                                      .inter_host = {1.19e8, 2e-4, 131072}};
  cost::apply(store::decode_calibration(store::encode(calibration)), cluster);
  CHECK(cluster.intra_host == calibration.intra_host);
  CHECK(cluster.inter_host == calibration.inter_host);
}
