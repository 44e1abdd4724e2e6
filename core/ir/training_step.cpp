// SPDX-License-Identifier: Apache-2.0
#include "ir/training_step.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
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

/// Writes the update of one parameter after the other.
class Update {
 public:
  Update(Builder& builder, const Optimizer& optimizer) : b_(builder), optimizer_(optimizer) {}

  /// Index of a parameter among the inputs, and its gradient.
  struct Target {
    std::int32_t input = -1;
    ValueId gradient = kNoValue;
  };

  void run(const std::vector<Target>& targets) {
    b_.set_phase(Phase::update);
    for (const Target& target : targets) {
      if (optimizer_.kind == Optimizer::Kind::adam) {
        adam(target);
      } else {
        sgd(target);
      }
    }
    for (const auto& [input, value] : updated_) b_.output(value, OutputKind::updated_state, input);
  }

 private:
  /// Factors of Adam's update that only depend on the step count, as scalars of one dtype.
  struct Corrections {
    ValueId rate = kNoValue;             ///< learning rate / (1 - beta1^step)
    ValueId root_correction = kNoValue;  ///< 1 / sqrt(1 - beta2^step)
  };

  void sgd(const Target& target) {
    ValueId direction = gradient(target);
    if (optimizer_.momentum != 0) {
      const std::int32_t state = add_state(target, "momentum", 1);
      direction = b_.add(b_.scale(value_of(state), optimizer_.momentum), direction);
      updated_[state] = direction;
    }
    finish(target, b_.scale(direction, optimizer_.learning_rate));
  }

  void adam(const Target& target) {
    const std::int32_t m_state = add_state(target, "m", 1);
    const std::int32_t v_state = add_state(target, "v", 2);
    const ValueId g = gradient(target);
    const ValueId m = moving_average(value_of(m_state), g, optimizer_.beta1);
    const ValueId v = moving_average(value_of(v_state), b_.mul(g, g), optimizer_.beta2);
    updated_[m_state] = m;
    updated_[v_state] = v;
    const Shape shape = b_.shape(g);
    const Corrections& corrections = corrections_for(shape.dtype);
    const auto spread = [&](ValueId scalar) { return b_.broadcast_in_dim(scalar, shape.dims, {}); };
    const ValueId root = b_.mul(b_.unary(OpKind::sqrt, v), spread(corrections.root_correction));
    const ValueId direction = b_.div(m, b_.shift(root, optimizer_.epsilon));
    finish(target, b_.mul(spread(corrections.rate), direction));
  }

  ValueId moving_average(ValueId average, ValueId value, double beta) {
    return b_.add(b_.scale(average, beta), b_.scale(value, 1 - beta));
  }

  const Corrections& corrections_for(DType dtype) {
    Corrections& corrections = corrections_[dtype];
    if (corrections.rate != kNoValue) return corrections;
    if (step_ == kNoValue) {
      step_ = b_.input(InputKind::scalar, {DType::f32, {}}, {Initializer::Kind::step}, "step");
    }
    const ValueId step = b_.shape(step_).dtype == dtype ? step_ : b_.convert(step_, dtype);
    const ValueId one = b_.constant(dtype, 1), rate = b_.constant(dtype, optimizer_.learning_rate);
    const auto unbias = [&](double beta) {
      return b_.sub(one, b_.binary(OpKind::power, b_.constant(dtype, beta), step));
    };
    corrections.rate = b_.div(rate, unbias(optimizer_.beta1));
    corrections.root_correction = b_.unary(OpKind::rsqrt, unbias(optimizer_.beta2));
    return corrections;
  }

  void finish(const Target& target, ValueId difference) {
    const ValueId parameter = value_of(target.input);
    const ValueId updated = b_.sub(widened(parameter), difference);
    const DType dtype = b_.shape(parameter).dtype;
    updated_[target.input] =
        b_.shape(updated).dtype == dtype ? updated : b_.convert(updated, dtype);
  }

  std::int32_t add_state(const Target& target, const std::string& suffix, double moment) {
    const Op& parameter = b_.program().op(value_of(target.input));
    const Shape shape{wide(parameter.shape.dtype), parameter.shape.dims};
    b_.input(InputKind::optimizer_state, shape, {Initializer::Kind::moment, moment},
             parameter.name + "." + suffix, target.input);
    b_.name_dims(b_.program().inputs[at(target.input)].dim_names);
    return static_cast<std::int32_t>(b_.program().inputs.size()) - 1;
  }

