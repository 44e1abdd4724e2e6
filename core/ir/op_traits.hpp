// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rhino/program.hpp"

/// All that the engine knows of one kind of op by itself: a row of the table, written in
/// core/ir/ops/<class>.cpp. Other rooms ask traits, so that they need not know the op.
namespace rhino::ir {

struct Tensor;
struct Site;
struct Pullback;
class Sampler;
namespace hlo {
class AttributeReader;
class AttributeWriter;
struct Instruction;
}  // namespace hlo

using Operands = std::vector<const Tensor*>;
/// Gradient terms, one per operand of a Pullback; kNoValue where not wanted.
using Terms = std::vector<ValueId>;

enum class OpClass : std::uint8_t {
  source,       ///< no operand
  elementwise,  ///< a result element depends on the operand elements at the same index alone
  movement,     ///< elements take other places, in the same order along each dim or reversed
  reduction,    ///< elements of dims or windows become one
  contraction,  ///< sums of products
  indexing,     ///< places come from values: gathers, scatters, dynamic slices, sorts
  collective,   ///< between devices; axis_index is a source
};

/// Sets of element types.
inline constexpr std::uint8_t kFloating = 1, kInteger = 2, kPred = 4;

inline constexpr int kAnyArity = -1;

struct OpTraits {
  OpKind kind{};
  std::string_view name;  ///< the HLO opcode: `dot`, `exponential-minus-one`
  OpClass op_class{};
  int arity = 0;                              ///< number of operands, or kAnyArity
  bool view = false;                          ///< the result is its one operand seen otherwise
  bool heavy = false;                         ///< worth a kernel and a place of its own
  bool free = false;                          ///< costs no time beside what reads it
  bool flat = false;                          ///< the derivative is zero wherever it exists
  std::uint8_t takes = kFloating | kInteger;  ///< elementwise: element types of operands
  double low = -2, high = 2;  ///< range of operands in which results are finite numbers

  /// The shape of the result; throws Error where operands or attributes do not fit.
  Shape (*infer)(const Site&) = nullptr;
  /// The reference. Floating-point results are not rounded to the dtype yet, integers have wrapped.
  /// Null where it takes more than operands: parameter, axis_index, collectives.
  Tensor (*evaluate)(const Op&, const Operands&) = nullptr;
  /// Null: no derivative.
  Terms (*terms)(const Pullback&) = nullptr;
  /// Floating-point operations; null: none.
  double (*flops)(const Program&, const Op&) = nullptr;
  /// Attributes as HLO text, `, key=value`, and back; null: none.
  void (*write)(const Op&, hlo::AttributeWriter&) = nullptr;
  Attributes (*read)(const hlo::Instruction&, const hlo::AttributeReader&) = nullptr;
  /// HLO has a start value behind the operands that Programs imply, the neutral one: of which
  /// reduction, and the attribute that names it.
  Reduction (*start)(const Op&) = nullptr;
  std::string_view start_key = {};
  /// Makes the op with random attributes on new inputs; null: none (parameter, collectives).
  ValueId (*sample)(Sampler&) = nullptr;
};

/// Of every kind there is exactly one.
const OpTraits& traits(OpKind kind);
/// All of them, in the order of OpKind.
std::span<const OpTraits> all_traits();

}  // namespace rhino::ir
