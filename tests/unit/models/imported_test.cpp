// SPDX-License-Identifier: Apache-2.0
#include "models/imported.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>

#include "ir/dead_ops.hpp"
#include "ir/hlo_text.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "models/imported_parts.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using Catch::Matchers::Contains;

namespace {

/// A step as another tool would print it: nothing is told of inputs, outputs, phases, origins.
/// Without `aliases` not even which output replaces which input.
Program stripped(const Program& step, bool aliases) {
  std::string text = ir::print_hlo(step);
  text =
      std::regex_replace(text, std::regex(R"re(, frontend_attributes=\{(?!splat)[^}]*\})re"), "");
  text = std::regex_replace(text, std::regex(R"re((splat="true")[^}]*\})re"), "$1}");
  if (!aliases) {
    const std::size_t begin = text.find(", input_output_alias"), end = text.find('\n');
    text.erase(begin, end - begin);
  }
  return ir::parse_hlo(text, "stripped");
}

std::string name_of_input(const Program& program, std::int32_t input) {
  return program.op(program.inputs[static_cast<std::size_t>(input)].value).name;
}

/// Whether the reading of a step without marks is the step itself.
void check_inferred(const Program& whole, bool aliases) {
  const Program step = ir::without_dead_ops(whole);
  const Program inferred = models::imported_step(stripped(step, aliases), {});
  REQUIRE(inferred.inputs.size() == step.inputs.size());
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    CAPTURE(name_of_input(step, static_cast<std::int32_t>(i)));
    CHECK(inferred.inputs[i].kind == step.inputs[i].kind);
    CHECK(inferred.inputs[i].state_of == step.inputs[i].state_of);
  }
  REQUIRE(inferred.size() == step.size());
  for (ValueId id = 0; id < step.size(); ++id) {
    CAPTURE(id, step.op(id).name, static_cast<int>(step.op(id).kind));
    if (step.op(id).kind == OpKind::constant) continue;  // what two phases share, either may have
    CHECK(inferred.op(id).phase == step.op(id).phase);
    if (inferred.op(id).phase != Phase::backward) continue;
    REQUIRE(inferred.op(id).origin != kNoValue);
    CHECK(inferred.op(inferred.op(id).origin).phase == Phase::forward);
  }
  for (const Output& output : step.outputs) {
    if (output.kind == OutputKind::value) continue;
    const auto found = std::find_if(inferred.outputs.begin(), inferred.outputs.end(), [&](auto& o) {
      return o.kind == output.kind && o.input == output.input;
    });
    REQUIRE(found != inferred.outputs.end());
    CHECK(found->value == output.value);
  }
}

models::GptConfig toy_gpt() {
  return {
      .preset = "", .num_layers = 2, .hidden = 8, .num_heads = 2, .vocabulary = 12, .sequence = 4};
}

}  // namespace

TEST_CASE("what an export does not tell of a training step is inferred") {
  for (const bool adam : {true, false}) {
    ir::Optimizer optimizer;
    if (!adam) optimizer.kind = ir::Optimizer::Kind::sgd;
    CAPTURE(adam);
    check_inferred(ir::training_step(models::gpt_forward(toy_gpt(), 4), optimizer), true);
    check_inferred(ir::training_step(models::branching_forward(16, 8, 2), optimizer), true);
  }
}

TEST_CASE("random steps without marks are read as what they are") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    check_inferred(ir::training_step(models::random_forward(seed, 6, 40), {}), true);
  }
}

TEST_CASE("numbers to begin with are finite and fit") {
  const Program step = ir::training_step(models::gpt_forward(toy_gpt(), 4), {});
  const Program inferred = models::imported_step(stripped(step, true), {});
  for (const Input& input : inferred.inputs) {
    if (input.kind != InputKind::batch) continue;
    CHECK(input.initializer == Initializer{Initializer::Kind::uniform_integer, 0, 12});
  }
  CHECK(models::batch_of(inferred) == 4);
  const std::vector<ir::Tensor> results = ir::evaluate(inferred, ir::initial_tensors(inferred, 7));
  for (const ir::Tensor& tensor : results) {
    for (double element : tensor.elements) CHECK(std::isfinite(element));
  }
  CHECK(results[0].elements[0] == Approx(std::log(12)).epsilon(0.5));
}

