// SPDX-License-Identifier: Apache-2.0
#include "ir/training_step.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "ir/update.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

[[noreturn]] void fail(const Program& program, const std::string& sentence) {
  throw Error("program '" + program.name + "': " + sentence);
}

ValueId loss_of(const Program& program) {
  ValueId loss = kNoValue;
  for (const Output& output : program.outputs) {
    if (output.kind != OutputKind::loss) continue;
    if (loss != kNoValue) fail(program, "has more than one loss output");
    loss = output.value;
  }
  if (loss == kNoValue) fail(program, "has no loss output");
  return loss;
}

std::vector<std::int32_t> parameters_of(const Program& program) {
  std::vector<std::int32_t> parameters;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    if (program.inputs[i].kind == InputKind::parameter) {
      parameters.push_back(static_cast<std::int32_t>(i));
    }
  }
  return parameters;
}

/// The input that holds the dynamic loss scale, -1: there is none.
std::int32_t add_scale(Program& program, const LossScale& scale) {
  if (scale.growth_interval == 0) return -1;
  Builder builder(std::move(program));
  const Initializer doubling{Initializer::Kind::doubling, scale.initial,
                             static_cast<double>(scale.growth_interval)};
  builder.input(InputKind::optimizer_state, {DType::f32, {}}, doubling, "loss_scale");
  program = builder.program();
  return static_cast<std::int32_t>(program.inputs.size()) - 1;
}

/// What the derivative begins with: the loss scale, in the dtype of the loss; kNoValue: one.
ValueId add_seed(Program& program, ValueId loss, const LossScale& scale, std::int32_t input) {
  if (!scale.is_on()) return kNoValue;
  const DType dtype = program.shape(loss).dtype;
  Builder builder(std::move(program));
  builder.set_phase(Phase::backward, loss);
  ValueId seed = input < 0 ? builder.constant(dtype, scale.initial)
                           : builder.program().inputs[at(input)].value;
  if (builder.shape(seed).dtype != dtype) seed = builder.convert(seed, dtype);
  program = builder.program();
  return seed;
}

/// Appends gradients and the outputs that tell them.
void differentiate(Program& program, ValueId loss, ValueId seed) {
  const std::vector<std::int32_t> parameters = parameters_of(program);
  std::vector<ValueId> values;
  for (std::int32_t input : parameters) values.push_back(program.inputs[at(input)].value);
  const std::vector<ValueId> gradients = append_gradients(program, loss, values, seed);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (gradients[i] == kNoValue) {
      fail(program, "parameter '" + program.op(values[i]).name + "' has no part in the loss");
    }
    program.outputs.push_back({gradients[i], OutputKind::gradient, parameters[i]});
  }
}

std::vector<UpdateTarget> gradients_of(const Program& program) {
  std::vector<UpdateTarget> targets;
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::gradient) targets.push_back({output.input, output.value});
  }
  return targets;
}

void name_gradients(Program& program) {
  for (const UpdateTarget& target : gradients_of(program)) {
    std::string& name = program.ops[at(target.gradient)].name;
    const Op& parameter = program.producer(program.inputs[at(target.input)].value);
    if (name.empty()) name = parameter.name + ".gradient";
  }
}

/// Copies the update phase of a step into a program of its own.
class UpdateExtraction {
 public:
  explicit UpdateExtraction(const Program& step)
      : step_(step),
        after_batch_(step.ops.size()),
        values_(step.ops.size(), kNoValue),
        inputs_(step.inputs.size(), -1) {
    result_.name = step.name + ".update";
    for (const Input& input : step.inputs)
      after_batch_[at(input.value)] = input.kind == InputKind::batch;
    for (ValueId id = 0; id < step.size(); ++id) {
      for (const ValueId operand : step.op(id).operands)
        if (after_batch_[at(operand)]) after_batch_[at(id)] = true;
    }
  }

  Program run() {
    copy_inputs();
    for (const UpdateTarget& target : gradients_of(step_)) add_gradient(target);
    const std::vector<bool> is_read = read_behind_gradients();
    for (ValueId id = 0; id < step_.size(); ++id) {
      const Op& op = step_.op(id);
      const bool is_missing = values_[at(id)] == kNoValue && is_read[at(id)];
      if (op.phase == Phase::update && op.kind != OpKind::parameter && is_missing) copy_op(id);
    }
    for (const Output& output : step_.outputs) {
      if (output.kind != OutputKind::updated_state) continue;
      result_.outputs.push_back({value(output.value), output.kind, inputs_[at(output.input)]});
    }
    return std::move(result_);
  }

