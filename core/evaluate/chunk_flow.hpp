// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/table_trial.hpp"

namespace rhino::evaluate {

/// ChunkFlow of a strategy's chunks: orders from the cell's schedule, played through by
/// expected_step(), rates from the cell's resharding. Throws Error where these do.
ChunkFlow chunk_flow(const Means& means, const Strategy& strategy);

}  // namespace rhino::evaluate
