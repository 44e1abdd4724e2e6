// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lower/loop_space.hpp"
#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// Values of the ops of a nest at element `i` of row `r`, written where they are first needed: as
/// statements once per row, or once per element. Both are valid until new_elements().
class LoopValues {
 public:
  /// `width`: elements `first`, ..., of which `i` is number `u`, are computed together, and are
  /// loaded and stored together where they lie side by side: see take_loads().
  LoopValues(const lower::LoweredProgram& lowered, const lower::LoopNest& nest,
             KernelWriter& writer, std::int64_t width = 1);

  /// Operand `index` of a member, where the member needs it.
  std::string operand(const lower::LoopNest::Member& member, std::size_t index);
  std::string value(const lower::LoopNest::Member& member);
  /// A row's value, a fold say, has this name from now on.
  void name_row(ValueId id, const std::string& name) { rows_[id] = name; }

  /// The statement that stores an element that a member makes, at the place of its view.
  std::string store(const lower::LoopNest::Member& member, const std::string& value);

  /// Statements before and behind the loop over `u` since the last call, for what travels together.
  std::string take_loads();
  std::string take_stores() { return std::exchange(store_text_, {}); }
  /// Registers that hold what travels together, of all loops.
  std::int64_t num_packed_registers() const { return packed_bytes_ / 4; }
  std::int64_t num_kept_registers() const { return kept_registers_; }

  /// A thread takes `width` elements of a row `num` times, number `n` of which is at hand, and goes
  /// through them several times: what was loaded once is kept, in at most so many registers.
  void keep_rows(std::int64_t num, std::int64_t max_registers) {
    num_kept_ = num;
    most_kept_registers_ = max_registers;
  }
  /// Declarations since the last call of what is kept, for the row.
  std::string take_kept() { return std::exchange(kept_text_, {}); }

  /// Statements since the last call.
  std::string take_rows() { return std::exchange(row_text_, {}); }
  std::string take_elements();

  static bool is_row(const lower::LoopNest::Member& member) {
    return member.per_row || member.folds;
  }

 private:
  const Op& op(ValueId id) const;
  std::string expression(const lower::LoopNest::Member& member);
  std::string load(DType dtype, const lower::Read& read, bool is_row);
  std::string keep(DType dtype, const std::string& place);
  std::string name_of_pack(DType dtype, ValueId base, const std::string& offset);
  std::string leaf_operand(const lower::LoopNest::Member& member, std::size_t index);

  const lower::LoweredProgram& lowered_;
  KernelWriter& writer_;
  std::map<ValueId, lower::LoopNest::Member> members_;
  std::map<ValueId, std::string> rows_, elements_;
  std::string row_text_, element_text_;
  std::int64_t width_;
  std::map<std::string, std::string>
      packs_;  ///< names of what was loaded for all `u`, by its place
  std::string load_text_, store_text_;
  std::int64_t packed_bytes_ = 0;
  std::int64_t num_kept_ = 0, kept_registers_ = 0, most_kept_registers_ = 0;
  std::map<std::string, std::string> kept_;  ///< names of what is kept, by its place
  std::string kept_text_;
};

/// A sine has a rare path that takes many registers: elements side by side would spill.
bool calls_sine(const lower::LoweredProgram& lowered, const lower::LoopNest& nest);

}  // namespace rhino::runtime::cuda
