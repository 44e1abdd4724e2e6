// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// Values of the ops of a nest at element `i` of row `r`, written where they are first needed: as
/// statements once per row, or once per element. Both are valid until new_elements().
class LoopValues {
 public:
  LoopValues(const lower::LoweredProgram& lowered, const lower::LoopNest& nest,
             KernelWriter& writer);

  /// Operand `index` of a member, where the member needs it.
  std::string operand(const lower::LoopNest::Member& member, std::size_t index);
  std::string value(const lower::LoopNest::Member& member);
  /// A row's value, a fold say, has this name from now on.
  void name_row(ValueId id, const std::string& name) { rows_[id] = name; }

  /// Statements since the last call.
  std::string take_rows() { return std::exchange(row_text_, {}); }
  std::string take_elements();

  static bool is_row(const lower::LoopNest::Member& member) {
    return member.per_row || member.folds;
  }

 private:
  using Coordinates = std::vector<std::string>;  ///< per dim of a value
  const Op& op(ValueId id) const;
  std::string expression(const lower::LoopNest::Member& member);
  std::string leaf_operand(const lower::LoopNest::Member& member, std::size_t index);
  std::string leaf(ValueId id, const Coordinates& coordinates);
  Coordinates before(const Op& op, const Coordinates& coordinates) const;

  const lower::LoweredProgram& lowered_;
  KernelWriter& writer_;
  std::map<ValueId, lower::LoopNest::Member> members_;
  std::map<ValueId, std::string> rows_, elements_;
  std::string row_text_, element_text_;
};

}  // namespace rhino::runtime::cuda
