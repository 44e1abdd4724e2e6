// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/sharding.hpp"
#include "rhino/tile.hpp"

/// What a resharding plugin is asked and answers (see rhino/resharding.hpp): cross-mesh resharding
/// (AlpaComm, arXiv 2211.05322), with several tensors and targets, tiles that may be uneven or
/// empty, and meshes that may overlap.
namespace rhino {

/// A place a tensor goes to. Two targets of one tensor have no device in common.
struct ReshardTarget {
  Mesh mesh;
  ShardingSpec spec;  ///< no partial, no kMicroAxis
  bool operator==(const ReshardTarget&) const = default;
};

/// A tensor on the move: where it lies and where it has to.
struct ReshardTensor {
  Shape shape;  ///< of the whole tensor, at micro-batch size where it crosses per micro-batch
  Mesh source_mesh;
  ShardingSpec source_spec;  ///< no partial, no kMicroAxis
  std::vector<ReshardTarget> targets;
  bool operator==(const ReshardTensor&) const = default;
};

/// All tensors that cross from one mesh to others together, at the same moment: one handover.
///
/// f32[4, 6], rows over two devices of host 0, to columns over two of host 1:
///
///     tensors[0]: shape {f32, {4, 6}}
///       source_mesh {{{"x", 2}}, {0, 1}}, source_spec dims {{{{0, 4}}}, {}}   rows 0-1, rows 2-3
///       targets[0]: {{{"x", 2}}, {2, 3}},         spec dims {{}, {{{0, 6}}}}  columns 0-2, 3-5
///
/// Each target tile takes one box from each source: four Copy of f32[2, 3] solve it.
struct ReshardProblem {
  std::vector<ReshardTensor> tensors;
  Cluster cluster;  ///< that all device ids belong to; hosts and links decide what is near
  bool operator==(const ReshardProblem&) const = default;
};

/// `box` goes from a device that holds it to one whose target tile it belongs to. Boxes are in the
/// coordinates of the whole tensor, never empty, and inside the receiver's target tile. A device of
/// both meshes keeps the two tiles apart: it holds `box` at once, and copies it into its target
/// tile with from == to.
///
///     Copy{0, 2, {{0, 0}, {2, 3}}}    of the example above: rows 0-1, columns 0-2
struct Copy {
  DeviceId from = 0, to = 0;
  Box box;
  bool operator==(const Copy&) const = default;
};

/// `box` goes from `from` along the chain of `receivers`, in `num_chunks` pieces that follow each
/// other: a device sends what it has in the order of the plan, a few messages at a time. With A
/// hops of equal rate K pieces take (K + A - 1) / K of the time of one hop.
/// Receivers that are neighbours in the list should be neighbours in the cluster, so that every
/// host is entered once.
struct Multicast {
  DeviceId from = 0;
  std::vector<DeviceId> receivers;  ///< in the order of the chain; all of them targets
  Box box;
  /// At least 1. The box is cut along its first dim that is long enough; one of fewer elements than
  /// that falls into fewer pieces.
  std::int64_t num_chunks = 1;
  bool operator==(const Multicast&) const = default;
};

/// Device i of `group` holds `boxes[i]`; afterwards each holds them all. Runs as a ring of
/// group.size() - 1 rounds, in which everybody sends. The devices are targets whose tiles include
/// all boxes; nobody's own box is written again, so it must be in the target tile before.
struct AllGather {
  std::vector<DeviceId> group;
  std::vector<Box> boxes;  ///< one per device
  bool operator==(const AllGather&) const = default;
};

/// One entry of a plan. A sender holds its whole source tile from the beginning. What it passes on
/// from its target tile must have arrived by an op in `after`; inside one Multicast or AllGather
/// that goes without saying.
struct TransferOp {
  std::int32_t tensor = 0;  ///< index in ReshardProblem::tensors
  std::variant<Copy, Multicast, AllGather> what;
  std::vector<std::int32_t> after;  ///< earlier ops of the plan that must have ended
  bool operator==(const TransferOp&) const = default;
};

/// The answer. Ops that do not come after each other may run at the same time; where several large
/// messages of a device are ready, the order of the list decides which goes first, and two are
/// under way over its host's interface and two inside the host (core/plan/send_order.hpp, for
/// workers and simulator alike). So an algorithm decides what goes when by ordering this list, as
/// AlpaComm orders its unit tasks.
struct TransferPlan {
  std::vector<TransferOp> ops;
  /// Declared not to deliver all data: an upper bound of speed, as AlpaComm's signal
  /// send/recv. What it does deliver is checked; numerics are not, and nothing is claimed.
  bool incomplete = false;
  bool operator==(const TransferPlan&) const = default;
};

}  // namespace rhino
