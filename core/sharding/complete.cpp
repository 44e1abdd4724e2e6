// SPDX-License-Identifier: Apache-2.0
#include "sharding/complete.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/chunks.hpp"
#include "sharding/defer_scales.hpp"
#include "sharding/propagate.hpp"

namespace rhino::sharding {
namespace {

void check_axes(const OpGraph& graph, const StrategyDraft& draft) {
  if (draft.zero_stage < 0 || draft.zero_stage > 3) {
    throw Error("strategy '" + draft.name + "' has zero_stage " + std::to_string(draft.zero_stage) +
                "; there are 0, 1, 2 and 3");
  }
  if (draft.zero_stage > 0 && draft.batch_axis < 0) {
    throw Error("strategy '" + draft.name + "' has zero_stage " + std::to_string(draft.zero_stage) +
                " but no axis that splits the batch");
  }
  const auto num_axes = draft.chunks.front().mesh.axes.size();
  for (const Chunk& chunk : draft.chunks) {
    if (chunk.mesh.axes.size() != num_axes) {
      throw Error("the meshes of strategy '" + draft.name + "' differ in their axes");
    }
  }
  if (draft.batch_axis >= static_cast<AxisId>(num_axes)) {
    throw Error("strategy '" + draft.name + "' splits the batch over axis " +
                std::to_string(draft.batch_axis) + " of " + std::to_string(num_axes));
  }
  for (const Annotation& annotation : draft.annotations) {
    for (const auto& axes : annotation.dims) {
      for (AxisId axis : axes) {
        if (axis < 0 || axis >= static_cast<AxisId>(num_axes)) {
          throw Error("the annotation of " + graph.text(annotation.value) + " names axis " +
                      std::to_string(axis) + " of " + std::to_string(num_axes));
        }
      }
    }
  }
}

std::vector<bool> annotated_values(const OpGraph& graph, const StrategyDraft& draft) {
  std::vector<bool> annotated(at(graph.size()));
  for (const Annotation& annotation : draft.annotations) {
    if (annotation.value < 0 || annotation.value >= graph.size()) {
      throw Error("an annotation names value " + std::to_string(annotation.value) +
                  ", which program '" + graph.program().name + "' does not have");
    }
    if (annotation.dims.size() != graph.shape(annotation.value).dims.size()) {
      throw Error("the annotation of " + graph.text(annotation.value) + " has " +
                  std::to_string(annotation.dims.size()) + " dims; the value is " +
                  to_string(graph.shape(annotation.value)));
    }
    if (annotated[at(annotation.value)]) {
      throw Error(graph.text(annotation.value) + " is annotated twice");
    }
    annotated[at(annotation.value)] = true;
  }
  return annotated;
}

void check_batch(const OpGraph& graph, const StrategyDraft& draft, const Assignment& assignment) {
  for (const Input& input : graph.program().inputs) {
    const Shape& shape = graph.shape(input.value);
    if (input.kind != InputKind::batch || shape.dims.empty()) continue;
    const std::int64_t data =
        draft.batch_axis < 0 ? 1 : assignment.parts(input.value, draft.batch_axis);
    const std::int64_t batch = shape.dims[0];
    if (batch % (draft.num_micro_batches * data) != 0) {
      throw Error("global batch " + std::to_string(batch) + " does not divide into " +
                  micro_batches_text(draft.num_micro_batches) + " x " + std::to_string(data) +
                  " data-parallel parts");
    }
  }
}

/// Specs of results: ops of one class are mostly cut as the one before was.
class ResultSpecs {
 public:
  explicit ResultSpecs(const Assignment& assignment)
      : assignment_(assignment), last_(at(assignment.graph().num_classes())) {}

  /// Valid until the next call.
  const ShardingSpec& of(ValueId id, std::vector<LinearPass> linear) {
    const OpGraph& graph = assignment_.graph();
    Known& last = last_[at(graph.class_of(id))];
    const std::span<const FactorSplit> splits = assignment_.splits(id);
    const std::vector<std::int64_t>& parts = assignment_.parts(id);
    if (last.parts == parts && last.linear == linear && std::ranges::equal(last.splits, splits))
      return last.spec;
    OpSharding sharding = assignment_.sharding(id);
    sharding.linear = linear;
    last = {parts,
            {splits.begin(), splits.end()},
            std::move(linear),
            result_spec(graph.program(), id, graph.rule(id), sharding, assignment_.mesh(id),
                        parts.front())};
    return last.spec;
  }

