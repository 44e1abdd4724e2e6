// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::sharding {
namespace {

class Annotator {
 public:
  Annotator(Assignment& assignment, const StrategyDraft& draft, const std::vector<bool>& annotated)
      : assignment_(assignment), graph_(assignment.graph()), draft_(draft), annotated_(annotated) {}

  void run() {
    if (draft_.batch_axis >= 0) {
      std::vector<ValueId> seeds = annotate(draft_.batch_axis);
      cut_batch(seeds);
      spread(assignment_, draft_.batch_axis, seeds, open_to(draft_.batch_axis));
    }
    std::vector<std::vector<ValueId>> seeds(at(assignment_.num_axes()));
    for (AxisId axis = 0; axis + 1 < assignment_.num_axes(); ++axis) {
      if (axis != draft_.batch_axis) seeds[at(axis)] = annotate(axis);
    }
    for (AxisId axis = 0; axis + 1 < assignment_.num_axes(); ++axis) {
      if (axis != draft_.batch_axis) spread(assignment_, axis, seeds[at(axis)], open_to(axis));
    }
  }

 private:
  void cut_batch(std::vector<ValueId>& seeds) {
    for (const Input& input : graph_.program().inputs) {
      if (input.kind != InputKind::batch || assignment_.find(input.value, draft_.batch_axis)) {
        continue;
      }
      const TensorFactors& dims = graph_.rule(input.value).result;
      if (dims.empty()) continue;
      const DimSplit split{0, {draft_.batch_axis, assignment_.block(input.value, dims, 0)}};
      const auto place = assignment_.from_result(input.value, split);
      if (place && assignment_.try_add(input.value, *place)) seeds.push_back(input.value);
    }
  }

  // Update ops and states follow their parameters later; annotated values take no axis but theirs.
  std::vector<bool> open_to(AxisId axis) const {
    std::vector<bool> open(at(graph_.size()));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const Input* input = graph_.input(id);
      const bool is_state = input && input->kind == InputKind::optimizer_state;
      open[at(id)] = graph_.op(id).phase != Phase::update && !is_state &&
                     (!annotated_[at(id)] || axis == draft_.batch_axis);
    }
    return open;
  }

  // Assigns `axis` where annotations name it; returns the values.
  std::vector<ValueId> annotate(AxisId axis) {
    std::vector<ValueId> seeds;
    for (const Annotation& annotation : draft_.annotations) {
      for (std::size_t d = 0; d < annotation.dims.size(); ++d) {
        const auto& axes = annotation.dims[d];
        const auto place = std::find(axes.begin(), axes.end(), axis);
        if (place == axes.end() || assignment_.parts(annotation.value, axis) == 1) continue;
        cut(annotation, d, static_cast<std::size_t>(place - axes.begin()));
        seeds.push_back(annotation.value);
      }
    }
    return seeds;
  }

  void cut(const Annotation& annotation, std::size_t d, std::size_t position) {
    const AxisId axis = annotation.dims[d][position];
    const std::int64_t period = block_left(annotation, d, position);
    const DimSplit split{d, {axis, period}};
    const auto place = period > 0 ? assignment_.from_result(annotation.value, split) : std::nullopt;
    if (place && assignment_.try_add(annotation.value, *place)) return;
    const Mesh& mesh = assignment_.mesh(annotation.value);
    const std::optional<std::size_t> other = other_dim(annotation, d, axis);
    throw Error(graph_.text(annotation.value) + ": dim " + std::to_string(d) + " of " +
                to_string(graph_.shape(annotation.value)) + " cannot be split over axis '" +
                mesh.axes[at(axis)].name +
                (other ? "', which splits dim " + std::to_string(*other)
                       : "' of " + std::to_string(assignment_.parts(annotation.value, axis))));
  }

  /// Another dim than `d` that is to be split over the axis.
  static std::optional<std::size_t> other_dim(const Annotation& annotation, std::size_t d,
                                              AxisId axis) {
    for (std::size_t other = 0; other < annotation.dims.size(); ++other)
      if (other != d && contains(annotation.dims[other], axis)) return other;
    return std::nullopt;
  }

  // Elements that splits which propagation brought and the axes named before this one leave; 0:
  // they do not divide the dim.
  std::int64_t block_left(const Annotation& annotation, std::size_t d, std::size_t position) const {
    const auto& axes = annotation.dims[d];
    std::int64_t block = graph_.shape(annotation.value).dims[d];
    for (const FactorSplit& split : assignment_.splits(annotation.value)) {
      const auto place = assignment_.in_result(annotation.value, split);
      if (!place || place->dim != d) continue;
      if (std::find(axes.begin(), axes.end(), split.axis) != axes.end()) continue;
      block =
          std::min(block, place->split.period / assignment_.parts(annotation.value, split.axis));
    }
    for (std::size_t i = 0; i < position; ++i) {
      const std::int64_t parts = assignment_.parts(annotation.value, axes[i]);
      if (block % parts != 0) return 0;
      block /= parts;
    }
    return block;
  }

  Assignment& assignment_;
  const OpGraph& graph_;
  const StrategyDraft& draft_;
  const std::vector<bool>& annotated_;
};

}  // namespace

void split_by_annotations(Assignment& assignment, const StrategyDraft& draft,
                          const std::vector<bool>& annotated) {
  Annotator(assignment, draft, annotated).run();
}

}  // namespace rhino::sharding
