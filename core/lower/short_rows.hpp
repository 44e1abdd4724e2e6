// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "lower/view.hpp"

/// Reductions and broadcasts over dims that others lie between, whose innermost ones are few
/// elements long, as the statistics of a group norm are: over pixels and the features of a group.
/// As they stand a loop over all elements has rows of those few alone. What lies outside and what
/// lies innermost, each on its own, leaves it rows of all that is innermost and between.
namespace rhino::lower {

/// Dims of the operand that are reduced first, side by side; then dims of what that makes.
struct ReducedInTwo {
  Dims first, second;
};
std::optional<ReducedInTwo> reduced_in_two(const Dims& operand, const Dims& reduced);

/// What lies innermost is repeated first, to `dims`; then all of it.
struct RepeatedInTwo {
  Dims dims;           ///< extents in between
  Dims first, second;  ///< result dim of each operand dim, of either broadcast
};
/// `to`: result dim of each operand dim.
std::optional<RepeatedInTwo> repeated_in_two(const Dims& operand, const Dims& to,
                                             const Dims& result);

}  // namespace rhino::lower
