// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <map>
#include <tuple>
#include <vector>

#include "runtime/device/cpu/loop_emitter.hpp"

namespace rhino::runtime {

/// Emits values made of constants and iotas alone, at the coordinates that ops of a nest read them
/// at.
class LoopLeaves {
 public:
  LoopLeaves(const Program& program, LoopEmitter& emitter) : program_(program), emitter_(emitter) {}

  /// Operand `index` of `op`, which runs on every element of the nest or once per row.
  BlockOperand operand(ValueId op, std::size_t index, bool per_row);
  /// The value of leaf `op` itself.
  BlockOperand value(ValueId op, bool per_row);

 private:
  /// Where along one dim of the elements that an op visits a coordinate lies: coordinate * factor +
  /// start.
  struct Along {
    std::int32_t dim = -1;  ///< -1: nowhere, start alone
    std::int64_t factor = 0, start = 0;
    auto operator<=>(const Along&) const = default;
  };
  using Coordinates = std::vector<Along>;  ///< per dim of a leaf

  /// The elements that an op of the nest visits, in row-major order.
  struct Visited {
    lower::Dims dims;
    bool per_row = false;
    auto operator<=>(const Visited&) const = default;
  };

  static Coordinates identity(const lower::Dims& dims);
  Coordinates before(const Op& op, const Coordinates& coordinates) const;
  BlockOperand at_coordinates(ValueId id, const Coordinates& coordinates, const Visited& visited);
  BlockOperand compute(ValueId id, const Coordinates& coordinates, const Visited& visited);
  BlockOperand count(const Op& iota, const Along& along, const Visited& visited);

  const Program& program_;
  LoopEmitter& emitter_;
  std::map<std::tuple<ValueId, Coordinates, Visited>, BlockOperand> known_;
};

}  // namespace rhino::runtime
