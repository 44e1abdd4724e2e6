// SPDX-License-Identifier: Apache-2.0
#include "cost/collectives.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "cost/nccl_protocols.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Members of a group by host, and which of them use each interface that it can use there.
struct Party {
  std::vector<DeviceId> members;
  std::vector<std::size_t> exits;  ///< members, one per interface
};

/// Those of groups of `size`, or of the next larger that are told of; else those of any size, or
/// of the largest.
std::span<const CollectiveShare> shares_of(std::span<const CollectiveShare> shares,
                                           std::int64_t size) {
  if (shares.empty()) return shares;
  auto own = std::ranges::find_if(shares, [&](const auto& share) { return share.members >= size; });
  if (own == shares.end()) own = shares.front().members == 0 ? shares.begin() : std::prev(own);
  const auto [first, last] =
      std::ranges::equal_range(shares, own->members, {}, &CollectiveShare::members);
  return {first, last};
}

const CollectiveShares& shares_for(const std::vector<DeviceId>& group, const Cluster& cluster) {
  return cluster.shares_of_model.empty()
             ? cluster.collective_shares
             : cluster.shares_of_model[at(cluster.model_of[at(group.front())])];
}

/// None where the group lies on several hosts.
std::span<const CollectiveShare> shares_inside(OpKind kind, const std::vector<DeviceId>& group,
                                               const Cluster& cluster) {
  const CollectiveShares& all = shares_for(group, cluster);
  const auto own = all.of_kind.find(kind);
  const std::vector<CollectiveShare>& shares = own == all.of_kind.end() ? all.any : own->second;
  if (shares.empty()) return {};
  const std::int32_t host = cluster.host_of[at(group.front())];
  const bool is_inside = std::ranges::all_of(
      group, [&](DeviceId device) { return cluster.host_of[at(device)] == host; });
  if (!is_inside) return {};
  return shares_of(shares, std::ssize(group));
}

/// By what tables of shares go: of all kinds of collectives what a ring sends at a time, of one
/// kind the operand's part per member.
double part_bytes(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                  const Cluster& cluster) {
  const bool has_own = shares_for(group, cluster).of_kind.contains(kind);
  if (kind == OpKind::all_gather && !has_own) return bytes;
  return bytes / static_cast<double>(group.size());
}

class Maker {
 public:
  Maker(const CollectiveProblem& problem, const Cluster& cluster, const Links& links)
      : problem_(problem), cluster_(cluster), links_(links) {
    std::map<std::int32_t, Party> parties;
    std::set<std::pair<std::int32_t, std::int32_t>> interfaces;
    for (const DeviceId device : problem.group) {
      const std::int32_t host = cluster.host_of[at(device)];
      Party& party = parties[host];
      if (interfaces.insert({host, cluster.interface_of(device)}).second)
        party.exits.push_back(party.members.size());
      party.members.push_back(device);
    }
    for (auto& [host, party] : parties) {
      num_channels_ = std::max(num_channels_, party.exits.size());
      most_members_ = std::max(most_members_, party.members.size());
      parties_.push_back(std::move(party));
    }
  }

  std::vector<CollectiveFlow> flows() {
    if (problem_.kind == OpKind::halo_exchange) return {to_neighbours()};
    const bool is_plain = cluster_.collectives == CollectiveLibrary::plain;
    if (problem_.kind == OpKind::all_to_all) return {is_plain ? in_turns() : exchange()};
    if (is_plain) return {plain()};
    std::vector<CollectiveFlow> flows;
    for (const Protocol& protocol : kRing) flows.push_back(ring(protocol));
    if (problem_.kind != OpKind::all_reduce) return flows;
    for (std::size_t protocol = 0; protocol < kTree.size(); ++protocol)
      flows.push_back(tree(protocol));
    // NCCL sets switches up for three members or more (src/transport/nvls.cc).
    if (cluster_.collectives == CollectiveLibrary::nccl_nvls && most_members_ > 2)
      flows.push_back(switches());
    return flows;
  }

 private:
  std::size_t size() const { return problem_.group.size(); }

