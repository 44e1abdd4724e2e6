// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rhino/shape.hpp"

namespace rhino {

/// A tensor that an op yields. Today every op yields one and a value is the index of its op in
/// Program::ops; ask Program::shape and Program::producer where a value is meant.
using ValueId = std::int32_t;
inline constexpr ValueId kNoValue = -1;

/// The op set: StableHLO's with static shapes. Collectives appear only after partitioning (see
/// CollectiveAttr).
enum class OpKind : std::uint8_t {
  // sources
  parameter,
  constant,
  iota,
  rng,
  axis_index,
  // elementwise, one operand
  negate,
  absolute,
  sign,
  exponential,
  exponential_minus_one,
  log,
  log_plus_one,
  sqrt,
  rsqrt,
  cbrt,
  tanh,
  logistic,
  sine,
  cosine,
  erf,
  floor,
  ceil,
  round,
  logical_not,
  is_finite,
  convert,
  // elementwise, two operands
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  power,
  remainder,
  logical_and,
  logical_or,
  logical_xor,
  compare,
  // elementwise, three operands
  select,
  clamp,
  // shape
  broadcast,
  reshape,
  transpose,
  slice,
  pad,
  concatenate,
  reverse,
  // contraction and indexing
  reduce,
  dot,
  convolution,
  gather,
  scatter,
  dynamic_slice,
  dynamic_update_slice,
  reduce_window,
  select_and_scatter,
  sort,
  // collectives over mesh axes
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
};

/// How several values become one: of `reduce`, `scatter`, a Partial and the collectives.
enum class Reduction : std::uint8_t { sum, product, max, min, logical_and, logical_or };

enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge };

/// constant: one element stands for all of them (a splat), or all in row-major order. Exact for
/// integers up to 2^53.
struct ConstantAttr {
  std::vector<double> elements;
  bool operator==(const ConstantAttr&) const = default;
};
/// iota, concatenate, sort: the dim they work on.
struct DimAttr {
  std::int64_t dim = 0;
  bool operator==(const DimAttr&) const = default;
};
/// broadcast: result dim of each operand dim, increasing; transpose: result dim i is operand dim
/// dims[i]; reverse: reversed dims.
struct DimsAttr {
  std::vector<std::int64_t> dims;
  bool operator==(const DimsAttr&) const = default;
};
struct CompareAttr {
  Comparison comparison = Comparison::eq;
  bool operator==(const CompareAttr&) const = default;
};
/// reduce: one operand, neutral start value; the result lacks `dims`.
struct ReduceAttr {
  std::vector<std::int64_t> dims;
  Reduction reduction = Reduction::sum;
  bool operator==(const ReduceAttr&) const = default;
};
/// dot: result dims are batch dims in order, then free dims of lhs, then free dims of rhs
/// (StableHLO dot_general).
struct DotAttr {
  std::vector<std::int64_t> lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  bool operator==(const DotAttr&) const = default;
};
struct SliceAttr {
  std::vector<std::int64_t> starts, limits, strides;
  bool operator==(const SliceAttr&) const = default;
};
/// pad: operands are the tensor and the scalar fill. Negative low or high crops.
struct PadAttr {
  std::vector<std::int64_t> low, high, interior;
  bool operator==(const PadAttr&) const = default;
};
/// gather: operands (table, indices), StableHLO dimension numbers without batching dims. Indices
/// are clamped into range.
struct GatherAttr {
  std::vector<std::int64_t> offset_dims, collapsed_slice_dims, start_index_map, slice_sizes;
  std::int64_t index_vector_dim = 0;
  bool operator==(const GatherAttr&) const = default;
};
/// scatter: operands (table, indices, updates). Updates outside of the table are dropped.
struct ScatterAttr {
  std::vector<std::int64_t> update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  Reduction reduction = Reduction::sum;
  bool operator==(const ScatterAttr&) const = default;
};
/// dynamic_slice: operands (tensor, one s32 scalar start per dim), clamped; dynamic_update_slice
/// has no attribute.
struct DynamicSliceAttr {
  std::vector<std::int64_t> sizes;
  bool operator==(const DynamicSliceAttr&) const = default;
};
/// convolution: StableHLO dimension numbers; spatial vectors run over the spatial dims.
struct ConvolutionAttr {
  std::int64_t input_batch = 0, input_feature = 1, kernel_input = 1, kernel_output = 0,
               output_batch = 0, output_feature = 1;
  std::vector<std::int64_t> input_spatial, kernel_spatial, output_spatial;
  std::vector<std::int64_t> strides, low, high, lhs_dilation, rhs_dilation;
  std::int64_t feature_groups = 1, batch_groups = 1;
  bool operator==(const ConvolutionAttr&) const = default;
};
/// reduce_window, select_and_scatter: one entry per dim.
struct WindowAttr {
  std::vector<std::int64_t> sizes, strides, low, high;
  Reduction reduction = Reduction::sum;
  bool operator==(const WindowAttr&) const = default;
};
/// rng: counter-based, a function of the global element index and of `stream`.
struct RngAttr {
  std::uint64_t stream = 0;
  double low = 0, high = 1;
  bool operator==(const RngAttr&) const = default;
};
/// Collectives and axis_index: `axes` index the axes of the mesh the program is partitioned for,
/// major first; n = product of their sizes; ranks of a group count row-major over them.
///   axis_index      () -> s32[]: this device's rank in its group.
///   all_reduce      [...] -> [...]: reduced over the group.
///   all_gather      [...] -> [n, ...]: rank-major.
///   reduce_scatter  [n, ...] -> [...]: rank k gets the reduced entry k.
///   all_to_all      [n, ...] -> [n, ...]: entry j on rank i is entry i of rank j.
struct CollectiveAttr {
  std::vector<std::int32_t> axes;
  Reduction reduction = Reduction::sum;
  bool operator==(const CollectiveAttr&) const = default;
};

