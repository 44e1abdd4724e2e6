// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::lower {

/// Attention, or its derivative, as one kernel group: products of rows (queries) and columns (keys)
/// make scores, a softmax over the columns weighs them, products with what was made of them leave.
/// Nothing between the products is read elsewhere, so that it can be computed tile by tile.
struct Attention {
  /// Axis of a dim of extent 1, and of the dim that a product sums over or leaves (of heads).
  static constexpr std::int32_t kOne = -1, kDepth = -2;
  static constexpr std::int64_t kMostProducts = 2;
  /// Axes of the space of scores, per dim of one value.
  using Axes = std::vector<std::int32_t>;

  enum class Part : std::uint8_t {
    product,        ///< a dot that makes scores: [rows, depth] times [columns, depth]
    element,        ///< elementwise or a window, of scores or one per row
    maximum,        ///< of a row's scores, for the softmax
    sum,            ///< of their exponentials
    later_sum,      ///< of a row, known when maximum and sum are
    row_result,     ///< a dot over columns: [rows, depth]
    column_result,  ///< a dot over rows: [columns, depth]
  };
  struct Member {
    ValueId op = kNoValue;
    Part part = Part::element;
    Axes axes;                       ///< of its result
    std::vector<Axes> operand_axes;  ///< per operand
    bool operator==(const Member&) const = default;
  };
  /// The softmax sees of a row those columns alone whose place is at most that of the row plus
  /// `ahead`, and nothing of the others reaches a result.
  struct Causal {
    std::int32_t row_axis = kOne;
    std::int64_t ahead = 0;
    bool operator==(const Causal&) const = default;
  };

  std::vector<std::int64_t> extents;      ///< per axis
  std::vector<std::int32_t> batch, rows;  ///< axes, major first, without those of extent 1
  /// (of rows, that of `causal` comes first)
  std::int32_t column = kOne;
  std::int64_t depth = 1;       ///< the largest
  std::vector<Member> members;  ///< in order
  ValueId maximum = kNoValue, exponential = kNoValue, sum = kNoValue;
  std::vector<Causal> causal;  ///< at most one
  bool operator==(const Attention&) const = default;

  const Member* member(ValueId op) const;
};

/// A program without ops that nothing needs, in which each attention's ops stand in a row and are
/// read by no other, those that several read being there several times.
struct WithAttention {
  Program program;
  std::vector<Attention> attentions;
  std::vector<ValueId> made_for;  ///< per op: that of the program which it comes from
};

/// Per op: it is a member of an attention.
std::vector<bool> are_attention(const Program& program, const std::vector<Attention>& attentions);

/// Per op: it is a member of an attention where nothing shows scores, as of a step's passes, each
/// by itself, some may not.
std::vector<bool> may_be_attention(const Program& program);

/// Per op: kernels of attention make it, each that reads it, and nothing else does, so that it
/// never lies in memory: members of what with_attention() finds, but for results, and what these
/// read that is made of no input, as masks are. Collectives may be there.
std::vector<bool> inside_attention(const Program& program);

/// Finds by structure what can be one group, a training step's forward and backward passes each:
/// from a dot over scores back to the products that these are made of. One axis of columns; depths
/// up to 256; f32, bf16 and f16. What shows a score elsewhere - another reader, an output - stays
/// as it is.
WithAttention with_attention(const Program& program);

}  // namespace rhino::lower
