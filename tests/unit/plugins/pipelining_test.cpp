// SPDX-License-Identifier: Apache-2.0
#include "common/pipelining.hpp"

#include <catch2/catch.hpp>

#include "common/cut.hpp"
#include "reshard_cases.hpp"

using namespace rhino;
using namespace rhino::common;

namespace {

/// T(K) of the comment in pipelining.hpp, for a chain over `hosts` hosts of `per_host` devices.
double chain_s(const Cluster& cluster, double bytes, double hosts, double per_host, double count) {
  const Link &far = cluster.inter_host, &near = cluster.intra_host;
  const double chunk = bytes / count;
  const double first = hosts * (far.latency_s + chunk / far.bytes_per_s) +
                       hosts * (per_host - 1) * (near.latency_s + chunk / near.bytes_per_s);
  return first + (count - 1) * (far.latency_s + chunk / far.bytes_per_s);
}

}  // namespace

TEST_CASE("a chain has the number of chunks that takes it least time") {
  const Cluster cluster = conformance::alike_hosts(5, 4);
  const std::int64_t bytes = 32 << 20;
  for (const std::int64_t hosts : {2, 3, 4}) {
    CAPTURE(hosts);
    const Pipeline chain =
        best_pipeline(cluster, 0, host_mesh(hosts, 4, 4).devices, bytes, 1 << 20);
    double best = 1e9;
    for (int count = 32; count <= 512; ++count) {
      best = std::min(best, chain_s(cluster, bytes, static_cast<double>(hosts), 4, count));
    }
    CHECK(chain.seconds == Approx(chain_s(cluster, bytes, static_cast<double>(hosts), 4,
                                          static_cast<double>(chain.num_chunks))));
    CHECK(chain.seconds == Approx(best).epsilon(1e-3));
  }
}

TEST_CASE("chunks are neither too fine nor too coarse") {
  const Cluster cluster = conformance::alike_hosts(5, 4);
  const std::vector<DeviceId> receivers = host_mesh(4, 4, 4).devices;
  CHECK(best_pipeline(cluster, 0, receivers, 1000, 1 << 20).num_chunks == 1);
  CHECK(best_pipeline(cluster, 0, receivers, 1 << 20, 1 << 20).num_chunks <= 16);
  CHECK(best_pipeline(cluster, 0, {1, 2}, 1 << 30, 1 << 20).num_chunks >= 64);
  CHECK(best_pipeline(cluster, 0, receivers, 1 << 30, 10).num_chunks == 10);
  CHECK(best_pipeline(cluster, 0, {4}, 1 << 30, 1 << 20).num_chunks == 1);
}

TEST_CASE("a chain over one hop is a message") {
  const Cluster cluster = conformance::alike_hosts(2, 1);
  CHECK(best_pipeline(cluster, 0, {1}, 1000000, 100).seconds == Approx(30e-6 + 1e6 / 1.25e9));
  CHECK(copies_s(cluster, 0, {1}, 1000000) == Approx(30e-6 + 1e6 / 1.25e9));
}

TEST_CASE("a box is cut into as many parts as asked for, without loss") {
  for (const Box& box : {Box{{0}, {24}}, Box{{1, 2}, {4, 9}}, Box{{0, 3, 1}, {2, 3, 5}}}) {
    for (std::int64_t count = 1; count <= num_elements(box); ++count) {
      CAPTURE(count);
      std::vector<std::size_t> dims(box.size.size());
      for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = d;
      const std::vector<Box> parts = cut_into(box, count, dims);
      CHECK(std::ssize(parts) == count);
      std::int64_t sum = 0;
      for (const Box& part : parts) {
        CHECK(num_elements(part) > 0);
        CHECK(intersect(part, box) == part);
        sum += num_elements(part);
        for (const Box& other : parts)
          CHECK((&other == &part || num_elements(intersect(part, other)) == 0));
      }
      CHECK(sum == num_elements(box));
    }
  }
}

TEST_CASE("replicas share a box evenly as far as its extents allow") {
  const Box box{{0, 0}, {4, 6}};
  CHECK(cut_evenly(box, 4).size() == 4);
  CHECK(cut_evenly(box, 3).size() == 3);  // along the second dim
  CHECK(cut_evenly(box, 24).size() == 24);
  CHECK(cut_evenly(box, 5).size() == 1);
  CHECK(cut_evenly(box, 16).size() == 8);  // two of each part
  CHECK(cut_evenly({{0}, {1024}}, 3).size() == 1);
}
