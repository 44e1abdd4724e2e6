// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/space_outline.hpp"
#include "evaluate/tables.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::evaluate {

/// The space of a program on a mesh, priced by `tables`; `outline` is of as many micro-batches.
StrategySpace make_space(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options);

/// As of Strategies::least_s; the same of `outline`.
double least_s(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options);

}  // namespace rhino::evaluate
