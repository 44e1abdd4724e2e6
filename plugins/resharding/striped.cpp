// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "common/striped/open_shop.hpp"
#include "common/striped/progress_order.hpp"
#include "common/striped/routes.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

using namespace common::striped;

/// Our own algorithm: data is cut into pieces that leave all holders and enter all receivers at
/// once, so that the busiest network interface is never idle.
///   1. Slices that are alike to hosts are one demand; loads of hosts that minimise the busiest
///      interface are a flow (relay_loads.hpp).
///   2. Slices are cut into pieces; each gets a tree of crossings between hosts, so that the loads
///      come out as computed (relay_trees.hpp).
///   3. Between hosts, pieces of all pairs advance side by side (progress_order.hpp); inside one,
///      where links are not shared, they follow each other as in an open shop (open_shop.hpp).
///   4. A piece leaves the device that has sent least, enters each host by the device that has been
///      entered least, and goes on from device to device inside (routes.hpp).
/// What a host has already is passed on inside it in the same way, with devices for hosts.
class Striped : public Resharding {
 public:
  explicit Striped(const Options& options)
      : piece_bytes_(options.get<std::int64_t>("piece_bytes", 0)) {
    if (piece_bytes_ < 0) throw Error("piece_bytes of resharding/striped is negative");
  }

  TransferPlan plan(const ReshardProblem& problem) override {
    Inventory inventory(problem);
    TransferPlan plan;
    for (const bool inside : {false, true}) {
      const Exchange& exchange = inside ? inventory.inside_hosts() : inventory.between_hosts();
      if (exchange.demands.empty()) continue;
      const Balance loads = balance(exchange);
      const Traffic moves =
          traffic(exchange, loads, inventory.parcels(), piece_bytes(exchange, loads));
      const std::vector<std::int32_t> order =
          inside ? OpenShop(exchange, moves).run() : progress_order(moves, exchange.num_nodes);
      add_routes(moves, order, {inventory, problem.cluster, inside}, plan);
    }
    add_copies_in_place(problem, plan);
    return plan;
  }

 private:
  /// Longer pieces take longer to fill relays and to empty the last links, shorter ones cost more
  /// latency: the optimum of K pieces, (K + a) (latency + bytes / K / rate), is at the square root
  /// of latency x rate x bytes / a. Each device has two messages in flight and a host some devices,
  /// so `a`, the pieces on the way at the end, is about sixteen.
  std::int64_t piece_bytes(const Exchange& exchange, const Balance& balance) const {
    if (piece_bytes_ > 0) return piece_bytes_;
    constexpr double kOnTheWay = 16;
    constexpr double kLeast = 128 << 10, kMost = 4 << 20;
    const double best = std::sqrt(exchange.link.latency_s * exchange.link.bytes_per_s *
                                  static_cast<double>(balance.busiest_bytes) / kOnTheWay);
    return static_cast<std::int64_t>(std::clamp(best, kLeast, kMost));
  }

  std::int64_t piece_bytes_;  ///< 0: as the links ask for
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/striped", rhino::Striped,
             "pieces of all holders over all network interfaces at once, relayed by receivers")
