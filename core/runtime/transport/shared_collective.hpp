// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/transport/task_graph.hpp"

namespace rhino::runtime {

/// What member `self` of a group does in a collective among ranks that map each other's buffers;
/// `ranks` are the ranks of the group in group order. Everyone tells the others where its buffers
/// lie, works, and says when it is done with theirs. An all_reduce adds up one block from the
/// inputs of all and writes it to the outputs of all; the others take from the inputs of all what
/// belongs into their own outputs. So each element is read and written once, by one rank: replicas
/// have the same bits, and nothing is staged but sums of `chunk_bytes`. Only all_reduce may have
/// outputs that are its inputs.
TaskGraph build_shared_collective(const plan::Communication& communication,
                                  const std::vector<std::int32_t>& ranks, std::int32_t self,
                                  std::int64_t chunk_bytes);

}  // namespace rhino::runtime
