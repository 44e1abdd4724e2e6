// SPDX-License-Identifier: Apache-2.0
#include "config/describe_strategy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "config/value_pattern.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::config {
namespace {

using Rule = StrategyFile::Rule;
using Axes = std::vector<std::vector<AxisId>>;  ///< per dim, as in Annotation

// Rules that are tried in vain before a strategy is given up.
constexpr int kMaxTries = 300;

/// Finds rules that complete to a strategy: adds the one that sets most right as long as something
/// is wrong, then drops those that the others imply.
class Describer {
 public:
  Describer(const Program& program, const Strategy& strategy)
      : program_(program),
        strategy_(strategy),
        completer_(program),
        in_shard_(program.ops.size()),
        is_parameter_(program.ops.size()) {
    for (const Input& input : program.inputs) {
      in_shard_[at(input.value)] = input.kind != InputKind::optimizer_state;
      is_parameter_[at(input.value)] = input.kind == InputKind::parameter;
    }
  }

  StrategyFile run() {
    describe_mesh();
    describe_chunks();
    describe_segments();
    const StrategyFile sizes = file_;
    std::vector<ValueId> wrong;
    for (const std::int32_t zero_stage : zero_stages()) {
      file_ = sizes;
      file_.zero_stage = zero_stage;
      wrong = find_rules();
      if (wrong.empty()) return std::move(file_);
    }
    fail(wrong.front(), "lies as no pattern over names and dims can say");
  }

 private:
  [[noreturn]] void fail(ValueId id, const std::string& what) const {
    throw Error("strategy '" + strategy_.name + "' cannot be written as a file: value " +
                std::to_string(id) + " '" + program_.op(id).name + "' " +
                to_string(program_.op(id).shape) + " " + what);
  }

  const Mesh& mesh() const { return strategy_.chunks.front().mesh; }

  void describe_mesh() {
    file_.name = strategy_.name;
    file_.axes = mesh().axes;
    file_.micro_batches = strategy_.num_micro_batches;
    std::vector<Mesh> meshes;
    std::vector<bool> recompute;
    for (const Chunk& chunk : strategy_.chunks) {
      if (chunk.mesh.axes != file_.axes) {
        throw Error("strategy '" + strategy_.name +
                    "' cannot be written as a file: its meshes differ in their axes");
      }
      if (std::find(meshes.begin(), meshes.end(), chunk.mesh) == meshes.end())
        meshes.push_back(chunk.mesh);
      recompute.push_back(chunk.recompute);
    }
    file_.num_stages = static_cast<std::int32_t>(meshes.size());
    const bool alike = std::equal(recompute.begin() + 1, recompute.end(), recompute.begin());
    file_.recompute = alike ? std::vector<bool>{recompute.front()} : recompute;
    describe_batch();
  }

  /// The axis that splits a batch input along its batch dim; "data" where none does.
  void describe_batch() {
    for (const Input& input : program_.inputs) {
      if (input.kind != InputKind::batch || program_.op(input.value).shape.dims.empty()) continue;
      for (const AxisSplit& split : strategy_.specs[at(input.value)].dims[0].splits) {
        if (split.axis == kMicroAxis) continue;
        file_.batch = mesh().axes[at(split.axis)].name;
        return;
      }
    }
    const bool unused = std::any_of(
        file_.axes.begin(), file_.axes.end(),
        [&](const MeshAxis& axis) { return axis.name == file_.batch && axis.size > 1; });
    if (unused) file_.batch = "none";
  }

  AxisId batch_axis() const {
    for (std::size_t a = 0; a < file_.axes.size(); ++a) {
      if (file_.axes[a].name == file_.batch) return static_cast<AxisId>(a);
    }
    return kMicroAxis;
  }

  std::optional<Strategy> completed(const StrategyFile& file) const {
    try {
      return completer_.complete(
          draft_of(file, program_, strategy_.chunks, strategy_.num_micro_batches));
    } catch (const Error&) {
      return std::nullopt;  // rules that contradict each other
    }
  }

