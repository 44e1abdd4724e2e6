// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/box_copy.hpp"

/// What a rank hands to NCCL and to its own stream for each communication of a plan: data alone,
/// made before the first step.
namespace rhino::runtime::cuda {

/// Ranks of a communicator, in its order.
using RankGroup = std::vector<std::int32_t>;

/// Bytes into the input of part p (buffer p of n parts), its output (n + p), or the staging (2 n).
struct Place {
  std::int32_t buffer = 0;
  std::int64_t offset = 0;
};

/// Elements that lie apart at one end at least, or are only moved within the device.
struct BoxMove {
  Place from, to;
  BoxCopy box;
};

enum class NcclCallKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  broadcast,
  send,
  receive
};

struct NcclCall {
  NcclCallKind kind = NcclCallKind::send;
  Place from, to;
  std::int64_t count = 0;  ///< as NCCL counts: what one rank gives, or gets of a reduce_scatter
  DType dtype = DType::u8;
  Reduction reduction = Reduction::sum;
  std::int32_t peer = 0;  ///< in the group: of a send or receive; the root of a broadcast
};

/// Moves, then one group of NCCL, then moves.
struct NcclPhase {
  std::int32_t group = -1;  ///< into NcclPlan::groups; -1: no calls
  std::vector<BoxMove> before;
  std::vector<NcclCall> calls;
  std::vector<BoxMove> after;
};

/// One communication of this rank: phases one after the other on one stream.
struct NcclSchedule {
  std::vector<NcclPhase> phases;
  std::int64_t staging_bytes = 0;
};

struct NcclOptions {
  std::int64_t piece_bytes = std::int64_t{4} << 20;  ///< of a message that relays pass on
  bool broadcasts = false;  ///< a chain of relays is one ncclBroadcast of those on it
};

/// All communications of a plan for one rank. `groups` are the same on all ranks and in the same
/// order; those that this rank is not in are among them.
struct NcclPlan {
  std::vector<RankGroup> groups;
  std::vector<NcclSchedule> schedules;  ///< per communication
};

/// `devices`: per rank. Messages of a transfer leave in phases: each one phase behind what it
/// passes on, piece by piece where it passes on a whole message (a multicast over a chain of n hops
/// in k pieces takes n + k - 1 phases). What it comes after at a third rank is order alone, which
/// is left to the phases. Throws Error where the plan names a device without a rank, or a type that
/// NCCL has no reduction for.
NcclPlan nccl_plan(const plan::ExecutionPlan& plan, const std::vector<DeviceId>& devices,
                   std::int32_t rank, const NcclOptions& options);

}  // namespace rhino::runtime::cuda
