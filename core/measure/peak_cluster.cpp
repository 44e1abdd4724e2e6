// SPDX-License-Identifier: Apache-2.0
#include "measure/peak_cluster.hpp"

#include <algorithm>

#include "rhino/index.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::measure {

/// A network that others use, or whose limiter was idle, lets more through at times than it did
/// while it was measured.
constexpr double kNetworkMargin = 1.05;

Cluster cluster_at_peak(Cluster cluster, const cost::Calibration* calibration) {
  if (calibration == nullptr) return cluster;
  cluster.intra_host.bytes_per_s =
      std::max({calibration->intra_host.bytes_per_s, calibration->peak_link_bytes_per_s,
                calibration->copy_bytes_per_s});
  cluster.intra_host.latency_s = 0;
  cluster.collective_shares = {};
  cluster.shares_of_model.clear();
  if (cluster.is_emulated())
    cluster.inter_host = {topology::goodput_bytes_per_s(cluster.emulated), 0,
                          cluster.emulated.burst_bytes};
  else if (calibration->inter_host.bytes_per_s > 0)
    cluster.inter_host = {kNetworkMargin * calibration->inter_host.bytes_per_s, 0};
  for (OwnLink& own : cluster.own_links) {
    const bool is_inside =
        !own.between_hosts && cluster.host_of[at(own.a)] == cluster.host_of[at(own.b)];
    if (!is_inside) own.link = {kNetworkMargin * own.link.bytes_per_s, 0};
  }
  return cluster;
}

}  // namespace rhino::measure
