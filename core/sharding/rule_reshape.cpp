// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

// Walks the dims of one side from minor to major; `left` elements of the current dim are not yet
// covered by factors.
class Side {
 public:
  Side(const std::vector<std::int64_t>& extents, TensorFactors& dims)
      : extents_(extents), dims_(dims), dim_(extents.size()) {
    advance();
  }

  bool done() const { return done_; }
  std::int64_t left() const { return left_; }

  void cover(std::int32_t factor, std::int64_t size) {
    dims_[dim_].insert(dims_[dim_].begin(), factor);
    left_ /= size;
    if (left_ == 1) advance();
  }

 private:
  void advance() {
    while (dim_ > 0) {
      left_ = extents_[--dim_];
      if (left_ > 1) return;
    }
    done_ = true;
  }

  const std::vector<std::int64_t>& extents_;
  TensorFactors& dims_;
  std::size_t dim_;
  std::int64_t left_ = 1;
  bool done_ = false;
};

// Gives the next piece of `side` a factor that may not be cut, towards `goal` times more elements.
std::int64_t cover_blocked(RuleMaker& maker, Side& side, std::int64_t goal) {
  const std::int64_t shared = std::gcd(goal, side.left());
  const std::int64_t size = shared > 1 ? shared : side.left();
  side.cover(maker.blocked(size)[0], size);
  return size;
}

// Neighbouring pieces without a common divisor: up to the next common boundary the elements lie
// differently on the two sides.
void block_to_common_boundary(RuleMaker& maker, Side& source, Side& target) {
  std::int64_t from = cover_blocked(maker, source, source.left());
  std::int64_t to = cover_blocked(maker, target, target.left());
  while (from != to) {
    const std::int64_t boundary = std::lcm(from, to);
    if (from != boundary) from *= cover_blocked(maker, source, boundary / from);
    else to *= cover_blocked(maker, target, boundary / to);
  }
}

}  // namespace

// The common refinement of both sides, minor to major.
void reshape_rule(RuleMaker& maker) {
  maker.passes_sum(0);
  const auto& from = maker.shape(0).dims;
  const auto& to = maker.shape().dims;
  if (num_elements(from) == 0) return;
  TensorFactors from_dims(from.size()), to_dims(to.size());
  Side source(from, from_dims), target(to, to_dims);
  while (!source.done()) {
    const std::int64_t size = std::gcd(source.left(), target.left());
    if (size == 1) {
      block_to_common_boundary(maker, source, target);
      continue;
    }
    const DimFactors factor = maker.loop(size);
    source.cover(factor[0], size);
    target.cover(factor[0], size);
  }
  for (std::size_t d = 0; d < from.size(); ++d) {
    maker.operand(0, static_cast<std::int64_t>(d)) = std::move(from_dims[d]);
  }
  for (std::size_t d = 0; d < to.size(); ++d) {
    maker.result(static_cast<std::int64_t>(d)) = std::move(to_dims[d]);
  }
}

}  // namespace rhino::sharding
