// SPDX-License-Identifier: Apache-2.0
#include "cost/links.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

/// Both at once.
Link beside(Link link, const Link& other) {
  link.bytes_per_s += other.bytes_per_s;
  link.burst_bytes += other.burst_bytes;
  link.latency_s = std::min(link.latency_s, other.latency_s);
  return link;
}

/// At least as good as either.
Link better(Link link, const Link& other) {
  link.bytes_per_s = std::max(link.bytes_per_s, other.bytes_per_s);
  link.burst_bytes = std::max(link.burst_bytes, other.burst_bytes);
  link.latency_s = std::min(link.latency_s, other.latency_s);
  return link;
}

std::int32_t host_of(const Cluster& cluster, DeviceId device) {
  return cluster.host_of[at(device)];
}

}  // namespace

Links::Links(const Cluster& cluster) : host_of_(cluster.host_of), own_links_(cluster.own_links) {
  for (const std::int32_t host : host_of_) inside_.push_back(add(cluster.inside(host).bytes_per_s));
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> interfaces;  // of a host
  for (DeviceId device = 0; device < num_devices(); ++device) {
    const std::int32_t host = host_of_[at(device)];
    const auto [found, is_new] = interfaces.try_emplace({host, cluster.interface_of(device)}, -1);
    if (is_new) found->second = add(cluster.interface(host).bytes_per_s);
    interface_.push_back(found->second);
    leaf_of_.push_back(cluster.uplinks.empty() ? -1 : cluster.hosts[at(host)].leaf);
  }
  for (const Link& uplink : cluster.uplinks) uplink_.push_back(add(uplink.bytes_per_s));
  for (const OwnLink& own : cluster.own_links) {
    own_.push_back(add(own.link.bytes_per_s));
    is_own_inside_.push_back(!own.between_hosts && host_of_[at(own.a)] == host_of_[at(own.b)]);
    has_own_between_hosts_ |= !is_own_inside_.back();
  }
}

/// Both directions.
std::int32_t Links::add(double bytes_per_s) {
  bytes_per_s_.resize(bytes_per_s_.size() + 2, bytes_per_s);
  return static_cast<std::int32_t>(bytes_per_s_.size()) - 2;
}

std::vector<std::int32_t> Links::route(DeviceId from, DeviceId to) const {
  const std::int32_t from_host = host_of_[at(from)], to_host = host_of_[at(to)];
  for (std::size_t l = 0; l < own_links_.size(); ++l) {
    const OwnLink& own = own_links_[l];
    const auto [a, b] = own.between_hosts ? std::pair(from_host, to_host) : std::pair(from, to);
    if (own.a == a && own.b == b) return {own_[l]};
    if (own.a == b && own.b == a) return {own_[l] + 1};
  }
  if (from_host == to_host) return {inside_[at(from)], inside_[at(to)] + 1};
  std::vector<std::int32_t> links{interface_[at(from)], interface_[at(to)] + 1};
  const std::int32_t up = leaf_of_[at(from)], down = leaf_of_[at(to)];
  if (up != down && up >= 0) links.push_back(uplink_[at(up)]);
  if (up != down && down >= 0) links.push_back(uplink_[at(down)] + 1);
  return links;
}

std::vector<std::int32_t> Links::of(DeviceId device) const {
  std::vector<std::int32_t> links{inside_[at(device)], inside_[at(device)] + 1,
                                  interface_[at(device)], interface_[at(device)] + 1};
  const std::int32_t leaf = leaf_of_[at(device)];
  if (leaf >= 0) links.insert(links.end(), {uplink_[at(leaf)], uplink_[at(leaf)] + 1});
  return links;
}

std::vector<Links::Own> Links::own() const {
  std::vector<Own> all;
  for (std::size_t l = 0; l < own_links_.size(); ++l) {
    const OwnLink& own = own_links_[l];
    const auto add = [&](DeviceId device, bool is_first) {
      all.push_back({own_[l], is_first, device});
      all.push_back({own_[l] + 1, !is_first, device});
    };
    if (!own.between_hosts) {
      add(own.a, true), add(own.b, false);
      continue;
    }
    for (DeviceId device = 0; device < num_devices(); ++device) {
      if (host_of_[at(device)] == own.a) add(device, true);
      if (host_of_[at(device)] == own.b) add(device, false);
    }
  }
  return all;
}

Link widest_link_out(const Cluster& cluster, std::int32_t host) {
  Link link = cluster.host_link(host);
  for (const OwnLink& own : cluster.own_links) {
    const std::int32_t a = own.between_hosts ? own.a : host_of(cluster, own.a),
                       b = own.between_hosts ? own.b : host_of(cluster, own.b);
    if (a != b && (a == host || b == host)) link = beside(link, own.link);
  }
  return link;
}

Link widest_link_out(const Cluster& cluster) {
  Link widest = widest_link_out(cluster, 0);
  for (std::int32_t host = 1; host < static_cast<std::int32_t>(cluster.hosts.size()); ++host)
    widest = better(widest, widest_link_out(cluster, host));
  return widest;
}

Link widest_device_link(const Cluster& cluster, std::int32_t host) {
  Link widest = cluster.inside(host);
  for (DeviceId device = 0; !cluster.own_links.empty() && device < cluster.num_devices();
       ++device) {
    if (host_of(cluster, device) != host) continue;
    Link link = cluster.inside(host);
    for (const OwnLink& own : cluster.own_links) {
      if (!own.between_hosts && host_of(cluster, own.a) == host_of(cluster, own.b) &&
          (own.a == device || own.b == device))
        link = beside(link, own.link);
    }
    widest = better(widest, link);
  }
  return widest;
}

Link widest_device_link(const Cluster& cluster) {
  Link widest = widest_device_link(cluster, 0);
  for (std::int32_t host = 1; host < static_cast<std::int32_t>(cluster.hosts.size()); ++host)
    widest = better(widest, widest_device_link(cluster, host));
  return widest;
}

}  // namespace rhino::cost
