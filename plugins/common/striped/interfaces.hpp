// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/index.hpp"

namespace rhino::common::striped {

/// The network interfaces of all hosts, counted through, and which one a device uses; and links
/// that two devices or hosts have of their own, beside which nothing else counts.
struct Interfaces {
  explicit Interfaces(const Cluster& cluster) : of(cluster.host_of.size()) {
    std::vector<std::size_t> first;
    for (std::int32_t host = 0; host < std::ssize(cluster.hosts); ++host) {
      first.push_back(links.size());
      links.resize(links.size() + at(cluster.hosts[at(host)].num_interfaces),
                   cluster.interface(host));
    }
    for (std::size_t device = 0; device < of.size(); ++device) {
      const std::int32_t interface = cluster.interface_of(static_cast<DeviceId>(device));
      of[device] = first[at(cluster.host_of[device])] + at(interface);
    }
    for (const OwnLink& own : cluster.own_links) {
      for (const auto& [from, to] : {std::pair(own.a, own.b), std::pair(own.b, own.a)}) {
        numbers_.try_emplace({own.between_hosts, from, to}, index(own_links.size()));
        own_links.push_back(own.link);
      }
    }
    if (own_links.empty()) return;
    host_of_ = cluster.host_of;
    has_own.resize(of.size());
    for (std::size_t device = 0; device < of.size(); ++device) {
      for (const OwnLink& own : cluster.own_links) {
        const std::int32_t end = own.between_hosts ? host_of_[device] : index(device);
        if (end == own.a || end == own.b) has_own[device] = true;
      }
    }
  }

  /// Of `own_links`, the first; -1: there is none from one to the other.
  std::int32_t own(DeviceId from, DeviceId to) const {
    if (own_links.empty()) return -1;
    std::int32_t first = -1;
    for (const bool between_hosts : {false, true}) {
      const auto found = numbers_.find({between_hosts, between_hosts ? host_of_[at(from)] : from,
                                        between_hosts ? host_of_[at(to)] : to});
      if (found != numbers_.end() && (first < 0 || found->second < first)) first = found->second;
    }
    return first;
  }

  std::vector<std::size_t> of;  ///< per device
  std::vector<Link> links;      ///< per interface
  std::vector<Link> own_links;  ///< both ways, each a link
  std::vector<bool> has_own;    ///< per device; empty: none has

 private:
  static std::int32_t index(std::size_t i) { return static_cast<std::int32_t>(i); }

  std::map<std::tuple<bool, std::int32_t, std::int32_t>, std::int32_t> numbers_;
  std::vector<std::int32_t> host_of_;
};

}  // namespace rhino::common::striped
