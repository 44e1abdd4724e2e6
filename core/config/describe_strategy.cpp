// SPDX-License-Identifier: Apache-2.0
#include "config/describe_strategy.hpp"

#include <algorithm>
#include <optional>

#include "config/exact_values.hpp"
#include "config/strategy_rules.hpp"
#include "config/value_pattern.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/rule.hpp"

namespace rhino::config {
namespace {

/// Writes down sizes, chunks and segments, and finds rules for the rest.
class Describer {
 public:
  Describer(const Program& program, const Strategy& strategy)
      : program_(program), strategy_(strategy), described_(program, strategy) {}

  StrategyFile run() {
    describe_mesh();
    describe_chunks();
    describe_segments();
    const StrategyFile sizes = file_;
    std::size_t least_wrong = program_.ops.size() + 1;
    StrategyFile best;
    for (const std::int32_t zero_stage : zero_stages()) {
      file_ = sizes;
      file_.zero_stage = zero_stage;
      const std::size_t num_wrong = find_rules(described_, file_).size();
      if (num_wrong < least_wrong) least_wrong = num_wrong, best = file_;
      if (num_wrong == 0) break;
    }
    file_ = std::move(best);
    describe_rest(sizes);
    return std::move(file_);
  }

 private:
  /// What no pattern says, value by value; `sizes` alone where patterns contradict each other.
  void describe_rest(const StrategyFile& sizes) {
    std::optional<Strategy> made = described_.completed(file_);
    if (!made) file_ = sizes, made = described_.completed(file_);
    if (!made)
      throw Error("strategy '" + strategy_.name +
                  "' cannot be written as a file: its chunks and sizes complete to none");
    add_exact(program_, *made, strategy_, file_);
  }

  const Mesh& mesh() const { return strategy_.chunks.front().mesh; }

  void describe_mesh() {
    file_.name = strategy_.name;
    file_.axes = mesh().axes;
    file_.micro_batches = strategy_.num_micro_batches;
    file_.gradient_sums = strategy_.gradient_sums;
    std::vector<Mesh> meshes;
    std::vector<bool> recompute;
    for (const Chunk& chunk : strategy_.chunks) {
      const bool has_axes = std::equal(
          chunk.mesh.axes.begin(), chunk.mesh.axes.end(), file_.axes.begin(), file_.axes.end(),
          [](const MeshAxis& a, const MeshAxis& b) { return a.name == b.name; });
      if (!has_axes) {
        throw Error("strategy '" + strategy_.name +
                    "' cannot be written as a file: its meshes differ in their axes");
      }
      if (std::find(meshes.begin(), meshes.end(), chunk.mesh) == meshes.end())
        meshes.push_back(chunk.mesh);
      recompute.push_back(chunk.recompute);
    }
    file_.num_stages = static_cast<std::int32_t>(meshes.size());
    describe_sizes(meshes);
    const bool alike = std::equal(recompute.begin() + 1, recompute.end(), recompute.begin());
    file_.recompute = alike ? std::vector<bool>{recompute.front()} : recompute;
    describe_batch();
  }

  void describe_sizes(const std::vector<Mesh>& meshes) {
    const auto is_like = [&](const Mesh& mesh) { return mesh.axes == file_.axes; };
    if (std::all_of(meshes.begin(), meshes.end(), is_like)) return;
    for (const Mesh& mesh : meshes) {
      std::vector<std::int64_t>& sizes = file_.own_sizes.emplace_back();
      for (const MeshAxis& axis : mesh.axes) sizes.push_back(axis.size);
    }
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

  void describe_chunks() {
    const std::optional<Strategy> equal_work = described_.completed(file_);
    if (equal_work && equal_work->chunk_of == strategy_.chunk_of) return;
    write_runs(strategy_.chunk_of);
    if (described_.completed(file_)) return;
    // Chunks that no order of the ops explains, value by value, beside some that do.
    write_runs(equal_work ? equal_work->chunk_of : running_chunks());
  }

  /// Per value the last chunk of all up to it.
  std::vector<std::int32_t> running_chunks() const {
    std::vector<std::int32_t> chunks = strategy_.chunk_of;
    for (std::size_t id = 1; id < chunks.size(); ++id)
      chunks[id] = std::max(chunks[id], chunks[id - 1]);
    return chunks;
  }

  /// Runs of forward ops of one chunk, each named by its last value.
  void write_runs(const std::vector<std::int32_t>& chunk_of) {
    file_.chunks.clear();
    ValueId last = kNoValue;
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      const std::int32_t chunk = chunk_of[at(id)];
      if (op.phase != Phase::forward || op.operands.empty() || chunk < 0) continue;
      if (last != kNoValue && chunk_of[at(last)] != chunk)
        file_.chunks.emplace_back(own_name(last), chunk_of[at(last)]);
      last = id;
    }
    const auto num_chunks = static_cast<std::int32_t>(strategy_.chunks.size());
    if (last != kNoValue && chunk_of[at(last)] != num_chunks - 1)
      file_.chunks.emplace_back(own_name(last), chunk_of[at(last)]);
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
      patterns.push_back(described_.alone(id));
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
    const AxisId batch = batch_axis(file_);
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
      const std::optional<Strategy> plain = described_.completed(file);
      if (!plain) continue;
      num_other[at(file.zero_stage)] = 0;
      for (std::size_t id = 0; id < program_.ops.size(); ++id)
        num_other[at(file.zero_stage)] +=
            is_split(plain->specs[id]) != is_split(strategy_.specs[id]);
    }
    const auto stages_of = [](bool scatters_each) {
      return scatters_each ? std::vector<std::int32_t>{2, 3} : std::vector<std::int32_t>{0, 1};
    };
    std::vector<std::int32_t> stages = stages_of(strategy_.gradient_sums.scatter_each);
    std::stable_sort(stages.begin(), stages.end(), [&](std::int32_t a, std::int32_t b) {
      return num_other[at(a)] < num_other[at(b)];
    });
    return stages;
  }

  const Program& program_;
  const Strategy& strategy_;
  const DescribedStrategy described_;
  StrategyFile file_;
};

}  // namespace

StrategyFile describe_strategy(const Program& program, const Strategy& strategy) {
  return Describer(program, strategy).run();
}

}  // namespace rhino::config