  ValueId value_of(std::int32_t input) const { return b_.program().inputs[at(input)].value; }
  ValueId gradient(const Target& target) { return widened(target.gradient); }

  ValueId widened(ValueId value) {
    const DType dtype = b_.shape(value).dtype;
    return wide(dtype) == dtype ? value : b_.convert(value, wide(dtype));
  }
  static DType wide(DType dtype) { return dtype == DType::f64 ? DType::f64 : DType::f32; }

  Builder& b_;
  const Optimizer& optimizer_;
  ValueId step_ = kNoValue;
  std::map<DType, Corrections> corrections_;
  std::map<std::int32_t, ValueId> updated_;  ///< by index of the input
};

std::vector<std::int32_t> parameters_of(const Program& program) {
  std::vector<std::int32_t> parameters;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    if (program.inputs[i].kind == InputKind::parameter) {
      parameters.push_back(static_cast<std::int32_t>(i));
    }
  }
  return parameters;
}

/// Appends gradients and the outputs that tell them.
void differentiate(Program& program, ValueId loss) {
  const std::vector<std::int32_t> parameters = parameters_of(program);
  std::vector<ValueId> values;
  for (std::int32_t input : parameters) values.push_back(program.inputs[at(input)].value);
  const std::vector<ValueId> gradients = append_gradients(program, loss, values);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = program.op(values[i]).name;
    if (gradients[i] == kNoValue) fail(program, "parameter '" + name + "' has no part in the loss");
    std::string& gradient_name = program.ops[at(gradients[i])].name;
    if (gradient_name.empty()) gradient_name = name + ".gradient";
    program.outputs.push_back({gradients[i], OutputKind::gradient, parameters[i]});
  }
}

std::vector<Update::Target> gradients_of(const Program& program) {
  std::vector<Update::Target> targets;
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::gradient) targets.push_back({output.input, output.value});
  }
  return targets;
}

/// Copies the update phase of a step into a program of its own.
class UpdateExtraction {
 public:
  explicit UpdateExtraction(const Program& step)
      : step_(step), values_(step.ops.size(), kNoValue), inputs_(step.inputs.size(), -1) {
    result_.name = step.name + ".update";
  }

  Program run() {
    copy_inputs();
    for (const Update::Target& target : gradients_of(step_)) add_gradient(target);
    for (ValueId id = 0; id < step_.size(); ++id) {
      const Op& op = step_.op(id);
      if (op.phase == Phase::update && op.kind != OpKind::parameter) copy_op(id);
    }
    for (const Output& output : step_.outputs) {
      if (output.kind != OutputKind::updated_state) continue;
      result_.outputs.push_back({value(output.value), output.kind, inputs_[at(output.input)]});
    }
    return std::move(result_);
  }

 private:
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

  void add_gradient(const Update::Target& target) {
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
    const ValueId copy = append(id);
    for (ValueId& operand : result_.ops[at(copy)].operands) operand = value(operand);
  }

  ValueId append(ValueId id) {
    result_.ops.push_back(step_.op(id));
    result_.ops.back().origin = kNoValue;
    return values_[at(id)] = result_.size() - 1;
  }

  ValueId value(ValueId id) const {
    if (values_[at(id)] == kNoValue) {
      fail(step_, "the update reads value " + std::to_string(id) +
                      ", which is no state, gradient or result of the update");
    }
    return values_[at(id)];
  }

  const Program& step_;
  Program result_;
  std::vector<ValueId> values_;       ///< of the step, in the result
  std::vector<std::int32_t> inputs_;  ///< of the step, in the result; -1: dropped
};

}  // namespace

Program training_step(Program forward, const Optimizer& optimizer) {
  differentiate(forward, loss_of(forward));
  Program step = recompute_cheap(forward);
  const auto rank = [](const Output& output) {
    return output.kind == OutputKind::loss ? 0 : output.kind == OutputKind::gradient ? 1 : 2;
  };
  std::ranges::stable_sort(step.outputs, {}, rank);
  const auto others = std::ranges::find(step.outputs, 2, rank);
  const std::vector<Output> last(others, step.outputs.end());
  step.outputs.erase(others, step.outputs.end());
  const std::vector<Update::Target> targets = gradients_of(step);
  Builder builder(std::move(step));
  Update(builder, optimizer).run(targets);
  for (const Output& output : last) builder.output(output.value, output.kind, output.input);
  return std::move(builder).finish();
}

Program update_only(const Program& step) { return UpdateExtraction(step).run(); }

}  // namespace rhino::ir
