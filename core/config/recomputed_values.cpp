// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "config/strategy_file.hpp"
#include "config/value_pattern.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::config {
namespace {

using Recompute = StrategyFile::Recompute;

/// Per value, whether a pattern matches it.
std::vector<bool> matched(const Program& program, const std::vector<std::string>& patterns,
                          const std::string& place) {
  std::vector<bool> result(program.ops.size());
  for (const ValueId id : matching_forward_values(program, patterns, place)) result[at(id)] = true;
  return result;
}

/// What a path leads to from `from` and on to `to`, past none of them.
std::vector<bool> between(const Program& program, const std::vector<bool>& from,
                          const std::vector<bool>& to) {
  std::vector<bool> behind(program.ops.size()), before(program.ops.size());
  const auto is_border = [&](ValueId id) { return from[at(id)] || to[at(id)]; };
  for (ValueId id = 0; id < program.size(); ++id) {
    if (!is_made_forward(program, id) || is_border(id)) continue;
    const std::vector<ValueId>& operands = program.op(id).operands;
    behind[at(id)] = std::any_of(operands.begin(), operands.end(), [&](ValueId operand) {
      return from[at(operand)] || behind[at(operand)];
    });
  }
  for (ValueId id = program.size() - 1; id >= 0; --id) {
    if (!to[at(id)] && !before[at(id)]) continue;
    for (const ValueId operand : program.op(id).operands)
      before[at(operand)] = before[at(operand)] || !is_border(operand);
  }
  for (ValueId id = 0; id < program.size(); ++id) behind[at(id)] = behind[at(id)] && before[at(id)];
  return behind;
}

std::vector<bool> values_of(const Recompute& segment, const Program& program) {
  if (!segment.values.empty()) return matched(program, segment.values, segment.place);
  const std::vector<bool> values = between(program, matched(program, segment.from, segment.place),
                                           matched(program, segment.to, segment.place));
  if (std::find(values.begin(), values.end(), true) == values.end())
    throw Error(segment.place + ": nothing lies between from and to");
  return values;
}

}  // namespace

std::vector<ValueId> recomputed_values(const StrategyFile& file, const Program& program) {
  std::vector<bool> recomputed(program.ops.size());
  for (const Recompute& segment : file.segments) {
    const std::vector<bool> values = values_of(segment, program);
    for (std::size_t i = 0; i < values.size(); ++i) recomputed[i] = recomputed[i] || values[i];
  }
  std::vector<ValueId> result;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (recomputed[at(id)]) result.push_back(id);
  }
  return result;
}

}  // namespace rhino::config
