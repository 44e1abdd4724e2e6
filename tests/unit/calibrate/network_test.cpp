// SPDX-License-Identifier: Apache-2.0
#include "calibrate/network.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "rhino/index.hpp"
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

TEST_CASE("a host that is slow with all is one slow interface, a pair that is slow a link") {
  // Between two hosts what the slower interface lets through, unless a pair has a link of its own.
  const auto pairs_of = [](const std::vector<double>& rates, bool is_ring) {
    std::vector<HostPair> pairs;
    const auto count = static_cast<std::int32_t>(rates.size());
    for (std::int32_t a = 0; a < count; ++a) {
      for (std::int32_t b = a + 1; b < count; ++b) {
        if (is_ring && b != a + 1 && (a != 0 || b != count - 1)) continue;
        const double noise = 1 + 0.01 * ((a * 7 + b * 5) % 5 - 2);
        pairs.push_back({a, b, {noise * std::min(rates[at(a)], rates[at(b)]), 1e-5}});
      }
    }
    return pairs;
  };
  const auto slow_of = [](const HostLinks& links) {
    std::vector<double> rates;
    for (const Link& link : links.interfaces) rates.push_back(link.bytes_per_s);
    return rates;
  };
  const bool is_ring = GENERATE(false, true);
  for (const std::vector<double>& rates : {std::vector<double>{10, 10},
                                           {10, 10, 1},
                                           {10, 10, 10, 1},
                                           {1, 10, 10, 10, 5, 10, 10},
                                           {10, 1, 1, 10, 10, 10, 10, 10}}) {
    CAPTURE(is_ring, rates);
    const HostLinks links =
        links_of(pairs_of(rates, is_ring), static_cast<std::int32_t>(rates.size()));
    CHECK(links.typical.bytes_per_s == Approx(10).epsilon(0.03));
    CHECK(links.own_links.empty());
    const std::vector<double> slow = slow_of(links);
    for (std::size_t host = 0; host < rates.size(); ++host)
      CHECK(slow[host] == Approx(rates[host] == 10 ? 0 : rates[host]).epsilon(0.03).margin(1e-9));
  }
  std::vector<HostPair> pairs = pairs_of({10, 10, 10, 1}, false);
  pairs[0].link.bytes_per_s = 3;    // 0 and 1
  pairs[2].link.bytes_per_s = 0.5;  // 0 and the slow one
  const HostLinks links = links_of(pairs, 4);
  CHECK(slow_of(links)[3] > 0);
  CHECK(slow_of(links)[0] == 0);
  REQUIRE(links.own_links.size() == 2);
  CHECK(links.own_links[0] == OwnLink{true, 0, 1, pairs[0].link});
  CHECK(links.own_links[1] == OwnLink{true, 0, 3, pairs[2].link});
}
