// SPDX-License-Identifier: Apache-2.0
#include "ir/update.hpp"

#include <map>
#include <numeric>
#include <string>

#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

class Update {
 public:
  Update(Builder& builder, const Optimizer& optimizer, std::int32_t scale)
      : b_(builder), optimizer_(optimizer), scale_(scale) {}

  void run(const std::vector<UpdateTarget>& targets) {
    b_.set_phase(Phase::update);
    if (optimizer_.loss_scale.is_on()) examine(targets);
    for (const UpdateTarget& target : targets) {
      if (optimizer_.kind == Optimizer::Kind::adam) {
        adam(target);
      } else {
        sgd(target);
      }
    }
    if (scale_ >= 0) adjust_scale();
    for (const auto& [input, value] : updated_) b_.output(value, OutputKind::updated_state, input);
  }

 private:
  /// Factors of Adam's update that only depend on the step count, as scalars of one dtype.
  struct Corrections {
    ValueId rate = kNoValue;             ///< learning rate / (1 - beta1^step)
    ValueId root_correction = kNoValue;  ///< 1 / sqrt(1 - beta2^step)
  };

  // Updates.

  void sgd(const UpdateTarget& target) {
    ValueId direction = gradient(target);
    if (optimizer_.momentum != 0) {
      const std::int32_t state = add_moment(target, "momentum", 1);
      direction = b_.add(b_.scale(value_of(state), optimizer_.momentum), direction);
      replace(state, direction);
    }
    finish(target, b_.scale(direction, optimizer_.learning_rate));
  }

  void adam(const UpdateTarget& target) {
    const std::int32_t m_state = add_moment(target, "m", 1);
    const std::int32_t v_state = add_moment(target, "v", 2);
    const ValueId g = gradient(target);
    const ValueId m = moving_average(value_of(m_state), g, optimizer_.beta1);
    const ValueId v = moving_average(value_of(v_state), b_.mul(g, g), optimizer_.beta2);
    replace(m_state, m);
    replace(v_state, v);
    const Shape shape = b_.shape(g);
    const Corrections& corrections = corrections_for(shape.dtype);
    const ValueId root =
        b_.mul(b_.unary(OpKind::sqrt, v), spread(corrections.root_correction, shape));
    const ValueId direction = b_.div(m, b_.shift(root, optimizer_.epsilon));
    finish(target, b_.mul(spread(corrections.rate, shape), direction));
  }

  ValueId moving_average(ValueId average, ValueId value, double beta) {
    return b_.add(b_.scale(average, beta), b_.scale(value, 1 - beta));
  }

  const Corrections& corrections_for(DType dtype) {
    Corrections& corrections = corrections_[dtype];
    if (corrections.rate != kNoValue) return corrections;
    const ValueId step = as(step_number(), dtype);
    const ValueId one = b_.constant(dtype, 1), rate = b_.constant(dtype, optimizer_.learning_rate);
    const auto unbias = [&](double beta) {
      return b_.sub(one, b_.binary(OpKind::power, b_.constant(dtype, beta), step));
    };
    corrections.rate = b_.div(rate, unbias(optimizer_.beta1));
    corrections.root_correction = b_.unary(OpKind::rsqrt, unbias(optimizer_.beta2));
    return corrections;
  }

  /// Of the update; where updates may be skipped it is a state that counts those that are not.
  ValueId step_number() {
    if (step_ != kNoValue) return step_;
    const Initializer number{Initializer::Kind::step};
    if (finite_ == kNoValue) {
      return step_ = b_.input(InputKind::scalar, {DType::f32, {}}, number, "step");
    }
    const std::int32_t state = add_state({DType::f32, {}}, number, "step", -1);
    step_ = value_of(state);
    replace(state, b_.shift(step_, 1));
    return step_;
  }

  void finish(const UpdateTarget& target, ValueId difference) {
    const ValueId parameter = value_of(target.input);
    const DType dtype = b_.shape(parameter).dtype;
    if (!optimizer_.master_weights || !is_narrow(dtype)) {
      const ValueId updated = b_.sub(as(parameter, wide(dtype)), difference);
      return replace(target.input, as(updated, dtype));
    }
    const std::int32_t master = add_master(target);
    replace(master, b_.sub(value_of(master), difference));
    updated_[target.input] = b_.convert(updated_[master], dtype);
  }

  // Loss scaling.

  /// Whether every element of every gradient is finite, and by what they are brought to size.
  void examine(const std::vector<UpdateTarget>& targets) {
    std::vector<ValueId> flags;
    for (const UpdateTarget& target : targets) flags.push_back(all_finite(target.gradient));
    finite_ = flags[0];
    for (std::size_t i = 1; i < flags.size(); ++i) {
      finite_ = b_.binary(OpKind::logical_and, finite_, flags[i]);
    }
    b_.name(finite_, "gradients_finite");
    const ValueId scale =
        scale_ >= 0 ? value_of(scale_) : b_.constant(DType::f32, optimizer_.loss_scale.initial);
    inverse_ = b_.div(b_.constant(DType::f32, 1), scale);
  }

