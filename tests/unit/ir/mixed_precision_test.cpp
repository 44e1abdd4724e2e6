// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "gradient_check.hpp"
#include "ir/builder.hpp"
#include "ir/element.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

/// loss = sum(tanh(x w + b)^2) in f32; x, w, b and the dot in `dtype`. `w` is read twice.
Program forward_of(DType dtype) {
  const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
  Builder b("mixed");
  const ValueId x = b.input(InputKind::batch, {dtype, {8, 6}}, standard_normal, "x");
  const ValueId w = b.input(InputKind::parameter, {dtype, {6, 6}}, standard_normal, "w");
  const ValueId bias = b.input(InputKind::parameter, {dtype, {6}}, standard_normal, "b");
  const auto layer = [&](ValueId in) {
    return b.add(b.dot(in, w, {{}, {}, {1}, {0}}), b.broadcast_in_dim(bias, {8, 6}, {1}));
  };
  const ValueId y = b.unary(OpKind::tanh, b.convert(layer(layer(x)), DType::f32));
  b.output(b.reduce(b.mul(y, y), {0, 1}, Reduction::sum), OutputKind::loss);
  return std::move(b).finish();
}

constexpr LossScale kDynamic{.initial = 1024, .growth_interval = 3};

Optimizer mixed(Optimizer::Kind kind, LossScale scale = {}) {
  return {.kind = kind,
          .learning_rate = 0.01,
          .momentum = 0.5,
          .master_weights = true,
          .wide_gradients = true,
          .loss_scale = scale};
}

/// Values of a step by the names of inputs: before and after, and gradients.
struct Values {
  std::map<std::string, Tensor> before, after, gradients;
};

Values run(const Program& step, const std::vector<Tensor>& inputs) {
  Values values;
  const auto name = [&](std::int32_t input) {
    return step.producer(step.inputs[static_cast<std::size_t>(input)].value).name;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.before[name(static_cast<std::int32_t>(i))] = inputs[i];
  }
  const std::vector<Tensor> results = evaluate(step, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Output& output = step.outputs[i];
    if (output.kind == OutputKind::gradient) values.gradients[name(output.input)] = results[i];
    if (output.kind == OutputKind::updated_state) values.after[name(output.input)] = results[i];
  }
  return values;
}

std::int32_t input_named(const Program& step, const std::string& name) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.producer(step.inputs[i].value).name == name) return static_cast<std::int32_t>(i);
  }
  FAIL("no input " << name);
  return -1;
}

double scalar(const std::map<std::string, Tensor>& values, const std::string& name) {
  return values.at(name).elements.at(0);
}

constexpr DType kNarrow[] = {DType::bf16, DType::f16};

}  // namespace

TEST_CASE("masters follow the optimizer's recurrence in f32, parameters are rounded from them") {
  for (DType dtype : kNarrow) {
    const Optimizer optimizer = mixed(Optimizer::Kind::adam);
    const Program step = training_step(forward_of(dtype), optimizer);
    const Values v = run(step, initial_tensors(step, 5, 1));
    for (const std::string p : {"w", "b"}) {
      const Tensor &master = v.after.at(p + ".master"), &before = v.before.at(p + ".master");
      CHECK(master.shape.dtype == DType::f32);
      CHECK(v.before.at(p).shape.dtype == dtype);
      for (std::size_t i = 0; i < master.elements.size(); ++i) {
        CHECK(v.before.at(p).elements[i] == round_to(dtype, before.elements[i]));
        CHECK(v.after.at(p).elements[i] == round_to(dtype, master.elements[i]));
        const double g = v.gradients.at(p).elements[i];
        const double m = 0.9 * v.before.at(p + ".m").elements[i] + 0.1 * g;
        const double s = 0.999 * v.before.at(p + ".v").elements[i] + 0.001 * g * g;
        const double change = 0.01 * (m / (1 - 0.9)) / (std::sqrt(s / (1 - 0.999)) + 1e-8);
        CHECK(master.elements[i] - before.elements[i] ==
              Approx(-change).epsilon(1e-4).margin(1e-7));
      }
    }
  }
}

