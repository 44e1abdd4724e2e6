// SPDX-License-Identifier: Apache-2.0
#include "config/strategy_rules.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "config/value_pattern.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::config {
namespace {

using Rule = StrategyFile::Rule;
using Axes = std::vector<std::vector<AxisId>>;  ///< per dim, as in Annotation

// Rules that are tried in vain before a strategy is given up.
constexpr int kMaxTries = 300;

class RuleFinder {
 public:
  RuleFinder(const DescribedStrategy& described, StrategyFile& file)
      : described_(described), file_(file) {}

  std::vector<ValueId> run() {
    const StrategyFile bare = file_;
    StrategyFile best = file_;
    std::size_t least_wrong = described_.program.ops.size() + 1;
    for (const Breadth breadth :
         {Breadth::nothing, Breadth::parameters, Breadth::inputs, Breadth::forward}) {
      file_ = bare;
      annotate(breadth);
      std::vector<ValueId> wrong = described_.wrong_values(file_);
      while (!wrong.empty() && (add_rule(wrong) || take_back_rule(wrong))) {
      }
      if (!wrong.empty()) {
        if (wrong.size() < least_wrong) least_wrong = wrong.size(), best = file_;
        if (described_.is_worked_out()) break;
        continue;
      }
      for (auto* rules : {&file_.values, &file_.shard}) drop_rules(*rules, 0, rules->size());
      return wrong;
    }
    file_ = std::move(best);
    return described_.wrong_values(file_);
  }

 private:
  /// What rules begin with: nothing, or, where that leads astray, what is split of the parameters,
  /// as searchers do, all inputs, or all forward values.
  enum class Breadth { nothing, parameters, inputs, forward };

  void annotate(Breadth breadth) {
    std::vector<bool> known(described_.program.ops.size());
    for (ValueId id = 0; id < described_.program.size() && breadth != Breadth::nothing; ++id) {
      const bool wanted =
          breadth == Breadth::parameters
              ? described_.is_parameter[at(id)]
              : described_.in_shard[at(id)] || (breadth == Breadth::forward &&
                                                described_.program.op(id).phase == Phase::forward);
      if (!wanted || known[at(id)]) continue;
      const std::vector<Rule> rules = rules_for(id, known);
      if (rules.empty() || (breadth == Breadth::parameters && rules.front().dims.empty())) continue;
      (described_.in_shard[at(id)] ? file_.shard : file_.values).push_back(rules.front());
      mark(rules.front(), described_.in_shard[at(id)], known);
    }
  }

  /// Adds the first rule, by preference of its value, that leaves fewer values wrong.
  bool add_rule(std::vector<ValueId>& wrong) {
    std::vector<bool> tried = annotated(file_);
    int tries = 0;
    for (const ValueId id : by_preference(wrong)) {
      if (tried[at(id)]) continue;
      for (const Rule& rule : rules_for(id, tried)) {
        if (++tries > kMaxTries || described_.is_worked_out()) return false;
        StrategyFile longer = with(file_, rule, described_.in_shard[at(id)]);
        std::vector<ValueId> left = described_.wrong_values(longer);
        if (left.size() >= wrong.size()) continue;
        file_ = std::move(longer);
        wrong = std::move(left);
        return true;
      }
      tried[at(id)] = true;
    }
    return false;
  }

  /// Takes back a rule without which fewer values are wrong: what it says came to the searcher's
  /// draft by propagation, behind other rules.
  bool take_back_rule(std::vector<ValueId>& wrong) {
    for (auto rules : {&StrategyFile::shard, &StrategyFile::values}) {
      for (std::size_t i = 0; i < (file_.*rules).size(); ++i) {
        if (described_.is_worked_out()) return false;
        StrategyFile shorter = file_;
        (shorter.*rules).erase((shorter.*rules).begin() + static_cast<std::ptrdiff_t>(i));
        std::vector<ValueId> left = described_.wrong_values(shorter);
        if (left.size() >= wrong.size()) continue;
        file_ = std::move(shorter);
        wrong = std::move(left);
        return true;
      }
    }
    return false;
  }

