// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "ir/op_traits.hpp"
#include "models/layers.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

using Dims = std::vector<std::int64_t>;

std::vector<ir::OpTraits> smooth_functions() {
  std::vector<ir::OpTraits> rows;
  for (const ir::OpTraits& row : ir::all_traits()) {
    const bool is_function = row.op_class == ir::OpClass::elementwise && row.arity == 1;
    if (is_function && row.terms && row.kind != OpKind::convert) rows.push_back(row);
  }
  return rows;
}

constexpr std::int64_t kLargestRow = 600;  ///< elements of a value, per row of the batch

/// Grows a pool of values [batch, ...] whose extents divide by mixes of 2, 3 and 4 and whose
/// elements stay of moderate size. A move makes one more value of the pool, or kNoValue where it
/// does not fit.
class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, std::int64_t batch)
      : random_(seed), batch_(batch), b_("random-" + std::to_string(seed)) {}

  Program run(std::int64_t num_ops) && {
    add_sources();
    while (b_.program().size() < num_ops) {
      const ValueId value = (this->*kMoves[below(std::size(kMoves))])();
      if (value != kNoValue) pool_.push_back(value);
    }
    b_.output(mean_of_leaves(), OutputKind::loss);
    return std::move(b_).finish();
  }

 private:
  using Move = ValueId (RandomProgram::*)();
  static const Move kMoves[14];

  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::int64_t one_of(const Dims& choices) { return choices[below(choices.size())]; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  /// A value of the pool, rather one that nothing reads yet, else rather a late one.
  ValueId any() {
    const std::vector<ValueId> unread = leaves();
    if (!unread.empty() && !chance(3)) return unread[below(unread.size())];
    const std::size_t window = chance(3) ? pool_.size() : std::min<std::size_t>(pool_.size(), 5);
    return pool_[pool_.size() - 1 - below(window)];
  }

  Dims dims(ValueId value) const { return b_.shape(value).dims; }
  std::int64_t rank(ValueId value) const { return std::ssize(b_.shape(value).dims); }
  bool fits(const Dims& dims) const { return num_elements(dims) <= kLargestRow * batch_; }
  /// A dim that is not the batch.
  std::size_t any_inner_dim(ValueId value) {
    return 1 + below(static_cast<std::size_t>(rank(value)) - 1);
  }

  /// Another value of the shape of `value`, if only made from it.
  ValueId partner(ValueId value) {
    std::vector<ValueId> alike;
    for (ValueId other : pool_) {
      if (other != value && b_.shape(other) == b_.shape(value)) alike.push_back(other);
    }
    return alike.empty() ? b_.unary(OpKind::sine, value) : alike[below(alike.size())];
  }

  std::string next_name(const char* kind) { return kind + std::to_string(num_parameters_++); }

  ValueId parameter(Dims dims, double deviation) {
    return weight(b_, {DType::f32, std::move(dims)}, deviation, next_name("w"));
  }

  void add_sources() {
    const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
    const Dims inner[] = {{12}, {24}, {4, 12}, {8, 6}, {6, 4}};
    for (int i = 0; i < 2; ++i) {
      Dims dims = inner[below(std::size(inner))];
      dims.insert(dims.begin(), batch_);
      const std::string name = "x" + std::to_string(i);
      pool_.push_back(b_.input(InputKind::batch, {DType::f32, dims}, standard_normal, name));
    }
    if (chance(2)) pool_.push_back(embedding());
    pool_.push_back(project());
  }

  ValueId embedding() {
    constexpr std::int64_t kRows = 24, kWidth = 12, kSequence = 4;
    const Initializer any_row{Initializer::Kind::uniform_integer, 0, kRows};
    const ValueId tokens =
        b_.input(InputKind::batch, {DType::s32, {batch_, kSequence}}, any_row, "tokens");
    return b_.gather(parameter({kRows, kWidth}, 1), tokens,
                     {.offset_dims = {2},
                      .collapsed_slice_dims = {0},
                      .start_index_map = {0},
                      .slice_sizes = {1, kWidth},
                      .index_vector_dim = 2});
  }

  // Moves.

  /// A function of one value, which is brought into the range that the op takes.
  ValueId unary() {
    static const std::vector<ir::OpTraits> kSmooth = smooth_functions();
    const ir::OpTraits& row = kSmooth[below(kSmooth.size())];
    const double middle = (row.low + row.high) / 2, reach = 0.45 * (row.high - row.low);
    return b_.unary(row.kind, b_.shift(b_.scale(b_.unary(OpKind::tanh, any()), reach), middle));
  }

  ValueId binary() {
    const ValueId x = any(), y = partner(x);
    switch (below(6)) {
      case 0: return b_.sub(x, y);
      case 1: return b_.mul(b_.unary(OpKind::tanh, x), y);
      case 2: return b_.binary(OpKind::maximum, x, y);
      case 3: return b_.binary(OpKind::minimum, x, y);
      case 4: return b_.select(b_.compare(Comparison::gt, x, y), b_.scale(y, 0.5), x);
      default: return b_.div(x, b_.shift(b_.mul(y, y), 1));
    }
  }

  ValueId residual() {
    const ValueId x = any();
    return b_.add(x, partner(x));
  }

  ValueId bias() {
    const ValueId x = any();
    const Dims all = dims(x);
    const Dims last(all.begin() + static_cast<std::ptrdiff_t>(any_inner_dim(x)), all.end());
    return b_.add(x, broadcast_last(b_, parameter(last, 0.5), x));
  }

  /// The last one or two dims against a parameter.
  ValueId project() {
    const ValueId x = any();
    const std::int64_t count = rank(x) > 2 && chance(3) ? 2 : 1;
    Dims result = dims(x), contracted, of_weight(static_cast<std::size_t>(count));
    Dims extents(result.end() - count, result.end());
    for (std::int64_t i = 0; i < count; ++i) {
      contracted.push_back(rank(x) - count + i);
      of_weight[static_cast<std::size_t>(i)] = i;
    }
    const double deviation = 1 / std::sqrt(static_cast<double>(num_elements(extents)));
    result.resize(result.size() - static_cast<std::size_t>(count));
    const int num_new = result.size() < 3 && chance(2) ? 2 : 1;
    for (int i = 0; i < num_new; ++i) {
      extents.push_back(num_new == 2 ? one_of({2, 4, 6}) : one_of({4, 6, 8, 12, 24}));
      result.push_back(extents.back());
    }
    if (!fits(result)) return kNoValue;
    return b_.dot(x, parameter(extents, deviation), {{}, {}, contracted, of_weight});
  }

  /// Rows of two values against each other, as in attention: [B, ..., K] and [B, ..., K].
  ValueId pair() {
    const ValueId x = any();
    std::vector<ValueId> others;
    for (ValueId y : pool_) {
      if (dims(y).back() == dims(x).back() && rank(x) + rank(y) <= 6) others.push_back(y);
    }
    if (others.empty()) return kNoValue;
    const ValueId y = others[below(others.size())];
    const bool two_batch_dims = rank(x) > 2 && rank(y) > 2 && dims(x)[1] == dims(y)[1];
    const Dims batch = two_batch_dims ? Dims{0, 1} : Dims{0};
    const auto num_batch = static_cast<std::ptrdiff_t>(batch.size());
    Dims result = dims(x);
    result.pop_back();
    const Dims right = dims(y);
    result.insert(result.end(), right.begin() + num_batch, right.end() - 1);
    if (result.size() < 2 || !fits(result)) return kNoValue;
    const double scale = 1 / static_cast<double>(right.back());
    const ValueId left = b_.unary(OpKind::tanh, x);
    return b_.scale(b_.dot(left, y, {batch, batch, {rank(x) - 1}, {rank(y) - 1}}), scale);
  }

  ValueId split_or_merge() {
    const ValueId x = any();
    Dims result = dims(x);
    const std::size_t dim = any_inner_dim(x);
    if (result.size() > 2 && dim + 1 < result.size() && chance(2)) {
      result[dim] *= result[dim + 1];
      result.erase(result.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
      return b_.reshape(x, result);
    }
    const std::int64_t minor = one_of({2, 3, 4});
    if (result.size() > 3 || result[dim] % minor != 0 || result[dim] == minor) return kNoValue;
    result[dim] /= minor;
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(dim) + 1, minor);
    return b_.reshape(x, result);
  }

  /// [B, S, K] → [B * S, K] against a parameter → [B, S, M].
  ValueId merge_with_batch() {
    const ValueId x = any();
    if (rank(x) != 3) return kNoValue;
    const Dims all = dims(x);
    const std::int64_t width = one_of({4, 8, 12});
    const double deviation = 1 / std::sqrt(static_cast<double>(all[2]));
    const ValueId rows = b_.reshape(x, {all[0] * all[1], all[2]});
    const ValueId result = b_.dot(rows, parameter({all[2], width}, deviation), {{}, {}, {1}, {0}});
    return b_.reshape(b_.unary(OpKind::tanh, result), {all[0], all[1], width});
  }

  /// Swaps two inner dims; now and then works on a batch that is not the first dim.
  ValueId transpose() {
    const ValueId x = any();
    Dims swap(static_cast<std::size_t>(rank(x)));
    for (std::size_t i = 0; i < swap.size(); ++i) swap[i] = static_cast<std::int64_t>(i);
    const std::size_t dim = any_inner_dim(x);
    if (chance(4)) {
      std::swap(swap[0], swap[dim]);
      return b_.transpose(b_.unary(OpKind::tanh, b_.transpose(x, swap)), swap);
    }
    const std::size_t other = any_inner_dim(x);
    if (dim == other) return kNoValue;
    std::swap(swap[dim], swap[other]);
    return b_.transpose(x, swap);
  }

  ValueId softmax_last() { return softmax(b_, any()); }

  /// Reduces an inner dim, and either goes on with the result or takes it off all along the dim.
  ValueId reduce() {
    const ValueId x = any();
    const Dims all = dims(x);
    const auto dim = static_cast<std::int64_t>(any_inner_dim(x));
    constexpr Reduction kKinds[] = {Reduction::sum, Reduction::sum, Reduction::max, Reduction::min};
    const Reduction kind = kKinds[below(std::size(kKinds))];
    ValueId result = b_.reduce(x, {dim}, kind);
    if (kind == Reduction::sum) {
      result = b_.scale(result, 1 / static_cast<double>(all[static_cast<std::size_t>(dim)]));
    }
    if (rank(x) > 2 && chance(2)) return result;
    Dims kept;
    for (std::int64_t i = 0; i < rank(x); ++i) {
      if (i != dim) kept.push_back(i);
    }
    return b_.sub(x, b_.broadcast_in_dim(result, all, kept));
  }

  ValueId slice() {
    const ValueId x = any();
    Dims limits = dims(x), starts(limits.size()), strides(limits.size(), 1);
    const std::size_t dim = any_inner_dim(x);
    const std::int64_t extent = limits[dim];
    if (extent < 4 || extent % 2 != 0) return kNoValue;
    switch (below(3)) {
      case 0: limits[dim] = extent / 2; break;
      case 1: starts[dim] = extent / 2; break;
      default: strides[dim] = 2; break;
    }
    return b_.slice(x, starts, limits, strides);
  }

  ValueId concatenate() {
    const ValueId x = any();
    const std::size_t dim = any_inner_dim(x);
    const Dims all = dims(x);
    std::vector<ValueId> others;
    for (ValueId y : pool_) {
      if (rank(y) != rank(x)) continue;
      Dims alike = dims(y);
      const std::int64_t sum = alike[dim] + all[dim];
      alike[dim] = all[dim];
      if (alike == all && (sum % 4 == 0 || sum % 6 == 0) && sum <= 24) others.push_back(y);
    }
    if (others.empty()) return kNoValue;
    return b_.concatenate({x, others[below(others.size())]}, static_cast<std::int64_t>(dim));
  }

  /// The part before a diagonal of two inner dims, as a causal mask.
  ValueId mask() {
    const ValueId x = any();
    if (rank(x) < 3) return kNoValue;
    const Dims all = dims(x);
    const Shape inner{DType::s32, {all[all.size() - 2], all.back()}};
    const ValueId seen = b_.compare(Comparison::ge, b_.iota(inner, 0), b_.iota(inner, 1));
    const ValueId filler = b_.fill(Shape(b_.shape(x)), -0.5);
    return b_.select(broadcast_last(b_, seen, x), x, filler);
  }

  std::vector<ValueId> leaves() const {
    std::vector<bool> used(b_.program().ops.size());
    for (const Op& op : b_.program().ops) {
      for (ValueId operand : op.operands) used[static_cast<std::size_t>(operand)] = true;
    }
    std::vector<ValueId> leaves;
    for (ValueId value : pool_) {
      const bool is_input = b_.program().producer(value).kind == OpKind::parameter;
      if (!used[static_cast<std::size_t>(value)] && !is_input) leaves.push_back(value);
    }
    return leaves;
  }

  /// Mean over the batch of the sum over leaves of their mean squares.
  ValueId mean_of_leaves() {
    ValueId rows = kNoValue;
    for (ValueId leaf : leaves()) {
      Dims inner;
      for (std::int64_t i = 1; i < rank(leaf); ++i) inner.push_back(i);
      const double scale =
          static_cast<double>(batch_) / static_cast<double>(num_elements(b_.shape(leaf)));
      const ValueId squares = b_.reduce(b_.mul(leaf, leaf), inner, Reduction::sum);
      const ValueId mean = b_.scale(squares, scale);
      rows = rows == kNoValue ? mean : b_.add(rows, mean);
    }
    return b_.scale(b_.reduce(rows, {0}, Reduction::sum), 1 / static_cast<double>(batch_));
  }

  std::mt19937_64 random_;
  std::int64_t batch_;
  std::int64_t num_parameters_ = 0;
  ir::Builder b_;
  std::vector<ValueId> pool_;
};

const RandomProgram::Move RandomProgram::kMoves[14] = {
    &RandomProgram::unary,          &RandomProgram::binary,
    &RandomProgram::residual,       &RandomProgram::bias,
    &RandomProgram::project,        &RandomProgram::pair,
    &RandomProgram::split_or_merge, &RandomProgram::merge_with_batch,
    &RandomProgram::transpose,      &RandomProgram::softmax_last,
    &RandomProgram::reduce,         &RandomProgram::slice,
    &RandomProgram::concatenate,    &RandomProgram::mask,
};

}  // namespace

Program random_forward(std::uint64_t seed, std::int64_t batch, std::int64_t num_ops) {
  if (batch < 1) throw Error("random: the batch must be at least 1");
  check_size("num_ops", num_ops, static_cast<double>(batch) * kLargestRow);
  return RandomProgram(seed, batch).run(num_ops);
}

}  // namespace rhino::models
