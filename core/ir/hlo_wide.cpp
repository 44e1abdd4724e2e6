// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_wide.hpp"

#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

/// Of values that are computed anew; what lies behind is taken as it is.
constexpr int kMaxDepth = 200;

using Dims = std::vector<std::int64_t>;

}  // namespace

bool is_wide(std::string_view shape) { return shape.starts_with("u64["); }

std::string words_shape(std::string_view shape) {
  const std::string_view dims = shape.substr(4, shape.find(']') - 4);
  return "u32[" + std::string(dims) + (dims.empty() ? "2]" : ",2]");
}

ValueId WideIntegers::word(ValueId like, std::uint32_t value) {
  const auto [first, last] = words_.equal_range(value);
  for (auto made = first; made != last; ++made) {
    if (b_.shape(made->second).dims == b_.shape(like).dims) return made->second;
  }
  const ValueId made = b_.fill({DType::u32, b_.shape(like).dims}, value);
  words_.emplace(value, made);
  return made;
}

ValueId WideIntegers::as_word(ValueId predicate) { return b_.convert(predicate, DType::u32); }

Words WideIntegers::split(ValueId wide) {
  if (const Words* words = parts(wide)) return *words;
  const Dims dims = b_.shape(wide).dims;
  if (dims.empty() || dims.back() != 2) throw Error("an operand is no u64");
  Dims starts(dims.size()), limits = dims, kept(dims.begin(), dims.end() - 1);
  const auto half = [&](std::int64_t place) {
    starts.back() = place, limits.back() = place + 1;
    return b_.reshape(b_.slice(wide, starts, limits), kept);
  };
  const ValueId low = half(0);
  return {low, half(1)};
}

ValueId WideIntegers::join(const Words& words) {
  Dims dims = b_.shape(words.low).dims;
  dims.push_back(1);
  const ValueId wide = b_.concatenate({b_.reshape(words.low, dims), b_.reshape(words.high, dims)},
                                      static_cast<std::int64_t>(dims.size()) - 1);
  joined_.emplace(wide, words);
  return wide;
}

const Words* WideIntegers::parts(ValueId wide) const {
  const auto found = joined_.find(wide);
  return found == joined_.end() ? nullptr : &found->second;
}

std::optional<double> WideIntegers::number(ValueId word) const {
  const Op* op = &b_.program().op(word);
  while (op->kind == OpKind::broadcast || op->kind == OpKind::reshape) {
    op = &b_.program().op(op->operands[0]);
  }
  const auto* held = op->attributes.get_if<ConstantAttr>();
  if (!held || held->elements.size() != 1) return std::nullopt;
  return held->elements[0];
}

Words WideIntegers::add(const Words& a, const Words& b) {
  const ValueId low = b_.add(a.low, b.low);
  const ValueId carry = as_word(b_.compare(Comparison::lt, low, a.low));
  return {low, b_.add(b_.add(a.high, b.high), carry)};
}

Words WideIntegers::subtract(const Words& a, const Words& b) {
  const ValueId borrow = as_word(b_.compare(Comparison::lt, a.low, b.low));
  return {b_.sub(a.low, b.low), b_.sub(b_.sub(a.high, b.high), borrow)};
}

// Of halves of 16 bits, whose products are words.
Words WideIntegers::product(ValueId a, ValueId b) {
  constexpr std::uint32_t kMask = 0xffff, kHalf = 16;
  const auto lower = [&](ValueId x) {
    if (const auto known = number(x)) return word(x, static_cast<std::uint32_t>(*known) & kMask);
    return b_.binary(OpKind::logical_and, x, word(x, kMask));
  };
  const auto upper = [&](ValueId x) {
    if (const auto known = number(x)) return word(x, static_cast<std::uint32_t>(*known) >> kHalf);
    return b_.binary(OpKind::shift_right_logical, x, word(x, kHalf));
  };
  const ValueId a0 = lower(a), a1 = upper(a), b0 = lower(b), b1 = upper(b);
  const ValueId middle = b_.add(b_.mul(a1, b0), upper(b_.mul(a0, b0)));
  const ValueId other = b_.add(lower(middle), b_.mul(a0, b1));
  const ValueId high = b_.add(b_.add(b_.mul(a1, b1), upper(middle)), upper(other));
  return {b_.mul(a, b), high};
}

Words WideIntegers::multiply(const Words& a, const Words& b) {
  if (number(a.low) && !number(b.low)) return multiply(b, a);
  if (number(b.low) == 1 && number(b.high) == 0) return a;
  const Words low = product(a.low, b.low);
  const ValueId crossed = b_.add(b_.mul(a.low, b.high), b_.mul(a.high, b.low));
  return {low.low, b_.add(low.high, crossed)};
}