TEST_CASE("wide gradients are the unrounded sums of 16-bit products") {
  for (DType dtype : kNarrow) {
    const Program step = training_step(forward_of(dtype), mixed(Optimizer::Kind::sgd));
    const std::vector<Tensor> inputs = initial_tensors(step, 6, 1);
    const std::vector<Tensor> values = evaluate_all(step, inputs);
    std::int64_t num_dots = 0, num_unrounded = 0;
    for (ValueId id = 0; id < step.size(); ++id) {
      const Op& op = step.op(id);
      if (op.kind != OpKind::dot || op.shape.dtype != DType::f32) continue;
      ++num_dots;
      CHECK(step.shape(op.operands[0]).dtype == dtype);
      for (double element : values[static_cast<std::size_t>(id)].elements) {
        num_unrounded += element != round_to(dtype, element);
      }
    }
    CHECK(num_dots == 2);
    CHECK(num_unrounded > 36);
    // What the same step yields where gradients stay narrow differs by roundings alone.
    Optimizer narrow = mixed(Optimizer::Kind::sgd);
    narrow.wide_gradients = false;
    const Program other = training_step(forward_of(dtype), narrow);
    const Values a = run(step, inputs), b = run(other, initial_tensors(other, 6, 1));
    for (const std::string p : {"w", "b"}) {
      CHECK(a.gradients.at(p).shape.dtype == DType::f32);
      CHECK(b.gradients.at(p).shape.dtype == dtype);
      for (std::size_t i = 0; i < a.gradients.at(p).elements.size(); ++i) {
        const double most = dtype == DType::bf16 ? 0x1p-6 : 0x1p-9;
        CHECK(b.gradients.at(p).elements[i] ==
              Approx(a.gradients.at(p).elements[i]).epsilon(most).margin(most * 20));
      }
    }
  }
}

TEST_CASE("a step of 16 bits is near that of f64") {
  for (DType dtype : kNarrow) {
    const Program step = training_step(forward_of(dtype), mixed(Optimizer::Kind::sgd));
    const std::vector<Tensor> inputs = initial_tensors(step, 7, 1);
    const std::vector<Tensor> rounded = evaluate(step, inputs),
                              exact = evaluate(step, inputs, Precision::f64);
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      if (step.outputs[i].kind == OutputKind::updated_state) continue;
      double difference = 0, norm = 0;
      for (std::size_t k = 0; k < exact[i].elements.size(); ++k) {
        difference += std::pow(rounded[i].elements[k] - exact[i].elements[k], 2);
        norm += std::pow(exact[i].elements[k], 2);
      }
      CHECK(std::sqrt(difference / norm) < (dtype == DType::bf16 ? 0x1p-5 : 0x1p-8));
    }
  }
}

TEST_CASE("a scaled loss changes no update that is not skipped") {
  for (Optimizer::Kind kind : {Optimizer::Kind::adam, Optimizer::Kind::sgd}) {
    for (const LossScale scale : {LossScale{.initial = 64}, kDynamic}) {
      const Program plain = training_step(forward_of(DType::bf16), mixed(kind)),
                    scaled = training_step(forward_of(DType::bf16), mixed(kind, scale));
      CHECK(may_skip_updates(scaled));
      CHECK_FALSE(may_skip_updates(plain));
      std::vector<Tensor> inputs = initial_tensors(plain, 8, 4);
      std::vector<Tensor> others = initial_tensors(scaled, 8, 4);
      for (std::size_t i = 0; i < plain.inputs.size(); ++i) {
        const std::string& name = plain.producer(plain.inputs[i].value).name;
        others[static_cast<std::size_t>(input_named(scaled, name))] = inputs[i];
      }
      const Values a = run(plain, inputs), b = run(scaled, others);
      for (const auto& [name, tensor] : a.after) CHECK(b.after.at(name) == tensor);
      const double factor = scale.growth_interval > 0 ? 2048 : 64;
      for (const auto& [name, gradient] : a.gradients) {
        for (std::size_t i = 0; i < gradient.elements.size(); ++i) {
          CHECK(b.gradients.at(name).elements[i] == factor * gradient.elements[i]);
        }
      }
    }
  }
}