  void describe_chunks() {
    const std::optional<Strategy> equal_work = completed(file_);
    if (equal_work && equal_work->chunk_of == strategy_.chunk_of) return;
    const ValueId last = write_runs();
    const std::optional<Strategy> given = completed(file_);
    if (!given) fail(last, "and others are in chunks that no order of the ops explains");
    const auto differs =
        std::mismatch(given->chunk_of.begin(), given->chunk_of.end(), strategy_.chunk_of.begin());
    if (differs.first == given->chunk_of.end()) return;
    fail(static_cast<ValueId>(differs.first - given->chunk_of.begin()),
         "is in chunk " + std::to_string(*differs.second) + ", and its readers ask for " +
             std::to_string(*differs.first));
  }

  /// Runs of forward ops of one chunk, each named by its last value. Returns the last op of all.
  ValueId write_runs() {
    ValueId last = kNoValue;
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      const std::int32_t chunk = strategy_.chunk_of[at(id)];
      if (op.phase != Phase::forward || op.operands.empty() || chunk < 0) continue;
      if (last != kNoValue && strategy_.chunk_of[at(last)] != chunk)
        file_.chunks.emplace_back(own_name(last), strategy_.chunk_of[at(last)]);
      last = id;
    }
    const auto num_chunks = static_cast<std::int32_t>(strategy_.chunks.size());
    if (last != kNoValue && strategy_.chunk_of[at(last)] != num_chunks - 1)
      file_.chunks.emplace_back(own_name(last), strategy_.chunk_of[at(last)]);
    return last;
  }

