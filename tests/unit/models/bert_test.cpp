// SPDX-License-Identifier: Apache-2.0
#include "models/bert.hpp"

#include <catch2/catch.hpp>

#include "ir/flops.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("bert presets have the parameters of the published models with their language head") {
  CHECK(bert_num_parameters(bert_preset("base")) == 109'514'298);
  CHECK(bert_num_parameters(bert_preset("large")) == 335'174'458);
}

TEST_CASE("the graph of every bert preset has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : bert_presets()) {
    CAPTURE(name);
    const BertConfig config = bert_preset(name);
    const Program step = ir::training_step(bert_forward(config, 2), {});
    CHECK(ir::num_parameters(step) == bert_num_parameters(config));
    CHECK(ir::dot_flops(step) == Approx(bert_step_flops(config, 2)).epsilon(1e-12));
  }
}

TEST_CASE("a bert sees words on both sides, and none of other samples") {
  const BertConfig config = bert_preset("tiny");
  Program program = bert_forward(config, 2);
  for (ValueId id = 0; id < program.size(); ++id)
    if (program.op(id).name == "logits") program.outputs = {{id, OutputKind::value, -1}};
  std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 7);
  const auto logits = [&] { return ir::evaluate(program, inputs, ir::Precision::f64)[0].elements; };
  const std::vector<double> before = logits();
  std::size_t tokens = 0;
  while (program.producer(program.inputs[tokens].value).name != "tokens") ++tokens;
  // The last word of the first sample becomes another.
  double& word = inputs[tokens].elements.at(std::size_t(config.sequence - 1));
  word = word == 3 ? 4 : 3;
  const std::vector<double> after = logits();
  CHECK(before[0] != after[0]);
  const auto half = static_cast<std::ptrdiff_t>(before.size() / 2);
  CHECK(std::equal(before.begin() + half, before.end(), after.begin() + half));
}