/// What an op adds to its kind and operands: one of `T`, or nothing. Immutable and shared: copies
/// of an op refer to one object, and so do equal ops that one ir::Builder makes. Compared by value.
template <class... T>
class AttributesOf {
 public:
  using Types = std::variant<std::monostate, T...>;

  AttributesOf() = default;
  template <class One>
  requires(std::is_same_v<One, T> || ...) AttributesOf(One attributes)
      : held_(std::make_shared<const One>(std::move(attributes))) {}

  /// Null if another type is held, or none. Owned by the op and its copies.
  template <class One>
  const One* get_if() const {
    const auto* held = std::get_if<std::shared_ptr<const One>>(&held_);
    return held ? held->get() : nullptr;
  }
  /// Throws std::bad_variant_access where get_if answers null.
  template <class One>
  const One& get() const {
    return *std::get<std::shared_ptr<const One>>(held_);
  }
  /// Calls `f` with the attributes, or with std::monostate.
  template <class F>
  decltype(auto) visit(F f) const {
    return std::visit([&f](const auto& held) -> decltype(auto) { return f(value(held)); }, held_);
  }
  /// Of the type held, among Types.
  std::size_t index() const { return held_.index(); }

  bool operator==(const AttributesOf& other) const {
    return held_ == other.held_ || (both_hold_equal<T>(other) || ...);
  }

 private:
  template <class One>
  bool both_hold_equal(const AttributesOf& other) const {
    const One *mine = get_if<One>(), *theirs = other.template get_if<One>();
    return mine && theirs && *mine == *theirs;
  }
  static const std::monostate& value(const std::monostate& none) { return none; }
  template <class One>
  static const One& value(const std::shared_ptr<const One>& one) {
    return *one;
  }

  std::variant<std::monostate, std::shared_ptr<const T>...> held_;
};
using Attributes = AttributesOf<ConstantAttr, DimAttr, DimsAttr, CompareAttr, ReduceAttr, DotAttr,
                                SliceAttr, PadAttr, GatherAttr, ScatterAttr, DynamicSliceAttr,
                                ConvolutionAttr, WindowAttr, RngAttr, CollectiveAttr>;

/// Which part of a training step an op belongs to.
enum class Phase : std::uint8_t { forward, backward, update };

struct Op {
  OpKind kind = OpKind::constant;
  Phase phase = Phase::forward;
  ValueId origin = kNoValue;      ///< the forward op that a backward op derives from, or that a
                                  ///< recomputed op repeats
  Shape shape;                    ///< of the result
  std::vector<ValueId> operands;  ///< always of earlier ops
  Attributes attributes;
  std::string name;  ///< for people and annotation patterns only

  bool operator==(const Op&) const = default;
};
static_assert(sizeof(Op) <= 120, "programs of a hundred thousand ops are copied, hashed, compared");

enum class InputKind : std::uint8_t { parameter, optimizer_state, batch, scalar };

/// How a value of an input comes to be, element by element from a counter (Philox), the same
/// whatever the sharding.
struct Initializer {
  enum class Kind : std::uint8_t {
    constant,
    normal,
    uniform,
    uniform_integer,
    step
  } kind = Kind::constant;
  double a = 0;  ///< constant: the value; normal: mean; uniform*: low (inclusive)
  double b = 0;  ///< normal: standard deviation; uniform*: high (exclusive)
  bool operator==(const Initializer&) const = default;
};

struct Input {
  ValueId value = kNoValue;  ///< a `parameter` op
  InputKind kind = InputKind::parameter;
  Initializer initializer;
  std::int32_t state_of = -1;  ///< optimizer_state: index of the parameter in Program::inputs
  std::vector<std::string> dim_names =
      {};  ///< for people and annotation patterns only; may be empty
  bool operator==(const Input&) const = default;
};

enum class OutputKind : std::uint8_t { loss, gradient, updated_state, value };

struct Output {
  ValueId value = kNoValue;
  OutputKind kind = OutputKind::value;
  std::int32_t input = -1;  ///< gradient, updated_state: index in Program::inputs; an updated state
                            ///< replaces that input in place
  bool operator==(const Output&) const = default;
};

/// A tensor program in SSA form, ops in topological order: the single-device training step at
/// global batch, or (after partitioning) one device's part of it.
struct Program {
  std::string name;
  std::vector<Op> ops;
  std::vector<Input> inputs;
  std::vector<Output> outputs;

  bool operator==(const Program&) const = default;
  const Op& op(std::int32_t index) const { return ops[static_cast<std::size_t>(index)]; }
  const Op& producer(ValueId value) const { return op(value); }
  const Shape& shape(ValueId value) const { return producer(value).shape; }
  std::int32_t size() const { return static_cast<std::int32_t>(ops.size()); }
};

}  // namespace rhino