 private:
  /// What updated states need; of gradients nothing, which may be made by ops of the update, too.
  std::vector<bool> read_behind_gradients() const {
    std::vector<bool> is_read(step_.ops.size());
    for (const Output& output : step_.outputs)
      if (output.kind == OutputKind::updated_state) is_read[at(output.value)] = true;
    for (ValueId id = step_.size() - 1; id >= 0; --id) {
      if (!is_read[at(id)] || values_[at(id)] != kNoValue) continue;
      for (const ValueId operand : step_.op(id).operands) is_read[at(operand)] = true;
    }
    return is_read;
  }

  void copy_inputs() {
    for (std::size_t i = 0; i < step_.inputs.size(); ++i) {
      Input input = step_.inputs[i];
      if (input.kind == InputKind::batch) continue;
      inputs_[i] = static_cast<std::int32_t>(result_.inputs.size());
      input.value = append(input.value);
      result_.inputs.push_back(input);
    }
    for (Input& input : result_.inputs) {
      if (input.state_of >= 0) input.state_of = inputs_[at(input.state_of)];
    }
  }

  void add_gradient(const UpdateTarget& target) {
    const Op& gradient = step_.op(target.gradient);
    const Input& input = step_.inputs[at(target.input)];
    const Op& parameter = step_.producer(input.value);
    Op op;
    op.kind = OpKind::parameter;
    op.shape = gradient.shape;
    op.name = gradient.name.empty() ? parameter.name + ".gradient" : gradient.name;
    result_.ops.push_back(std::move(op));
    values_[at(target.gradient)] = result_.size() - 1;
    constexpr Initializer kSmall{Initializer::Kind::normal, 0, 0.02};
    result_.inputs.push_back({result_.size() - 1, InputKind::batch, kSmall, -1, input.dim_names});
  }

  void copy_op(ValueId id) {
    std::vector<ValueId> operands = step_.op(id).operands;
    for (ValueId& operand : operands) operand = value(operand);
    result_.ops[at(append(id))].operands = std::move(operands);
  }

  ValueId append(ValueId id) {
    result_.ops.push_back(step_.op(id));
    result_.ops.back().origin = kNoValue;
    return values_[at(id)] = result_.size() - 1;
  }

  /// What other phases share with the update is copied, too.
  ValueId value(ValueId id) {
    if (values_[at(id)] == kNoValue && !after_batch_[at(id)]) copy_op(id);
    if (values_[at(id)] == kNoValue) {
      fail(step_, "the update reads value " + std::to_string(id) +
                      ", which is no state, gradient or result of the update");
    }
    return values_[at(id)];
  }

  const Program& step_;
  Program result_;
  std::vector<bool> after_batch_;     ///< by value of the step
  std::vector<ValueId> values_;       ///< of the step, in the result
  std::vector<std::int32_t> inputs_;  ///< of the step, in the result; -1: dropped
};

}  // namespace

bool LossScale::is_on() const { return initial != 0; }

Program training_step(Program forward, const Optimizer& optimizer) {
  const ValueId loss = loss_of(forward);
  const std::int32_t scale = add_scale(forward, optimizer.loss_scale);
  differentiate(forward, loss, add_seed(forward, loss, optimizer.loss_scale, scale));
  if (optimizer.wide_gradients) forward = widen_gradients(forward);
  name_gradients(forward);
  Program step = recompute_cheap(forward);
  const auto rank = [](const Output& output) {
    return output.kind == OutputKind::loss ? 0 : output.kind == OutputKind::gradient ? 1 : 2;
  };
  std::ranges::stable_sort(step.outputs, {}, rank);
  const auto others = std::ranges::find(step.outputs, 2, rank);
  const std::vector<Output> last(others, step.outputs.end());
  step.outputs.erase(others, step.outputs.end());
  const std::vector<UpdateTarget> targets = gradients_of(step);
  Builder builder(std::move(step));
  append_update(builder, optimizer, targets, scale);
  for (const Output& output : last) builder.output(output.value, output.kind, output.input);
  return std::move(builder).finish();
}

Program update_only(const Program& step) { return UpdateExtraction(step).run(); }

bool may_skip_updates(const Program& step) {
  return std::ranges::any_of(step.ops, [](const Op& op) {
    return op.phase == Phase::update && op.kind == OpKind::is_finite;
  });
}

}  // namespace rhino::ir
