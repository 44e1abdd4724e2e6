// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/send_order.hpp"
#include "runtime/transport/task_graph.hpp"

namespace rhino::runtime {

/// How messages are cut and how many pieces of one stream are under way at a time.
struct PipelineLimits {
  std::int64_t chunk_bytes = plan::kPieceBytes;
  std::int64_t window_chunks = plan::kWindowPieces;
};

/// What member `self` of a group does in a collective; `ranks` are the ranks of the group in group
/// order. Every rank of the group ends with the same bits. Small operands take one or two rounds of
/// direct messages, large ones a ring in slices, so that the arithmetic of one slice overlaps the
/// transfer of the next. Only all_reduce may have outputs that are its inputs.
TaskGraph build_collective(const plan::Communication& communication,
                           const std::vector<std::int32_t>& ranks, std::int32_t self,
                           const PipelineLimits& limits);

}  // namespace rhino::runtime
