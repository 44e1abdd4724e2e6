// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <iterator>

#include "import_harness.hpp"
#include "ir/canonical.hpp"
#include "ir/element.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

/// Training steps that JAX exported, against what JAX computes of them: tests/data/jax/export.py.
namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(RHINO_TEST_DATA) + "/jax/" + name);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<std::string>& fixtures() {
  static const std::vector<std::string> kNames = {"mlp",         "gpt",       "lstm",
                                                  "resnet",      "moe",       "bert",
                                                  "vit",         "unet",      "moe_sort",
                                                  "gpt_scan",    "convnext",  "diffusion",
                                                  "mamba",       "llama",     "dropout",
                                                  "dropout_rbg", "random",    "mixer",
                                                  "gru",         "wgan",      "autoencoder",
                                                  "s4",          "masked",    "convmixer",
                                                  "rwkv",        "perceiver", "topk_autoencoder",
                                                  "lora",        "metrics"};
  return kNames;
}

/// The counter that export.py fills inputs with.
std::vector<Tensor> counted_inputs(const Program& program) {
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    Tensor tensor{program.shape(program.inputs[k].value), {}};
    for (std::int64_t i = 0; i < num_elements(tensor.shape); ++i) {
      const auto number = static_cast<std::int64_t>(k);
      tensor.elements.push_back(
          is_floating(tensor.shape.dtype)
              ? static_cast<double>(static_cast<float>(
                    (static_cast<double>((7919 * i + 104729 * number) % 1000) / 1000 + 0.0625) / 4))
              : static_cast<double>((7 * i + number) % 4));
    }
    round_all(tensor.shape.dtype, tensor.elements);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// A line of NAME.results against an output: its norm, its sum, and elements a third of all apart.
void check_output(std::ifstream& file, const Tensor& output, bool is_narrow) {
  const double tolerance = is_narrow ? 2e-2 : 1e-5;
  double norm = 0, sum = 0, square = 0, total = 0;
  REQUIRE(file >> norm >> sum);
  for (double element : output.elements) square += element * element, total += element;
  CHECK(std::sqrt(square) == Approx(norm).epsilon(tolerance).margin(1e-7));
  CHECK(total == Approx(sum).epsilon(tolerance).margin(10 * tolerance * norm + 1e-7));
  for (std::size_t i = 0; i < 4; ++i) {
    double sample = 0;
    REQUIRE(file >> sample);
    const double element = output.elements[i * (output.elements.size() - 1) / 3];
    CHECK(element == Approx(sample).epsilon(tolerance).margin(tolerance * norm + 1e-7));
  }
}

/// Whether some values have 16 bits: what is computed of them depends on where a compiler rounds.
bool has_narrow_values(const Program& program) {
  return std::ranges::any_of(program.ops, [](const Op& op) { return is_narrow(op.shape.dtype); });
}

void check_results(const std::string& name, const Program& program) {
  const std::vector<Tensor> outputs = evaluate(program, counted_inputs(program));
  std::ifstream file(std::string(RHINO_TEST_DATA) + "/jax/" + name + ".results");
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    CAPTURE(k);
    check_output(file, outputs[k], has_narrow_values(program));
  }
  double more = 0;
  CHECK_FALSE(file >> more);
}

}  // namespace

TEST_CASE("steps that JAX exports compute what JAX computes, from HLO and from StableHLO") {
  for (const std::string& name : fixtures()) {
    CAPTURE(name);
    const Program hlo = parse_hlo(text_of(name + ".hlo.txt"), name + ".hlo.txt");
    check_results(name, hlo);
    check_results(name, parse_stablehlo(text_of(name + ".mlir"), name + ".mlir"));
  }
}

TEST_CASE("both texts of a step are one program, but for names") {
  const auto unnamed = [](Program program) {
    for (Op& op : program.ops) op.name.clear();
    program.name.clear();
    return program;
  };
  for (const std::string& name : fixtures()) {
    CAPTURE(name);
    const Program hlo = parse_hlo(text_of(name + ".hlo.txt"), name),
                  stablehlo = parse_stablehlo(text_of(name + ".mlir"), name);
    const Program first = unnamed(canonical(hlo, Zeros::alike)),
                  second = unnamed(canonical(stablehlo, Zeros::alike));
    CHECK(print_hlo(first) == print_hlo(second));
    CHECK(first == second);
    // There XLA drops sums with 0 although they may be of -0.
    if (name == "mamba" || name == "wgan") continue;
    CHECK(unnamed(canonical(hlo)) == unnamed(canonical(stablehlo)));
  }
}

TEST_CASE("the canonical form of a step computes what the step computes, and is its own") {
  for (const std::string& name : fixtures()) {
    CAPTURE(name);
    const Program step = parse_stablehlo(text_of(name + ".mlir"), name), form = canonical(step);
    CHECK(form.ops.size() < step.ops.size());
    const std::vector<Tensor> inputs = counted_inputs(step);
    CHECK(evaluate(form, inputs) == evaluate(step, inputs));
    CHECK(canonical(form) == form);
  }
}

TEST_CASE("what is printed of an export reads back as what it was") {
  for (const std::string& name : fixtures()) {
    CAPTURE(name);
    for (const Program& program : {parse_hlo(text_of(name + ".hlo.txt"), name),
                                   parse_stablehlo(text_of(name + ".mlir"), name)}) {
      const Program again = parse_hlo(print_hlo(program), "printed");
      CHECK(again == program);
      CHECK(print_hlo(again) == print_hlo(program));
    }
  }
}

TEST_CASE("functions of CHLO that HLO lacks are as near as f32 is") {
  const auto function = [](const std::string& name) {
    return parse_stablehlo(
        "module @m {\n func.func public @main(%x: tensor<400xf32>) -> "
        "(tensor<400xf32>) {\n %0 = chlo." +
            name +
            " %x : tensor<400xf32> -> tensor<400xf32>\n return %0 : "
            "tensor<400xf32>\n }\n}\n",
        "function.mlir");
  };
  const Program erfc = function("erfc"), inverse = function("erf_inv");
  Tensor places{{DType::f32, {400}}, {}}, erfs = places;
  for (int i = -200; i < 200; ++i) places.elements.push_back(i * 0.04);
  round_all(DType::f32, places.elements);
  for (double x : places.elements) erfs.elements.push_back(std::erf(x / 4));
  round_all(DType::f32, erfs.elements);
  const auto tails = evaluate(erfc, std::vector{places})[0].elements,
             found = evaluate(inverse, std::vector{erfs})[0].elements;
  for (std::size_t i = 0; i < 400; ++i) {
    CAPTURE(places.elements[i]);
    CHECK(tails[i] == Approx(std::erfc(places.elements[i])).epsilon(2e-5).margin(1e-37));
    // Towards the ends an erf of f32 tells less and less of what it is the erf of.
    const double slope = 1.1284 * std::exp(-std::pow(places.elements[i] / 4, 2));
    CHECK(std::erf(found[i]) == Approx(erfs.elements[i]).margin(3e-7));
    if (slope > 1e-3) CHECK(found[i] == Approx(places.elements[i] / 4).margin(1e-6 / slope));
  }
}
