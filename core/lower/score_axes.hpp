// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/attention.hpp"
#include "rhino/program.hpp"

/// How values lie in the space of scores.
namespace rhino::lower {

/// Axes of operand `index` of an elementwise op, broadcast, transpose or reshape that adds or
/// drops dims of extent 1, whose result has these; nullopt for other ops.
std::optional<Attention::Axes> axes_of_operand(const Program& program, ValueId op,
                                               const Attention::Axes& axes, std::size_t index);

/// Axes of both operands of a dot. nullopt where more than one dim of more than one element is left
/// that is no axis, or one that is longer than a kernel takes.
struct DotAxes {
  Attention::Axes lhs, rhs, result;
  std::int64_t depth = 1;
};
/// Of one that makes scores: `axes` of its result.
std::optional<DotAxes> product_axes(const Program& program, ValueId dot,
                                    const Attention::Axes& axes);
/// Of one over scores, which are operand `scores` and have these axes.
std::optional<DotAxes> result_axes(const Program& program, ValueId dot, std::size_t scores,
                                   const Attention::Axes& axes);

/// The one element of `value`, a constant seen through windows and conversions.
std::optional<double> splat_of(const Program& program, ValueId value);

/// An index along an axis, plus a number.
struct AxisIndex {
  std::int32_t axis = Attention::kOne;
  std::int64_t plus = 0;
};
std::optional<AxisIndex> index_of(const Program& program, ValueId value,
                                  const Attention::Axes& axes);

}  // namespace rhino::lower
