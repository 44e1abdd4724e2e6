// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/known_cuts.hpp"

namespace rhino::plan {

/// Of the FLOPs of a pass those that it runs, as it is cut, before all its departures have left,
/// which do not need them: while collectives are under way, or in front of what is made anew.
double share_ahead(const CutProblem& problem, KnownCuts& cuts);

}  // namespace rhino::plan
