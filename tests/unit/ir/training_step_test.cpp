// SPDX-License-Identifier: Apache-2.0
#include "ir/training_step.hpp"

#include <map>

#include "gradient_check.hpp"
#include "ir/builder.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

/// loss = sum((x w + b)^2), with `w` of `dtype`.
Program small_forward(DType dtype = DType::f64) {
  const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
  Builder b("small");
  const ValueId x = b.input(InputKind::batch, {dtype, {4, 3}}, standard_normal, "x");
  const ValueId w = b.input(InputKind::parameter, {dtype, {3, 2}}, standard_normal, "w");
  const ValueId bias = b.input(InputKind::parameter, {dtype, {2}}, {}, "b");
  const ValueId product = b.dot(x, w, {{}, {}, {1}, {0}});
  const ValueId y = b.add(product, b.broadcast_in_dim(bias, {4, 2}, {1}));
  const ValueId loss = b.reduce(b.mul(y, y), {0, 1}, Reduction::sum);
  b.output(loss, OutputKind::loss);
  return std::move(b).finish();
}

/// Runs a step after a step, states fed back, and hands each to `visit(inputs, results)`.
template <typename Visit>
void run_steps(const Program& step, int num_steps, Visit visit) {
  Random random(7);
  std::vector<Tensor> inputs = random_inputs(step, random);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i].kind != InputKind::optimizer_state) continue;
    std::ranges::fill(inputs[i].elements, 0.0);
  }
  for (int count = 1; count <= num_steps; ++count) {
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i].kind == InputKind::scalar) inputs[i].elements = {double(count)};
    }
    const std::vector<Tensor> results = evaluate(step, inputs, Precision::f64);
    visit(inputs, results);
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].kind != OutputKind::updated_state) continue;
      inputs[static_cast<std::size_t>(step.outputs[i].input)] = results[i];
    }
  }
}

/// An optimizer in plain loops: the update of one element from its gradient in step `count`.
struct PlainAdam {
  double m = 0, v = 0;
  double update(double p, double g, int count, const Optimizer& o) {
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    const double m_hat = m / (1 - std::pow(o.beta1, count));
    const double v_hat = v / (1 - std::pow(o.beta2, count));
    return p - o.learning_rate * m_hat / (std::sqrt(v_hat) + o.epsilon);
  }
};
struct PlainSgd {
  double s = 0;
  double update(double p, double g, int, const Optimizer& o) {
    s = o.momentum * s + g;
    return p - o.learning_rate * s;
  }
};

template <typename Plain>
void compare_with(const Optimizer& optimizer) {
  const Program step = training_step(small_forward(), optimizer);
  std::map<std::pair<std::int32_t, std::size_t>, Plain> states;
  int count = 0;
  run_steps(step, 5, [&](const auto& inputs, const auto& results) {
    ++count;
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].kind != OutputKind::gradient) continue;
      const std::int32_t input = step.outputs[i].input;
      const auto updated = std::ranges::find_if(step.outputs, [&](const Output& output) {
        return output.kind == OutputKind::updated_state && output.input == input;
      });
      const auto& next = results[static_cast<std::size_t>(updated - step.outputs.begin())];
      const auto& now = inputs[static_cast<std::size_t>(input)];
      for (std::size_t k = 0; k < now.elements.size(); ++k) {
        const double gradient = results[i].elements[k];
        const double expected =
            states[{input, k}].update(now.elements[k], gradient, count, optimizer);
        CHECK(next.elements[k] == Approx(expected).epsilon(1e-13).margin(1e-13));
      }
    }
  });
}

}  // namespace

TEST_CASE("adam follows its recurrence over several steps") {
  compare_with<PlainAdam>({.kind = Optimizer::Kind::adam, .learning_rate = 0.05});
}

TEST_CASE("sgd with and without momentum follows its recurrence over several steps") {
  compare_with<PlainSgd>({.kind = Optimizer::Kind::sgd, .learning_rate = 0.01, .momentum = 0.9});
  compare_with<PlainSgd>({.kind = Optimizer::Kind::sgd, .learning_rate = 0.01});
}

