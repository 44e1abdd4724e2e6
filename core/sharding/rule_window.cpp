// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

// Runs dim `d` of operand `i` along result dim d where `whole`.
void join_all(RuleMaker& maker, std::size_t i, const std::vector<bool>& whole) {
  for (std::size_t d = 0; d < whole.size(); ++d) {
    maker.join(i, static_cast<std::int64_t>(d), static_cast<std::int64_t>(d), whole[d]);
  }
}

std::vector<bool> equal_extents(const Shape& a, const Shape& b) {
  std::vector<bool> equal;
  for (std::size_t d = 0; d < a.dims.size(); ++d) equal.push_back(a.dims[d] == b.dims[d]);
  return equal;
}

std::vector<bool> trivial_windows(const WindowAttr& window) {
  std::vector<bool> trivial;
  for (std::size_t d = 0; d < window.sizes.size(); ++d) {
    trivial.push_back(window.sizes[d] == 1 && window.strides[d] == 1 && window.low[d] == 0 &&
                      window.high[d] == 0);
  }
  return trivial;
}

void dynamic_update_rule(RuleMaker& maker) {
  const std::vector<bool> whole = equal_extents(maker.shape(1), maker.shape());
  join_all(maker, 0, whole);
  join_all(maker, 1, whole);
  maker.passes_sum(0);
  maker.passes_sum(1);
  maker.passes_sum_together();
}

// Operands: the tensor whose windows select, the source whose elements are added where they did.
void select_and_scatter_rule(RuleMaker& maker) {
  const auto& window = maker.attributes<WindowAttr>();
  join_all(maker, 0, trivial_windows(window));
  join_all(maker, 1, trivial_windows(window));
  maker.passes_sum(1);
}

void sort_rule(RuleMaker& maker) {
  std::vector<bool> whole(maker.shape().dims.size(), true);
  whole[static_cast<std::size_t>(maker.attributes<DimAttr>().dim)] = false;
  for (std::size_t i = 0; i < maker.op().operands.size(); ++i) join_all(maker, i, whole);
}

}  // namespace

void whole_rule(RuleMaker& maker) {
  const auto blocked = [&](const Shape& shape, const auto& factors) {
    for (std::int64_t d = 0; d < std::ssize(shape.dims); ++d) {
      factors(d) = maker.blocked(shape.dims[static_cast<std::size_t>(d)]);
    }
  };
  blocked(maker.shape(), [&](std::int64_t d) -> DimFactors& { return maker.result(d); });
  for (std::size_t i = 0; i < maker.op().operands.size(); ++i) {
    blocked(maker.shape(i), [&](std::int64_t d) -> DimFactors& { return maker.operand(i, d); });
  }
}

void window_rule(RuleMaker& maker) {
  switch (maker.op().kind) {
    case OpKind::dynamic_slice:
      join_all(maker, 0, equal_extents(maker.shape(0), maker.shape()));
      maker.passes_sum(0);
      return;
    case OpKind::dynamic_update_slice: return dynamic_update_rule(maker);
    case OpKind::reduce_window:
      join_all(maker, 0, trivial_windows(maker.attributes<WindowAttr>()));
      if (maker.attributes<WindowAttr>().reduction == Reduction::sum) maker.passes_sum(0);
      return;
    case OpKind::select_and_scatter: return select_and_scatter_rule(maker);
    default: return sort_rule(maker);
  }
}

}  // namespace rhino::sharding
