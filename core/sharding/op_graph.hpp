// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sharding/rule.hpp"

namespace rhino::sharding {

/// A read of a value: operand number `operand` of op `user`.
struct Use {
  ValueId user = kNoValue;
  std::int32_t operand = 0;
};

/// Pads and scatters into zeros are linear in the rest (see OpRule::passes_sum).
bool is_on_zeros(const Program& program, ValueId id);

/// What completion asks about a program again and again. `program` must outlive it.
class OpGraph {
 public:
  explicit OpGraph(const Program& program);

  const Program& program() const { return program_; }
  std::int32_t size() const { return program_.size(); }
  const Op& op(ValueId id) const { return program_.op(id); }
  const Shape& shape(ValueId value) const { return program_.shape(value); }
  const OpRule& rule(ValueId id) const { return rules_[static_cast<std::size_t>(class_of(id))]; }
  /// Ops of one class are alike: of one kind, with equal attributes and shapes of operands and
  /// result. Counted from 0 in the order of first members.
  std::int32_t class_of(ValueId id) const { return class_of_[static_cast<std::size_t>(id)]; }
  std::int32_t num_classes() const { return static_cast<std::int32_t>(rules_.size()); }
  std::span<const Use> uses(ValueId id) const;
  bool is_output(ValueId id) const { return is_output_[static_cast<std::size_t>(id)]; }
  /// The input that the op stands for; null where it is none.
  const Input* input(ValueId id) const;
  /// Made from constants, iotas and scalar inputs alone.
  bool is_pure(ValueId id) const { return is_pure_[static_cast<std::size_t>(id)]; }
  bool depends_on_batch(ValueId id) const { return on_batch_[static_cast<std::size_t>(id)]; }
  /// For messages: `op 'h0.mlp.up' (dot)`.
  std::string text(ValueId id) const;

 private:
  void find_classes();
  void index_uses();
  void classify();

  const Program& program_;
  std::vector<std::int32_t> class_of_;
  std::vector<OpRule> rules_;  ///< by class
  std::vector<std::int32_t> first_use_;
  std::vector<Use> uses_;
  std::vector<std::int32_t> input_of_;
  std::vector<bool> is_output_, is_pure_, on_batch_;
};

}  // namespace rhino::sharding
