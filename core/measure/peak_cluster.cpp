// SPDX-License-Identifier: Apache-2.0
#include "measure/peak_cluster.hpp"

#include <algorithm>

#include "topology/emulated_hosts.hpp"

namespace rhino::measure {

Cluster cluster_at_peak(Cluster cluster, const cost::Calibration* calibration) {
  if (calibration == nullptr) return cluster;
  cluster.intra_host.bytes_per_s =
      std::max({calibration->intra_host.bytes_per_s, calibration->peak_link_bytes_per_s,
                calibration->copy_bytes_per_s});
  cluster.intra_host.latency_s = 0;
  if (cluster.is_emulated())
    cluster.inter_host = {topology::goodput_bytes_per_s(cluster.emulated), 0,
                          cluster.emulated.burst_bytes};
  return cluster;
}

}  // namespace rhino::measure
