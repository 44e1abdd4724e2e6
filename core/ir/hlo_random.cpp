// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_random.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

/// Philox4x32-10 and Threefry2x32-20 (Salmon et al. 2011), for each element of a shape.
class Generator {
 public:
  Generator(Builder& builder, ValueId state, const Shape& shape)
      : b_(builder), wide_(builder), state_(state), dims_(shape.dims) {}

  RandomBits philox() {
    const std::int64_t count = b_.shape(state_).dims[0];
    const Words low = row(1), high = row(count == 3 ? 2 : 0);
    const ValueId place = index(dims_, {});
    const ValueId block = shifted(place, 2), lane = b_.binary(OpKind::logical_and, place, fill(3));
    std::array<ValueId, 4> x{all(low.low), all(low.high), all(high.low), all(high.high)};
    add_carrying(x, block);
    mix_philox(x, row(0));
    ValueId bits = x[3];
    for (const std::uint32_t k : {2, 1, 0})
      bits = b_.select(b_.compare(Comparison::eq, lane, fill(k)), x[k], bits);
    const Words blocks = wide_.fill({}, static_cast<std::uint64_t>((num_elements(dims_) + 3) / 4));
    const Words next = wide_.add(low, blocks);
    if (count == 2) return {rows({row(0), next}), bits};
    const ValueId carry = wide_.as_word(wide_.less(next, low));
    return {rows({row(0), next, wide_.add(high, {carry, wide_.word(carry, 0)})}), bits};
  }

  /// Each block makes two words, of neighbours along the first even dim, else the longest.
  RandomBits threefry() {
    std::vector<std::int64_t> half = dims_;
    const auto even = std::ranges::find_if(half, [](std::int64_t d) { return d % 2 == 0; });
    const auto split = even != half.end() ? even : std::ranges::max_element(half);
    ValueId place = fill(0), second = kNoValue;
    if (split != half.end()) {
      const std::size_t dim = at(split - half.begin());
      *split = (*split + 1) / 2;
      place = index(half, dim);
      second = b_.binary(OpKind::logical_and, iota(dim), fill(1));
    }
    const Words counter = row(1);
    std::array<ValueId, 4> x{all(counter.low), all(counter.high), fill(0), fill(0)};
    add_carrying(x, place);
    mix_threefry(x[0], x[1], row(0));
    const ValueId bits = second == kNoValue
                             ? x[0]
                             : b_.select(b_.compare(Comparison::eq, second, fill(0)), x[0], x[1]);
    const Words blocks = wide_.fill({}, static_cast<std::uint64_t>(num_elements(half)));
    return {rows({row(0), wide_.add(counter, blocks)}), bits};
  }

 private:
  // Scalars of the state.
  Words row(std::int64_t number) {
    const auto found = rows_.find(number);
    if (found != rows_.end()) return found->second;
    const ValueId one = b_.reshape(b_.slice(state_, {number, 0}, {number + 1, 2}), {2});
    return rows_[number] = wide_.split(one);
  }

  ValueId rows(const std::vector<Words>& words) {
    std::vector<ValueId> parts;
    for (const Words& one : words) parts.push_back(b_.reshape(wide_.join(one), {1, 2}));
    return b_.concatenate(parts, 0);
  }

  // Of every element.
  ValueId all(ValueId scalar) { return b_.broadcast_in_dim(scalar, dims_, {}); }
  ValueId fill(std::uint32_t value) {
    const auto found = fills_.find(value);
    if (found != fills_.end()) return found->second;
    return fills_[value] = b_.fill({DType::u32, dims_}, value);
  }
  ValueId iota(std::size_t dim) {
    return b_.iota({DType::u32, dims_}, static_cast<std::int64_t>(dim));
  }
  ValueId shifted(ValueId x, std::uint32_t places) {
    return b_.binary(OpKind::shift_right_logical, x, fill(places));
  }
  ValueId exclusive(ValueId a, ValueId b) { return b_.binary(OpKind::logical_xor, a, b); }

