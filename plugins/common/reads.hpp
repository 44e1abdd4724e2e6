// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "rhino/program.hpp"
#include "rhino/strategy_space.hpp"

/// What ops of a space read of each other.
namespace rhino::common {

/// An op that reads a value, as its operand `index`.
struct Read {
  std::pair<ValueId, std::int32_t> place;  ///< the value, and the pass that reads it
  ValueId reader = kNoValue;
  std::size_t index = 0;
};

/// All reads, in the order of values and passes.
inline std::vector<Read> reads_by_place(const Program& program, const StrategySpace& space) {
  std::vector<Read> reads;
  for (ValueId reader = 0; reader < program.size(); ++reader) {
    if (space.class_of[at(reader)] < 0) continue;
    const Op& op = program.op(reader);
    const OpClass& its = space.classes[at(space.class_of[at(reader)])];
    const std::int32_t pass =
        2 * static_cast<std::int32_t>(op.phase) + (its.per_micro_batch ? 1 : 0);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (its.operand_sets[i] >= 0 && space.class_of[at(op.operands[i])] >= 0)
        reads.push_back({{op.operands[i], pass}, reader, i});
    }
  }
  std::ranges::stable_sort(reads, {}, &Read::place);
  return reads;
}

/// What a list begins with that is read of one value in one pass; it is taken off the list.
inline std::span<const Read> next_place(std::span<const Read>& list) {
  const auto last = std::ranges::find_if(
      list, [&](const Read& read) { return read.place != list.front().place; });
  const std::span<const Read> first{list.begin(), last};
  list = {last, list.end()};
  return first;
}

}  // namespace rhino::common