  /// Drops what the other rules imply of rules[begin, end), many at once where that goes.
  void drop_rules(std::vector<Rule>& rules, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const std::vector<Rule> all = rules;
    const auto first = rules.begin();
    rules.erase(first + static_cast<std::ptrdiff_t>(begin),
                first + static_cast<std::ptrdiff_t>(end));
    if (described_.wrong_values(file_).empty()) return;
    rules = all;
    if (end - begin == 1) return;
    const std::size_t middle = begin + (end - begin) / 2;
    drop_rules(rules, middle, end);  // later rules first: those before keep their numbers
    drop_rules(rules, begin, middle);
  }

  void mark(const Rule& rule, bool in_shard, std::vector<bool>& known) const {
    for (const std::string& glob : rule.match) {
      for (const ValueId id : matching_values(described_.program, glob, in_shard))
        known[at(id)] = true;
    }
  }

  std::vector<bool> annotated(const StrategyFile& file) const {
    std::vector<bool> known(described_.program.ops.size());
    for (const Rule& rule : file.shard) mark(rule, true, known);
    for (const Rule& rule : file.values) mark(rule, false, known);
    return known;
  }

  /// Inputs before other values, those that are split before whole ones, large ones first; then in
  /// program order, forward first.
  std::vector<ValueId> by_preference(std::vector<ValueId> values) const {
    const auto rank = [&](ValueId id) {
      const Op& op = described_.program.op(id);
      if (!described_.in_shard[at(id)])
        return std::tuple(1, static_cast<int>(op.phase), std::int64_t{0});
      const std::optional<Axes> axes = axes_of(id, false);
      const bool split = axes && std::any_of(axes->begin(), axes->end(),
                                             [](const auto& dim) { return !dim.empty(); });
      return std::tuple(0, split ? 0 : 1, -num_elements(op.shape));
    };
    std::stable_sort(values.begin(), values.end(),
                     [&](ValueId a, ValueId b) { return rank(a) < rank(b); });
    return values;
  }

  /// What an annotation of the value would say; nothing where it is split in strides, which none
  /// can.
  std::optional<Axes> axes_of(ValueId id, bool with_batch) const {
    const ShardingSpec& spec = described_.strategy.specs[at(id)];
    Axes axes(spec.dims.size());
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      std::int64_t block = described_.program.op(id).shape.dims[d];
      for (const AxisSplit& split : spec.dims[d].splits) {
        if (split.period != block) return std::nullopt;
        block /= split.axis == kMicroAxis ? described_.strategy.num_micro_batches
                                          : file_.axes[at(split.axis)].size;
        if (split.axis != kMicroAxis && (with_batch || split.axis != batch_axis(file_)))
          axes[d].push_back(split.axis);
      }
    }
    return axes;
  }

  /// Rules that set a value right, the most general first. They match no value that lies otherwise
  /// and none that is `known`.
  std::vector<Rule> rules_for(ValueId id, const std::vector<bool>& known) const {
    std::vector<Rule> rules;
    const std::optional<Axes> plain = axes_of(id, false), whole = axes_of(id, true);
    for (const bool with_batch : {false, true}) {
      if (!plain || (with_batch && plain == whole)) continue;
      const Rule rule{{}, dims_of(id, with_batch ? *whole : *plain), ""};
      for (const std::vector<std::string>& match : matches_for(id, with_batch, rule, known))
        rules.push_back({match, rule.dims, ""});
    }
    return rules;
  }

