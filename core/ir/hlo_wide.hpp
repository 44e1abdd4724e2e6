// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/builder.hpp"

/// u64, which Programs have not: a tensor of it is one of u32 with one more dim, the last, of two
/// words, the low one first. That is what a bitcast between the two makes of it, too.
namespace rhino::ir::hlo {

/// Whether `u64[2]{0}` is what a shape's text begins with.
bool is_wide(std::string_view shape);
/// `u32[3,2]` for `u64[3]{0}`.
std::string words_shape(std::string_view shape);

/// Two tensors of u32 of one shape: what is added to the low one carries into the high one.
struct Words {
  ValueId low = kNoValue, high = kNoValue;
};

/// Arithmetic modulo 2^64. Errors have no place.
class WideIntegers {
 public:
  explicit WideIntegers(Builder& builder) : b_(builder) {}

  /// The words that `wide` was joined of, or slices of it.
  Words split(ValueId wide);
  ValueId join(const Words& words);
  /// Null where `wide` was not joined.
  const Words* parts(ValueId wide) const;

  Words add(const Words& a, const Words& b);
  Words subtract(const Words& a, const Words& b);
  Words multiply(const Words& a, const Words& b);
  /// By `places`; zeros come in.
  Words shift_left(const Words& a, const Words& places);
  Words shift_right(const Words& a, const Words& places);
  /// pred
  ValueId less(const Words& a, const Words& b);
  ValueId equal(const Words& a, const Words& b);
  /// Words of a product of two words.
  Words product(ValueId a, ValueId b);

  /// Of integers of any type. Sums and products of s64 are computed anew, with all their bits.
  Words of(ValueId integers);
  /// s64 of the same bits.
  ValueId as_signed(const Words& words);
  /// The words that all elements of the shape have.
  Words fill(const std::vector<std::int64_t>& dims, std::uint64_t value);

  /// u32 of the dims of `like`: one op for all that ask for it.
  ValueId word(ValueId like, std::uint32_t value);
  ValueId as_word(ValueId predicate);

 private:
  Words made_of(ValueId integers);
  /// What all elements are; none: not known.
  std::optional<double> number(ValueId word) const;
  ValueId word_of_places(const Words& places);

  Builder& b_;
  std::unordered_map<ValueId, Words> known_, joined_;
  std::unordered_multimap<std::uint32_t, ValueId> words_;  ///< what word() made
  int depth_ = 0;
};

}  // namespace rhino::ir::hlo
