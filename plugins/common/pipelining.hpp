// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/hosts.hpp"

/// What a slice takes to all its receivers, alone on the network, in the alpha-beta model: a
/// message of b bytes over a link of latency a and rate r takes a + b / r.
namespace rhino::common {

struct Pipeline {
  std::int64_t num_chunks = 1;
  double seconds = 0;
};

namespace detail {

inline constexpr double kFinestChunk = 64 << 10;  ///< below, messages cost more than their bytes
inline constexpr double kCoarsestChunk = 1 << 20, kMostCoarse = 64;

inline double seconds_per_byte(const Link& link) {
  return link.bytes_per_s > 0 ? 1 / link.bytes_per_s : 0;
}

/// All hops of a chain, and the slowest.
struct Hops {
  double latency_s = 0, seconds_per_byte = 0;
  double slowest_latency_s = 0, slowest_seconds_per_byte = 0;
};

inline Hops hops_of(const Cluster& cluster, DeviceId from, const std::vector<DeviceId>& receivers) {
  Hops hops;
  for (const DeviceId to : receivers) {
    const Link link = cluster.link(from, to);
    hops.latency_s += link.latency_s;
    hops.seconds_per_byte += seconds_per_byte(link);
    if (seconds_per_byte(link) >= hops.slowest_seconds_per_byte) {
      hops.slowest_latency_s = link.latency_s;
      hops.slowest_seconds_per_byte = seconds_per_byte(link);
    }
    from = to;
  }
  return hops;
}

/// The K of best_pipeline(), before it is bounded.
inline double best_chunk_count(const Hops& hops, double bytes) {
  const double followed = hops.seconds_per_byte - hops.slowest_seconds_per_byte;
  if (followed <= 0) return 1;
  return std::sqrt(bytes * followed / hops.slowest_latency_s);
}

}  // namespace detail

/// The best chain from `from` along `receivers`, in at most `most_chunks` chunks.
///
/// K chunks of D / K bytes each over hops h of latency a_h and rate r_h, m being the slowest hop:
/// the first chunk passes all hops, the others follow it through the slowest one,
///
///     T(K) = sum_h (a_h + D / (K r_h)) + (K - 1) (a_m + D / (K r_m)).
///
/// T'(K) = 0 at K = sqrt(D (sum_h 1 / r_h - 1 / r_m) / a_m). Chunks stay above 64 KiB, and there
/// are 64 or chunks of 1 MiB even where the model asks for less: it leaves out what varies.
inline Pipeline best_pipeline(const Cluster& cluster, DeviceId from,
                              const std::vector<DeviceId>& receivers, std::int64_t num_bytes,
                              std::int64_t most_chunks) {
  const auto bytes = static_cast<double>(num_bytes);
  const detail::Hops hops = detail::hops_of(cluster, from, receivers);
  double count = 1;
  if (receivers.size() > 1) {
    const double most = std::min(static_cast<double>(most_chunks), bytes / detail::kFinestChunk);
    const double least = std::min(bytes / detail::kCoarsestChunk, detail::kMostCoarse);
    count = std::max(detail::best_chunk_count(hops, bytes), least);
    count = std::floor(std::max(1.0, std::min(count, most)));
  }
  const double chunk = bytes / count;
  return {static_cast<std::int64_t>(count),
          hops.latency_s + chunk * hops.seconds_per_byte +
              (count - 1) * (hops.slowest_latency_s + chunk * hops.slowest_seconds_per_byte)};
}

/// Messages of the whole slice from `from` to each receiver, one after the other through its link.
inline double copies_s(const Cluster& cluster, DeviceId from,
                       const std::vector<DeviceId>& receivers, std::int64_t num_bytes) {
  double latency_s = 0, sum_s = 0;
  for (const DeviceId to : receivers) {
    const Link link = cluster.link(from, to);
    latency_s = std::max(latency_s, link.latency_s);
    sum_s += static_cast<double>(num_bytes) * detail::seconds_per_byte(link);
  }
  return latency_s + sum_s;
}

}  // namespace rhino::common