  /// What each member of a ring sends to the next.
  double ring_bytes() const {
    const double shares = ratio(size() - 1, size());
    switch (problem_.kind) {
      case OpKind::all_reduce: return 2 * problem_.bytes * shares;
      case OpKind::all_gather: return problem_.bytes * static_cast<double>(size() - 1);
      default: return problem_.bytes * shares;
    }
  }

  double rounds() const {
    return static_cast<double>(size() - 1) * (problem_.kind == OpKind::all_reduce ? 2 : 1);
  }

  double inside_us(const Protocol& protocol) const { return protocol.inside_us + inside_more_us_; }
  double between_us(const Protocol& protocol) const {
    return protocol.between_us + between_more_us_;
  }

  /// In the order of the group, whatever host each is on; every round takes the longest hop.
  CollectiveFlow plain() {
    double slowest_s = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const DeviceId from = problem_.group[i], to = problem_.group[(i + 1) % size()];
      slowest_s = std::max(slowest_s, cluster_.link(from, to).latency_s);
      pass(from, to, ring_bytes());
    }
    return finish("ring", rounds() * slowest_s);
  }

  /// Host after host; one channel per interface, each with its part of the bytes, enters a host by
  /// one interface and leaves it by the next.
  CollectiveFlow ring(const Protocol& protocol) {
    const double bytes = ring_bytes() / protocol.efficiency / static_cast<double>(num_channels_);
    for (std::size_t channel = 0; channel < num_channels_; ++channel) {
      for (std::size_t p = 0; p < parties_.size(); ++p) {
        chain(parties_[p], channel, bytes);
        const Party& next = parties_[(p + 1) % parties_.size()];
        if (const DeviceId from = last(parties_[p], channel), to = first(next, channel); from != to)
          pass(from, to, bytes);
      }
    }
    const double between = crossings(problem_.kind), inside = rounds() - between,
                 own_us =
                     protocol.base_us + between * protocol.between_us + inside * protocol.inside_us,
                 more_us = between * between_more_us_ + inside * inside_more_us_;
    SizeEffect by_size;
    if (has_plateau(protocol))
      by_size = {1e-6 * own_us * (plateau() - 1), 64 * static_cast<double>(num_channels_ * size()),
                 -1};
    return finish(protocol.name, 1e-6 * (own_us + more_us) + by_size.latency_s(problem_.bytes),
                  by_size);
  }

  /// Where NCCL counts more latency for a ring: all-reduces between hosts, but for tiny ones.
  bool has_plateau(const Protocol& protocol) const {
    return &protocol == &kRing[2] && problem_.kind == OpKind::all_reduce && parties_.size() > 1;
  }
  /// It is longer where a member is of before A100, the first with arithmetic in bf16.
  double plateau() const {
    const bool is_old = std::ranges::any_of(problem_.group, [&](DeviceId device) {
      return !cluster_.device(device).peak_flops.contains(DType::bf16);
    });
    return is_old ? 1.9 : 1.4;
  }

  /// Hops of a ring that lead to other hosts, as NCCL counts them.
  double crossings(OpKind kind) const {
    if (parties_.size() == 1) return 0;
    const auto hosts = static_cast<double>(parties_.size());
    return std::min(rounds(), kind == OpKind::all_reduce ? 2 * hosts : hosts - 1);
  }

  /// Up and down a chain inside each host and a double binary tree between hosts, in which every
  /// host sends and receives alike: each byte crosses hosts - 1 times up and as often down.
  CollectiveFlow tree(std::size_t number) {
    const Protocol& protocol = kTree[number];
    const double rate = protocol.efficiency * tree_share(number, problem_.bytes),
                 bytes = problem_.bytes / rate / static_cast<double>(num_channels_);
    for (std::size_t channel = 0; channel < num_channels_; ++channel) {
      for (const Party& party : parties_) {
        chain(party, channel, bytes);
        chain_back(party, channel, bytes);
      }
      between_hosts(channel, bytes);
    }
    return finish(protocol.name,
                  1e-6 * (protocol.base_us +
                          2 * static_cast<double>(most_members_ - 1) * inside_us(protocol) +
                          2 * depth() * between_us(protocol)),
                  {.tree = static_cast<std::int32_t>(number)});
  }

  CollectiveFlow switches() {
    const double bytes = problem_.bytes / kSwitches.efficiency;
    for (const Party& party : parties_) {
      if (party.members.size() == 1) continue;
      for (const DeviceId device : party.members) {
        add(links_.of(device)[0], bytes);
        add(links_.of(device)[1], bytes);
      }
    }
    for (std::size_t channel = 0; channel < num_channels_; ++channel)
      between_hosts(channel,
                    problem_.bytes / kTree[2].efficiency / static_cast<double>(num_channels_));
    return finish(kSwitches.name,
                  1e-6 * (inside_us(kSwitches) + 2 * depth() * between_us(kSwitches)));
  }

  /// Each to each, its part; returns the longest hop.
  double pass_to_each() {
    double slowest_s = 0;
    for (const DeviceId from : problem_.group) {
      for (const DeviceId to : problem_.group) {
        if (from == to) continue;
        slowest_s = std::max(slowest_s, cluster_.link(from, to).latency_s);
        pass(from, to, problem_.bytes * ratio(1, size()));
      }
    }
    return slowest_s;
  }

  /// To one after the other.
  CollectiveFlow in_turns() {
    const double slowest_s = pass_to_each();
    return finish("direct", rounds() * slowest_s);
  }

  CollectiveFlow exchange() {
    pass_to_each();
    const Protocol& simple = kRing[2];
    return finish("direct", 1e-6 * (simple.base_us + (parties_.size() > 1 ? between_us(simple)
                                                                          : inside_us(simple))));
  }

  /// Its part to either neighbour, both at once.
  CollectiveFlow to_neighbours() {
    double slowest_s = 0;
    for (std::size_t i = 0; i + 1 < size(); ++i) {
      const DeviceId a = problem_.group[i], b = problem_.group[i + 1];
      slowest_s = std::max(slowest_s, cluster_.link(a, b).latency_s);
      pass(a, b, problem_.bytes * problem_.forward);
      pass(b, a, problem_.bytes * (1 - problem_.forward));
    }
    if (cluster_.collectives == CollectiveLibrary::plain) return finish("neighbours", slowest_s);
    const Protocol& simple = kRing[2];
    return finish(
        "neighbours",
        1e-6 * (simple.base_us + (parties_.size() > 1 ? between_us(simple) : inside_us(simple))));
  }

  double depth() const { return std::bit_width(parties_.size()) - 1; }

  /// What a double binary tree sends between hosts, laid over neighbours.
  void between_hosts(std::size_t channel, double bytes) {
    const double share = ratio(parties_.size() - 1, parties_.size());
    for (std::size_t p = 0; parties_.size() > 1 && p < parties_.size(); ++p) {
      const DeviceId a = last(parties_[p], channel),
                     b = last(parties_[(p + 1) % parties_.size()], channel);
      pass(a, b, bytes * share);
      pass(b, a, bytes * share);
    }
  }

  static std::size_t exit_of(const Party& party, std::size_t channel) {
    return party.exits[channel % party.exits.size()];
  }
  /// Of a channel in a host, which begins behind its exit.
  static DeviceId last(const Party& party, std::size_t channel) {
    return party.members[exit_of(party, channel)];
  }
  static DeviceId first(const Party& party, std::size_t channel) {
    return party.members[(exit_of(party, channel) + 1) % party.members.size()];
  }

  void chain(const Party& party, std::size_t channel, double bytes) {
    const std::size_t count = party.members.size(), begin = exit_of(party, channel) + 1;
    for (std::size_t i = 0; i + 1 < count; ++i)
      pass(party.members[(begin + i) % count], party.members[(begin + i + 1) % count], bytes);
  }
  void chain_back(const Party& party, std::size_t channel, double bytes) {
    const std::size_t count = party.members.size(), begin = exit_of(party, channel) + 1;
    for (std::size_t i = 0; i + 1 < count; ++i)
      pass(party.members[(begin + i + 1) % count], party.members[(begin + i) % count], bytes);
  }

  void pass(DeviceId from, DeviceId to, double bytes) {
    for (const std::int32_t link : links_.route(from, to)) add(link, bytes);
    const std::int32_t host = cluster_.host_of[at(from)];
    const bool is_inside = host == cluster_.host_of[at(to)];
    if (is_inside && cluster_.own_links.empty()) return;
    const double counted_s =
        is_inside ? std::max(kInside_s, cluster_.inside(host).latency_s) : kBetween_s;
    double& more_us = is_inside ? inside_more_us_ : between_more_us_;
    more_us = std::max(more_us, 1e6 * (cluster_.link(from, to).latency_s - counted_s));
  }
  void add(std::int32_t link, double bytes) { bytes_[link] += bytes; }

  CollectiveFlow finish(const std::string& algorithm, double latency_s,
                        const SizeEffect& by_size = {}) {
    CollectiveFlow flow{algorithm, latency_s, {}, by_size};
    const double slowdown =
        collective_slowdown(problem_.kind, problem_.bytes, problem_.group, cluster_);
    for (const auto& [link, bytes] : std::exchange(bytes_, {}))
      flow.loads.push_back({link, slowdown * bytes});
    inside_more_us_ = between_more_us_ = 0;
    return flow;
  }

  const CollectiveProblem& problem_;
  const Cluster& cluster_;
  const Links& links_;
  std::vector<Party> parties_;  ///< by host
  std::size_t num_channels_ = 1, most_members_ = 1;
  double inside_more_us_ = 0, between_more_us_ = 0;  ///< that hops of a flow take beyond NCCL's
  std::map<std::int32_t, double> bytes_;             ///< per link
};

}  // namespace

