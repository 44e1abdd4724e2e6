// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/hlo_syntax.hpp"
#include "rhino/program.hpp"

/// What the scalar computations do that reductions, sorts and scatters name. Forms that are not
/// recognised are told by an empty answer, never guessed.
namespace rhino::ir::hlo {

/// The op that joins two values as `reduction` does.
OpKind combining_op(Reduction reduction);

/// How the computation joins parameters `first` and `second`, in either order, if it is, or its
/// root tuple's element `element` is, one op of them.
std::optional<Reduction> pair_reduction(const Computation& computation, std::size_t first = 0,
                                        std::size_t second = 1,
                                        std::optional<std::size_t> element = {});

/// The root if the computation is one op of its first two parameters in order and nothing else.
const Instruction* pair_op(const Computation& computation);

/// Whether the second parameter is the result, whatever the first.
bool takes_second(const Computation& computation);

/// Of a sort: which of its operands it sorts by.
struct Order {
  std::size_t key = 0;
  bool descending = false;
};
/// A comparison LT, LE, GT or GE of both elements of one key; zeros and NaNs may be made alike.
std::optional<Order> sort_order(const Computation& computation);

/// Of parameters (value, index, value, index): which value is taken, max or min, with its index, of
/// equal values with the lesser or the first index. Nothing but the order of the parameters may
/// decide, so that trying all orders is a proof; NaN is not looked at.
std::optional<Reduction> arg_extremum(const Computation& computation);

}  // namespace rhino::ir::hlo
