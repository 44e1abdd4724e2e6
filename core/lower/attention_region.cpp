// SPDX-License-Identifier: Apache-2.0
#include "lower/attention_region.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "ir/op_info.hpp"
#include "lower/causal.hpp"
#include "lower/score_axes.hpp"
#include "lower/view.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

using Axes = Attention::Axes;
using Part = Attention::Part;

/// More than any attention has, and few enough registers.
constexpr std::size_t kMostOfRegion = 96;

bool is_repeatable(OpKind kind) {
  return ir::is_elementwise(kind) || kind == OpKind::reduce || kind == OpKind::broadcast ||
         kind == OpKind::reshape || kind == OpKind::transpose || kind == OpKind::constant ||
         kind == OpKind::iota;
}

bool is_factor(DType dtype) { return dtype == DType::f32 || is_narrow(dtype); }

class RegionSearch {
 public:
  RegionSearch(const Program& program, const std::vector<ValueId>& same, ValueId result,
               std::size_t scores)
      : program_(program),
        same_(same),
        result_(result),
        scores_(scores),
        top_(same[at(program.op(result).operands[scores])]),
        space_(program.shape(top_).dims) {}

  /// `by_rows`: the dot is over columns.
  std::optional<AttentionRegion> run(bool by_rows) {
    by_rows_ = by_rows;
    Axes axes(space_.size());
    for (std::size_t d = 0; d < space_.size(); ++d)
      axes[d] = space_[d] == 1 ? Attention::kOne : static_cast<std::int32_t>(d);
    const std::optional<DotAxes> result = result_axes(program_, result_, scores_, axes);
    if (!result || !divide_axes(axes)) return std::nullopt;
    if (visit(top_, axes) != Place::inside || failed_) return std::nullopt;
    collect(top_);
    if (reads_a_member() || !find_softmax() || !know_sums()) return std::nullopt;
    return described(*result);
  }

 private:
  enum class Place : std::uint8_t {
    outside,
    side,    ///< no score is in it, but it has as many elements: made where it is read
    inside,  ///< made of scores
  };
  struct Seen {
    Place place = Place::outside;
    Axes axes;
    std::vector<Axes> operand_axes;
  };

  const Op& op(ValueId id) const { return program_.op(id); }
  ValueId operand(ValueId id, std::size_t index) const { return same_[at(op(id).operands[index])]; }

