// SPDX-License-Identifier: Apache-2.0
#include "ir/simplifier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/reference.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

std::uint64_t bits_of(double number) { return std::bit_cast<std::uint64_t>(number); }

std::size_t hash(const Op& op) {
  std::size_t hash = static_cast<std::size_t>(op.kind);
  const auto mix = [&hash](std::int64_t number) {
    hash = (hash ^ static_cast<std::size_t>(number)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  mix(static_cast<std::int64_t>(op.shape.dtype));
  for (std::int64_t dim : op.shape.dims) mix(dim);
  for (ValueId operand : op.operands) mix(operand);
  if (const auto* held = op.attributes.get_if<ConstantAttr>()) {
    mix(held->elements.empty() ? 0 : static_cast<std::int64_t>(bits_of(held->elements[0])));
  }
  return hash;
}

bool commutes(OpKind kind) {
  constexpr std::array kKinds = {OpKind::add,     OpKind::multiply,    OpKind::maximum,
                                 OpKind::minimum, OpKind::logical_and, OpKind::logical_or};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

/// Whether a reduction that starts with its neutral element has it in already.
bool reduces(const Op& op, Reduction reduction) {
  const auto start = traits(op.kind).start;
  return start && start(op) == reduction;
}

bool counts_up(const std::vector<std::int64_t>& dims) {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] != static_cast<std::int64_t>(d)) return false;
  }
  return true;
}

/// Whether dims of more than one element stay in their order.
bool moves_single_elements(const Shape& from, const std::vector<std::int64_t>& dims) {
  std::int64_t last = -1;
  for (std::int64_t dim : dims) {
    if (from.dims[at(dim)] == 1) continue;
    if (dim < last) return false;
    last = dim;
  }
  return true;
}

std::vector<std::int64_t> without_ones(std::vector<std::int64_t> dims) {
  std::erase(dims, 1);
  return dims;
}

bool is_same_but_ones(const Shape& a, const Shape& b) {
  return without_ones(a.dims) == without_ones(b.dims);
}

/// Where `dim` of `from`, which has more than one element, is in a shape that differs in ones.
std::int64_t place_of(std::int64_t dim, const Shape& from, const Shape& to) {
  const auto is_more = [](std::int64_t extent) { return extent != 1; };
  auto before = std::count_if(from.dims.begin(), from.dims.begin() + dim, is_more);
  std::int64_t place = 0;
  while (to.dims[at(place)] == 1 || before-- > 0) ++place;
  return place;
}

/// Sums begin with 0.
bool is_never_minus_zero(const Op& op) {
  if (!is_floating(op.shape.dtype) || op.kind == OpKind::absolute) return true;
  return reduces(op, Reduction::sum);
}

/// May be merged with an op that is equal.
bool is_shared(const Op& op) {
  if (op.kind == OpKind::parameter || op.kind == OpKind::rng) return false;
  return op.operands.empty() || !is_floating(op.shape.dtype);
}

}  // namespace

const Op& Simplifier::source(const Op& op, std::size_t k) const {
  return program_.op(op.operands[k]);
}

bool Simplifier::is_splat(ValueId value, std::optional<double> element) const {
  const auto* held = program_.op(value).attributes.get_if<ConstantAttr>();
  if (!held || held->elements.size() != 1) return false;
  return !element || bits_of(held->elements[0]) == bits_of(*element);
}

ValueId Simplifier::splat(const Shape& shape, double element, Phase phase) {
  Op op{.kind = OpKind::constant, .phase = phase, .shape = shape};
  op.attributes = ConstantAttr{{element}};
  return make(std::move(op));
}

ValueId Simplifier::make(Op op) {
  if (!is_shared(op)) {
    program_.ops.push_back(std::move(op));
    return program_.size() - 1;
  }
  std::vector<ValueId>& equal = made_[hash(op)];
  for (ValueId id : equal) {
    const Op& held = program_.op(id);
    if (held.kind == op.kind && held.shape == op.shape && held.operands == op.operands &&
        held.attributes == op.attributes) {
      return id;
    }
  }
  equal.push_back(program_.size());
  program_.ops.push_back(std::move(op));
  return program_.size() - 1;
}

ValueId Simplifier::add(Op op) {
  if (op.kind == OpKind::parameter) return make(std::move(op));
  if (commutes(op.kind) && source(op).kind == OpKind::constant &&
      source(op, 1).kind != OpKind::constant) {
    std::swap(op.operands[0], op.operands[1]);
  }
  Found found = op.kind == OpKind::constant ? constant(op) : folded(op);
  if (!found) found = without_effect(op);
  if (!found && op.kind == OpKind::iota) found = iota(op);
  if (!found && op.kind == OpKind::reduce) found = reduce(op);
  if (!found && op.kind == OpKind::reshape) found = reshape(op);
  if (!found && op.kind == OpKind::broadcast) found = broadcast(op);
  if (!found && op.kind == OpKind::transpose) found = transpose(op);
  if (!found && op.kind == OpKind::reverse) found = reverse(op);
  if (!found && op.kind == OpKind::pad) found = pad(op);
  if (!found && op.kind == OpKind::concatenate) found = concatenate(op);
  return found ? *found : make(std::move(op));
}

