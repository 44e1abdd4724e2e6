// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "common/counter_random.hpp"
#include "common/striped/rehearsal.hpp"

namespace rhino::common::striped {

/// Adds hop after hop, always the one that arrives earliest: from whoever has the bundle or is to
/// have it, to whoever lacks it; each link and each interface serves one message after the other.
/// What is small so goes out to all at once, what is large down chains, what lies between as trees,
/// and interfaces that are faster than links serve hosts that hold a piece already.
class Earliest {
 public:
  /// Estimates are off by up to `blur`, by chance: other journeys, some of them better.
  struct Taste {
    double blur = 0;
    std::uint64_t seed = 0;
  };

  Earliest(const Inventory& inventory, const Cluster& cluster, Cargo cargo, const Taste& taste)
      : cluster_(cluster),
        interfaces_(cluster),
        cargo_(std::move(cargo)),
        errands_(cargo_.bundles.size()),
        busy_until_s_(
            2 * (cluster.host_of.size() + interfaces_.links.size()) + interfaces_.own_links.size(),
            0),
        lacks_(cluster.host_of.size(), 0),
        taste_(taste),
        random_(taste.seed),
        near_(cluster.hosts.size()) {
    for (std::size_t b = errands_.size(); b-- > 0;) {
      const Parcel& parcel = inventory.parcels()[at(cargo_.bundles[b].parcel)];
      Errand& errand = errands_[b];
      errand.takers = inventory.devices(parcel.takers);
      for (const DeviceId device : inventory.devices(parcel.holders))
        errand.sources.push_back({device, -1, 0, 0});
      for (const DeviceId taker : errand.takers) lacks_[at(taker)] += bytes(b);
      errand.alike = &alike_[{parcel.holders, parcel.takers}];
      errand.alike->push_back(b);
    }
  }

  /// Counts sources and takers looked at down in `work`; at 0 it gives up, without a hop.
  Journey run(std::int64_t& work) {
    for (auto& [sets, bundles] : alike_) begin_next(bundles);
    while (!open_.empty()) {
      const std::size_t b = open_.top().second;
      open_.pop();
      const Way way = best(b);
      if (work < num_looks_) break;
      const double late_s = (kTolerance + taste_.blur / 8) * way.end_s;
      if (!open_.empty() && way.key_s > open_.top().first + late_s) open_.emplace(way.key_s, b);
      else take(b, way);
    }
    work -= num_looks_;
    return work < 0 ? Journey{} : in_turn(std::move(cargo_), hops_, begins_s_);
  }

 private:
  /// Takers that lack most are served as if they were this part of it earlier: they end last.
  static constexpr double kBias = 0.1;
  /// Estimates grow as others take their turns; one that is later than the next by less than this
  /// is not put off.
  static constexpr double kTolerance = 0.003;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Who has a bundle, or will: when its first portion is there, and its last.
  struct Source {
    DeviceId device = 0;
    std::int32_t hop = -1;
    double first_s = 0, last_s = 0;
  };
  struct Errand {
    std::vector<Source> sources;
    std::vector<DeviceId> takers;
    std::vector<std::size_t>* alike = nullptr;  ///< same holders and takers, not begun, last first
  };
  /// When a source could begin if its taker could.
  struct Start {
    double s = kNever;
    std::size_t source = 0;
    std::int32_t host = -1;
  };
  struct Way {
    double key_s = kNever;
    std::size_t source = 0, taker = 0;
    double begin_s = 0, end_s = 0;
  };

  double bytes(std::size_t b) const { return static_cast<double>(cargo_.bundles[b].bytes); }
  double first_bytes(std::size_t b) const {
    return cargo_.pieces[cargo_.bundles[b].first].portions.size(0);
  }
  std::int32_t host(DeviceId device) const { return cluster_.host_of[at(device)]; }
  Link link(DeviceId device, bool across) const {
    return across ? interfaces_.links[interfaces_.of[at(device)]] : cluster_.inside(host(device));
  }
  /// Until when the link of a device or its interface is taken: out of it, into it.
  double& out_s(DeviceId device, bool across) {
    return busy_until_s_[across ? 2 * cluster_.host_of.size() + interfaces_.of[at(device)]
                                : at(device)];
  }
  double& in_s(DeviceId device, bool across) {
    const std::size_t count = across ? interfaces_.links.size() : cluster_.host_of.size();
    return (&out_s(device, across))[count];
  }
  /// What a message takes: a link, the rate at its end, that of the sender's other links of that
  /// kind, and until when its ends are taken.
  struct Road {
    Link link;
    double in_bytes_per_s = 0, usual_bytes_per_s = 0;
    double& out_s;
    double& in_s;
  };
  Road road(DeviceId from, DeviceId to) {
    const std::int32_t own = interfaces_.own(from, to);
    const bool across = host(from) != host(to);
    const Link usual = link(from, across);
    if (own < 0) {
      return {usual, link(to, across).bytes_per_s, usual.bytes_per_s, out_s(from, across),
              in_s(to, across)};
    }
    const Link& link = interfaces_.own_links[at(own)];
    double& taken_s = busy_until_s_[busy_until_s_.size() - interfaces_.own_links.size() + at(own)];
    return {link, link.bytes_per_s, usual.bytes_per_s, taken_s, taken_s};
  }
  double blurred(double seconds) {
    if (taste_.blur == 0) return seconds;
    return seconds * (1 + taste_.blur * static_cast<double>(random_.below(1024)) / 1024);
  }

