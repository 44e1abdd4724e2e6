// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "ir/hlo_frontend.hpp"
#include "ir/hlo_syntax.hpp"

namespace rhino::ir::hlo {

/// Of tuples in tuples.
inline constexpr std::size_t kMaxTupleDepth = 100;

/// What an instruction of imported text is in the Program that comes of it.
struct Item {
  enum class Kind : std::uint8_t {
    none,
    array,    ///< a value
    tuple,    ///< of items
    number,   ///< a scalar of a loop that is unrolled: an op only where an op reads it
    pending,  ///< an op that is made where its element of a tuple is taken
  } kind = Kind::none;
  std::int32_t index = -1;  ///< the value, or a place in Items
};

/// Makes a pending op; what takes it names it and declares its shape, null: nobody.
using Maker = std::function<ValueId(const Instruction* taker)>;

/// What items refer to. All readers throw Error without a place.
class Items {
 public:
  explicit Items(Builder& builder) : builder_(builder) {}

  static Item array(ValueId value) { return {Item::Kind::array, value}; }
  Item tuple(std::vector<Item> elements);
  Item number(const Shape& shape, double number);
  Item pending(Maker maker);

  /// The value of an item that is no tuple.
  ValueId value(const Item& item, const Instruction* taker = nullptr);
  const std::vector<Item>& elements(const Item& item) const;
  /// Of a number, and of a constant of one integer or pred.
  std::optional<double> known(const Item& item) const;
  /// Of an item that is no tuple.
  Shape shape(const Item& item);
  /// Values of a tuple of tuples, in order, and where they stand.
  std::vector<std::pair<Path, ValueId>> leaves(const Item& item);

 private:
  struct Number {
    Shape shape;
    double number = 0;
  };
  struct Pending {
    Maker maker;
    ValueId value = kNoValue;
  };
  void append_leaves(const Item& item, Path& path, std::vector<std::pair<Path, ValueId>>& leaves);

  Builder& builder_;
  std::vector<std::vector<Item>> tuples_;
  std::vector<Number> numbers_;
  std::vector<Pending> pending_;
  std::map<std::pair<int, std::uint64_t>, ValueId> constants_;  ///< of numbers, by dtype and bits
  std::size_t num_visited_ = 0;                                 ///< items of tuples
};

}  // namespace rhino::ir::hlo
