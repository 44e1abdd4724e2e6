// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "common/option_values.hpp"
#include "common/striped/plan_search.hpp"
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
///
/// That is best where links are busy for long. Where latency counts, hops that arrive earliest are
/// added one after the other (earliest.hpp); where many need the same, parts go round in circles
/// (rings.hpp). All are rehearsed (rehearsal.hpp), in pieces of several sizes, and the soonest is
/// the answer (plan_search.hpp). In the end, devices that wait for different tiles behind one
/// interface are served one group after the other where the last is no later for it, so that
/// replicas of a stage need not stand still together (group_order.hpp).
class Striped : public Resharding {
 public:
  explicit Striped(const Options& options)
      : piece_bytes_(common::whole_option(options, "piece_bytes", 0, {.least = 0})) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    Inventory inventory(problem);
    const Journey journey = PlanSearch(inventory, problem.cluster, piece_bytes_).run();
    TransferPlan plan;
    plan.ops.reserve(journey.hops.size());
    for (const Hop& hop : journey.hops) {
      const Piece& piece = journey.pieces[at(hop.piece)];
      TransferOp& op = plan.ops.emplace_back();
      op.tensor = inventory.parcels()[at(piece.parcel)].tensor;
      op.what = Copy{hop.from, hop.to, piece.box};
      for (const std::int32_t before : {hop.parent, hop.after})
        if (before >= 0) op.after.push_back(before);
    }
    add_copies_in_place(problem, plan);
    return plan;
  }

 private:
  std::int64_t piece_bytes_;  ///< 0: as the links ask for
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/striped", rhino::Striped,
             "pieces of all holders over all network interfaces at once, relayed by receivers")
