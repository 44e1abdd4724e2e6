// SPDX-License-Identifier: Apache-2.0
#include "evaluate/price_changes.hpp"

namespace rhino::evaluate {
namespace {

void slow_down(DeviceModel& model, double times) {
  model.kernel_latency_s *= times;
  for (double* rate : {&model.memory_bytes_per_s, &model.stream_bytes_per_s,
                       &model.cache_bytes_per_s, &model.attention.exponentials_per_s})
    *rate /= times;
  for (auto* rates : {&model.peak_flops, &model.sustained_flops}) {
    for (auto& [dtype, rate] : *rates) rate /= times;
  }
}

void slow_down(Link& link, double times) {
  link.bytes_per_s /= times;
  link.latency_s *= times;
}

}  // namespace

Cluster changed(Cluster cluster, const PriceChange& change) {
  for (DeviceModel& model : cluster.models) slow_down(model, change.kernels);
  cluster.software.kernel_issue_s *= change.kernels;
  for (auto& [kind, seconds] : cluster.software.collective_issue_s) seconds *= change.kernels;
  for (Link* link : {&cluster.intra_host, &cluster.inter_host}) slow_down(*link, change.links);
  for (Host& host : cluster.hosts) {
    slow_down(host.inside, change.links);
    slow_down(host.interface, change.links);
  }
  for (Link& link : cluster.uplinks) slow_down(link, change.links);
  for (OwnLink& own : cluster.own_links) slow_down(own.link, change.links);
  cluster.emulated.rate_bits_per_s /= change.links;
  return cluster;
}

}  // namespace rhino::evaluate
