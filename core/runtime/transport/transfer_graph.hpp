// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/transport/collective_graph.hpp"
#include "runtime/transport/task_graph.hpp"

namespace rhino::runtime {

/// The buffers that one rank binds to a transfer, per part; nullptr where it is not a source or
/// target.
struct TransferTiles {
  std::vector<const Shape*> sources, targets;
};

/// This rank in a transfer.
struct TransferParty {
  std::int32_t rank = 0;
  std::vector<DeviceId> devices;     ///< per rank
  std::vector<bool> in_place;        ///< per rank: it and this one map each other's buffers
  std::vector<TransferTiles> tiles;  ///< per rank
};

/// What this rank does in a transfer: its sends, receives and local copies, cut into chunks.
/// Contiguous boxes go straight from and to the buffers, others are packed and unpacked once, but
/// for those that the receiver takes out of a tile in place. A step waits for exactly what it comes
/// `after`, wherever that arrives; a relay of the box that it received follows chunk by chunk.
/// Sends of large messages take their turn over a link (see plan::SendQueue); they wait until their
/// receiver has begun the transfer too, so that each that is under way ends by itself and no order
/// of steps or transfers can block another. Throws Error when a step names a device without a rank
/// or a tile this rank does not have.
TaskGraph build_transfer(const plan::Communication& communication, const TransferParty& party,
                         const PipelineLimits& limits);

}  // namespace rhino::runtime