  std::map<std::string, std::vector<std::string>> dims_of(ValueId id, const Axes& axes) const {
    const auto input =
        std::find_if(described_.program.inputs.begin(), described_.program.inputs.end(),
                     [&](const Input& other) { return other.value == id; });
    std::map<std::string, std::vector<std::string>> dims;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      if (axes[d].empty()) continue;
      const bool named =
          input != described_.program.inputs.end() && d < input->dim_names.size() &&
          dim_number(described_.program, id, input->dim_names[d]) == static_cast<int>(d);
      auto& names = dims[named ? input->dim_names[d] : std::to_string(d)];
      for (const AxisId axis : axes[d]) names.push_back(file_.axes[at(axis)].name);
    }
    return dims;
  }

  std::vector<std::vector<std::string>> matches_for(ValueId id, bool with_batch, const Rule& rule,
                                                    const std::vector<bool>& known) const {
    const std::string& name = described_.program.op(id).name;
    std::vector<std::vector<std::string>> matches;
    std::vector<std::string> alike;
    for (const std::string& glob : general_globs(name)) {
      const std::vector<ValueId> values =
          matching_values(described_.program, glob, described_.in_shard[at(id)]);
      std::vector<ValueId> fitting;
      std::copy_if(values.begin(), values.end(), std::back_inserter(fitting), [&](ValueId other) {
        return !known[at(other)] && dims_of_same(other, id, with_batch, rule);
      });
      if (fitting.size() == values.size()) matches.push_back({glob});
      alike.clear();
      for (const ValueId other : fitting) alike.push_back(described_.alone(other));
    }
    if (alike.size() > 1) matches.push_back(alike);
    matches.push_back({described_.alone(id)});
    return matches;
  }

  bool dims_of_same(ValueId other, ValueId id, bool with_batch, const Rule& rule) const {
    const std::optional<Axes> axes = axes_of(other, with_batch);
    return axes && axes == axes_of(id, with_batch) && dims_of(other, *axes) == rule.dims;
  }

  /// `rule` where its values stand in the program.
  StrategyFile with(StrategyFile file, const Rule& rule, bool in_shard) const {
    auto& rules = in_shard ? file.shard : file.values;
    const auto first = [&](const Rule& r) {
      return matching_values(described_.program, r.match.front(), in_shard).front();
    };
    const auto place = std::find_if(rules.begin(), rules.end(),
                                    [&](const Rule& other) { return first(other) > first(rule); });
    rules.insert(place, rule);
    return file;
  }

  const DescribedStrategy& described_;
  StrategyFile& file_;
};

}  // namespace

DescribedStrategy::DescribedStrategy(const Program& of, const Strategy& told)
    : program(of),
      strategy(told),
      in_shard(of.ops.size()),
      is_parameter(of.ops.size()),
      completer_(of) {
  for (const Input& input : program.inputs) {
    in_shard[at(input.value)] = input.kind != InputKind::optimizer_state;
    is_parameter[at(input.value)] = input.kind == InputKind::parameter;
  }
}

std::optional<Strategy> DescribedStrategy::completed(const StrategyFile& file) const {
  num_completed_ += program.size();
  try {
    return completer_.complete(
        draft_of(file, program, strategy.chunks, strategy.num_micro_batches));
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<ValueId> DescribedStrategy::wrong_values(const StrategyFile& file) const {
  const std::optional<Strategy> made = completed(file);
  std::vector<ValueId> wrong;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (!made || made->specs[at(id)] != strategy.specs[at(id)]) wrong.push_back(id);
  }
  return wrong;
}

std::string DescribedStrategy::alone(ValueId id) const {
  const std::string glob = escaped_glob(program.op(id).name);
  const bool unique = !glob.empty() && !glob.starts_with("%") &&
                      matching_values(program, glob, in_shard[at(id)]).size() == 1;
  return unique ? glob : "%" + std::to_string(id);
}

AxisId batch_axis(const StrategyFile& file) {
  for (std::size_t a = 0; a < file.axes.size(); ++a) {
    if (file.axes[a].name == file.batch) return static_cast<AxisId>(a);
  }
  return kMicroAxis;
}

std::vector<ValueId> find_rules(const DescribedStrategy& described, StrategyFile& file) {
  return RuleFinder(described, file).run();
}

}  // namespace rhino::config
