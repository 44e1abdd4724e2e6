// SPDX-License-Identifier: Apache-2.0
#include "topology/varied.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::topology {
namespace {

void vary(DeviceModel& model, double times) {
  for (const auto& [dtype, peak] : model.peak_flops) {
    double& reached = model.sustained_flops.try_emplace(dtype, peak).first->second;
    reached = std::min(peak, times * reached);
  }
  if (model.stream_bytes_per_s == 0) model.stream_bytes_per_s = model.memory_bytes_per_s;
  model.stream_bytes_per_s = std::min(model.memory_bytes_per_s, times * model.stream_bytes_per_s);
  for (double* part : {&model.attention.forward, &model.attention.backward})
    *part = std::min(1.0, times * *part);
  model.attention.exponentials_per_s *= times;
  model.cache_bytes_per_s *= times;
  model.kernel_latency_s /= times;
}

/// So that times of a plan can be added up.
bool is_allowed(double times) { return times >= 1e-6 && times <= 1e6; }

}  // namespace

Cluster varied(Cluster cluster, const Variation& variation) {
  if (!is_allowed(variation.network) || !is_allowed(variation.kernels))
    throw Error("network and kernels say how many times as quick: from 1e-6 to 1e6");
  if (variation.network != 1) {
    if (cluster.is_emulated()) throw Error("the network of emulated hosts is as quick as it is");
    cluster.inter_host.bytes_per_s *= variation.network;
    for (Host& host : cluster.hosts) host.interface.bytes_per_s *= variation.network;
    for (Link& uplink : cluster.uplinks) uplink.bytes_per_s *= variation.network;
    for (OwnLink& own : cluster.own_links)
      if (own.between_hosts || cluster.host_of[at(own.a)] != cluster.host_of[at(own.b)])
        own.link.bytes_per_s *= variation.network;
  }
  if (variation.kernels != 1) {
    for (DeviceModel& model : cluster.models) {
      if (model.kind == DeviceKind::cpu)
        throw Error("this machine's kernels are as quick as they are");
      vary(model, variation.kernels);
    }
    cluster.software.kernel_issue_s /= variation.kernels;
    for (auto& [kind, seconds] : cluster.software.collective_issue_s) seconds /= variation.kernels;
  }
  return cluster;
}

}  // namespace rhino::topology
