// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rhino/program.hpp"

/// Chains of elementwise steps that run strip by strip: a strip of one row is a few vectors, which
/// stay in the vector registers of the machine from step to step (the accumulator). What a later
/// step needs again is stored to a place that it reads: the memory of a result, a register of the
/// block, or a temporary of one strip.
namespace rhino::runtime {

/// The functions of a step, on strips and on narrow ones; their real types are known to
/// strip_steps.cpp alone.
struct StripCode {
  using Function = void (*)();
  Function wide = nullptr, narrow = nullptr;
};

/// One step of a chain: its code, and the places that it reads or writes.
struct StripStep {
  StripCode code;
  std::int32_t place = 0, condition = 0;  ///< numbers in StripFrame::places
  std::int64_t advance = 0;  ///< all bits: the place holds whole rows; 0: one strip at a time
};

/// Where a chain finds its places: element 0 of a row, of a strip, or the one element of a row.
struct StripFrame {
  std::byte* const* places = nullptr;
};

/// How one elementwise op continues a chain.
struct StripOp {
  enum class Form : std::uint8_t { copy, unary, binary, select } form = Form::copy;
  /// unary: one; binary: by Other and is_reversed; select: by is_single of condition and other
  /// value, then whether the accumulator holds the value where the condition is false.
  StripCode codes[8] = {};

  /// Where the operand of a binary op that is not in the accumulator is.
  enum Other : std::uint8_t { vectors, single, itself };
  StripCode binary(Other other, bool is_reversed) const { return codes[other * 2 + is_reversed]; }
  StripCode select(bool single_condition, bool single_other, bool holds_false) const {
    return codes[single_condition * 4 + single_other * 2 + holds_false];
  }
};

/// nullptr where chains have no such step: other types than f32, conversions, comparisons, and
/// functions that are no vector code.
const StripOp* strip_op(OpKind kind, DType dtype);
/// Of a copy of elements of `dtype`.
const StripOp* strip_copy(DType dtype);
/// Of what round_function() does.
const StripOp* strip_round(DType dtype);

/// The accumulator from a place of vectors, or repeating the one element there; to a place; what
/// strips further on load from a place asked for now; the end of every chain.
StripCode strip_load(bool is_single);
StripCode strip_store();
StripCode strip_prefetch();
StripCode strip_end();

/// Elements of a strip, and of a narrow one.
std::int64_t strip_elements();
std::int64_t narrow_strip_elements();
/// What a strip of the longest kind takes.
constexpr std::int64_t kStripBytes = 512;

/// Runs a chain on a row of `count` elements, a multiple of narrow_strip_elements(): on strips, and
/// what is left on narrow ones.
void run_strips(std::span<const StripStep> chain, const StripFrame& frame, std::int64_t count);

}  // namespace rhino::runtime