  void begin_next(std::vector<std::size_t>& bundles) {
    if (bundles.empty()) return;
    const std::size_t b = bundles.back();
    bundles.pop_back();
    open_.emplace(best(b).key_s, b);
  }

  Way best(std::size_t b) {
    const Errand& errand = errands_[b];
    num_looks_ += std::ssize(errand.takers) + std::ssize(errand.sources);
    find_starts(b);
    Way best;
    for (std::size_t i = 0; i < errand.takers.size(); ++i) {
      const std::size_t t = (i + b) % errand.takers.size();
      if (!interfaces_.has_own.empty() && interfaces_.has_own[at(errand.takers[t])]) {
        num_looks_ += std::ssize(errand.sources);
        for (std::size_t s = 0; s < errand.sources.size(); ++s) {
          const Way way = way_of(b, (s + b) % errand.sources.size(), t);
          if (way.key_s < best.key_s) best = way;
        }
        continue;
      }
      const std::int32_t here = host(errand.takers[t]);
      for (const Start& start : {far_[far_[0].host == here ? 1 : 0], near_[at(here)]}) {
        if (start.s == kNever) continue;
        const Way way = way_of(b, start.source, t);
        if (way.key_s < best.key_s) best = way;
      }
    }
    return best;
  }

  /// The first source over interfaces, and the first of another host, for none sends to itself by
  /// its interface; of each host with takers the first over links. Bundles begin with different
  /// ones.
  void find_starts(std::size_t b) {
    const Errand& errand = errands_[b];
    for (const DeviceId taker : errand.takers) near_[at(host(taker))] = {};
    far_ = {};
    for (std::size_t i = 0; i < errand.sources.size(); ++i) {
      const std::size_t s = (i + b) % errand.sources.size();
      const Start near = start(errand.sources[s], s, false),
                  far = start(errand.sources[s], s, true);
      if (near.s < near_[at(near.host)].s) near_[at(near.host)] = near;
      if (far.s < far_[0].s) {
        if (far_[0].host != far.host) far_[1] = far_[0];
        far_[0] = far;
      } else if (far.host != far_[0].host && far.s < far_[1].s) {
        far_[1] = far;
      }
    }
  }
  Start start(const Source& source, std::size_t index, bool across) {
    const double s = std::max(source.first_s + link(source.device, across).latency_s,
                              out_s(source.device, across));
    return {blurred(s), index, host(source.device)};
  }

  Way way_of(std::size_t b, std::size_t s, std::size_t t) {
    const Source& source = errands_[b].sources[s];
    const DeviceId taker = errands_[b].takers[t];
    const Road way = road(source.device, taker);
    const auto [rate, latency_s, burst] = way.link;
    const double begin_s = std::max({source.first_s + latency_s, way.out_s, way.in_s});
    const double end_s =
        std::max(begin_s + bytes(b) / rate, source.last_s + latency_s + first_bytes(b) / rate);
    return {blurred(end_s) - kBias * lacks_[at(taker)] / way.usual_bytes_per_s, s, t, begin_s,
            end_s};
  }

  void take(std::size_t b, const Way& way) {
    Errand& errand = errands_[b];
    const Source source = errand.sources[way.source];
    const DeviceId taker = errand.takers[way.taker];
    const Road taken = road(source.device, taker);
    const bool is_first = errand.sources.back().hop < 0;
    taken.out_s = taken.in_s = way.end_s;
    lacks_[at(taker)] -= bytes(b);
    errand.sources.push_back({taker, static_cast<std::int32_t>(hops_.size()),
                              way.begin_s + first_bytes(b) / taken.in_bytes_per_s, way.end_s});
    begins_s_.push_back(way.begin_s);
    hops_.push_back({source.device, taker, source.hop, static_cast<std::int32_t>(b)});
    errand.takers.erase(errand.takers.begin() + static_cast<std::ptrdiff_t>(way.taker));
    if (!errand.takers.empty()) open_.emplace(best(b).key_s, b);
    if (is_first) begin_next(*errand.alike);
  }

  const Cluster& cluster_;
  const Interfaces interfaces_;
  Cargo cargo_;
  std::vector<Hop> hops_;             ///< of bundles
  std::vector<Errand> errands_;       ///< per bundle
  std::vector<double> busy_until_s_;  ///< links of devices out, in, interfaces out, in
  std::vector<double> lacks_;         ///< bytes per device
  std::vector<double> begins_s_;      ///< per hop
  Taste taste_;
  CounterRandom random_;
  std::array<Start, 2> far_;
  std::vector<Start> near_;  ///< per host
  std::int64_t num_looks_ = 0;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> alike_;
  using Open = std::pair<double, std::size_t>;  // estimate, bundle
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
};

}  // namespace rhino::common::striped
