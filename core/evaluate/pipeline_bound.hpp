// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/pipeline.hpp"

namespace rhino::evaluate {

/// Seconds that no schedule of a chain of chunks beats, neither in one step nor in the steady
/// period of steps back to back. Of any mesh, all passes of all its chunks, and what it idles
///
///   before its first gradient can be there: it has only as many Fs to do as its memory holds;
///   behind its last F, until that one's gradient is there: B and W of what else is in flight;
///   behind its last B, while the gradient goes to the first stage and the next step's first F
///   comes from there: only W of what is in flight.
///
/// Or, where memory is short, all of its micro-batches there and back, as many at a time as it
/// holds.
double pipeline_bound_s(const PipelineProblem& problem);

}  // namespace rhino::evaluate