namespace {

/// Loss x . w over the batch; `update` of w.
Program linear(const std::string& update, const std::string& head = "",
               const std::string& more = "") {
  return ir::parse_hlo(
      "HloModule m" + head +
          "\n%sum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
          "  ROOT %r = f32[] add(%a, %b)\n}\nENTRY %main {\n  %w = f32[3] parameter(0)\n"
          "  %x = f32[4,3] parameter(1)\n  %rate = f32[] parameter(2)\n  %z = f32[] constant(0)\n"
          "  %y = f32[4] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
          "  %l = f32[] reduce(%y, %z), dimensions={0}, to_apply=%sum\n"
          "  %g = f32[3] reduce(%x, %z), dimensions={0}, to_apply=%sum\n"
          "  %b = f32[3] broadcast(%rate), dimensions={}\n" +
          update + more,
      "m.hlo");
}

const std::string kDescent = "  %s = f32[3] multiply(%b, %g)\n  %u = f32[3] subtract(%w, %s)\n";
const std::string kRoot = "  ROOT %t = (f32[], f32[3]) tuple(%l, %u)\n}\n";

}  // namespace

TEST_CASE("without an alias outputs replace the first inputs whose shapes they have") {
  const Program step = models::imported_step(linear(kDescent, "", kRoot), {});
  REQUIRE(step.outputs.size() == 3);
  CHECK(step.outputs[0].kind == OutputKind::loss);
  CHECK(step.outputs[1].kind == OutputKind::gradient);
  CHECK(step.op(step.outputs[1].value).kind == OpKind::reduce);
  CHECK(step.outputs[2].input == 0);
  CHECK(step.inputs[0].kind == InputKind::parameter);
  CHECK(step.inputs[1].kind == InputKind::batch);
  CHECK(step.inputs[2].kind == InputKind::scalar);
  CHECK(models::batch_of(step) == 4);
}

TEST_CASE("an alias that nothing changes is no state, and what is told wins") {
  const std::string head =
      ", input_output_alias={ {1}: (0, {}, must-alias), {2}: (1, {}, may-alias) }";
  const std::string root = "  ROOT %t = (f32[], f32[3], f32[4,3]) tuple(%l, %u, %x)\n}\n";
  const Program step = models::imported_step(linear(kDescent, head, root), {});
  CHECK(step.inputs[1].kind == InputKind::batch);
  const Program told = models::imported_step(linear(kDescent, head, root),
                                             {.batch = {"1"}, .initial = {{"rate", 0.25}}});
  CHECK(told.inputs[2].initializer == Initializer{Initializer::Kind::constant, 0.25, 0});
}

TEST_CASE("a forward pass alone keeps its loss and no update") {
  const Program step = models::imported_step(
      linear("", "", "  ROOT %t = (f32[], f32[4]) tuple(%l, %y)\n}\n"), {.batch = {"x"}});
  REQUIRE(step.outputs.size() == 1);
  CHECK(step.inputs.size() == 2);  // nothing reads the rate
  CHECK(step.inputs[0].kind == InputKind::parameter);
}

TEST_CASE("what cannot be inferred is said, with the key that tells it") {
  const auto refused = [](const Program& program, const models::ImportedInterface& interface,
                          const std::string& words) {
    CHECK_THROWS_WITH(models::imported_step(program, interface), Contains(words));
  };
  refused(linear("", "", "  ROOT %t = (f32[]) tuple(%l)\n}\n"), {.loss = 0}, "`batch: [NAMES]`");
  refused(linear(kDescent, "", kRoot), {.loss = 9}, "no output '9': they are numbers below 2");
  refused(linear(kDescent, "", kRoot), {.batch = {"tokens"}}, "has no input 'tokens'");
  refused(linear(kDescent, "", kRoot), {.loss = 1}, "is one floating-point number, and no f32[3]");
  refused(linear(kDescent, "", kRoot), {.batch_dimension = 2}, "no input of the batch has such");
  refused(linear(kDescent, "", kRoot), {.states = {{"1", "x"}}},
          "input 'x' is not of the shape of the output");
}