  /// Says which axes are rows, which one is the column, from the dims of the dot.
  bool divide_axes(const Axes& axes) {
    const DotAttr& dot = op(result_).attributes.get<DotAttr>();
    const Dims& batch = scores_ == 0 ? dot.lhs_batch : dot.rhs_batch;
    const Dims& contracting = scores_ == 0 ? dot.lhs_contracting : dot.rhs_contracting;
    Axes columns;
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(axes.size()); ++d) {
      if (axes[at(d)] == Attention::kOne) continue;
      const bool contracts = contains(contracting, d);
      if (contains(batch, d)) {
        batch_.push_back(axes[at(d)]);
      } else {
        (contracts == by_rows_ ? columns : rows_).push_back(axes[at(d)]);
      }
    }
    if (columns.size() != 1 || rows_.empty()) return false;
    column_ = columns[0];
    return true;
  }

  Place visit(ValueId raw, Axes axes) {
    const ValueId id = same_[at(raw)];
    const Dims& dims = op(id).shape.dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] == 1) {
        axes[d] = Attention::kOne;
      } else if (axes[d] < 0 || space_[at(axes[d])] != dims[d]) {
        return Place::outside;
      }
    }
    const auto known = seen_.find(id);
    if (known != seen_.end()) {
      if (known->second.axes == axes) return known->second.place;
      failed_ = failed_ || known->second.place == Place::inside;
      return Place::outside;
    }
    failed_ = failed_ || seen_.size() > 2 * kMostOfRegion;
    if (failed_) return Place::outside;
    Seen seen{.place = Place::outside, .axes = std::move(axes), .operand_axes = {}};
    look(id, seen);
    const Place place = seen.place;
    seen_[id] = std::move(seen);
    return place;
  }

  void look(ValueId id, Seen& seen) {
    const Op& o = op(id);
    if (o.kind == OpKind::dot) {
      look_at_product(id, seen);
    } else if (o.kind == OpKind::reduce) {
      look_at_reduction(id, seen);
    } else {
      for (std::size_t i = 0; i < o.operands.size(); ++i) {
        std::optional<Axes> before = axes_of_operand(program_, id, seen.axes, i);
        if (!before) return;
        seen.operand_axes.push_back(std::move(*before));
      }
      for (std::size_t i = 0; i < o.operands.size(); ++i) {
        if (visit(o.operands[i], seen.operand_axes[i]) == Place::inside) seen.place = Place::inside;
      }
      const bool is_full =
          !o.operands.empty() && num_elements(o.shape.dims) == num_elements(space_);
      if (seen.place == Place::outside && is_full) seen.place = Place::side;
    }
  }

  void look_at_product(ValueId id, Seen& seen) {
    const auto num_axes = std::ranges::count_if(space_, [](std::int64_t e) { return e > 1; });
    if (std::ranges::count_if(seen.axes, [](std::int32_t a) { return a >= 0; }) != num_axes) return;
    const std::optional<DotAxes> axes = product_axes(program_, id, seen.axes);
    const DType from = program_.shape(op(id).operands[0]).dtype;
    if (!axes || !is_factor(from) || !is_factor(op(id).shape.dtype)) return;
    const auto reads = [](const Axes& side, std::int32_t axis) { return contains(side, axis); };
    const bool left = reads(axes->lhs, column_), right = reads(axes->rhs, column_);
    const Axes& columns = left ? axes->lhs : axes->rhs;
    const bool mixes =
        std::ranges::any_of(rows_, [&](std::int32_t axis) { return reads(columns, axis); });
    if (left == right || mixes) return;
    seen.operand_axes = {axes->lhs, axes->rhs};
    seen.place = Place::inside;
    depth_ = std::max(depth_, axes->depth);
  }

  void look_at_reduction(ValueId id, Seen& seen) {
    const ReduceAttr& reduce = op(id).attributes.get<ReduceAttr>();
    if (reduce.reduction != Reduction::sum && reduce.reduction != Reduction::max) return;
    const Dims& dims = program_.shape(op(id).operands[0]).dims;
    Axes before(dims.size(), Attention::kOne);
    std::size_t next = 0;
    bool folds_columns = false;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (!contains(reduce.dims, static_cast<std::int64_t>(d))) {
        before[d] = seen.axes[next++];
      } else if (dims[d] > 1) {
        if (std::exchange(folds_columns, true)) return;
        before[d] = column_;
      }
    }
    // Of dims of extent 1 it is a window.
    if (folds_columns && contains(seen.axes, column_)) return;
    seen.operand_axes = {before};
    if (visit(op(id).operands[0], before) == Place::inside) seen.place = Place::inside;
  }

  void collect(ValueId id) {
    const auto seen = seen_.find(id);
    if (seen == seen_.end() || seen->second.place == Place::outside) return;
    if (!members_.insert(id).second || op(id).kind == OpKind::dot) return;
    for (ValueId operand : op(id).operands) collect(same_[at(operand)]);
  }

  /// A factor of a product is made of scores.
  bool reads_a_member() const {
    const auto factors_are_members = [&](ValueId id) {
      return op(id).kind == OpKind::dot &&
             (members_.contains(operand(id, 0)) || members_.contains(operand(id, 1)));
    };
    return members_.contains(operand(result_, 1 - scores_)) ||
           std::ranges::any_of(members_, factors_are_members);
  }

  bool folds(ValueId id) const {
    return op(id).kind == OpKind::reduce && contains(seen_.at(id).operand_axes[0], column_) &&
           !contains(seen_.at(id).axes, column_);
  }
  bool is_reduction(ValueId id, Reduction kind) const {
    return folds(id) && op(id).attributes.get<ReduceAttr>().reduction == kind;
  }

  /// Reductions that a member's value depends on.
  const std::set<ValueId>& reductions_below(ValueId id) {
    const auto [entry, is_new] = below_.try_emplace(id);
    if (!is_new || !members_.contains(id) || op(id).kind == OpKind::dot) return entry->second;
    std::set<ValueId> all;
    for (std::size_t i = 0; i < op(id).operands.size(); ++i) {
      const ValueId from = operand(id, i);
      all.merge(std::set<ValueId>(reductions_below(from)));
      if (members_.contains(from) && folds(from)) all.insert(from);
    }
    return below_[id] = std::move(all);
  }

  /// The value is one per row.
  bool is_of_row(ValueId id, const Axes& axes) const {
    if (!contains(axes, column_) || splat_of(program_, id)) return true;
    if (!members_.contains(id) || op(id).kind == OpKind::dot) return false;
    const Seen& seen = seen_.at(id);
    for (std::size_t i = 0; i < op(id).operands.size(); ++i) {
      if (!is_of_row(operand(id, i), seen.operand_axes[i])) return false;
    }
    return true;
  }

  /// exp(x - f(max x)) and its sum, where x is made of products alone.
  bool find_softmax() {
    for (ValueId id : members_) {
      if (!is_reduction(id, Reduction::max)) continue;
      if (maximum_ != kNoValue) return false;
      maximum_ = id;
    }
    if (maximum_ == kNoValue || !reductions_below(operand(maximum_, 0)).empty()) return false;
    for (ValueId id : members_) {
      if (!is_reduction(id, Reduction::sum) || !is_softmax_exponential(operand(id, 0))) continue;
      if (sum_ != kNoValue) return false;
      sum_ = id;
      exponential_ = operand(id, 0);
    }
    return sum_ != kNoValue;
  }

  bool is_softmax_exponential(ValueId id) {
    if (!members_.contains(id) || op(id).kind != OpKind::exponential) return false;
    const ValueId shifted = operand(id, 0);
    if (!members_.contains(shifted) || op(shifted).kind != OpKind::subtract) return false;
    const ValueId shift = operand(shifted, 1);
    return operand(shifted, 0) == operand(maximum_, 0) && members_.contains(shift) &&
           is_of_row(shift, seen_.at(shift).axes) &&
           reductions_below(shift) == std::set<ValueId>{maximum_};
  }

  /// Other sums are known once maximum and sum are.
  bool know_sums() {
    std::int64_t num_products = 0;
    for (ValueId id : members_) {
      num_products += op(id).kind == OpKind::dot;
      if (!is_reduction(id, Reduction::sum) || id == sum_) continue;
      for (ValueId below : reductions_below(id)) {
        if (below != maximum_ && below != sum_) return false;
      }
    }
    return num_products <= Attention::kMostProducts && members_.size() <= kMostOfRegion;
  }

  Part part_of(ValueId id) const {
    if (op(id).kind == OpKind::dot) return Part::product;
    if (!folds(id)) return Part::element;
    return id == maximum_ ? Part::maximum : id == sum_ ? Part::sum : Part::later_sum;
  }

  /// Axes become dims of what the softmax is over, so that regions of one softmax have the same.
  AttentionRegion described(const DotAxes& result) {
    const Axes& own = seen_.at(operand(maximum_, 0)).axes;
    const auto renamed = [&](Axes axes) {
      for (std::int32_t& axis : axes) {
        if (axis >= 0) axis = static_cast<std::int32_t>(std::ranges::find(own, axis) - own.begin());
      }
      return axes;
    };
    Attention a;
    a.extents = program_.shape(operand(maximum_, 0)).dims;
    a.batch = renamed(batch_);
    a.rows = renamed(rows_);
    std::ranges::sort(a.batch);
    std::ranges::sort(a.rows);
    a.column = renamed({column_})[0];
    a.depth = std::max(depth_, result.depth);
    a.maximum = maximum_;
    a.exponential = exponential_;
    a.sum = sum_;
    for (ValueId id : members_) {
      const Seen& seen = seen_.at(id);
      a.members.push_back({id, part_of(id), renamed(seen.axes), {}});
      for (const Axes& axes : seen.operand_axes)
        a.members.back().operand_axes.push_back(renamed(axes));
    }
    a.members.push_back({result_,
                         by_rows_ ? Part::row_result : Part::column_result,
                         renamed(result.result),
                         {renamed(result.lhs), renamed(result.rhs)}});
    return {result_, std::move(a)};
  }

  const Program& program_;
  const std::vector<ValueId>& same_;
  const ValueId result_;
  const std::size_t scores_;
  const ValueId top_;  ///< scores that the dot reads
  const Dims space_;
  bool by_rows_ = true, failed_ = false;
  Axes batch_, rows_;
  std::int32_t column_ = Attention::kOne;
  std::int64_t depth_ = 1;
  std::map<ValueId, Seen> seen_;
  std::set<ValueId> members_;
  std::map<ValueId, std::set<ValueId>> below_;
  ValueId maximum_ = kNoValue, exponential_ = kNoValue, sum_ = kNoValue;
};

