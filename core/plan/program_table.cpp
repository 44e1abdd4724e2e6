// SPDX-License-Identifier: Apache-2.0
#include "plan/program_table.hpp"

#include <utility>

namespace rhino::plan {
namespace {

bool alike(const Program& a, const Program& b, const std::vector<Output>& outputs_of_b) {
  return a.ops == b.ops && a.inputs == b.inputs && a.outputs == outputs_of_b;
}

}  // namespace

std::int32_t ProgramTable::index(const Program& program, std::size_t hash,
                                 std::vector<Output> outputs, std::string name) {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (alike(programs_[static_cast<std::size_t>(entry->second)], program, outputs))
      return entry->second;
  }
  const auto index = static_cast<std::int32_t>(programs_.size());
  by_hash_.emplace(hash, index);
  programs_.push_back({std::move(name), program.ops, program.inputs, std::move(outputs)});
  return index;
}

std::int64_t ProgramTable::workspace_bytes(std::int32_t index) {
  const auto [found, added] = workspace_.try_emplace(index, 0);
  if (added)
    found->second = lowerings_.of(programs_[static_cast<std::size_t>(index)])->workspace_bytes;
  return found->second;
}

}  // namespace rhino::plan