Simplifier::Found Simplifier::constant(Op& op) {
  const std::vector<double>& held = op.attributes.get<ConstantAttr>().elements;
  std::vector<double> elements = held;
  round_all(op.shape.dtype, elements);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (std::isnan(held[i])) elements[i] = held[i];  // with all its bits
  }
  const bool is_even = std::ranges::all_of(
      elements, [&](double element) { return bits_of(element) == bits_of(elements[0]); });
  if (is_even && elements.size() > 1) elements.erase(elements.begin() + 1, elements.end());
  op.attributes = ConstantAttr{std::move(elements)};
  return std::nullopt;
}

/// Elementwise ops on splats are computed once, for good; what has no element is a constant.
Simplifier::Found Simplifier::folded(const Op& op) {
  if (num_elements(op.shape) == 0) return splat(op.shape, 0, op.phase);
  if (op.operands.empty() || !is_elementwise(op.kind)) return std::nullopt;
  if (!std::ranges::all_of(op.operands, [&](ValueId v) { return is_splat(v); })) {
    return std::nullopt;
  }
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const Op& held = source(op, k);
    tensors.push_back({{held.shape.dtype, {}}, held.attributes.get<ConstantAttr>().elements});
  }
  Operands operands;
  for (const Tensor& tensor : tensors) operands.push_back(&tensor);
  Op one = op;
  one.shape.dims.clear();
  Tensor result = traits(op.kind).evaluate(one, operands);
  round_all(op.shape.dtype, result.elements);
  return splat(op.shape, result.elements[0], op.phase);
}

/// (x + 0) + c is x + c, where c is not 0; `op` has two operands.
void Simplifier::take_term(Op& op) const {
  const Op& sum = source(op);
  if (sum.kind != OpKind::add || sum.operands.size() != 2 || !is_splat(sum.operands[1], 0)) return;
  if (is_splat(op.operands[1]) && source(op, 1).attributes.get<ConstantAttr>().elements[0] != 0) {
    op.operands[0] = sum.operands[0];
  }
}

/// Where `x != x` holds, x + 0 is x; XLA drops the sum where it writes HLO.
void Simplifier::take_nans(Op& op) const {
  const Op &where = source(op), &sum = source(op, 1);
  const auto* compared = where.attributes.get_if<CompareAttr>();
  if (!compared || compared->comparison != Comparison::ne || sum.kind != OpKind::add) return;
  const ValueId value = sum.operands[0];
  if (where.operands[0] != value || where.operands[1] != value) return;
  if (is_splat(sum.operands[1], 0)) op.operands[1] = value;
}

Simplifier::Found Simplifier::without_effect(Op& op) {
  if (op.operands.empty()) return std::nullopt;
  const Op& first = source(op);
  const ValueId value = op.operands[0];
  const bool is_same_shape = first.shape == op.shape;
  const bool has_right = op.operands.size() == 2;
  switch (op.kind) {
    case OpKind::convert:
    case OpKind::slice:
      if (is_same_shape) return value;
      break;
    case OpKind::add:
      take_term(op);
      if (has_right && (is_splat(op.operands[1], -0.0) ||
                        (is_splat(op.operands[1], 0) &&
                         (zeros_ == Zeros::alike || is_never_minus_zero(first))))) {
        return value;
      }
      break;
    case OpKind::subtract:
      if (has_right && is_splat(op.operands[1], 0)) return value;
      break;
    case OpKind::multiply:
    case OpKind::divide:
      if (has_right && is_splat(op.operands[1], 1)) return value;
      break;
    case OpKind::select:
      take_nans(op);
      if (op.operands[1] == op.operands[2]) return op.operands[1];
      break;
    case OpKind::maximum:
    case OpKind::minimum: {
      const auto reduction = op.kind == OpKind::maximum ? Reduction::max : Reduction::min;
      const double neutral = neutral_element(reduction, op.shape.dtype);
      if (reduces(first, reduction) && is_splat(op.operands[1], neutral)) return value;
      break;
    }
    default: break;
  }
  if (op.kind == OpKind::slice && is_splat(value)) {
    return splat(op.shape, first.attributes.get<ConstantAttr>().elements[0], op.phase);
  }
  return std::nullopt;
}

/// Along one dim, repeated along the others.
Simplifier::Found Simplifier::iota(Op& op) {
  if (op.shape.dims.size() < 2) return std::nullopt;
  const std::int64_t dim = op.attributes.get<DimAttr>().dim;
  Op line = op;
  line.shape.dims = {op.shape.dims[at(dim)]};
  line.attributes = DimAttr{0};
  op.kind = OpKind::broadcast;
  op.operands = {make(std::move(line))};
  op.attributes = DimsAttr{{dim}};
  return add(op);
}