double SizeEffect::slowdown(double bytes) const {
  return tree < 0 ? 1 : tree_share(at(tree), 1) / tree_share(at(tree), bytes);
}

double SizeEffect::least_slowdown() const {
  return tree < 0 ? 1 : tree_share(at(tree), 1);  // the most is all of it
}

double CollectiveFlow::transfer_s(const Links& links) const {
  double seconds = 0;
  for (const Load& load : loads)
    seconds = std::max(seconds, load.bytes / links.bytes_per_s()[at(load.link)]);
  return seconds;
}

double collective_slowdown(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                           const Cluster& cluster) {
  const auto shares = shares_inside(kind, group, cluster);
  if (shares.empty()) return 1;
  const double part = part_bytes(kind, bytes, group, cluster);
  const auto above = std::ranges::upper_bound(shares, part, {}, &CollectiveShare::bytes);
  if (above == shares.begin()) return 1 / above->share;
  const auto below = std::prev(above);
  if (above == shares.end()) return 1 / below->share;
  const double way = std::log(part / below->bytes) / std::log(above->bytes / below->bytes);
  return 1 / std::lerp(below->share, above->share, way);
}

double least_collective_slowdown(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                                 const Cluster& cluster) {
  double least = collective_slowdown(kind, bytes, group, cluster);
  const double part = part_bytes(kind, bytes, group, cluster);
  for (const CollectiveShare& share : shares_inside(kind, group, cluster)) {
    if (share.bytes > part) least = std::min(least, 1 / share.share);
  }
  return least;
}

std::vector<CollectiveFlow> collective_flows(const CollectiveProblem& problem,
                                             const Cluster& cluster, const Links& links) {
  if (problem.group.size() < 2) return {CollectiveFlow{"none", 0, {}}};
  return Maker(problem, cluster, links).flows();
}

CollectiveFlow collective_flow(const CollectiveProblem& problem, const Cluster& cluster,
                               const Links& links) {
  const std::vector<CollectiveFlow> flows = collective_flows(problem, cluster, links);
  return *std::min_element(flows.begin(), flows.end(),
                           [&](const CollectiveFlow& a, const CollectiveFlow& b) {
                             return a.alone_s(links) < b.alone_s(links);
                           });
}

}  // namespace rhino::cost