  ValueId all_finite(ValueId gradient) {
    const ValueId finite = b_.unary(OpKind::is_finite, gradient);
    std::vector<std::int64_t> dims(b_.shape(finite).dims.size());
    std::iota(dims.begin(), dims.end(), 0);
    return dims.empty() ? finite : b_.reduce(finite, std::move(dims), Reduction::logical_and);
  }

  void adjust_scale() {
    const auto constant = [&](double value) { return b_.constant(DType::f32, value); };
    const auto interval = static_cast<double>(optimizer_.loss_scale.growth_interval);
    const std::int32_t state = add_state({DType::f32, {}}, {Initializer::Kind::cycle, 0, interval},
                                         "loss_scale.steps", -1);
    const ValueId scale = value_of(scale_), steps = b_.shift(value_of(state), 1);
    const ValueId grows = b_.compare(Comparison::ge, steps, constant(interval));
    const ValueId doubled = b_.scale(scale, 2);
    // Up to LossScale::kMost, which may be added to itself.
    const ValueId may_grow = b_.binary(OpKind::logical_and, grows,
                                       b_.unary(OpKind::is_finite, b_.add(doubled, doubled)));
    updated_[scale_] =
        b_.select(finite_, b_.select(may_grow, doubled, scale), b_.scale(scale, 0.5));
    const ValueId zero = constant(0);
    updated_[state] = b_.select(finite_, b_.select(grows, zero, steps), zero);
  }

  // States.

  /// `value` becomes the input, unless the update is skipped.
  void replace(std::int32_t input, ValueId value) {
    if (finite_ != kNoValue) {
      const Shape shape{DType::pred, b_.shape(value).dims};
      const ValueId finite = shape.dims.empty() ? finite_ : spread(finite_, shape);
      value = b_.select(finite, value, value_of(input));
    }
    updated_[input] = value;
  }

  std::int32_t add_state(const Shape& shape, const Initializer& initializer,
                         const std::string& name, std::int32_t state_of) {
    b_.input(InputKind::optimizer_state, shape, initializer, name, state_of);
    const auto& inputs = b_.program().inputs;
    if (state_of >= 0) b_.name_dims(inputs[at(state_of)].dim_names);
    return static_cast<std::int32_t>(inputs.size()) - 1;
  }

  std::int32_t add_moment(const UpdateTarget& target, const std::string& suffix, double moment) {
    const Op& parameter = b_.program().op(value_of(target.input));
    const Shape shape{wide(parameter.shape.dtype), parameter.shape.dims};
    return add_state(shape, {Initializer::Kind::moment, moment}, parameter.name + "." + suffix,
                     target.input);
  }

  std::int32_t add_master(const UpdateTarget& target) {
    const Op& parameter = b_.program().op(value_of(target.input));
    Initializer same = b_.program().inputs[at(target.input)].initializer;
    same.same_as = target.input;
    return add_state({DType::f32, parameter.shape.dims}, same, parameter.name + ".master",
                     target.input);
  }

  // Values.

  ValueId value_of(std::int32_t input) const { return b_.program().inputs[at(input)].value; }

  ValueId gradient(const UpdateTarget& target) {
    const ValueId value = as(target.gradient, wide(b_.shape(target.gradient).dtype));
    if (inverse_ == kNoValue) return value;
    const Shape shape = b_.shape(value);
    return b_.mul(value, spread(as(inverse_, shape.dtype), shape));
  }

  ValueId spread(ValueId scalar, const Shape& shape) {
    return b_.broadcast_in_dim(scalar, shape.dims, {});
  }

  ValueId as(ValueId value, DType dtype) {
    return b_.shape(value).dtype == dtype ? value : b_.convert(value, dtype);
  }
  static DType wide(DType dtype) { return dtype == DType::f64 ? DType::f64 : DType::f32; }

  Builder& b_;
  const Optimizer& optimizer_;
  std::int32_t scale_;
  ValueId finite_ = kNoValue;   ///< pred; none: nothing is skipped
  ValueId inverse_ = kNoValue;  ///< of the loss scale; none: it is one
  ValueId step_ = kNoValue;
  std::map<DType, Corrections> corrections_;
  std::map<std::int32_t, ValueId> updated_;  ///< by index of the input
};

}  // namespace

void append_update(Builder& builder, const Optimizer& optimizer,
                   const std::vector<UpdateTarget>& targets, std::int32_t scale) {
  Update(builder, optimizer, scale).run(targets);
}

}  // namespace rhino::ir
