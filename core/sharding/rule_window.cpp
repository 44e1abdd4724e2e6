// SPDX-License-Identifier: Apache-2.0
#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "sharding/rule_maker.hpp"
#include "sharding/windows.hpp"

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

void dynamic_update_rule(RuleMaker& maker) {
  const std::vector<bool> whole = equal_extents(maker.shape(1), maker.shape());
  join_all(maker, 0, whole);
  join_all(maker, 1, whole);
  maker.passes_sum(0);
  maker.passes_sum(1);
  maker.passes_sum_together();
}

void reduce_window_rule(RuleMaker& maker) {
  const auto& window = maker.attributes<WindowAttr>();
  for (std::int64_t d = 0; d < rank(maker.shape()); ++d) {
    const Windows windows = reduction_windows(window, maker.shape(0), maker.shape(), at(d));
    const DimFactors blocks =
        windows.can_be_cut() ? maker.windows(windows.most_parts(), Factor::Kind::parallel,
                                             windows.are_pointwise() ? 0 : windows.least_part())
                             : DimFactors{};
    maker.operand(0, d) = maker.in_blocks(blocks, windows.input);
    maker.result(d) = maker.in_blocks(blocks, windows.positions);
    maker.reaches(
        0, d, blocks,
        {windows.low_elements(), windows.high_elements(), windows.drift(), window.reduction});
  }
  if (window.reduction == Reduction::sum) maker.passes_sum(0);
}

// Operands: the tensor whose windows select, the source whose elements are added where they did.
void select_and_scatter_rule(RuleMaker& maker) {
  const auto& window = maker.attributes<WindowAttr>();
  for (std::int64_t d = 0; d < rank(maker.shape()); ++d) {
    const Windows windows = reduction_windows(window, maker.shape(0), maker.shape(1), at(d));
    const SelectionHalos halos = selection_halos(window, at(d));
    const bool fits = windows.are_aligned() && windows.input > 0 && windows.low >= 0;
    const std::int64_t elements = windows.input / std::max<std::int64_t>(1, windows.most_parts());
    const std::int64_t least =
        std::max({std::int64_t{1}, halos.source_before, halos.source_behind,
                  (std::max(halos.before, halos.behind) + elements - 1) / elements});
    const DimFactors blocks = fits ? maker.windows(windows.most_parts(), Factor::Kind::parallel,
                                                   windows.are_pointwise() ? 0 : least)
                                   : DimFactors{};
    maker.operand(0, d) = maker.in_blocks(blocks, windows.input);
    maker.operand(1, d) = maker.in_blocks(blocks, windows.positions);
    maker.result(d) = maker.operand(0, d);
    maker.reaches(0, d, blocks, {halos.before, halos.behind, 0, window.reduction});
    maker.reaches(1, d, blocks, {halos.source_before, halos.source_behind});
  }
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
    case OpKind::reduce_window: return reduce_window_rule(maker);
    case OpKind::select_and_scatter: return select_and_scatter_rule(maker);
    default: return sort_rule(maker);
  }
}

}  // namespace rhino::sharding
