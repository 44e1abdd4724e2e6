// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::sharding {
namespace {

class SumPasser {
 public:
  explicit SumPasser(const Assignment& assignment)
      : assignment_(assignment),
        graph_(assignment.graph()),
        sums_(at(graph_.size())),
        passes_(at(graph_.size())) {}

  std::vector<std::vector<LinearPass>> run() && {
    for (ValueId id = 0; id < graph_.size(); ++id) {
      add_passes(id);
      for (const FactorSplit& split : assignment_.splits(id)) {
        const Factor& factor = graph_.rule(id).factors[at(split.factor)];
        const bool yields_sum = split.axis != kMicroAxis && factor.reduction == Reduction::sum &&
                                factor.kind != Factor::Kind::parallel &&
                                !assignment_.in_result(id, split);
        if (yields_sum) sums_[at(id)] |= bit(split.axis);
      }
    }
    return std::move(passes_);
  }

 private:
  static std::uint64_t bit(AxisId axis) { return std::uint64_t{1} << axis; }

  void add_passes(ValueId id) {
    std::uint64_t axes = 0;
    for (ValueId operand : graph_.op(id).operands) axes |= sums_[at(operand)];
    for (AxisId axis = 0; axes >> axis != 0; ++axis) {
      if (!(axes & bit(axis)) || assignment_.find(id, axis)) continue;
      const std::int32_t operand = linear_operand(id, axis);
      if (operand < 0) continue;
      passes_[at(id)].push_back({axis, operand});
      sums_[at(id)] |= bit(axis);
    }
  }

  // The operand whose partial sums along `axis` op `id` should hand on; -1: none.
  std::int32_t linear_operand(ValueId id, AxisId axis) const {
    const OpRule& rule = graph_.rule(id);
    const auto& operands = graph_.op(id).operands;
    std::int32_t first = -1;
    std::size_t num_partial = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!(sums_[at(operands[i])] & bit(axis))) {
        if (rule.sum_together && rule.passes_sum[i]) return -1;
        continue;
      }
      if (!rule.passes_sum[i] || !may_pass(operands[i], id)) return -1;
      if (first < 0) first = static_cast<std::int32_t>(i);
      ++num_partial;
    }
    return num_partial > 1 && !rule.sum_together ? -1 : first;
  }

  bool may_pass(ValueId operand, ValueId user) const {
    const auto uses = graph_.uses(operand);
    const bool only_reader =
        !graph_.is_output(operand) &&
        std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.user == user; });
    return only_reader && assignment_.chunk(operand) == assignment_.chunk(user) &&
           num_bytes(graph_.shape(user)) <= num_bytes(graph_.shape(operand));
  }

  const Assignment& assignment_;
  const OpGraph& graph_;
  std::vector<std::uint64_t> sums_;  // axes along which a value is a partial sum
  std::vector<std::vector<LinearPass>> passes_;
};

}  // namespace

std::vector<std::vector<LinearPass>> pass_sums(const Assignment& assignment) {
  return SumPasser(assignment).run();
}

}  // namespace rhino::sharding
