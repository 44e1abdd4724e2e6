// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/controller/worker_group.hpp"
#include "runtime/ranks.hpp"

namespace rhino::runtime {

/// Throws Error for an output that no role of `plan` has.
void check_outputs(const plan::ExecutionPlan& plan, const std::vector<std::int32_t>& outputs);

/// Makes whole tensors of what the workers laid into their mailboxes for a FetchRequest of
/// `outputs`, and empties them.
std::vector<FetchedTensor> read_mailboxes(const plan::ExecutionPlan& plan,
                                          const std::vector<RankPlace>& places,
                                          const WorkerGroup& group,
                                          const std::vector<std::int32_t>& outputs);

}  // namespace rhino::runtime
