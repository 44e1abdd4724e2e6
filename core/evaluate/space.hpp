// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "evaluate/space_outline.hpp"
#include "evaluate/tables.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::evaluate {

/// The space of a program on a mesh, priced by `tables`; `outline` is of as many micro-batches.
/// `look` is called every few milliseconds, and may end it by what it throws.
StrategySpace make_space(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options,
                         const std::function<void()>& look);

/// Per class of `outline`, of as many micro-batches, the seconds that all its ops take at the least
/// in all their runs where they are dots or convolutions; 0: they are not.
std::vector<double> least_of_classes(Tables& tables, const SpaceOutline& outline,
                                     const SpaceOptions& options);

}  // namespace rhino::evaluate
