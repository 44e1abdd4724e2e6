// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lower/attention.hpp"
#include "rhino/program.hpp"

namespace rhino::lower {

/// Per op: the first one that computes the same in the same way, of those that are cheap or reduce
/// and are needed. Backward passes repeat such ops; to a kernel they are one.
std::vector<ValueId> same_ops(const Program& program, const std::vector<bool>& needed);

/// What one dot over scores is made of.
struct AttentionRegion {
  ValueId result = kNoValue;
  Attention attention;  ///< of this result alone; members are those of same_ops()
};

/// The region of `result`, whose operand `scores` has scores for elements; nullopt where it is no
/// attention.
std::optional<AttentionRegion> attention_region(const Program& program,
                                                const std::vector<ValueId>& same, ValueId result,
                                                std::size_t scores);

}  // namespace rhino::lower
