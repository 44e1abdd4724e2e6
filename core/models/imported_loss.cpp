// SPDX-License-Identifier: Apache-2.0
// Which of several scalars is the loss, and which are metrics.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "models/imported_parts.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {
namespace {

bool is_scalar(const Program& program, ValueId value) {
  return num_elements(program.shape(value)) == 1;
}

/// Values that `value` has a derivative by, or that are on the way: nothing behind integers.
Marks differentiable_ancestors(const Program& program, ValueId value) {
  Marks marks(program.ops.size());
  marks[at(value)] = true;
  for (ValueId id = value + 1; id-- > 0;) {
    if (!marks[at(id)]) continue;
    for (ValueId operand : program.op(id).operands) {
      if (is_floating(program.shape(operand).dtype)) marks[at(operand)] = true;
    }
  }
  return marks;
}

std::int64_t num_both(const Marks& first, const Marks& second) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < first.size(); ++i) count += first[i] && second[i];
  return count;
}

class LossRank {
 public:
  LossRank(const Program& program, const std::vector<State>& states)
      : program_(program), states_(states), is_data_(program.ops.size()) {
    std::vector<ValueId> data, updated;
    for (const Input& input : program.inputs) data.push_back(input.value);
    for (const State& state : states) {
      std::erase(data, program.inputs[at(state.input)].value);
      updated.push_back(state.value);
    }
    std::erase_if(data, [&](ValueId value) { return program.shape(value).dims.empty(); });
    for (ValueId value : data) is_data_[at(value)] = true;
    behind_updates_ = ancestors(program, updated);
    const Marks after_data = descendants(program, data);
    for (ValueId value : updated) {
      auto leaves = leaves_of_update(program, value, after_data);
      if (!leaves.empty()) leaves_.push_back(std::move(leaves));
    }
  }

  /// The more, the likelier.
  using Rank = std::tuple<bool, bool, std::int64_t, std::int64_t, std::int64_t>;
  Rank of(ValueId value) const {
    const Marks before = ancestors(program_, {value});
    return {num_both(before, is_data_) > 0, !reads_gradients(before), num_parameters(value),
            num_both(before, behind_updates_), -std::ranges::count(before, true)};
  }

  /// Replaced inputs that it has a derivative by; without any, inputs that it depends on.
  std::int64_t num_parameters(ValueId value) const {
    if (states_.empty()) {
      const Marks before = ancestors(program_, {value});
      return std::ranges::count_if(program_.inputs,
                                   [&](const Input& input) { return before[at(input.value)]; });
    }
    const Marks before = differentiable_ancestors(program_, value);
    return std::ranges::count_if(states_, [&](const State& state) {
      return before[at(program_.inputs[at(state.input)].value)];
    });
  }

  /// Whether `sum` is `term` and more that has a derivative by parameters, each with a factor.
  bool is_term(ValueId term, ValueId sum) const {
    std::set<std::pair<ValueId, bool>> seen;
    return term < sum && finds_term(term, sum, false, seen);
  }

 private:
  /// `seen`: where it was not found before; a value may be read twice by each that reads it.
  bool finds_term(ValueId term, ValueId value, bool has_more,
                  std::set<std::pair<ValueId, bool>>& seen) const {
    if (value == term) return has_more;
    if (!seen.emplace(value, has_more).second) return false;
    const Op& op = program_.op(value);
    if (value < term || !is_scalar(program_, value)) return false;
    const std::vector<ValueId>& operands = op.operands;
    switch (op.kind) {
      case OpKind::add:
      case OpKind::subtract:
        return finds_term(term, operands[0], has_more || num_parameters(operands[1]) > 0, seen) ||
               finds_term(term, operands[1], has_more || num_parameters(operands[0]) > 0, seen);
      case OpKind::multiply:
      case OpKind::divide:
      case OpKind::negate:
      case OpKind::convert:
      case OpKind::reshape:
        return std::ranges::any_of(
            operands, [&](ValueId operand) { return finds_term(term, operand, has_more, seen); });
      default: return false;
    }
  }

  /// Of most states; running statistics of the forward pass are states, too.
  bool reads_gradients(const Marks& before) const {
    const auto count = std::ranges::count_if(leaves_, [&](const std::vector<ValueId>& leaves) {
      return std::ranges::any_of(leaves, [&](ValueId leaf) { return before[at(leaf)]; });
    });
    return 2 * count > std::ssize(leaves_);
  }

  const Program& program_;
  const std::vector<State>& states_;
  Marks is_data_, behind_updates_;
  std::vector<std::vector<ValueId>> leaves_;  ///< of each state whose update reads the batch
};

/// The first guess that tells a scalar from the loss.
std::string why_not(const LossRank::Rank& found, const LossRank::Rank& loss, bool has_states) {
  if (std::get<0>(found) != std::get<0>(loss)) return "is made of no batch";
  if (std::get<1>(found) != std::get<1>(loss)) return "is made of gradients";
  if (std::get<2>(found) != std::get<2>(loss))
    return (has_states ? "has a derivative by " : "depends on ") +
           std::to_string(std::get<2>(found)) + " inputs, not " + std::to_string(std::get<2>(loss));
  if (std::get<3>(found) != std::get<3>(loss)) return "updates need less of what makes it";
  if (std::get<4>(found) != std::get<4>(loss)) return "more of what makes it no update needs";
  return "is as likely, and comes later";
}

}  // namespace

LossChoice loss_among(const Program& program, const std::vector<ValueId>& candidates,
                      const std::vector<State>& states) {
  const LossRank rank(program, states);
  LossChoice choice;
  std::map<ValueId, LossRank::Rank> ranks;
  for (ValueId candidate : candidates) {
    if (!states.empty() && rank.num_parameters(candidate) == 0) {
      choice.others[candidate] = "has no derivative by what is updated";
      continue;
    }
    const LossRank::Rank& found = ranks.emplace(candidate, rank.of(candidate)).first->second;
    if (choice.loss != kNoValue && found <= ranks.at(choice.loss)) continue;
    choice.loss = candidate;
  }
  for (const auto& [candidate, found] : ranks) {
    if (candidate == choice.loss) continue;
    choice.others[candidate] = why_not(found, ranks.at(choice.loss), !states.empty());
  }
  // The backward pass may read no more for a sum than for its first term.
  for (ValueId candidate : candidates) {
    if (choice.loss == kNoValue || !rank.is_term(choice.loss, candidate)) continue;
    choice.others[choice.loss] = "is a term of the loss";
    choice.loss = candidate;
    choice.others.erase(candidate);
  }
  return choice;
}

}  // namespace rhino::models::imported