TEST_CASE("a program that does not train yields values and states") {
  // No loss, or no batch: all that is computed, each once, and no input.
  for (const std::string root : {"  ROOT %t = (f32[4], f32[4], f32[3]) tuple(%y, %y, %w)\n}\n",
                                 "  ROOT %t = (f32[]) tuple(%l)\n}\n"}) {
    CAPTURE(root);
    const Program step = models::imported_step(linear("", "", root), {});
    REQUIRE(step.outputs.size() == 1);
    CHECK(step.outputs[0].kind == OutputKind::value);
    CHECK(models::batch_of(step) == 0);
  }
  // A cache: aliased and changed.
  const Program decode =
      models::imported_step(linear(kDescent, ", input_output_alias={ {1}: (0, {}, must-alias) }",
                                   "  ROOT %t = (f32[4], f32[3]) tuple(%y, %u)\n}\n"),
                            {.batch = {"x"}});
  REQUIRE(decode.outputs.size() == 2);
  CHECK(decode.outputs[0] == Output{decode.outputs[0].value, OutputKind::updated_state, 0});
  CHECK(decode.outputs[1].kind == OutputKind::value);
  CHECK(models::batch_of(decode) == 4);
}

TEST_CASE("a backward pass alone yields its loss and its gradients as values") {
  const Program pass = models::imported_step(
      linear("  %tokens = s32[4] parameter(3)\n", "",
             "  %f = f32[4] convert(%tokens)\n  %d = f32[] reduce(%f, %z), dimensions={0}, "
             "to_apply=%sum\n  %m = f32[] add(%l, %d)\n  ROOT %t = (f32[], f32[3]) tuple(%m, "
             "%g)\n}\n"),
      {});
  REQUIRE(pass.outputs.size() == 2);
  CHECK(pass.outputs[0].kind == OutputKind::loss);
  CHECK(pass.outputs[1].kind == OutputKind::value);
  CHECK(pass.op(pass.outputs[1].value).phase == Phase::backward);
}

TEST_CASE("a gradient may be a value of the forward pass, and need not be told at all") {
  // Loss (x . w) v: the gradient of v is x . w, which the loss reads, too.
  const std::string product =
      "  %v = f32[] parameter(3)\n  %p = f32[] multiply(%l, %v)\n"
      "  %n = f32[] subtract(%v, %l)\n";
  const Program step =
      models::imported_step(linear(product, ", input_output_alias={ {1}: (3, {}, must-alias) }",
                                   "  ROOT %t = (f32[], f32[]) tuple(%p, %n)\n}\n"),
                            {.batch = {"x"}});
  REQUIRE(step.outputs.size() == 3);
  CHECK(step.outputs[1].kind == OutputKind::gradient);
  CHECK(step.op(step.outputs[1].value).phase == Phase::forward);
  CHECK_NOTHROW(ir::update_only(step));
  // Twice on ways that never meet in one value.
  const Program untold = models::imported_step(
      linear("  %h = f32[3] reduce(%x, %rate), dimensions={0}, to_apply=%sum\n"
             "  %s = f32[3] multiply(%w, %g)\n  %v = f32[3] multiply(%b, %h)\n"
             "  %u = f32[3] subtract(%s, %v)\n",
             "", kRoot),
      {});
  REQUIRE(untold.outputs.size() == 2);
  CHECK(untold.outputs[0].kind == OutputKind::loss);
  CHECK(untold.outputs[1].kind == OutputKind::updated_state);
}

