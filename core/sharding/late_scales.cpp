// SPDX-License-Identifier: Apache-2.0
#include "sharding/late_scales.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "ir/element.hpp"
#include "rhino/index.hpp"

namespace rhino::sharding {
namespace {

std::size_t combine(std::size_t hash, std::size_t value) {
  return hash ^ (value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2));
}

std::size_t hash_of_op(const Op& op) {
  std::size_t hash = combine(static_cast<std::size_t>(op.kind), op.attributes.index());
  for (const std::int64_t extent : op.shape.dims)
    hash = combine(hash, std::hash<std::int64_t>()(extent));
  if (const auto* constant = op.attributes.get_if<ConstantAttr>()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(constant->elements.size(), 4); ++i)
      hash = combine(hash, std::hash<double>()(constant->elements[i]));
  }
  for (const ValueId operand : op.operands) hash = combine(hash, std::hash<ValueId>()(operand));
  return hash;
}

/// The power of two near `value`, as far as elements of `dtype` have all their digits.
int exponent_near(std::optional<double> value, DType dtype) {
  if (!value || !std::isfinite(*value) || *value <= 0) return 0;
  const int limit = dtype == DType::f16 ? 14 : 126;
  return std::clamp(static_cast<int>(std::lround(std::log2(*value))), -limit, limit);
}

}  // namespace

ValueId LateProgram::append(Op op, bool on_batch) {
  const bool is_input = op.kind == OpKind::parameter;
  for (const ValueId operand : op.operands) on_batch = on_batch || on_batch_[at(operand)];
  on_batch_.push_back(on_batch);
  late_.push_back(on_batch && is_single(op.shape));
  program_.ops.push_back(std::move(op));
  const ValueId id = program_.size() - 1;
  equal_.push_back(id);
  if (!is_input) equal_.back() = find_equal(program_.op(id));
  return id;
}

/// Of the op that was appended last.
ValueId LateProgram::find_equal(const Op& op) {
  Op key;
  key.kind = op.kind;
  key.shape = op.shape;
  key.attributes = op.attributes;
  for (const ValueId operand : op.operands) key.operands.push_back(equal_[at(operand)]);
  std::vector<ValueId>& known = by_hash_[hash_of_op(key)];
  for (const ValueId id : known) {
    const Op& other = program_.op(id);
    const bool is_alike = other.kind == op.kind && other.shape == op.shape &&
                          other.operands.size() == op.operands.size() &&
                          other.attributes == op.attributes;
    if (is_alike && std::ranges::equal(other.operands, key.operands, {},
                                       [&](ValueId operand) { return equal_[at(operand)]; }))
      return id;
  }
  known.push_back(program_.size() - 1);
  return known.back();
}

ValueId LateProgram::make(OpKind kind, Shape shape, std::vector<ValueId> operands, Phase phase,
                          Attributes attributes) {
  Op op;
  op.kind = kind;
  op.phase = phase;
  op.shape = std::move(shape);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  return append(std::move(op));
}

ValueId LateProgram::splat(const Shape& shape, double element, Phase phase) {
  return make(OpKind::constant, shape, {}, phase, ConstantAttr{{element}});
}

ValueId LateProgram::spread(ValueId scalar, const Shape& shape, Phase phase) {
  if (this->shape(scalar) == shape) return scalar;
  return make(OpKind::broadcast, shape, {scalar}, phase, DimsAttr{});
}

LateScales::Taken LateScales::take_out(ValueId scalar, bool inverse, Key key, Phase phase) {
  const Parts parts = parts_of(scalar, inverse, phase);
  const Core& core = this->core(parts);
  const DType dtype = program_.shape(scalar).dtype;
  Taken taken{kNone, program_.splat({dtype, {}}, std::ldexp(1.0, core.exponent), phase)};
  if (parts.rest != kNoValue) taken.rest = product(parts.rest, taken.rest, false, phase);
  const std::tuple name{key, program_.first_equal(parts.core), parts.inverse};
  const auto [found, is_new] = keys_.try_emplace(name, static_cast<Key>(factors_.size()));
  taken.key = found->second;
  if (!is_new) return taken;
  ValueId factor = core.factor;
  if (key != kNone) {
    ValueId before = this->factor(key);
    const DType wide = num_bytes({dtype, {}}) < num_bytes(program_.shape(before))
                           ? program_.shape(before).dtype
                           : dtype;
    const auto as = [&](ValueId value) {
      if (program_.shape(value).dtype == wide) return value;
      return program_.make(OpKind::convert, {wide, {}}, {value}, Phase::update);
    };
    factor = program_.make(OpKind::multiply, {wide, {}}, {as(before), as(factor)}, Phase::update);
  }
  factors_.push_back(factor);
  return taken;
}

