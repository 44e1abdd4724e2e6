// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/frame.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::evaluate {

/// The space of a program on a mesh, priced by `tables`. `frame` is of any strategy of one chunk
/// with as many micro-batches: it says what runs when, and in which loops. Throws Error where the
/// batch does not divide.
StrategySpace make_space(Tables& tables, const Frame& frame, const SpaceOptions& options);

/// As of Strategies::least_s; the same of `frame`.
double least_s(Tables& tables, const Frame& frame, const SpaceOptions& options);

}  // namespace rhino::evaluate