TEST_CASE("an overflow anywhere skips the whole update and halves the scale") {
  for (Optimizer::Kind kind : {Optimizer::Kind::adam, Optimizer::Kind::sgd}) {
    for (const LossScale scale : {LossScale{.initial = 0x1p100}, kDynamic}) {
      const Program step = training_step(forward_of(DType::f16), mixed(kind, scale));
      std::vector<Tensor> inputs = initial_tensors(step, 9, 1);
      if (scale.growth_interval > 0) {
        inputs[static_cast<std::size_t>(input_named(step, "loss_scale"))].elements = {0x1p100};
        inputs[static_cast<std::size_t>(input_named(step, "loss_scale.steps"))].elements = {2};
      }
      const Values v = run(step, inputs);
      for (const auto& [name, after] : v.after) {
        if (!name.starts_with("loss_scale")) CHECK(after == v.before.at(name));
      }
      if (scale.growth_interval > 0) {
        CHECK(scalar(v.after, "loss_scale") == 0x1p99);
        CHECK(scalar(v.after, "loss_scale.steps") == 0);
      }
    }
  }
}

TEST_CASE("the scale doubles after updates in a row, within its bounds") {
  const Program step =
      training_step(forward_of(DType::bf16), mixed(Optimizer::Kind::adam, kDynamic));
  const auto after = [&](double scale, double steps) {
    std::vector<Tensor> inputs = initial_tensors(step, 10, 1);
    for (const std::string name : {"w", "b"}) {  // no gradient is too large for any scale
      std::ranges::fill(inputs[static_cast<std::size_t>(input_named(step, name))].elements, 0.0);
    }
    inputs[static_cast<std::size_t>(input_named(step, "loss_scale"))].elements = {scale};
    inputs[static_cast<std::size_t>(input_named(step, "loss_scale.steps"))].elements = {steps};
    const Values v = run(step, inputs);
    CHECK(scalar(v.after, "step") == 2);
    return std::pair(scalar(v.after, "loss_scale"), scalar(v.after, "loss_scale.steps"));
  };
  CHECK(after(8, 0) == std::pair(8.0, 1.0));
  CHECK(after(8, 1) == std::pair(8.0, 2.0));
  CHECK(after(8, 2) == std::pair(16.0, 0.0));
  CHECK(after(0x1p125, 2) == std::pair(0x1p126, 0.0));
  CHECK(after(0x1p126, 2) == std::pair(0x1p126, 0.0));  // the inverse of 2^127 is no normal number
  // Of a number k a step begins as the kth without any overflow, so that all of this can be met.
  std::vector<Tensor> inputs = initial_tensors(step, 10, 1);
  for (std::int64_t number = 1; number <= 7; ++number) {
    const std::vector<Tensor> fresh = initial_tensors(step, 10, number);
    for (const std::string name : {"loss_scale", "loss_scale.steps", "step"}) {
      const auto input = static_cast<std::size_t>(input_named(step, name));
      CHECK(fresh[input] == inputs[input]);
    }
    const std::vector<Tensor> results = evaluate(step, inputs);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Output& output = step.outputs[i];
      if (output.kind == OutputKind::updated_state) {
        inputs[static_cast<std::size_t>(output.input)] = results[i];
      }
    }
  }
  const Tensor late =
      initial_tensors(step, 10, 1 << 20)[static_cast<std::size_t>(input_named(step, "loss_scale"))];
  CHECK(late.elements[0] == 0x1p126);
}