LateScales::Parts LateScales::parts_of(ValueId scalar, bool inverse, Phase phase) {
  const Op op = program_.op(scalar);
  const auto is_late = [&](std::size_t i) { return program_.is_late(op.operands[i]); };
  const Parts whole{scalar, inverse, kNoValue};
  switch (op.kind) {
    case OpKind::reshape: return parts_of(op.operands[0], inverse, phase);
    case OpKind::multiply:
      if (is_late(0) && is_late(1)) return whole;
      return without(op.operands[is_late(0) ? 1 : 0], inverse,
                     parts_of(op.operands[is_late(0) ? 0 : 1], inverse, phase), phase);
    case OpKind::divide:
      if (is_late(0) && is_late(1)) return whole;
      if (is_late(0))
        return without(op.operands[1], !inverse, parts_of(op.operands[0], inverse, phase), phase);
      return without(op.operands[0], inverse, parts_of(op.operands[1], !inverse, phase), phase);
    case OpKind::negate:
      return without(program_.splat({op.shape.dtype, {}}, -1, phase), false,
                     parts_of(op.operands[0], inverse, phase), phase);
    default: return whole;
  }
}

LateScales::Parts LateScales::without(ValueId coefficient, bool divides, Parts parts, Phase phase) {
  const Shape scalar{program_.shape(coefficient).dtype, {}};
  if (program_.shape(coefficient) != scalar)
    coefficient = program_.make(OpKind::reshape, scalar, {coefficient}, phase);
  const ValueId before = parts.rest == kNoValue ? program_.splat(scalar, 1, phase) : parts.rest;
  parts.rest = product(before, coefficient, divides, phase);
  return parts;
}

/// Of scalars; `a` / `b` where `divides`. Of constants a constant, if that loses nothing.
ValueId LateScales::product(ValueId a, ValueId b, bool divides, Phase phase) {
  const auto* known_a = program_.op(a).attributes.get_if<ConstantAttr>();
  const auto* known_b = program_.op(b).attributes.get_if<ConstantAttr>();
  const Shape shape = program_.shape(a);
  if (known_a != nullptr && known_b != nullptr) {
    const double first = known_a->elements[0], second = known_b->elements[0];
    const double value = divides ? first / second : first * second;
    if (ir::round_to(shape.dtype, value) == value) return program_.splat(shape, value, phase);
  }
  return program_.make(divides ? OpKind::divide : OpKind::multiply, shape, {a, b}, phase);
}

const LateScales::Core& LateScales::core(const Parts& parts) {
  const auto [found, is_new] =
      cores_.try_emplace({program_.first_equal(parts.core), parts.inverse}, Core());
  Core& core = found->second;
  if (!is_new) return core;
  const Shape scalar{program_.shape(parts.core).dtype, {}};
  const int near = exponent_near(guess(parts.core), scalar.dtype);
  core.exponent = parts.inverse ? -near : near;
  ValueId value = parts.core;
  if (program_.shape(value) != scalar)
    value = program_.make(OpKind::reshape, scalar, {value}, Phase::update);
  const ValueId size = program_.splat(scalar, std::ldexp(1.0, -core.exponent), Phase::update);
  const OpKind kind = parts.inverse ? OpKind::divide : OpKind::multiply;
  const std::vector<ValueId> operands =
      parts.inverse ? std::vector{size, value} : std::vector{value, size};
  core.factor = program_.make(kind, scalar, operands, Phase::update);
  return core;
}

/// What a scalar may be where sums over the batch are as large as their number of terms.
std::optional<double> LateScales::guess(ValueId scalar) {
  const auto known = guesses_.find(scalar);
  if (known != guesses_.end()) return known->second;
  return guesses_[scalar] = guess_of(scalar);
}

std::optional<double> LateScales::guess_of(ValueId scalar) {
  const Op& op = program_.op(scalar);
  if (const auto* constant = op.attributes.get_if<ConstantAttr>()) return constant->elements[0];
  if (op.operands.empty()) return std::nullopt;
  const auto is_one = [&](ValueId operand) { return is_single(program_.shape(operand)); };
  if (!std::ranges::all_of(op.operands, is_one)) {
    std::int64_t most = 1;
    for (ValueId from = scalar;; from = program_.op(from).operands[0]) {
      most = std::max(most, num_elements(program_.shape(from)));
      if (program_.op(from).operands.size() == 1) continue;
      for (const ValueId operand : program_.op(from).operands)
        most = std::max(most, num_elements(program_.shape(operand)));
      return static_cast<double>(most);
    }
  }
  const std::optional<double> a = guess(op.operands[0]), b = guess(op.operands.back());
  if (!a || !b) return std::nullopt;
  switch (op.kind) {
    case OpKind::add: return *a + *b;
    case OpKind::subtract: return *a - *b;
    case OpKind::multiply: return *a * *b;
    case OpKind::divide: return *a / *b;
    case OpKind::maximum: return std::max(*a, *b);
    case OpKind::minimum: return std::min(*a, *b);
    case OpKind::sqrt: return std::sqrt(*a);
    case OpKind::convert:
    case OpKind::reshape:
    case OpKind::broadcast: return a;
    default: return std::nullopt;
  }
}

}  // namespace rhino::sharding
