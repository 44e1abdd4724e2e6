// SPDX-License-Identifier: Apache-2.0
#include "models/gating.hpp"

#include <utility>
#include <vector>

#include "models/layers.hpp"

namespace rhino::models {
namespace {

using Dims = std::vector<std::int64_t>;

/// Everything is [groups, tokens, experts] unless it says otherwise.
class Top2 {
 public:
  Top2(ir::Builder& b, ValueId gates, std::int64_t capacity)
      : b_(b), gates_(gates), shape_(b.shape(gates)), capacity_(capacity) {}

  Gating run() {
    const ValueId first = largest(gates_);
    const ValueId second = largest(b_.select(first, b_.fill(shape_, -1), gates_));
    const ValueId firsts = as_number(first), seconds = as_number(second);
    const ValueId taken = b_.reduce(firsts, {1}, Reduction::sum);
    const ValueId before_first = b_.sub(running_sum(firsts), firsts);
    const ValueId before_second = b_.add(b_.sub(running_sum(seconds), seconds),
                                         b_.broadcast_in_dim(taken, shape_.dims, {0, 2}));
    const ValueId to_first = slots(first, before_first), to_second = slots(second, before_second);
    const ValueId gate1 = gate_of(firsts), gate2 = gate_of(seconds);
    const ValueId both = b_.add(gate1, gate2);
    const auto weighted = [&](ValueId slots, ValueId gate) {
      return b_.mul(slots, broadcast_first(b_, b_.div(gate, both), slots));
    };
    return {.dispatch = b_.add(to_first, to_second),
            .combine = b_.add(weighted(to_first, gate1), weighted(to_second, gate2)),
            .imbalance = imbalance(taken)};
  }

 private:
  ValueId as_number(ValueId predicate) { return b_.convert(predicate, shape_.dtype); }

  /// pred: the first of the largest entries of each token.
  ValueId largest(ValueId x) {
    const Shape indices{DType::s32, shape_.dims};
    const ValueId expert = b_.iota(indices, 2);
    const ValueId most = broadcast_first(b_, b_.reduce(x, {2}, Reduction::max), x);
    const ValueId candidates = b_.select(b_.compare(Comparison::eq, x, most), expert,
                                         b_.fill(indices, static_cast<double>(shape_.dims[2])));
    const ValueId choice = b_.reduce(candidates, {2}, Reduction::min);
    return b_.compare(Comparison::eq, expert, broadcast_first(b_, choice, expert));
  }

  /// Of each token and those before it, in log2(tokens) steps.
  ValueId running_sum(ValueId x) {
    const std::int64_t tokens = shape_.dims[1];
    const ValueId zero = b_.constant(shape_.dtype, 0);
    for (std::int64_t distance = 1; distance < tokens; distance *= 2) {
      Dims limits = shape_.dims;
      limits[1] = tokens - distance;
      const ValueId earlier = b_.slice(x, {0, 0, 0}, limits);
      x = b_.add(x, b_.pad(earlier, zero, {0, distance, 0}, {0, 0, 0}, {0, 0, 0}));
    }
    return x;
  }

  /// [groups, tokens, experts, slots]: 1 where a token that `chosen` sends to an expert finds its
  /// slot, `before` tokens having come earlier.
  ValueId slots(ValueId chosen, ValueId before) {
    Dims dims = shape_.dims;
    dims.push_back(capacity_);
    const ValueId slot = b_.iota({shape_.dtype, dims}, 3);
    const ValueId is_there = b_.compare(Comparison::eq, slot, broadcast_first(b_, before, slot));
    return as_number(
        b_.binary(OpKind::logical_and, is_there, broadcast_first(b_, chosen, is_there)));
  }

  /// [groups, tokens].
  ValueId gate_of(ValueId choice) { return b_.reduce(b_.mul(gates_, choice), {2}, Reduction::sum); }

  /// `taken` [groups, experts]: tokens whose first choice an expert is.
  ValueId imbalance(ValueId taken) {
    const auto tokens = static_cast<double>(shape_.dims[1]),
               experts = static_cast<double>(shape_.dims[2]);
    const ValueId total = b_.reduce(gates_, {1}, Reduction::sum);
    return b_.reduce(b_.scale(b_.mul(total, taken), experts / (tokens * tokens)), {0, 1},
                     Reduction::sum);
  }

  ir::Builder& b_;
  ValueId gates_;
  Shape shape_;
  std::int64_t capacity_;
};

}  // namespace

Gating top2_gating(ir::Builder& builder, ValueId logits, std::int64_t capacity) {
  return Top2(builder, softmax(builder, widened(builder, logits)), capacity).run();
}

}  // namespace rhino::models
