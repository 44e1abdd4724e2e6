// SPDX-License-Identifier: Apache-2.0
#include "simulate/network.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace rhino::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Network::Network(const Cluster& cluster) : cluster_(cluster), next_arrival_s_(kNever) {
  const std::size_t num_devices = cluster.host_of.size(), num_hosts = cluster.hosts.size();
  resources_.assign(2 * num_devices, {cluster.intra_host.bytes_per_s, 0, 0, {}});
  resources_.resize(2 * (num_devices + num_hosts), {cluster.inter_host.bytes_per_s, 0, 0, {}});
}

std::size_t Network::connection(const Message& message) {
  DeviceId to = message.to;
  if (message.is_small) to = host_of(message.from) == host_of(to) ? -1 : -2;
  const auto [found, is_new] = index_.try_emplace({message.from, to}, connections_.size());
  if (is_new) connections_.emplace_back();
  return found->second;
}

/// Leads over the links of the first message; returns whether those are others than before.
bool Network::route(Connection& connection) const {
  const Message& first = connection.messages.front();
  const std::size_t num_devices = cluster_.host_of.size(), num_hosts = cluster_.hosts.size();
  const std::size_t from_host = host_of(first.from), to_host = host_of(first.to);
  std::size_t out = static_cast<std::size_t>(first.from);
  std::size_t in = num_devices + static_cast<std::size_t>(first.to);
  if (from_host != to_host) {
    out = 2 * num_devices + from_host;
    in = 2 * num_devices + num_hosts + to_host;
  }
  const bool is_other = connection.out != out || connection.in != in;
  connection.out = out;
  connection.in = in;
  return is_other;
}

void Network::send(const Message& message, double now_s) {
  advance(now_s);
  const std::size_t c = connection(message);
  connections_[c].messages.push_back(message);
  if (connections_[c].messages.size() > 1) return;
  route(connections_[c]);
  active_.push_back(c);
  is_shared_ = false;
}

double Network::next_arrival_s() {
  share();
  return next_arrival_s_;
}

std::vector<std::int32_t> Network::take_arrived(double now_s) {
  share();
  advance(now_s);
  std::vector<std::int32_t> arrived;
  for (const std::size_t c : active_) {
    Connection& connection = connections_[c];
    if (connection.end_s > now_s) continue;
    arrived.push_back(connection.messages.front().id);
    connection.messages.pop_front();
    if (connection.messages.empty()) continue;
    // The next message takes over the place in the shares.
    if (route(connection)) is_shared_ = false;
    else connection.end_s = now_s + connection.messages.front().bytes / connection.rate;
  }
  const std::size_t num_freed =
      std::erase_if(active_, [this](std::size_t c) { return connections_[c].messages.empty(); });
  if (num_freed > 0) is_shared_ = false;
  next_arrival_s_ = kNever;
  for (const std::size_t c : active_)
    next_arrival_s_ = std::min(next_arrival_s_, connections_[c].end_s);
  std::sort(arrived.begin(), arrived.end());
  return arrived;
}

void Network::advance(double now_s) {
  if (now_s == now_s_) return;
  share();
  for (const std::size_t c : active_) {
    double& left = connections_[c].messages.front().bytes;
    left = std::max(0.0, left - connections_[c].rate * (now_s - now_s_));
  }
  now_s_ = now_s;
}

/// Once for all that joins and leaves at the same time.
void Network::share() {
  if (std::exchange(is_shared_, true)) return;
  share_resources();
  next_arrival_s_ = kNever;
  for (const std::size_t c : active_) {
    Connection& connection = connections_[c];
    connection.end_s = now_s_ + connection.messages.front().bytes / connection.rate;
    next_arrival_s_ = std::min(next_arrival_s_, connection.end_s);
  }
}

/// Water-filling: the resource with the least left per connection fixes the rate of its
/// connections; repeat with what is left.
void Network::share_resources() {
  std::vector<std::size_t> used_resources;
  for (const std::size_t c : active_) {
    connections_[c].rate = 0;
    for (const std::size_t r : {connections_[c].out, connections_[c].in}) {
      if (resources_[r].users.empty()) used_resources.push_back(r);
      resources_[r].users.push_back(c);
    }
  }
  using Share = std::pair<double, std::size_t>;
  std::priority_queue<Share, std::vector<Share>, std::greater<>> least;
  const auto share_of = [this](std::size_t r) {
    return resources_[r].left / resources_[r].num_open;
  };
  for (const std::size_t r : used_resources) {
    resources_[r].left = resources_[r].bytes_per_s;
    resources_[r].num_open = static_cast<double>(resources_[r].users.size());
    least.push({share_of(r), r});
  }
  while (!least.empty()) {
    const auto [share, r] = least.top();
    least.pop();
    if (resources_[r].num_open == 0) continue;
    // Its share may have grown since, as others were fixed below it.
    if (share < share_of(r) * (1 - 1e-12)) {
      least.push({share_of(r), r});
      continue;
    }
    const double rate = share_of(r);
    for (const std::size_t c : resources_[r].users) {
      Connection& connection = connections_[c];
      if (connection.rate > 0) continue;
      connection.rate = rate;
      for (const std::size_t used : {connection.out, connection.in}) {
        resources_[used].left = std::max(0.0, resources_[used].left - rate);
        --resources_[used].num_open;
      }
    }
  }
  for (const std::size_t r : used_resources) resources_[r].users.clear();
}

}  // namespace rhino::simulate
