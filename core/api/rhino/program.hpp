// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
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

/// The op set: StableHLO's with static shapes. Operands and result of an op have one element type
/// unless said otherwise, and nothing broadcasts by itself. What StableHLO leaves open is settled
/// in core/ir/reference.hpp, the evaluator that every device is compared with. Collectives appear
/// only after partitioning (see CollectiveAttr).
enum class OpKind : std::uint8_t {
  // sources: no operands
  parameter,   ///< an input of the program
  constant,    ///< see ConstantAttr
  iota,        ///< see DimAttr
  rng,         ///< see RngAttr
  axis_index,  ///< see CollectiveAttr
  // elementwise, one operand x
  negate,                 ///< -x
  absolute,               ///< |x|
  sign,                   ///< -1, 0 or 1; of NaN NaN
  exponential,            ///< e^x
  exponential_minus_one,  ///< e^x - 1, exact near 0
  log,                    ///< natural
  log_plus_one,           ///< log(1 + x), exact near 0
  sqrt,
  rsqrt,  ///< 1 / sqrt(x)
  cbrt,
  tanh,
  logistic,  ///< 1 / (1 + e^-x)
  sine,
  cosine,
  erf,  ///< the error function
  floor,
  ceil,
  round,            ///< to nearest, ties to even
  logical_not,      ///< bits of integers, truth of pred
  is_finite,        ///< pred: neither infinite nor NaN
  convert,          ///< to the element type of the op's shape
  bitcast_convert,  ///< the same bits as an element type of the same size
  // elementwise, two operands x and y of one shape
  add,
  subtract,
  multiply,
  divide,                  ///< integers truncate
  maximum,                 ///< NaN if either is
  minimum,                 ///< NaN if either is
  power,                   ///< x^y
  remainder,               ///< of truncated division: has the sign of x
  logical_and,             ///< bits of integers, truth of pred
  logical_or,              ///< likewise
  logical_xor,             ///< likewise
  shift_left,              ///< of bits; by no less than there are, 0
  shift_right_logical,     ///< zeros come in; by no less bits than there are, 0
  shift_right_arithmetic,  ///< the sign comes in; by no less bits than there are, all of it
  compare,                 ///< pred; see Comparison
  // elementwise, three operands
  select,  ///< (pred p, a, b): a where p holds, else b
  clamp,   ///< (low, x, high), all of one shape
  // shape: elements are moved or repeated, never computed with
  broadcast,    ///< see DimsAttr
  reshape,      ///< the same elements in row-major order under other extents
  transpose,    ///< see DimsAttr
  slice,        ///< see SliceAttr
  pad,          ///< see PadAttr
  concatenate,  ///< see DimAttr
  reverse,      ///< see DimsAttr
  // contraction and indexing: an element of the result depends on several or distant ones
  reduce,                ///< see ReduceAttr
  dot,                   ///< see DotAttr; of 16-bit operands it may yield f32
  convolution,           ///< see ConvolutionAttr
  gather,                ///< see GatherAttr
  scatter,               ///< see ScatterAttr
  dynamic_slice,         ///< see DynamicSliceAttr
  dynamic_update_slice,  ///< (tensor, update, one s32 scalar start per dim)
  reduce_window,         ///< see WindowAttr
  select_and_scatter,    ///< see WindowAttr; the derivative of a pooling maximum
  sort,  ///< (keys) gives keys, (keys, values) values by their keys; ascending, stable
  // collectives over mesh axes
  all_reduce,  ///< see CollectiveAttr, all five
  all_gather,
  reduce_scatter,
  all_to_all,
  halo_exchange,
};

/// How several values become one: of `reduce`, `scatter`, a Partial and the collectives.
enum class Reduction : std::uint8_t { sum, product, max, min, logical_and, logical_or };

/// What `compare` asks of its first operand about its second; false for all but `ne` where one is
/// NaN.
enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge };

/// constant: one element stands for all of them (a splat), or all in row-major order. Exact for
/// integers up to 2^53. Equal if the bits are: a NaN equals itself, 0 is not -0.
struct ConstantAttr {
  std::vector<double> elements;
  bool operator==(const ConstantAttr& other) const {
    return std::ranges::equal(elements, other.elements, [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    });
  }
};
/// iota: each element is its own index along the dim. concatenate: operands follow each other along
/// it. sort: rows along it are sorted.
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
/// reduce: one operand, neutral start value; the result lacks `dims`, the others keep their order.
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
/// slice: along dim i every strides[i]th element of [starts[i], limits[i]).
struct SliceAttr {
  std::vector<std::int64_t> starts, limits, strides;
  bool operator==(const SliceAttr&) const = default;
};
/// pad: operands are the tensor and the scalar fill. `interior` fills go between neighbours, `low`
/// and `high` before and behind; negative ones crop.
struct PadAttr {
  std::vector<std::int64_t> low, high, interior;
  bool operator==(const PadAttr&) const = default;
};
/// gather: operands (table, indices), StableHLO dimension numbers without batching dims. Indices
/// are clamped into range. An embedding lookup, table [vocabulary, hidden] by tokens [batch,
/// sequence]: offset_dims {2}, collapsed_slice_dims {0}, start_index_map {0}, slice_sizes {1,
/// hidden}, index_vector_dim 2.
struct GatherAttr {
  std::vector<std::int64_t> offset_dims, collapsed_slice_dims, start_index_map, slice_sizes;
  std::int64_t index_vector_dim = 0;
  bool operator==(const GatherAttr&) const = default;
};
/// scatter: operands (table, indices, updates); the reverse of gather, each update combined into
/// the table by `reduction`. Updates outside of the table are dropped.
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
/// convolution: operands (input, kernel); StableHLO dimension numbers; spatial vectors run over the
/// spatial dims. At most one of the group counts is above 1.
struct ConvolutionAttr {
  std::int64_t input_batch = 0, input_feature = 1, kernel_input = 1, kernel_output = 0,
               output_batch = 0, output_feature = 1;
  std::vector<std::int64_t> input_spatial, kernel_spatial, output_spatial;
  std::vector<std::int64_t> strides, low, high, lhs_dilation, rhs_dilation;
  std::int64_t feature_groups = 1, batch_groups = 1;
  bool operator==(const ConvolutionAttr&) const = default;
};
/// reduce_window, select_and_scatter: one entry per dim; windows reach into `low` and `high` of
/// padding that is neutral. select_and_scatter takes (operand, source) and selects by max or min.
struct WindowAttr {
  std::vector<std::int64_t> sizes, strides, low, high;
  Reduction reduction = Reduction::sum;
  bool operator==(const WindowAttr&) const = default;
};
/// rng: uniform in [low, high), counter-based, a function of the global element index and of
/// `stream`, so that every device makes its part of one and the same tensor.
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
///   halo_exchange   [h, ...] -> [h, ...]: the first `before` entries are those of the rank before,
///                   the others those of the rank behind; its own where there is no such rank.
struct CollectiveAttr {
  std::vector<std::int32_t> axes;
  Reduction reduction = Reduction::sum;
  std::int64_t before = 0;  ///< halo_exchange
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

/// Which part of a training step an op belongs to. Forward and backward run per micro-batch, except
/// for what depends on none; update runs once per step.
enum class Phase : std::uint8_t { forward, backward, update };

/// One op and the value that it yields. `name` and `origin` change nothing that is computed.
struct Op {
  OpKind kind = OpKind::constant;
  Phase phase = Phase::forward;
  /// The forward op that a backward op derives from, or that a recomputed op repeats: searchers and
  /// chunking put a backward op where its origin is.
  ValueId origin = kNoValue;
  Shape shape;                    ///< of the result
  std::vector<ValueId> operands;  ///< always of earlier ops
  Attributes attributes;
  std::string name;  ///< for people and annotation patterns only

  bool operator==(const Op&) const = default;
};
static_assert(sizeof(Op) <= 120, "programs of a hundred thousand ops are copied, hashed, compared");

/// `batch` inputs have the samples along dim 0 and are cut into micro-batches there; `scalar` is
/// the same for all samples and changes from step to step (the step count).
enum class InputKind : std::uint8_t { parameter, optimizer_state, batch, scalar };

/// How a value of an input comes to be, element by element from a counter (Philox), the same
/// whatever the sharding.
struct Initializer {
  enum class Kind : std::uint8_t {
    constant,
    normal,
    uniform,
    uniform_integer,
    step,
    moment,
    doubling,
    cycle
  } kind = Kind::constant;
  /// constant: the value; normal: mean; uniform*: low (inclusive); moment: 1 or 2, see
  /// training_step; doubling: in step 1
  double a = 0;
  /// normal: standard deviation; uniform*: high (exclusive); doubling: steps after which it has
  /// doubled, up to 2^126; cycle: step k begins with (k - 1) modulo this
  double b = 0;
  std::int32_t same_as = -1;  ///< index of the input whose numbers these are, too; -1: its own
  bool operator==(const Initializer&) const = default;
};

/// An input of a Program. Parameters and states keep their values from step to step, in place; made
/// anew, they are what a step of any number begins with (Initializer).
struct Input {
  ValueId value = kNoValue;  ///< a `parameter` op
  InputKind kind = InputKind::parameter;
  Initializer initializer;
  /// optimizer_state: index of the parameter in Program::inputs; -1: of the step as a whole
  std::int32_t state_of = -1;
  /// What strategy files call the dims ("vocabulary", "hidden"); may be empty.
  std::vector<std::string> dim_names = {};
  bool operator==(const Input&) const = default;
};

/// A training step has one scalar `loss`, a gradient per parameter and the updated parameters and
/// states; `value` is anything else that somebody wants to see.
enum class OutputKind : std::uint8_t { loss, gradient, updated_state, value };

/// An output of a Program, of the shape of its value.
struct Output {
  ValueId value = kNoValue;
  OutputKind kind = OutputKind::value;
  /// Gradient, updated_state: index in Program::inputs, of equal shape; an updated state replaces
  /// that input in place. Gradients of 16-bit parameters may be f32.
  std::int32_t input = -1;
  bool operator==(const Output&) const = default;
};

/// A tensor program in SSA form, ops in topological order: the single-device training step at
/// global batch, or (after partitioning) one device's part of it. Shapes are static and every op
/// carries its own; the engine has checked them before a plugin sees the program. Any DAG: nothing
/// relies on names, on a model family or on a chain of layers.
///
///     x = parameter f32[8,4]    w = parameter f32[4,2]    y = dot(x, w) f32[8,2]
///     ops {x, w, y}, ValueIds 0, 1, 2; inputs {{0, batch}, {1, parameter}}; outputs {{2, value}}
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
