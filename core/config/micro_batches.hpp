// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace rhino::config {

/// Stands for `micro_batches: any` of an imported program, whose batch is not known yet.
inline constexpr std::int64_t kAnyMicroBatches = 0;

/// What `micro_batches: any` allows: all counts up to 1024 that divide the global batch. Of more
/// each is like the others, but for the time that its plan takes to make.
inline std::vector<std::int64_t> any_micro_batches(std::int64_t global_batch) {
  constexpr std::int64_t kMost = 1024;
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count <= kMost && count <= global_batch; ++count) {
    if (global_batch % count == 0) counts.push_back(count);
  }
  return counts;
}

}  // namespace rhino::config