ValueId WideIntegers::word_of_places(const Words& places) {
  const ValueId is_small = b_.compare(Comparison::eq, places.high, word(places.high, 0));
  return b_.select(is_small, places.low, word(places.low, 64));
}

// Of n places: what a word loses by n goes by 32 - n the other way into the next one, or by n - 32
// the same way. Words shifted by 32 and more, such as a difference below zero, are 0.
Words WideIntegers::shift_right(const Words& a, const Words& places) {
  const ValueId n = word_of_places(places), size = word(n, 32);
  const ValueId kept = b_.binary(OpKind::shift_right_logical, a.low, n),
                lost = b_.binary(OpKind::shift_left, a.high, b_.sub(size, n)),
                far = b_.binary(OpKind::shift_right_logical, a.high, b_.sub(n, size));
  const ValueId low = b_.binary(OpKind::logical_or, b_.binary(OpKind::logical_or, kept, lost), far);
  return {low, b_.binary(OpKind::shift_right_logical, a.high, n)};
}

Words WideIntegers::shift_left(const Words& a, const Words& places) {
  const ValueId n = word_of_places(places), size = word(n, 32);
  const ValueId kept = b_.binary(OpKind::shift_left, a.high, n),
                lost = b_.binary(OpKind::shift_right_logical, a.low, b_.sub(size, n)),
                far = b_.binary(OpKind::shift_left, a.low, b_.sub(n, size));
  const ValueId high =
      b_.binary(OpKind::logical_or, b_.binary(OpKind::logical_or, kept, lost), far);
  return {b_.binary(OpKind::shift_left, a.low, n), high};
}

ValueId WideIntegers::less(const Words& a, const Words& b) {
  const ValueId same = b_.compare(Comparison::eq, a.high, b.high);
  const ValueId in_low =
      b_.binary(OpKind::logical_and, same, b_.compare(Comparison::lt, a.low, b.low));
  return b_.binary(OpKind::logical_or, b_.compare(Comparison::lt, a.high, b.high), in_low);
}

ValueId WideIntegers::equal(const Words& a, const Words& b) {
  return b_.binary(OpKind::logical_and, b_.compare(Comparison::eq, a.low, b.low),
                   b_.compare(Comparison::eq, a.high, b.high));
}

Words WideIntegers::fill(const Dims& dims, std::uint64_t value) {
  const Shape shape{DType::u32, dims};
  const ValueId low = b_.fill(shape, static_cast<std::uint32_t>(value));
  return {low, b_.fill(shape, static_cast<std::uint32_t>(value >> 32))};
}

Words WideIntegers::of(ValueId integers) {
  if (const auto found = known_.find(integers); found != known_.end()) return found->second;
  ++depth_;
  const Words words = made_of(integers);
  --depth_;
  return known_[integers] = words;
}

Words WideIntegers::made_of(ValueId integers) {
  const Op op = b_.program().op(integers);
  const DType dtype = op.shape.dtype;
  if (is_floating(dtype)) throw Error("u64 of floating-point values is not supported");
  if (dtype == DType::u32) return {integers, word(integers, 0)};
  if (dtype == DType::s64 && depth_ < kMaxDepth) {
    switch (op.kind) {
      case OpKind::add: return add(of(op.operands[0]), of(op.operands[1]));
      case OpKind::subtract: return subtract(of(op.operands[0]), of(op.operands[1]));
      case OpKind::multiply: return multiply(of(op.operands[0]), of(op.operands[1]));
      case OpKind::reshape: {
        const Words from = of(op.operands[0]);
        const ValueId low = b_.reshape(from.low, op.shape.dims);
        return {low, b_.reshape(from.high, op.shape.dims)};
      }
      case OpKind::broadcast: {
        const Words from = of(op.operands[0]);
        const Dims& dims = op.attributes.get<DimsAttr>().dims;
        const ValueId low = b_.broadcast_in_dim(from.low, op.shape.dims, dims);
        return {low, b_.broadcast_in_dim(from.high, op.shape.dims, dims)};
      }
      default: break;
    }
  }
  const ValueId whole = dtype == DType::s64 ? integers : b_.convert(integers, DType::s64);
  const ValueId places = b_.fill({DType::s64, op.shape.dims}, 32);
  const ValueId low = b_.convert(whole, DType::u32);
  return {low, b_.convert(b_.binary(OpKind::shift_right_logical, whole, places), DType::u32)};
}

ValueId WideIntegers::as_signed(const Words& words) {
  const ValueId high = b_.convert(words.high, DType::s64);
  const ValueId places = b_.fill(Shape(b_.shape(high)), 32);
  return b_.binary(OpKind::logical_or, b_.convert(words.low, DType::s64),
                   b_.binary(OpKind::shift_left, high, places));
}

}  // namespace rhino::ir::hlo
