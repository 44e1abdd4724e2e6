// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/hlo_read.hpp"
#include "ir/hlo_syntax.hpp"
#include "ir/name_table.hpp"

namespace rhino::ir::hlo {

/// A computation whose operands are resolved to its instructions, all by number in their order.
class Body {
 public:
  /// Throws Error `file:line:column: ...`. `computation` must outlive it.
  Body(const Computation& computation, const AttributeReader& reader, const std::string& file);

  std::size_t size() const { return instructions_.size(); }
  const Instruction& instruction(std::size_t i) const { return instructions_[i]; }
  std::size_t num_operands(std::size_t i) const {
    return first_operand_[i + 1] - first_operand_[i];
  }
  /// Throws Error without a place where there are fewer.
  std::size_t operand(std::size_t i, std::size_t k) const;
  std::size_t root() const { return root_; }
  /// Of that name; size() without one.
  std::size_t find(std::string_view name) const;

  /// Whether operand `k` of `i` is a constant that only says what the op means: the neutral start
  /// value of a reduction, or what a splat repeats.
  bool is_implied(std::size_t i, std::size_t k) const;
  /// A constant that is read as such only: it becomes no op.
  bool is_left_out(std::size_t i) const { return is_implied_[i] && !is_read_[i]; }

 private:
  void resolve(std::size_t i);
  void find_implied(std::size_t i);

  const std::vector<Instruction>& instructions_;
  const AttributeReader& reader_;
  NameTable names_;
  std::vector<std::size_t> operands_;  ///< of instruction i from first_operand_[i] on
  std::vector<std::size_t> first_operand_{0};
  std::vector<bool> is_implied_, is_read_;
  std::size_t root_ = 0;
};

}  // namespace rhino::ir::hlo