  /// Where elements lie, row-major, in a tensor of these dims; two neighbours along `halved` are
  /// one.
  ValueId index(const std::vector<std::int64_t>& dims, std::optional<std::size_t> halved) {
    ValueId sum = fill(0);
    std::int64_t stride = 1;
    for (std::size_t d = dims.size(); d-- > 0; stride *= dims[d]) {
      if (dims[d] < 2) continue;
      const ValueId along = halved == d ? shifted(iota(d), 1) : iota(d);
      sum = b_.add(sum, b_.mul(along, fill(static_cast<std::uint32_t>(stride))));
    }
    return sum;
  }

  /// x += term, x of four words.
  void add_carrying(std::array<ValueId, 4>& x, ValueId term) {
    x[0] = b_.add(x[0], term);
    ValueId carries = b_.compare(Comparison::lt, x[0], term);
    for (std::size_t k = 1; k < x.size(); ++k) {
      x[k] = b_.add(x[k], wide_.as_word(carries));
      const ValueId is_zero = b_.compare(Comparison::eq, x[k], fill(0));
      carries = b_.binary(OpKind::logical_and, carries, is_zero);
    }
  }

  void mix_philox(std::array<ValueId, 4>& x, Words key) {
    for (int round = 0; round < 10; ++round) {
      const Words first = wide_.product(x[0], fill(0xD2511F53)),
                  second = wide_.product(x[2], fill(0xCD9E8D57));
      x = {exclusive(exclusive(second.high, x[1]), all(key.low)), second.low,
           exclusive(exclusive(first.high, x[3]), all(key.high)), first.low};
      key.low = b_.add(key.low, wide_.word(key.low, 0x9E3779B9));
      key.high = b_.add(key.high, wide_.word(key.high, 0xBB67AE85));
    }
  }

  void mix_threefry(ValueId& x, ValueId& y, const Words& key) {
    constexpr std::array<std::uint32_t, 8> kRotations{13, 15, 26, 6, 17, 29, 16, 24};
    const ValueId parity = wide_.word(key.low, 0x1BD11BDA);
    const std::array<ValueId, 3> keys{all(key.low), all(key.high),
                                      all(exclusive(exclusive(parity, key.low), key.high))};
    x = b_.add(x, keys[0]);
    y = b_.add(y, keys[1]);
    for (std::uint32_t group = 0; group < 5; ++group) {
      for (std::size_t round = 0; round < 4; ++round) {
        const std::uint32_t places = kRotations[4 * (group % 2) + round];
        x = b_.add(x, y);
        const ValueId left = b_.binary(OpKind::shift_left, y, fill(places));
        y = exclusive(x, b_.binary(OpKind::logical_or, left, shifted(y, 32 - places)));
      }
      x = b_.add(x, keys[(group + 1) % 3]);
      y = b_.add(b_.add(y, keys[(group + 2) % 3]), fill(group + 1));
    }
  }

  Builder& b_;
  WideIntegers wide_;
  ValueId state_;
  std::vector<std::int64_t> dims_;
  std::map<std::uint32_t, ValueId> fills_;
  std::map<std::int64_t, Words> rows_;
};

}  // namespace

RandomBits random_bits(Builder& b, ValueId state, const Shape& shape, std::string_view algorithm) {
  if (shape.dtype != DType::u32 && shape.dtype != DType::u8)
    throw Error("random bits of " + std::string(dtype_name(shape.dtype)) + " are not supported");
  if (num_elements(shape) >= std::int64_t{1} << 32)
    throw Error("2^32 random numbers and more are not supported");
  const bool is_threefry = algorithm == "rng_three_fry";
  if (!is_threefry && algorithm != "rng_default" && algorithm != "rng_philox")
    throw Error("'" + std::string(algorithm) + "' is no algorithm of random bits");
  const std::vector<std::int64_t> dims = b.shape(state).dims;
  const bool fits = dims.size() == 2 && dims[1] == 2 && (dims[0] == 2 || dims[0] == 3);
  if (!fits || (is_threefry && dims[0] != 2)) throw Error("the state of random bits is u64[2]");
  Generator generator(b, state, shape);
  RandomBits result = is_threefry ? generator.threefry() : generator.philox();
  if (shape.dtype != DType::u32) result.bits = b.convert(result.bits, shape.dtype);
  return result;
}

}  // namespace rhino::ir::hlo
