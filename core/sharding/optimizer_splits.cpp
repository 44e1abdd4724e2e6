// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::sharding {
namespace {

// Lays out optimizer states and updates after their parameters, then splits them by zero_stage.
class OptimizerSplitter {
 public:
  OptimizerSplitter(Assignment& assignment, const StrategyDraft& draft,
                    const std::vector<bool>& annotated)
      : assignment_(assignment),
        graph_(assignment.graph()),
        inputs_(graph_.program().inputs),
        draft_(draft),
        annotated_(annotated),
        is_updated_(at(graph_.size())) {
    // Gradients are outputs of updates, too, where a scale comes behind their sum: they are cut as
    // what reads them.
    for (const Output& output : graph_.program().outputs) {
      if (output.kind != OutputKind::gradient && is_update(output.value))
        is_updated_[at(output.value)] = true;
    }
  }

  void run() {
    for (AxisId axis = 0; axis + 1 < assignment_.num_axes(); ++axis) follow_parameters(axis);
    if (draft_.zero_stage > 0 && draft_.batch_axis >= 0) split_states();
  }

 private:
  bool is_update(ValueId id) const {
    const Input* input = graph_.input(id);
    return graph_.op(id).phase == Phase::update ||
           (input && input->kind == InputKind::optimizer_state);
  }

  bool is_parameter(ValueId id) const {
    const Input* input = graph_.input(id);
    return input && input->kind == InputKind::parameter;
  }

  // States and updated values are cut as the parameter is; updates between them follow, and
  // gradients where the axis is still free.
  void follow_parameters(AxisId axis) {
    std::vector<ValueId> seeds;
    for (const Input& input : inputs_) {
      if (input.kind == InputKind::parameter && assignment_.find(input.value, axis)) {
        seeds.push_back(input.value);
      }
      if (input.kind == InputKind::optimizer_state && input.state_of >= 0) {
        if (!annotated_[at(input.value)]) {
          copy_split(inputs_[at(input.state_of)].value, input.value, axis);
        }
        seeds.push_back(input.value);
      }
    }
    for (const Output& output : graph_.program().outputs) {
      if (output.kind != OutputKind::updated_state || !is_update(output.value)) continue;
      assignment_.remove(output.value, axis);
      copy_split(inputs_[at(output.input)].value, output.value, axis);
      seeds.push_back(output.value);
    }
    for (const Output& output : graph_.program().outputs) {
      if (output.kind == OutputKind::gradient) seeds.push_back(output.value);
    }
    std::vector<bool> open(at(graph_.size()));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      open[at(id)] =
          graph_.op(id).phase != Phase::forward && !annotated_[at(id)] && !is_kept_whole(id);
    }
    spread(assignment_, axis, seeds, open);
  }

  // Inputs, and what replaces them: cut by their own annotations or not at all.
  bool is_kept_whole(ValueId id) const { return graph_.input(id) != nullptr || is_updated(id); }

  bool is_updated(ValueId id) const { return is_updated_[at(id)]; }

  void copy_split(ValueId from, ValueId to, AxisId axis) {
    const FactorSplit* split = assignment_.find(from, axis);
    if (!split || assignment_.find(to, axis)) return;
    if (graph_.shape(from).dims != graph_.shape(to).dims) return;
    const auto place = assignment_.in_result(from, *split);
    const auto copy = assignment_.from_result(to, *place);
    if (copy) assignment_.try_add(to, *copy);
  }

  // ZeRO: states and the gradients that updates read (1, 2) and parameters (3) are split over the
  // batch axis along their first dim that divides.
  void split_states() {
    std::vector<ValueId> seeds;
    for (const Input& input : inputs_) {
      const bool is_state = input.kind == InputKind::optimizer_state && input.state_of >= 0;
      const bool is_split_parameter = input.kind == InputKind::parameter && draft_.zero_stage >= 3;
      if ((is_state || is_split_parameter) && split_first_dim(input.value)) {
        seeds.push_back(input.value);
      }
    }
    split_outputs(seeds);
    std::vector<bool> open(at(graph_.size()));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      open[at(id)] = graph_.op(id).phase == Phase::update && (!is_updated(id) || narrows(id));
    }
    spread(assignment_, draft_.batch_axis, seeds, open);
    spread(assignment_, draft_.batch_axis, cut_alike(open), open);
  }

  // A parameter that is rounded from its master is gathered behind that: its bytes are fewer.
  bool narrows(ValueId id) const {
    const Op& op = graph_.op(id);
    return op.kind == OpKind::convert &&
           num_bytes(op.shape) < num_bytes(graph_.shape(op.operands[0]));
  }

  // Ops that read a gradient take it as the others do that read it: once for all.
  std::vector<ValueId> cut_alike(const std::vector<bool>& open) {
    std::vector<ValueId> cut;
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (!open[at(id)] || assignment_.find(id, draft_.batch_axis) || !reads_gradient(id)) continue;
      for (std::size_t i = 0; i < graph_.op(id).operands.size(); ++i) {
        const ValueId operand = graph_.op(id).operands[i];
        const auto place = is_gradient(operand) ? cut_of_reader(operand) : std::nullopt;
        const auto split = place ? assignment_.from_operand(id, i, *place) : std::nullopt;
        if (split && assignment_.try_add(id, *split)) cut.push_back(id);
      }
    }
    return cut;
  }

  // How some op reads a part of `value` along the batch axis.
  std::optional<DimSplit> cut_of_reader(ValueId value) const {
    for (const Use& use : graph_.uses(value)) {
      const FactorSplit* split = assignment_.find(use.user, draft_.batch_axis);
      if (split && graph_.op(use.user).phase == Phase::update) {
        return assignment_.in_operand(use.user, static_cast<std::size_t>(use.operand), *split);
      }
    }
    return std::nullopt;
  }

  bool split_first_dim(ValueId id) {
    if (annotated_[at(id)] && !is_parameter(id)) return false;
    if (assignment_.find(id, draft_.batch_axis)) return false;
    const TensorFactors& dims = graph_.rule(id).result;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const DimSplit split{d, {draft_.batch_axis, assignment_.block(id, dims, d)}};
      const auto place = assignment_.from_result(id, split);
      if (place && assignment_.try_add(id, *place)) return true;
    }
    return false;
  }

  void split_outputs(std::vector<ValueId>& seeds) {
    for (const Output& output : graph_.program().outputs) {
      if (output.kind != OutputKind::updated_state || !is_update(output.value)) continue;
      copy_split(inputs_[at(output.input)].value, output.value, draft_.batch_axis);
      seeds.push_back(output.value);
    }
  }

  bool is_gradient(ValueId id) const {
    return !graph_.input(id) && !graph_.is_pure(id) && !is_update(id);
  }

  bool reads_gradient(ValueId id) const {
    return std::ranges::any_of(graph_.op(id).operands,
                               [&](ValueId operand) { return is_gradient(operand); });
  }

  Assignment& assignment_;
  const OpGraph& graph_;
  const std::vector<Input>& inputs_;
  const StrategyDraft& draft_;
  const std::vector<bool>& annotated_;
  std::vector<bool> is_updated_;
};

}  // namespace

void split_optimizer(Assignment& assignment, const StrategyDraft& draft,
                     const std::vector<bool>& annotated) {
  OptimizerSplitter(assignment, draft, annotated).run();
}

}  // namespace rhino::sharding