std::size_t hash_of(const Op& op, const std::vector<ValueId>& same) {
  std::size_t hash = static_cast<std::size_t>(op.kind) * 31 + op.shape.dims.size();
  for (ValueId operand : op.operands)
    hash = hash * 1000003 + static_cast<std::size_t>(same[at(operand)]) + 1;
  for (std::int64_t dim : op.shape.dims) hash = hash * 1000003 + static_cast<std::size_t>(dim);
  return hash;
}

bool computes_same(const Op& a, const Op& b, const std::vector<ValueId>& same) {
  return a.kind == b.kind && a.shape == b.shape && a.attributes == b.attributes &&
         std::ranges::equal(a.operands, b.operands,
                            [&](ValueId x, ValueId y) { return same[at(x)] == same[at(y)]; });
}

}  // namespace

std::vector<ValueId> same_ops(const Program& program, const std::vector<bool>& needed) {
  std::vector<ValueId> same(program.ops.size());
  std::unordered_multimap<std::size_t, ValueId> known;
  for (ValueId id = 0; id < program.size(); ++id) {
    same[at(id)] = id;
    const Op& op = program.op(id);
    if (!needed[at(id)] || !is_repeatable(op.kind)) continue;
    const std::size_t hash = hash_of(op, same);
    const auto [first, last] = known.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& other) {
      return computes_same(program.op(other.second), op, same);
    });
    if (found != last) {
      same[at(id)] = found->second;
    } else {
      known.emplace(hash, id);
    }
  }
  return same;
}

std::optional<AttentionRegion> attention_region(const Program& program,
                                                const std::vector<ValueId>& same, ValueId result,
                                                std::size_t scores) {
  const Op& dot = program.op(result);
  if (!is_factor(dot.shape.dtype) || !is_factor(program.shape(dot.operands[1 - scores]).dtype))
    return std::nullopt;
  for (const bool by_rows : {true, false}) {
    std::optional<AttentionRegion> region =
        RegionSearch(program, same, result, scores).run(by_rows);
    if (region) {
      find_causal(program, same, region->attention);
      return region;
    }
  }
  return std::nullopt;
}

}  // namespace rhino::lower
