// SPDX-License-Identifier: Apache-2.0
#include "simulate/network.hpp"

#include <algorithm>
#include <limits>

namespace rhino {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Network::Network(const Cluster& cluster) : cluster_(cluster), next_arrival_s_(kNever) {
  const std::size_t num_devices = cluster.host_of.size(), num_hosts = cluster.hosts.size();
  capacity_.assign(2 * num_devices, cluster.intra_host.bytes_per_s);
  capacity_.resize(2 * (num_devices + num_hosts), cluster.inter_host.bytes_per_s);
}

void Network::send(std::int32_t id, DeviceId from, DeviceId to, double bytes, double now_s) {
  advance(now_s);
  const auto num_devices = static_cast<std::int32_t>(cluster_.host_of.size());
  const auto num_hosts = static_cast<std::int32_t>(cluster_.hosts.size());
  const std::int32_t from_host = cluster_.host_of[static_cast<std::size_t>(from)];
  const std::int32_t to_host = cluster_.host_of[static_cast<std::size_t>(to)];
  Flow flow{id, from, num_devices + to, bytes, 0, kNever};
  if (from_host != to_host) {
    flow.out = 2 * num_devices + from_host;
    flow.in = 2 * num_devices + num_hosts + to_host;
  }
  flows_.push_back(flow);
  share();
}

std::vector<std::int32_t> Network::take_arrived(double now_s) {
  advance(now_s);
  std::vector<std::int32_t> arrived;
  std::erase_if(flows_, [&](const Flow& flow) {
    if (flow.end_s > now_s) return false;
    arrived.push_back(flow.id);
    return true;
  });
  std::sort(arrived.begin(), arrived.end());
  if (!arrived.empty()) share();
  return arrived;
}

void Network::advance(double now_s) {
  for (Flow& flow : flows_)
    flow.left_bytes = std::max(0.0, flow.left_bytes - flow.rate * (now_s - now_s_));
  now_s_ = now_s;
}

/// Water-filling: the resource with the least capacity per message fixes the rate of its messages;
/// repeat with what is left.
void Network::share() {
  std::vector<double> left = capacity_;
  std::vector<std::int32_t> users(capacity_.size(), 0);
  for (Flow& flow : flows_) {
    flow.rate = 0;
    ++users[static_cast<std::size_t>(flow.out)];
    ++users[static_cast<std::size_t>(flow.in)];
  }
  for (std::size_t fixed = 0; fixed < flows_.size();) {
    double least = kNever;
    for (const Flow& flow : flows_) {
      if (flow.rate > 0) continue;
      for (const std::int32_t resource : {flow.out, flow.in}) {
        const auto r = static_cast<std::size_t>(resource);
        least = std::min(least, left[r] / users[r]);
      }
    }
    std::vector<Flow*> limited;
    for (Flow& flow : flows_) {
      if (flow.rate > 0) continue;
      const auto share_of = [&](std::int32_t r) {
        return left[static_cast<std::size_t>(r)] / users[static_cast<std::size_t>(r)];
      };
      if (std::min(share_of(flow.out), share_of(flow.in)) <= least * (1 + 1e-9))
        limited.push_back(&flow);
    }
    for (Flow* flow : limited) {
      flow->rate = least;
      for (const std::int32_t resource : {flow->out, flow->in}) {
        left[static_cast<std::size_t>(resource)] -= least;
        --users[static_cast<std::size_t>(resource)];
      }
    }
    fixed += limited.size();
  }
  next_arrival_s_ = kNever;
  for (Flow& flow : flows_) {
    flow.end_s = now_s_ + flow.left_bytes / flow.rate;
    next_arrival_s_ = std::min(next_arrival_s_, flow.end_s);
  }
}

}  // namespace rhino