 private:
  struct Known {
    std::vector<std::int64_t> parts = {};
    std::vector<FactorSplit> splits = {};
    std::vector<LinearPass> linear = {};
    ShardingSpec spec = {};
  };
  const Assignment& assignment_;
  std::vector<Known> last_;  ///< by class
};

}  // namespace

struct Completer::Impl {
  explicit Impl(const Program& program) : graph(program) {}

  const std::vector<std::int32_t>& cut(std::int32_t num_chunks) {
    auto& known = cuts[num_chunks];
    if (known.empty()) known = place_all(graph, cut_movable(graph, num_chunks));
    return known;
  }

  void cut_batch(Assignment& assignment) {
    try {
      split_micro_batches(assignment);
    } catch (const CouplesBatch& error) {
      if (!obstacle) obstacle = defer_scales(graph.program()).obstacle;
      if (obstacle->empty()) throw;
      throw Error(error.what() + (", and the scale cannot wait for it: " + *obstacle));
    }
  }

  OpGraph graph;
  std::optional<std::string> obstacle;  ///< of scales behind micro-batches, once it is asked for
  std::map<std::int32_t, std::vector<std::int32_t>> cuts;         ///< by number of chunks
  std::map<std::int64_t, std::vector<ShardingSpec>> uncut_specs;  ///< by number of micro-batches
};

Completer::Completer(const Program& program) : impl_(std::make_unique<Impl>(program)) {}
Completer::~Completer() = default;

const OpGraph& Completer::graph() const { return impl_->graph; }

Strategy Completer::complete(const StrategyDraft& draft) const {
  const OpGraph& graph = impl_->graph;
  if (draft.chunks.empty() || draft.num_micro_batches < 1) {
    throw Error("strategy '" + draft.name + "' has no chunks or no micro-batches");
  }
  const std::vector<bool> annotated = annotated_values(graph, draft);
  check_axes(graph, draft);
  // Then nothing but micro-batches cuts, on all meshes alike.
  const bool is_uncut = draft.annotations.empty() && draft.batch_axis < 0;
  Strategy strategy{.name = draft.name,
                    .num_micro_batches = draft.num_micro_batches,
                    .chunks = draft.chunks,
                    .chunk_of = draft.chunk_of.empty()
                                    ? impl_->cut(static_cast<std::int32_t>(draft.chunks.size()))
                                    : place_all(graph, given_chunks(graph, draft)),
                    .specs = {},
                    .recompute = draft.recompute,
                    .gradient_sums = draft.gradient_sums};
  strategy.gradient_sums.scatter_each = draft.zero_stage >= 2;
  std::sort(strategy.recompute.begin(), strategy.recompute.end());
  Assignment assignment(graph, strategy.chunk_of, strategy.chunks, draft.num_micro_batches);
  check_batch(graph, draft, assignment);
  std::vector<ShardingSpec>* const known =
      is_uncut ? &impl_->uncut_specs[draft.num_micro_batches] : nullptr;
  if (known != nullptr && !known->empty()) {
    strategy.specs = *known;
    return strategy;
  }
  impl_->cut_batch(assignment);
  split_by_annotations(assignment, draft, annotated);
  split_optimizer(assignment, draft, annotated);
  auto passes = pass_sums(assignment);
  strategy.specs.reserve(at(graph.size()));
  ResultSpecs specs(assignment);
  for (ValueId id = 0; id < graph.size(); ++id)
    strategy.specs.push_back(specs.of(id, std::move(passes[at(id)])));
  if (known != nullptr) *known = strategy.specs;
  return strategy;
}

bool is_recomputed(const Strategy& strategy, ValueId id) {
  return is_recomputed(strategy, strategy.chunk_of[at(id)], id);
}

bool is_recomputed(const Strategy& strategy, std::int32_t chunk, ValueId id) {
  return (chunk >= 0 && strategy.chunks[at(chunk)].recompute) ||
         std::binary_search(strategy.recompute.begin(), strategy.recompute.end(), id);
}

Strategy complete(const Program& program, const StrategyDraft& draft) {
  return Completer(program).complete(draft);
}

}  // namespace rhino::sharding
