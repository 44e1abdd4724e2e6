// SPDX-License-Identifier: Apache-2.0
#include "lower/causal.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "lower/score_axes.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

using Part = Attention::Part;

/// Its exponential is 0 beside that of any score.
constexpr double kUnseen = -1e9;

class CausalSearch {
 public:
  CausalSearch(const Program& program, const std::vector<ValueId>& same, Attention& attention)
      : program_(program), same_(same), attention_(attention) {}

  void run() {
    const ValueId softmax_of = operand(attention_.maximum, 0);
    const Attention::Member* chosen = attention_.member(softmax_of);
    if (chosen == nullptr || program_.op(softmax_of).kind != OpKind::select) return;
    for (std::size_t unseen : {2U, 1U}) {
      const std::optional<double> low = splat_of(program_, operand(softmax_of, unseen));
      if (!low || *low > kUnseen) continue;
      predicate_ = operand(softmax_of, 0);
      unseen_ = unseen;
      const auto seen = columns_seen(predicate_, chosen->operand_axes[0], unseen == 1);
      if (!seen || !nothing_leaks()) return;
      attention_.causal = {*seen};
      // Blocks of rows see a range of columns then.
      const auto first = std::ranges::find(attention_.rows, seen->row_axis);
      std::rotate(attention_.rows.begin(), first, first + 1);
      return;
    }
  }

 private:
  ValueId operand(ValueId id, std::size_t index) const {
    return same_[at(program_.op(id).operands[index])];
  }

  /// Columns at which a comparison of places holds, or does not.
  std::optional<Attention::Causal> columns_seen(ValueId value, Attention::Axes axes,
                                                bool is_negated) const {
    while (program_.op(value).kind != OpKind::compare) {
      const Op& op = program_.op(value);
      if (op.kind == OpKind::select && splat_of(program_, op.operands[1]) == std::optional(1.0) &&
          splat_of(program_, op.operands[2]) == std::optional(0.0)) {
        value = op.operands[0];
        continue;
      }
      if (op.kind != OpKind::broadcast && op.kind != OpKind::reshape &&
          op.kind != OpKind::transpose)
        return std::nullopt;
      const auto before = axes_of_operand(program_, value, axes, 0);
      if (!before) return std::nullopt;
      axes = *before;
      value = op.operands[0];
    }
    const Op& op = program_.op(value);
    auto left = index_of(program_, op.operands[0], axes);
    auto right = index_of(program_, op.operands[1], axes);
    if (!left || !right) return std::nullopt;
    Comparison comparison = op.attributes.get<CompareAttr>().comparison;
    if (is_negated) comparison = negated(comparison);
    if (comparison == Comparison::le || comparison == Comparison::lt) {
      std::swap(left, right);
      comparison = comparison == Comparison::le ? Comparison::ge : Comparison::gt;
    }
    if (comparison != Comparison::ge && comparison != Comparison::gt) return std::nullopt;
    if (!contains(attention_.rows, left->axis) || right->axis != attention_.column)
      return std::nullopt;
    const std::int64_t ahead = left->plus - right->plus - (comparison == Comparison::gt);
    // A row that sees nothing weighs all columns alike.
    if (ahead < 0) return std::nullopt;
    return Attention::Causal{left->axis, ahead};
  }

  static Comparison negated(Comparison comparison) {
    switch (comparison) {
      case Comparison::lt: return Comparison::ge;
      case Comparison::le: return Comparison::gt;
      case Comparison::gt: return Comparison::le;
      case Comparison::ge: return Comparison::lt;
      default: return Comparison::ne;
    }
  }

  bool nothing_leaks() {
    return std::ranges::all_of(attention_.members, [&](const Attention::Member& member) {
      const Op& op = program_.op(member.op);
      if (member.part == Part::later_sum) return vanishes(same_[at(op.operands[0])]);
      if (member.part != Part::row_result && member.part != Part::column_result) return true;
      return vanishes(same_[at(op.operands[0])]) || vanishes(same_[at(op.operands[1])]);
    });
  }

  /// Whether the value is 0 at columns that are not seen.
  bool vanishes(ValueId id) {
    if (id == attention_.exponential) return true;
    if (attention_.member(id) == nullptr) return false;
    const auto known = vanishes_.find(id);
    if (known != vanishes_.end()) return known->second;
    return vanishes_[id] = makes_nothing(id);
  }

  bool makes_nothing(ValueId id) {
    const Op& op = program_.op(id);
    const auto part = [&](std::size_t i) { return vanishes(operand(id, i)); };
    const auto is_zero = [&](std::size_t i) {
      return splat_of(program_, operand(id, i)) == std::optional(0.0);
    };
    switch (op.kind) {
      case OpKind::multiply: return part(0) || part(1);
      case OpKind::divide:
      case OpKind::negate:
      case OpKind::convert:
      case OpKind::reshape:
      case OpKind::transpose: return part(0);
      case OpKind::add:
      case OpKind::subtract: return part(0) && part(1);
      case OpKind::select:
        if (operand(id, 0) == predicate_ && is_zero(unseen_)) return true;
        return (part(1) || is_zero(1)) && (part(2) || is_zero(2));
      default: return false;
    }
  }

  const Program& program_;
  const std::vector<ValueId>& same_;
  Attention& attention_;
  ValueId predicate_ = kNoValue;
  std::size_t unseen_ = 2;
  std::map<ValueId, bool> vanishes_;
};

}  // namespace

void find_causal(const Program& program, const std::vector<ValueId>& same, Attention& attention) {
  CausalSearch(program, same, attention).run();
}

}  // namespace rhino::lower
