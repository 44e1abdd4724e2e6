// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino {

/// Serves one controller on the descriptors of WorkerDescriptor as `rank` of `num_ranks`, until it
/// says so or is gone. Returns the exit code.
int serve_session(int rank, int num_ranks);

}  // namespace rhino