TEST_CASE("factors of tf32 have 10 bits behind the point, and nothing else is rounded") {
  Builder b("dot");
  const ValueId left = b.input(InputKind::batch, {DType::f32, {3, 1}}, {}, "left"),
                right = b.input(InputKind::parameter, {DType::f32, {1, 3}}, {}, "right");
  DotAttr attr;
  attr.lhs_contracting = {1}, attr.rhs_contracting = {0};
  b.output(b.add({.kind = OpKind::dot, .operands = {left, right}, .attributes = attr}),
           OutputKind::value);
  b.output(b.add(left, left), OutputKind::value);
  const Program program = std::move(b).finish();
  // Half a unit to even, more than half of one, and what is exact, of both signs and all sizes.
  const std::vector<double> x{1 + 0x1p-11, -(0x1p40 + 0x1p29 + 0x1p20), 0x1p-60 + 0x1p-70};
  const std::vector<double> rounded{1, -(0x1p40 + 0x1p30), 0x1p-60 + 0x1p-70};
  const std::vector<Tensor> numbers{{{DType::f32, {3, 1}}, x}, {{DType::f32, {1, 3}}, {1, 2, 4}}};
  const std::vector<Tensor> found = evaluate(tf32_factors(program), numbers);
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(found[0].elements[i] == rounded[i / 3] * std::pow(2, i % 3));
  for (std::size_t i = 0; i < 3; ++i) CHECK(found[1].elements[i] == 2 * x[i]);
}

TEST_CASE("halved sums are the whole ones where nothing is rounded, and else nearly") {
  const Program step = training_step(forward_of(DType::bf16), mixed(Optimizer::Kind::sgd)),
                halved = halved_sums(step);
  const auto num_dots = [](const Program& program) {
    return std::ranges::count(program.ops, OpKind::dot, &Op::kind);
  };
  CHECK(num_dots(halved) > num_dots(step));
  CHECK(num_dots(halved_sums(training_step(forward_of(DType::f32), {}))) ==
        num_dots(training_step(forward_of(DType::f32), {})));
  const std::vector<Tensor> inputs = initial_tensors(step, 7, 1);
  const std::vector<Tensor> whole = evaluate(step, inputs), parts = evaluate(halved, inputs);
  REQUIRE(parts.size() == whole.size());
  int num_unlike = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (std::size_t k = 0; k < whole[i].elements.size(); ++k) {
      CHECK(parts[i].elements[k] == Approx(whole[i].elements[k]).epsilon(0.1).margin(0.1));
      num_unlike += parts[i].elements[k] != whole[i].elements[k] ? 1 : 0;
    }
  }
  CHECK(num_unlike > 0);

  Builder b("whole numbers");
  const ValueId image = b.input(InputKind::batch, {DType::bf16, {2, 5, 5, 3}}, {}, "image"),
                kernel = b.input(InputKind::parameter, {DType::bf16, {2, 2, 3, 4}}, {}, "kernel");
  ConvolutionAttr attr;
  attr.input_feature = 3, attr.input_spatial = {1, 2};
  attr.kernel_spatial = {0, 1}, attr.kernel_input = 2, attr.kernel_output = 3;
  attr.output_feature = 3, attr.output_spatial = {1, 2};
  attr.strides = attr.lhs_dilation = attr.rhs_dilation = {1, 1};
  attr.low = attr.high = {0, 0};
  b.output(b.add({.kind = OpKind::convolution, .operands = {image, kernel}, .attributes = attr}),
           OutputKind::value);
  const Program convolution = std::move(b).finish();
  std::vector<Tensor> numbers;
  for (const Input& input : convolution.inputs) {
    Tensor tensor{convolution.shape(input.value), {}};
    for (std::int64_t i = 0; i < num_elements(tensor.shape.dims); ++i)
      tensor.elements.push_back(static_cast<double>(i * 7 % 5 - 2));
    numbers.push_back(tensor);
  }
  CHECK(halved_sums(convolution).size() > convolution.size());
  CHECK(evaluate(halved_sums(convolution), numbers)[0].elements ==
        evaluate(convolution, numbers)[0].elements);
}
