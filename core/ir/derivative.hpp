// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/builder.hpp"
#include "ir/op_traits.hpp"

namespace rhino::ir {

/// One op on the way back through a program: what a derivative rule works on.
struct Pullback {
  Builder& builder;       ///< new ops go here
  Op op;                  ///< a copy: the builder moves its ops as it grows
  ValueId id = kNoValue;  ///< the value of `op`
  ValueId gradient = kNoValue;
  std::vector<bool> wanted;  ///< operands whose gradient is asked for

  const std::vector<std::int64_t>& operand_dims(std::size_t i) const {
    return builder.shape(op.operands[i]).dims;
  }
};

}  // namespace rhino::ir