  /// By the kept values around them where that says it, else one by one.
  void describe_segments() {
    if (strategy_.recompute.empty()) return;
    std::vector<bool> recomputed(program_.ops.size()), enters(recomputed), leaves(recomputed);
    for (const ValueId id : strategy_.recompute) recomputed[at(id)] = true;
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      if (op.phase != Phase::forward || op.operands.empty()) continue;
      for (const ValueId operand : op.operands) {
        if (recomputed[at(id)] && !recomputed[at(operand)])
          enters[at(operand)] = !program_.op(operand).operands.empty();
        if (!recomputed[at(id)] && recomputed[at(operand)]) leaves[at(id)] = true;
      }
    }
    file_.segments = {{.from = patterns_of(enters), .to = patterns_of(leaves)}};
    if (file_.segments.front().from.empty() || file_.segments.front().to.empty() ||
        recomputed_values(file_, program_) != strategy_.recompute)
      file_.segments = {{.values = patterns_of(recomputed)}};
  }

  /// Patterns that match these forward values and no other.
  std::vector<std::string> patterns_of(std::vector<bool> values) const {
    const std::vector<bool> all = values;
    std::vector<std::string> patterns;
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!values[at(id)]) continue;
      patterns.push_back(alone(id));
      for (const std::string& glob : general_globs(program_.op(id).name)) {
        const std::vector<ValueId> like = matching_values(program_, glob, false);
        const bool fits = std::all_of(like.begin(), like.end(), [&](ValueId other) {
          return all[at(other)] || program_.op(other).phase != Phase::forward;
        });
        if (!fits) continue;
        patterns.back() = glob;
        for (const ValueId other : like) values[at(other)] = false;
        break;
      }
      values[at(id)] = false;
    }
    return patterns;
  }

  std::string own_name(ValueId id) const {
    const std::string& name = program_.op(id).name;
    const auto same = std::count_if(program_.ops.begin(), program_.ops.end(),
                                    [&](const Op& op) { return op.name == name; });
    return name.empty() || same > 1 ? "%" + std::to_string(id) : name;
  }

  /// Stages of ZeRO, first the one that splits the most like values over the batch's axis.
  std::vector<std::int32_t> zero_stages() const {
    const AxisId batch = batch_axis();
    if (batch < 0) return {0};
    const auto is_split = [&](const ShardingSpec& spec) {
      return std::any_of(spec.dims.begin(), spec.dims.end(), [&](const DimSharding& dim) {
        return std::any_of(dim.splits.begin(), dim.splits.end(),
                           [&](const AxisSplit& split) { return split.axis == batch; });
      });
    };
    std::vector<std::size_t> num_other(4, program_.ops.size() + 1);
    StrategyFile file = file_;
    for (file.zero_stage = 0; file.zero_stage < 4; ++file.zero_stage) {
      const std::optional<Strategy> plain = completed(file);
      if (!plain) continue;
      num_other[at(file.zero_stage)] = 0;
      for (std::size_t id = 0; id < program_.ops.size(); ++id)
        num_other[at(file.zero_stage)] +=
            is_split(plain->specs[id]) != is_split(strategy_.specs[id]);
    }
    std::vector<std::int32_t> stages{0, 1, 2, 3};
    std::stable_sort(stages.begin(), stages.end(), [&](std::int32_t a, std::int32_t b) {
      return num_other[at(a)] < num_other[at(b)];
    });
    return stages;
  }

  /// Values that the file does not complete to their spec; all where it cannot be completed.
  std::vector<ValueId> wrong_values(const StrategyFile& file) const {
    const std::optional<Strategy> made = completed(file);
    std::vector<ValueId> wrong;
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!made || made->specs[at(id)] != strategy_.specs[at(id)]) wrong.push_back(id);
    }
    return wrong;
  }

  /// What rules begin with: nothing, or, where that leads astray, what is split of the parameters,
  /// as searchers do, all inputs, or all forward values.
  enum class Breadth { nothing, parameters, inputs, forward };

  /// Returns what is still wrong when no rule helps any more.
  std::vector<ValueId> find_rules() {
    const StrategyFile bare = file_;
    std::vector<ValueId> wrong;
    for (const Breadth breadth :
         {Breadth::nothing, Breadth::parameters, Breadth::inputs, Breadth::forward}) {
      file_ = bare;
      annotate(breadth);
      wrong = wrong_values(file_);
      while (!wrong.empty() && (add_rule(wrong) || take_back_rule(wrong))) {
      }
      if (!wrong.empty()) continue;
      for (auto* rules : {&file_.values, &file_.shard}) drop_rules(*rules, 0, rules->size());
      break;
    }
    return wrong;
  }

  void annotate(Breadth breadth) {
    std::vector<bool> known(program_.ops.size());
    for (ValueId id = 0; id < program_.size() && breadth != Breadth::nothing; ++id) {
      const bool wanted = breadth == Breadth::parameters
                              ? is_parameter_[at(id)]
                              : in_shard_[at(id)] || (breadth == Breadth::forward &&
                                                      program_.op(id).phase == Phase::forward);
      if (!wanted || known[at(id)]) continue;
      const std::vector<Rule> rules = rules_for(id, known);
      if (rules.empty() || (breadth == Breadth::parameters && rules.front().dims.empty())) continue;
      (in_shard_[at(id)] ? file_.shard : file_.values).push_back(rules.front());
      mark(rules.front(), in_shard_[at(id)], known);
    }
  }

  /// Adds the first rule, by preference of its value, that leaves fewer values wrong.
  bool add_rule(std::vector<ValueId>& wrong) {
    std::vector<bool> tried = annotated(file_);
    int tries = 0;
    for (const ValueId id : by_preference(wrong)) {
      if (tried[at(id)]) continue;
      for (const Rule& rule : rules_for(id, tried)) {
        if (++tries > kMaxTries) return false;
        StrategyFile longer = with(file_, rule, in_shard_[at(id)]);
        std::vector<ValueId> left = wrong_values(longer);
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
        StrategyFile shorter = file_;
        (shorter.*rules).erase((shorter.*rules).begin() + static_cast<std::ptrdiff_t>(i));
        std::vector<ValueId> left = wrong_values(shorter);
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
    if (wrong_values(file_).empty()) return;
    rules = all;
    if (end - begin == 1) return;
    const std::size_t middle = begin + (end - begin) / 2;
    drop_rules(rules, middle, end);  // later rules first: those before keep their numbers
    drop_rules(rules, begin, middle);
  }

  void mark(const Rule& rule, bool in_shard, std::vector<bool>& known) const {
    for (const std::string& glob : rule.match) {
      for (const ValueId id : matching_values(program_, glob, in_shard)) known[at(id)] = true;
    }
  }

  std::vector<bool> annotated(const StrategyFile& file) const {
    std::vector<bool> known(program_.ops.size());
    for (const Rule& rule : file.shard) mark(rule, true, known);
    for (const Rule& rule : file.values) mark(rule, false, known);
    return known;
  }

  /// Inputs before other values, those that are split before whole ones, large ones first; then in
  /// program order, forward first.
  std::vector<ValueId> by_preference(std::vector<ValueId> values) const {
    const auto rank = [&](ValueId id) {
      const Op& op = program_.op(id);
      if (!in_shard_[at(id)]) return std::tuple(1, static_cast<int>(op.phase), std::int64_t{0});
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
    const ShardingSpec& spec = strategy_.specs[at(id)];
    Axes axes(spec.dims.size());
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      std::int64_t block = program_.op(id).shape.dims[d];
      for (const AxisSplit& split : spec.dims[d].splits) {
        if (split.period != block) return std::nullopt;
        block /= split.axis == kMicroAxis ? strategy_.num_micro_batches
                                          : mesh().axes[at(split.axis)].size;
        if (split.axis != kMicroAxis && (with_batch || split.axis != batch_axis()))
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
    const auto input = std::find_if(program_.inputs.begin(), program_.inputs.end(),
                                    [&](const Input& other) { return other.value == id; });
    std::map<std::string, std::vector<std::string>> dims;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      if (axes[d].empty()) continue;
      const bool named = input != program_.inputs.end() && d < input->dim_names.size() &&
                         dim_number(program_, id, input->dim_names[d]) == static_cast<int>(d);
      auto& names = dims[named ? input->dim_names[d] : std::to_string(d)];
      for (const AxisId axis : axes[d]) names.push_back(file_.axes[at(axis)].name);
    }
    return dims;
  }

  std::vector<std::vector<std::string>> matches_for(ValueId id, bool with_batch, const Rule& rule,
                                                    const std::vector<bool>& known) const {
    const std::string& name = program_.op(id).name;
    std::vector<std::vector<std::string>> matches;
    std::vector<std::string> alike;
    for (const std::string& glob : general_globs(name)) {
      const std::vector<ValueId> values = matching_values(program_, glob, in_shard_[at(id)]);
      std::vector<ValueId> fitting;
      std::copy_if(values.begin(), values.end(), std::back_inserter(fitting), [&](ValueId other) {
        return !known[at(other)] && dims_of_same(other, id, with_batch, rule);
      });
      if (fitting.size() == values.size()) matches.push_back({glob});
      alike.clear();
      for (const ValueId other : fitting) alike.push_back(alone(other));
    }
    if (alike.size() > 1) matches.push_back(alike);
    matches.push_back({alone(id)});
    return matches;
  }

  bool dims_of_same(ValueId other, ValueId id, bool with_batch, const Rule& rule) const {
    const std::optional<Axes> axes = axes_of(other, with_batch);
    return axes && axes == axes_of(id, with_batch) && dims_of(other, *axes) == rule.dims;
  }

  /// The pattern that matches this value and no other.
  std::string alone(ValueId id) const {
    const std::string glob = escaped_glob(program_.op(id).name);
    const bool unique = !glob.empty() && !glob.starts_with("%") &&
                        matching_values(program_, glob, in_shard_[at(id)]).size() == 1;
    return unique ? glob : "%" + std::to_string(id);
  }

  /// `rule` where its values stand in the program.
  StrategyFile with(StrategyFile file, const Rule& rule, bool in_shard) const {
    auto& rules = in_shard ? file.shard : file.values;
    const auto first = [&](const Rule& r) {
      return matching_values(program_, r.match.front(), in_shard).front();
    };
    const auto place = std::find_if(rules.begin(), rules.end(),
                                    [&](const Rule& other) { return first(other) > first(rule); });
    rules.insert(place, rule);
    return file;
  }

  const Program& program_;
  const Strategy& strategy_;
  const sharding::Completer completer_;
  std::vector<bool> in_shard_, is_parameter_;  ///< per value
  StrategyFile file_;
};

}  // namespace

StrategyFile describe_strategy(const Program& program, const Strategy& strategy) {
  return Describer(program, strategy).run();
}

}  // namespace rhino::config
