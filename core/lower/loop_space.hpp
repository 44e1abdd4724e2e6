// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lower/storage.hpp"
#include "lower/view.hpp"
#include "rhino/program.hpp"

/// Where ops of a loop meet: iteration spaces of single ops and how one reads another.
namespace rhino::lower {

/// How the element that an op works on lies to the element of an operand that it reads.
struct Relation {
  enum class Kind : std::uint8_t {
    none,    ///< the operand is not made in a loop, or has no memory
    same,    ///< the same index in row-major order
    spread,  ///< index / columns: one element for each row
    other,
  } kind = Kind::none;
  std::int64_t columns = 0;  ///< of spread
};

Relation relation_of(const Program& program, const Storage& storage, ValueId op, ValueId operand);

/// The elements that one op visits.
struct OpSpace {
  std::int64_t elements = 1;
  std::int64_t columns = 0;  ///< of rows that it folds; 0: it has no rows of its own
  /// Of a reduction that accumulates: blocks of so many adjacent elements are either reduced as a
  /// whole or kept as a whole. 0: none.
  std::int64_t run = 0;
  bool is_total = false;  ///< a reduction to one element
};

/// `longest_row`: see Kernels.
OpSpace space_of(const Program& program, ValueId op, std::int64_t longest_row);

/// Extents of the windows, collapsed, major first, that `op` reads or writes; those that lie in
/// order of its elements left out.
std::vector<Dims> windows_of(const Program& program, const Storage& storage, ValueId op);

/// Whether rows of so many elements begin where dims of these extents do.
bool splits_at(const Dims& extents, std::int64_t columns);

/// The length of rows in which iotas that `op` reads advance evenly; 0: any.
std::int64_t leaf_columns(const Program& program, const Storage& storage, ValueId op);

/// What an op in a loop reads: dims and window of one operand, row-major over the elements that the
/// op visits.
struct Read {
  Dims dims;
  View view;
};
Read read_of(const Program& program, const std::vector<View>& views, ValueId op,
             std::size_t operand);

}  // namespace rhino::lower
