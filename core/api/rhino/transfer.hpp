// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/sharding.hpp"
#include "rhino/tile.hpp"

namespace rhino {

/// A place a tensor goes to: cross-mesh resharding (AlpaComm, section 2).
struct ReshardTarget {
  Mesh mesh;
  ShardingSpec spec;  ///< no partial
  bool operator==(const ReshardTarget&) const = default;
};

struct ReshardTensor {
  Shape shape;
  Mesh source_mesh;
  ShardingSpec source_spec;  ///< no partial
  std::vector<ReshardTarget> targets;
  bool operator==(const ReshardTensor&) const = default;
};

/// All tensors that cross one boundary together.
struct ReshardProblem {
  std::vector<ReshardTensor> tensors;
  Cluster cluster;
  bool operator==(const ReshardProblem&) const = default;
};

/// `box` (in the tensor's coordinates) goes from a device that holds it to one that lacks it. A
/// device of both meshes keeps the two tiles apart: it holds `box` at once, and copies it into its
/// target tile with from == to.
struct Copy {
  DeviceId from = 0, to = 0;
  Box box;
  bool operator==(const Copy&) const = default;
};

/// `box` goes from `from` along the chain of `receivers`, in `num_chunks` pieces that follow each
/// other: a device sends what it has in the order of the plan, a few messages at a time.
struct Multicast {
  DeviceId from = 0;
  std::vector<DeviceId> receivers;
  Box box;
  std::int64_t num_chunks = 1;
  bool operator==(const Multicast&) const = default;
};

/// Device i of `group` holds `boxes[i]`; afterwards each holds them all.
struct AllGather {
  std::vector<DeviceId> group;
  std::vector<Box> boxes;
  bool operator==(const AllGather&) const = default;
};

struct TransferOp {
  std::int32_t tensor = 0;  ///< index in ReshardProblem::tensors
  std::variant<Copy, Multicast, AllGather> what;
  std::vector<std::int32_t> after;  ///< earlier ops of the plan that must have ended
  bool operator==(const TransferOp&) const = default;
};

struct TransferPlan {
  std::vector<TransferOp> ops;
  bool incomplete = false;  ///< declared not to deliver all data (an upper bound of speed);
                            ///< numerics are not claimed
  bool operator==(const TransferPlan&) const = default;
};

}  // namespace rhino
