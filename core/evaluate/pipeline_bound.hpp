// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/pipeline.hpp"

namespace rhino::evaluate {

/// Seconds that no schedule of a chain of chunks beats, neither in one step nor in the steady
/// period of steps back to back: of any mesh all passes of all its chunks, and what it idles before
/// its first gradient can be there, until when it has only as many forwards to do as its memory
/// holds.
double pipeline_bound_s(const PipelineProblem& problem);

}  // namespace rhino::evaluate
