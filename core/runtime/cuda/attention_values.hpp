// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lower/attention.hpp"
#include "lower/lower.hpp"
#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// Values of an attention's members as text: of row `r` and column `c` of scores (ints), of batch
/// coordinates `b0`, `b1`, ... by axis. Products of the tile are `s[0]`, `s[1]`; what is known of a
/// row are members of `row`. Of streams products come rounded, exponentials are quick ones, and a
/// tile is seen as a whole where `whole`.
class AttentionValues {
 public:
  AttentionValues(const lower::LoweredProgram& lowered, const lower::Attention& attention,
                  KernelWriter& writer, bool is_stream = false);

  /// The members of struct Row.
  std::string row_members() const;
  /// When what is known of a row is: with its maximum, its sum, its later sums.
  enum class Known : std::uint8_t { maximum, sum, later_sums };
  /// Statements that set what follows then.
  std::string know(Known known);

  /// A lambda's body: `return` of `value`, with the products that it reads as s[0], s[1]. `given`
  /// has the name `x` already.
  std::string returned(ValueId value, const std::vector<ValueId>& products,
                       ValueId given = kNoValue);
  /// Of several values: statements, then `into[i] += value;`. `given` has the name `x` already.
  std::string added(const std::vector<ValueId>& values, const std::vector<ValueId>& products,
                    const std::string& into, ValueId given = kNoValue);
  /// Of several values, statements, then `into[i] = value;`, which the reader rounds.
  std::string assigned(const std::vector<ValueId>& values, const std::vector<ValueId>& products,
                       const std::string& into);

  /// Where an element of a value lies, but for its depth.
  std::string offset(const lower::View& view, const lower::Attention::Axes& axes) const;
  std::string coordinate(std::int32_t axis) const;
  /// Which later sum it is.
  std::size_t index_of_later(ValueId op) const;

 private:
  void begin(const std::vector<ValueId>& products, ValueId given = kNoValue);
  void find_predicate();
  std::string value(ValueId op);
  std::string raw(ValueId op);
  std::string computed(ValueId op);
  std::string operand(const lower::Attention::Member& member, std::size_t index);
  std::string operand_as_made(const lower::Attention::Member& member, std::size_t index);
  bool is_computed(const lower::Attention::Member& member) const;
  Known known_with(ValueId op) const;

  const lower::LoweredProgram& lowered_;
  const lower::Attention& attention_;
  KernelWriter& writer_;
  const bool is_stream_;
  ValueId predicate_ = kNoValue;  ///< of the causal select
  bool is_seen_where_true_ = true;
  std::vector<ValueId> fields_;  ///< computed once per row, in order
  std::vector<ValueId> later_sums_;
  std::vector<ValueId> products_;  ///< of the body that is being written
  std::map<ValueId, std::string> names_;
  std::string text_;
  bool writes_row_ = false;
};

}  // namespace rhino::runtime::cuda