TEST_CASE("of several scalars that one is the loss whose gradients the updates read") {
  // tests/data/jax/export_meshes.py: beside it are an accuracy, its two parts, norms of gradients,
  // of parameters before and after, and a perplexity; donated buffers say nothing of outputs.
  for (const std::string ending : {".hlo.txt", ".mlir"}) {
    CAPTURE(ending);
    const std::string name = std::string(RHINO_TEST_DATA) + "/jax/metrics" + ending;
    std::ifstream file(name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Program program =
        ending == ".mlir" ? ir::parse_stablehlo(text, name) : ir::parse_hlo(text, name);
    const Program step = models::imported_step(program, {});
    CHECK(step == models::imported_step(program, {.loss = 6}));
    // Eight outputs are what momenta and parameters become.
    for (std::int32_t i = 0; i < 4; ++i) {
      CHECK(step.inputs[static_cast<std::size_t>(i)].kind == InputKind::parameter);
      const Input& momentum = step.inputs[static_cast<std::size_t>(i) + 4];
      CHECK(momentum.kind == InputKind::optimizer_state);
      CHECK(momentum.state_of == i);
    }
  }
}

TEST_CASE("a metric may read the loss along more ways than can be gone one by one") {
  std::string squares, value = "%l";
  for (int i = 0; i < 60; ++i) {
    const std::string next = "%q" + std::to_string(i);
    squares += "  " + next + " = f32[] multiply(" + value + ", " + value + ")\n";
    value = next;
  }
  const std::string root = "  ROOT %t = (f32[], f32[], f32[3]) tuple(" + value + ", %l, %u)\n}\n";
  const Program step = models::imported_step(linear(kDescent, "", squares + root), {});
  const auto loss = std::ranges::find(step.outputs, OutputKind::loss, &Output::kind);
  REQUIRE(loss != step.outputs.end());
  CHECK(step.op(loss->value).kind == OpKind::reduce);
}

TEST_CASE(
    "memory that JAX gives to the first output of a shape tells nothing of what replaces it") {
  // The momentum %m is yielded first, in the memory of %w.
  const std::string momentum =
      "  %m = f32[3] parameter(3)\n  %h = f32[3] multiply(%b, %m)\n  %n = f32[3] add(%h, %g)\n"
      "  %s = f32[3] multiply(%b, %n)\n  %u = f32[3] subtract(%w, %s)\n";
  const Program step = models::imported_step(
      linear(momentum, ", input_output_alias={ {1}: (0, {}, may-alias), {2}: (3, {}, may-alias) }",
             "  ROOT %t = (f32[], f32[3], f32[3]) tuple(%l, %n, %u)\n}\n"),
      {});
  CHECK(step.inputs[0].kind == InputKind::parameter);
  CHECK(step.inputs[3].kind == InputKind::optimizer_state);
  for (const Output& output : step.outputs) {
    if (output.kind != OutputKind::updated_state) continue;
    CHECK(step.op(output.value).kind == (output.input == 0 ? OpKind::subtract : OpKind::add));
  }
}

TEST_CASE("states without an alias may come behind the batch, and gradients alone are none") {
  const std::string behind =
      "HloModule m\n%sum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %r = f32[] add(%a, %b)\n}\nENTRY %main {\n  %x = f32[4,3] parameter(0)\n"
      "  %w = f32[3] parameter(1)\n  %z = f32[] constant(0)\n"
      "  %y = f32[4] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  %l = f32[] reduce(%y, %z), dimensions={0}, to_apply=%sum\n"
      "  %d = f32[4] cosine(%y)\n"
      "  %g = f32[3] dot(%d, %x), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  %u = f32[3] subtract(%w, %g)\n";
  const Program step = models::imported_step(
      ir::parse_hlo(behind + "  ROOT %t = (f32[], f32[3]) tuple(%l, %u)\n}\n", "m.hlo"), {});
  CHECK(step.inputs[0].kind == InputKind::batch);
  CHECK(step.inputs[1].kind == InputKind::parameter);
  CHECK(step.outputs.back() == Output{step.outputs.back().value, OutputKind::updated_state, 1});
  const Program pass = models::imported_step(
      ir::parse_hlo(behind + "  ROOT %t = (f32[], f32[3]) tuple(%l, %g)\n}\n", "m.hlo"),
      {.batch = {"x"}});
  REQUIRE(pass.outputs.size() == 2);
  CHECK(pass.outputs[0].kind == OutputKind::loss);
  CHECK(pass.outputs[1].kind == OutputKind::value);
}

TEST_CASE("a gradient is behind what other gradients are computed of") {
  // Loss sum(x exp(a d)), d a scalar: of sum(x) exp(a d) the gradients of a and of d are made.
  const Program step = models::imported_step(
      ir::parse_hlo(
          "HloModule m\n%sum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
          "  ROOT %r = f32[] add(%a, %b)\n}\nENTRY %main {\n  %a = f32[3] parameter(0)\n"
          "  %d = f32[] parameter(1)\n  %x = f32[4,3] parameter(2)\n  %z = f32[] constant(0)\n"
          "  %s = f32[3] broadcast(%d), dimensions={}\n  %e = f32[3] multiply(%a, %s)\n"
          "  %f = f32[3] exponential(%e)\n"
          "  %y = f32[4] dot(%x, %f), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
          "  %l = f32[] reduce(%y, %z), dimensions={0}, to_apply=%sum\n"
          "  %h = f32[3] reduce(%x, %z), dimensions={0}, to_apply=%sum\n"
          "  %g = f32[3] multiply(%h, %f)\n  %i = f32[3] multiply(%g, %s)\n"
          "  %j = f32[3] multiply(%g, %a)\n"
          "  %k = f32[] reduce(%j, %z), dimensions={0}, to_apply=%sum\n"
          "  %u = f32[3] subtract(%a, %i)\n  %v = f32[] subtract(%d, %k)\n"
          "  ROOT %t = (f32[], f32[3], f32[]) tuple(%l, %u, %v)\n}\n",
          "m.hlo"),
      {});
  REQUIRE(step.outputs.size() == 5);
  CHECK(step.outputs[1].kind == OutputKind::gradient);
  CHECK(step.op(step.outputs[1].value).kind == OpKind::multiply);
  CHECK(step.op(step.outputs[2].value).kind == OpKind::reduce);
  CHECK_NOTHROW(ir::update_only(step));
}

TEST_CASE("what the forward pass leaves to a running mean hides no gradient") {
  const Program step = models::imported_step(
      linear(kDescent + "  %m = f32[] parameter(3)\n  %q = f32[] multiply(%rate, %l)\n"
                        "  %n = f32[] add(%m, %q)\n",
             ", input_output_alias={ {1}: (0, {}, may-alias), {2}: (3, {}, may-alias) }",
             "  ROOT %t = (f32[], f32[3], f32[]) tuple(%l, %u, %n)\n}\n"),
      {});
  REQUIRE(step.outputs.size() == 5);
  CHECK(step.op(step.outputs[1].value).kind == OpKind::reduce);
  CHECK(step.outputs[2].input == 3);
  CHECK(step.op(step.outputs[2].value).kind == OpKind::multiply);
  CHECK_NOTHROW(ir::update_only(step));
}

TEST_CASE("a batch whose samples another dim counts has that dim first") {
  const Program program = linear(kDescent, "", kRoot),
                step = models::imported_step(program, {.batch = {"x"}, .batch_dimension = 1});
  CHECK(step.shape(step.inputs[1].value).dims == std::vector<std::int64_t>{3, 4});
  CHECK(models::batch_of(step) == 3);
  const std::vector<double> rows{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
      columns{1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12};
  const ir::Tensor w{{DType::f32, {3}}, {1, 10, 100}}, rate{{DType::f32, {}}, {0.5}};
  const std::vector<ir::Tensor> told{w, {{DType::f32, {4, 3}}, rows}, rate},
      turned{w, {{DType::f32, {3, 4}}, columns}, rate};
  CHECK(ir::evaluate(step, turned)[0].elements == ir::evaluate(program, told)[0].elements);
}

TEST_CASE("gradients come nearest to the loss first, and dots as what reads them has them") {
  // Two layers, tanh(x a) and its product with b; the gradient of a is yielded first, both behind
  // transposes.
  Program program = ir::parse_hlo(
      "HloModule m\n%sum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %r = f32[] add(%a, %b)\n}\nENTRY %main {\n  %a = f32[3,5] parameter(0)\n"
      "  %b = f32[5,2] parameter(1)\n  %x = f32[4,3] parameter(2)\n  %z = f32[] constant(0)\n"
      "  %h = f32[4,5] dot(%x, %a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  %t = f32[4,5] tanh(%h)\n"
      "  %y = f32[4,2] dot(%t, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  %q = f32[4,2] multiply(%y, %y)\n"
      "  %l = f32[] reduce(%q, %z), dimensions={0,1}, to_apply=%sum\n"
      "  %e = f32[4,5] dot(%y, %b), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
      "  %f = f32[4,5] multiply(%e, %t)\n"
      "  %g = f32[5,3] dot(%f, %x), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  %i = f32[3,5] transpose(%g), dimensions={1,0}\n"
      "  %j = f32[2,5] dot(%y, %t), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  %k = f32[5,2] transpose(%j), dimensions={1,0}\n"
      "  %u = f32[3,5] subtract(%a, %i)\n  %v = f32[5,2] subtract(%b, %k)\n"
      "  ROOT %o = (f32[], f32[3,5], f32[5,2]) tuple(%l, %u, %v)\n}\n",
      "m.hlo");
  const Program before = models::imported_step(program, {});
  models::imported::swap_dots(program);
  const Program step = models::imported::in_order_of_gradients(models::imported_step(program, {}));
  CHECK(std::ranges::none_of(step.ops, [](const Op& op) { return op.kind == OpKind::transpose; }));
  REQUIRE(step.outputs.size() == before.outputs.size());
  CHECK(step.outputs[1].input == 0);
  CHECK(step.outputs[2].value < step.outputs[1].value);
  CHECK(step.op(step.outputs[1].value).kind == OpKind::dot);
  CHECK(ir::evaluate(step, ir::initial_tensors(step, 3)) ==
        ir::evaluate(before, ir::initial_tensors(before, 3)));
}
