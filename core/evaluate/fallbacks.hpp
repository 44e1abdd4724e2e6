// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::evaluate {

/// A strategy that takes no search: equal stages, each of them data parallel.
struct Fallback {
  std::int64_t num_stages = 1, num_parts = 1;  ///< of the batch, over all devices of a stage
  std::int64_t num_micro_batches = 1;
  std::int32_t zero_stage = 0;
  bool operator==(const Fallback&) const = default;
};

/// All that divide and whose parameters, gradients and optimizer states alone fit into a device, on
/// all devices of the cluster: of fewest stages first, of these with the most micro-batches, which
/// keep the fewest bytes, of these with the least split. `memory_limit_bytes` 0: no limit.
std::vector<Fallback> fallbacks(const Program& program, const Cluster& cluster,
                                const std::vector<std::int64_t>& micro_batch_counts,
                                double memory_limit_bytes);

}  // namespace rhino::evaluate
