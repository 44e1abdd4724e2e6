// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "common/striped/earliest.hpp"
#include "common/striped/group_order.hpp"
#include "common/striped/open_shop.hpp"
#include "common/striped/progress_order.hpp"
#include "common/striped/rings.hpp"
#include "common/striped/routes.hpp"

namespace rhino::common::striped {

/// Rehearses journeys of three kinds, by loads from a flow, in rings, and hop by hop as each
/// arrives earliest, in pieces of several sizes; the soonest is the answer. It ends where one takes
/// hardly more than the busiest link alone, and after so much work, counted in steps. What has too
/// many hops to be rehearsed keeps links busy for long, and loads are the answer.
class PlanSearch {
 public:
  /// `piece_bytes`: the only size of pieces; 0: as links and tensors ask for.
  PlanSearch(Inventory& inventory, const Cluster& cluster, std::int64_t piece_bytes)
      : inventory_(inventory), cluster_(cluster), piece_bytes_(piece_bytes) {
    for (const bool inside : {false, true}) {
      const Exchange& exchange = exchange_of(inside);
      if (exchange.demands.empty()) continue;
      loads_[inside] = balance(exchange);
      // What comes over links may come over interfaces too, where those are not much slower.
      double rate = exchange.link.bytes_per_s;
      const double out = cluster.host_link(0).bytes_per_s;
      if (inside && 8 * out > rate) rate += out;
      enough_s_ =
          std::max(enough_s_, kEnough * (exchange.link.latency_s +
                                         static_cast<double>(loads_[inside].busiest_bytes) / rate));
    }
    if (!cluster.own_links.empty()) enough_s_ = 0;  // loads know nothing of those
  }

  Journey run() {
    search();
    serve_groups();
    return std::move(best_);
  }

 private:
  static constexpr double kEnough = 1.01, kHardlyLater = 1.005;
  static constexpr std::int64_t kMostHops = 200'000, kLeastWork = 9'000'000, kWorkPerHop = 20,
                                kMostVainSizes = 5, kMostVain = 40;

  void search() {
    best_ = by_loads(1);
    if (best_.hops.empty() || std::ssize(best_.hops) > kMostHops) return;
    work_ += kWorkPerHop * std::ssize(best_.hops);
    offer(std::move(best_));
    for (const bool box_by_box : {false, true})
      if (!is_done()) offer(rings(inventory_, cluster_, box_by_box, 2 * kMostHops));
    const std::vector<std::int64_t> sizes = piece_sizes();
    std::int64_t best = 0, num_vain = 0;
    for (std::int64_t k = 0; k < std::ssize(sizes) && num_vain < kMostVainSizes && !is_done();
         ++k) {
      const bool is_better = offer(earliest(sizes[at(k)], {}));
      num_vain = is_better ? 0 : num_vain + 1;
      if (is_better) best = k;
    }
    for (const double times : {0.5, 0.25})
      if (!is_done() && piece_bytes_ == 0) offer(by_loads(times));
    num_vain = 0;
    for (std::uint64_t seed = 1; num_vain < kMostVain && !is_done(); ++seed) {
      constexpr std::array<std::int64_t, 4> kSteps{0, 1, 0, -1};
      const std::int64_t k =
          std::clamp<std::int64_t>(best + kSteps[seed % 4], 0, std::ssize(sizes) - 1);
      const double blur = 0.03 * static_cast<double>(1 + seed % 5);
      const bool is_better = offer(earliest(sizes[at(k)], {blur, seed}));
      num_vain = is_better ? 0 : num_vain + 1;
      if (is_better) best = k;
    }
  }

  /// One group after the other, where the last is hardly later for it and the mean device sooner.
  void serve_groups() {
    if (best_s_ == std::numeric_limits<double>::infinity()) return;
    Journey grouped = group_by_group(best_, inventory_, cluster_.host_of);
    if (grouped.hops == best_.hops) return;
    Rehearsal before(cluster_, best_.pieces, best_.hops);
    Rehearsal after(cluster_, grouped.pieces, grouped.hops);
    before.seconds();
    if (after.seconds() <= kHardlyLater * best_s_ && after.mean_served_s() < before.mean_served_s())
      best_ = std::move(grouped);
  }

  const Exchange& exchange_of(bool inside) const {
    return inside ? inventory_.inside_hosts() : inventory_.between_hosts();
  }
  bool is_done() const { return best_s_ <= enough_s_ || work_ <= 0; }

  /// Whether it is the soonest so far.
  bool offer(Journey journey) {
    if (journey.hops.empty()) return false;
    for (const Hop& hop : journey.hops)
      work_ -= kPortionWork * journey.pieces[at(hop.piece)].portions.count;
    const double seconds = Rehearsal(cluster_, journey.pieces, journey.hops).seconds(best_s_);
    if (seconds >= best_s_) return false;
    best_s_ = seconds;
    best_ = std::move(journey);
    return true;
  }

  Journey by_loads(double times) {
    Journey journey;
    for (const bool inside : {false, true}) {
      const Exchange& exchange = exchange_of(inside);
      if (exchange.demands.empty()) continue;
      const Traffic moves = traffic(exchange, loads_[inside], inventory_.parcels(),
                                    static_cast<std::int64_t>(times * piece_bytes(inside)));
      const std::vector<std::int32_t> order =
          inside ? OpenShop(exchange, moves).run() : progress_order(moves, exchange.num_nodes);
      add_hops(moves, order, {inventory_, cluster_, inside}, journey);
    }
    return journey;
  }

  Journey earliest(std::int64_t size, const Earliest::Taste& taste) {
    return Earliest(inventory_, cluster_,
                    pack(inventory_.parcels(), [&](const Parcel&) { return size; }), taste)
        .run(work_);
  }

  /// Parts of the largest slice; others are cut to the same size.
  std::vector<std::int64_t> piece_sizes() const {
    if (piece_bytes_ > 0) return {piece_bytes_};
    std::int64_t largest = 1;
    for (const auto& [devices, bytes] : slice_bytes(inventory_.parcels()))
      largest = std::max(largest, bytes);
    std::vector<std::int64_t> sizes;
    for (const std::int64_t parts : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64})
      sizes.push_back(std::max<std::int64_t>(1, largest / parts));
    return sizes;
  }

  /// Longer pieces take longer to fill relays and to empty the last links, shorter ones cost more
  /// latency: the optimum of K pieces, (K + a) (latency + bytes / K / rate), is at the square root
  /// of latency x rate x bytes / a. Each device has two messages in flight and a host some devices,
  /// so `a`, the pieces on the way at the end, is about sixteen.
  double piece_bytes(bool inside) const {
    if (piece_bytes_ > 0) return static_cast<double>(piece_bytes_);
    constexpr double kOnTheWay = 16;
    constexpr double kLeast = 128 << 10, kMost = 4 << 20;
    const Link& link = exchange_of(inside).link;
    const double best = std::sqrt(link.latency_s * link.bytes_per_s *
                                  static_cast<double>(loads_[inside].busiest_bytes) / kOnTheWay);
    return std::clamp(best, kLeast, kMost);
  }

  static constexpr std::int64_t kPortionWork = 10;  ///< of its rehearsal, in ways of Earliest

  Inventory& inventory_;
  const Cluster& cluster_;
  std::int64_t piece_bytes_;
  std::array<Balance, 2> loads_;  ///< between hosts, inside them
  double enough_s_ = 0;
  std::int64_t work_ = kLeastWork;  ///< that is left
  Journey best_;
  double best_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace rhino::common::striped
