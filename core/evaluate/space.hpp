// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "evaluate/space_outline.hpp"
#include "evaluate/tables.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::evaluate {

/// Per class of an outline its ops cut in all ways, in one order; empty: not known yet.
using ClassPrices = std::vector<std::vector<OpPrice>>;

/// The space of a program on a mesh, priced by `tables`; `outline` is of as many micro-batches.
/// `prices`: those that are known of the same options. `look` is called every few milliseconds, and
/// may end it by what it throws.
StrategySpace make_space(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options,
                         ClassPrices prices, const std::function<void()>& look);

/// Per class of `outline`, of as many micro-batches, the seconds that all its ops take at the least
/// in all their runs where they are dots or convolutions; 0: they are not. Adds what it finds to
/// `prices`.
std::vector<double> least_of_classes(Tables& tables, const SpaceOutline& outline,
                                     const SpaceOptions& options, ClassPrices& prices);

}  // namespace rhino::evaluate