Simplifier::Found Simplifier::reshape(Op& op) {
  while (source(op).kind == OpKind::reshape) op.operands[0] = source(op).operands[0];
  const Op& from = source(op);
  if (from.shape == op.shape) return op.operands[0];
  if (from.kind == OpKind::broadcast && is_same_but_ones(from.shape, op.shape)) {
    Op spread = op;
    spread.kind = OpKind::broadcast;
    spread.operands = from.operands;
    DimsAttr dims;
    for (std::int64_t dim : from.attributes.get<DimsAttr>().dims) {
      dims.dims.push_back(place_of(dim, from.shape, op.shape));
    }
    spread.attributes = std::move(dims);
    return add(std::move(spread));
  }
  if (from.kind != OpKind::constant) return std::nullopt;
  Op same{.kind = OpKind::constant, .phase = op.phase, .shape = op.shape};
  same.attributes = from.attributes;
  return make(std::move(same));
}

/// Over dims of one element: derivatives of what kept them leave such sums.
Simplifier::Found Simplifier::reduce(const Op& op) {
  const std::vector<std::int64_t>& dims = op.attributes.get<ReduceAttr>().dims;
  const Shape& from = source(op).shape;
  if (!std::ranges::all_of(dims, [&](std::int64_t dim) { return from.dims[at(dim)] == 1; }))
    return std::nullopt;
  Op shaped = op;
  shaped.kind = OpKind::reshape;
  shaped.attributes = {};
  return add(std::move(shaped));
}

Simplifier::Found Simplifier::broadcast(Op& op) {
  if (is_splat(op.operands[0])) {
    return splat(op.shape, source(op).attributes.get<ConstantAttr>().elements[0], op.phase);
  }
  std::vector<std::int64_t> dims = op.attributes.get<DimsAttr>().dims;
  if (source(op).kind == OpKind::broadcast) {
    std::vector<std::int64_t> inner = source(op).attributes.get<DimsAttr>().dims;
    for (std::int64_t& dim : inner) dim = dims[at(dim)];
    dims = std::move(inner);
    op.operands[0] = source(op).operands[0];
    op.attributes = DimsAttr{dims};
  }
  const Shape from = source(op).shape;
  if (num_elements(from) == num_elements(op.shape)) {
    op.kind = OpKind::reshape;
    op.attributes = {};
    return add(op);
  }
  // Dims of one element are dropped first.
  Op kept{.kind = OpKind::reshape, .phase = op.phase, .shape = {from.dtype, {}}};
  kept.operands = op.operands;
  DimsAttr kept_dims;
  for (std::size_t d = 0; d < from.dims.size(); ++d) {
    if (from.dims[d] == 1) continue;
    kept.shape.dims.push_back(from.dims[d]);
    kept_dims.dims.push_back(dims[d]);
  }
  if (kept.shape.dims.size() == from.dims.size()) return std::nullopt;
  op.operands[0] = add(std::move(kept));
  op.attributes = std::move(kept_dims);
  return broadcast(op);
}

Simplifier::Found Simplifier::transpose(const Op& op) {
  const std::vector<std::int64_t>& dims = op.attributes.get<DimsAttr>().dims;
  if (counts_up(dims)) return op.operands[0];
  const Op& from = source(op);
  if (is_splat(op.operands[0])) {
    return splat(op.shape, from.attributes.get<ConstantAttr>().elements[0], op.phase);
  }
  if (moves_single_elements(from.shape, dims)) {
    Op shaped = op;
    shaped.kind = OpKind::reshape;
    shaped.attributes = {};
    return add(std::move(shaped));
  }
  if (from.kind != OpKind::transpose) return std::nullopt;
  Op both = op;
  DimsAttr composed;
  for (std::int64_t dim : dims) {
    composed.dims.push_back(from.attributes.get<DimsAttr>().dims[at(dim)]);
  }
  both.operands = from.operands;
  both.attributes = std::move(composed);
  return add(std::move(both));
}

/// Along dims of more than one element.
Simplifier::Found Simplifier::reverse(Op& op) {
  DimsAttr dims = op.attributes.get<DimsAttr>();
  std::erase_if(dims.dims, [&](std::int64_t dim) { return op.shape.dims[at(dim)] == 1; });
  if (dims.dims.empty()) return op.operands[0];
  op.attributes = std::move(dims);
  return std::nullopt;
}

/// Of nothing, or of as much as is there.
Simplifier::Found Simplifier::pad(const Op& op) {
  const PadAttr& padding = op.attributes.get<PadAttr>();
  if (num_elements(source(op).shape) == 0) {
    Op fill{.kind = OpKind::broadcast, .phase = op.phase, .shape = op.shape};
    fill.operands = {op.operands[1]};
    fill.attributes = DimsAttr{};
    return add(std::move(fill));
  }
  const auto is_zero = [](std::int64_t amount) { return amount == 0; };
  const bool is_none = source(op).shape == op.shape && std::ranges::all_of(padding.low, is_zero) &&
                       std::ranges::all_of(padding.high, is_zero);
  return is_none ? Found(op.operands[0]) : std::nullopt;
}

/// Without pieces that have no element.
Simplifier::Found Simplifier::concatenate(Op& op) {
  std::erase_if(op.operands,
                [&](ValueId piece) { return num_elements(program_.op(piece).shape) == 0; });
  return op.operands.size() == 1 ? Found(op.operands[0]) : std::nullopt;
}

}  // namespace rhino::ir