TEST_CASE("training lowers the loss") {
  for (Optimizer::Kind kind : {Optimizer::Kind::sgd, Optimizer::Kind::adam}) {
    const Program step = training_step(small_forward(), {.kind = kind, .learning_rate = 0.02});
    std::vector<double> losses;
    run_steps(step, 60,
              [&](const auto&, const auto& results) { losses.push_back(results[0].elements[0]); });
    CHECK(losses.back() < 0.5 * losses.front());
  }
}

TEST_CASE("the gradients of a step equal differences") {
  Random random(3);
  const GradientCheck check(small_forward());
  check.by_element(random_inputs(check.step(), random), 100, random);
}

TEST_CASE("inputs and outputs of a step come in the promised order") {
  const Program step = training_step(small_forward(DType::bf16), {});
  const auto input_name = [&](std::int32_t i) {
    return step.producer(step.inputs[static_cast<std::size_t>(i)].value).name;
  };
  std::vector<std::string> outputs;
  for (const Output& output : step.outputs) {
    const char* kinds[] = {"loss", "gradient", "updated", "value"};
    outputs.push_back(std::string(kinds[static_cast<int>(output.kind)]) +
                      (output.input < 0 ? "" : " " + input_name(output.input)));
  }
  CHECK(outputs == std::vector<std::string>{"loss", "gradient w", "gradient b", "updated w",
                                            "updated b", "updated w.m", "updated w.v",
                                            "updated b.m", "updated b.v"});
  for (const Input& input : step.inputs) {
    if (input.kind != InputKind::optimizer_state) continue;
    CHECK(step.shape(input.value).dtype == DType::f32);
    const std::string parameter = input_name(input.state_of);
    CHECK(step.producer(input.value).name.substr(0, parameter.size()) == parameter);
  }
}

TEST_CASE("every op of the update has its phase and no origin") {
  const Program forward = small_forward();
  const Program step = training_step(forward, {});
  Phase last = Phase::forward;
  for (const Op& op : step.ops) {
    CHECK(op.phase >= last);
    last = op.phase;
    CHECK((op.origin == kNoValue) == (op.phase != Phase::backward));
  }
}

TEST_CASE("the update alone computes from the step's gradients what the step does") {
  for (Optimizer::Kind kind : {Optimizer::Kind::sgd, Optimizer::Kind::adam}) {
    const Program step =
        training_step(small_forward(), {.kind = kind, .learning_rate = 0.1, .momentum = 0.5});
    const Program update = update_only(step);
    check_program(update);
    run_steps(step, 3, [&](const auto& inputs, const auto& results) {
      std::vector<Tensor> update_inputs, expected;
      for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (step.inputs[i].kind != InputKind::batch) update_inputs.push_back(inputs[i]);
      }
      for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        if (step.outputs[i].kind == OutputKind::gradient) update_inputs.push_back(results[i]);
        if (step.outputs[i].kind == OutputKind::updated_state) expected.push_back(results[i]);
      }
      REQUIRE(update_inputs.size() == update.inputs.size());
      CHECK(evaluate(update, update_inputs, Precision::f64) == expected);
    });
    CHECK(update.producer(update.inputs.back().value).name == "b.gradient");
  }
}

TEST_CASE("a program without one loss, or with an idle parameter, makes no step") {
  Program forward = small_forward();
  Program none = forward;
  none.outputs.clear();
  CHECK_THROWS_WITH(training_step(none, {}), "program 'small': has no loss output");
  Program two = forward;
  two.outputs.push_back(two.outputs[0]);
  CHECK_THROWS_WITH(training_step(two, {}), "program 'small': has more than one loss output");
  Builder b(forward);
  b.input(InputKind::parameter, {DType::f64, {2}}, {}, "idle");
  CHECK_THROWS_WITH(training_step(b.program(), {}),
                    "program 'small': parameter 'idle' has no part in the loss");
}
