// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/autodiff.hpp"
#include "ir/flops.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("the graph of every gpt preset has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : gpt_presets()) {
    CAPTURE(name);
    const GptConfig config = gpt_preset(name);
    const Program step = ir::training_step(gpt_forward(config, 4), {});
    CHECK(ir::num_parameters(step) == gpt_num_parameters(config));
    CHECK(ir::dot_flops(step) == Approx(gpt_step_flops(config, 4)).epsilon(1e-12));
    CHECK(ir::model_flops(step) == ir::dot_flops(step));
  }
}

TEST_CASE("gpt presets have about the parameters that their names say") {
  const std::pair<const char*, double> expected[] = {
      {"1m", 0.54e6},  {"15m", 14e6},   {"125m", 125e6}, {"350m", 356e6},
      {"760m", 760e6}, {"1.3b", 1.3e9}, {"2.6b", 2.6e9}, {"6.7b", 6.7e9},
      {"15b", 15e9},   {"39b", 39e9},   {"76b", 76e9},   {"175b", 175e9}};
  for (const auto& [name, count] : expected) {
    CAPTURE(name);
    CHECK(static_cast<double>(gpt_num_parameters(gpt_preset(name))) == Approx(count).epsilon(0.06));
  }
}

TEST_CASE("an unknown gpt preset is refused with the known ones") {
  CHECK_THROWS_WITH(gpt_preset("2b"), Catch::Contains("'2b'") && Catch::Contains("2.6b"));
  GptConfig config = gpt_preset("1m");
  config.num_heads = 3;
  CHECK_THROWS_WITH(gpt_forward(config, 1), "gpt: hidden 128 does not divide by 3 heads");
}

TEST_CASE("names and shapes of gpt weights keep heads apart from query, key and value") {
  const Program program = gpt_forward(gpt_preset("1m"), 2);
  const auto shape_of = [&](const std::string& name) {
    const auto found = std::ranges::find(program.ops, name, &Op::name);
    REQUIRE(found != program.ops.end());
    return to_string(found->shape);
  };
  CHECK(shape_of("wte") == "f32[1024,128]");
  CHECK(shape_of("wpe") == "f32[64,128]");
  CHECK(shape_of("h0.ln1.scale") == "f32[128]");
  CHECK(shape_of("h0.attn.qkv.weight") == "f32[128,3,4,32]");
  CHECK(shape_of("h1.attn.qkv.bias") == "f32[3,4,32]");
  CHECK(shape_of("h1.attn.out.weight") == "f32[4,32,128]");
  CHECK(shape_of("h1.mlp.up.weight") == "f32[128,512]");
  CHECK(shape_of("h1.mlp.down.weight") == "f32[512,128]");
  CHECK(shape_of("ln_f.bias") == "f32[128]");
  CHECK(shape_of("tokens") == "s32[2,64]");
  CHECK(shape_of("labels") == "s32[2,64]");
  const auto input = std::ranges::find_if(program.inputs, [&](const Input& candidate) {
    return program.producer(candidate.value).name == "h0.attn.qkv.weight";
  });
  CHECK(input->dim_names == std::vector<std::string>{"hidden", "qkv", "heads", "head_dim"});
  for (const Input& each : program.inputs) {
    CHECK(each.dim_names.size() == program.shape(each.value).dims.size());
  }
}

TEST_CASE("a fused qkv of gpt is a matrix whose columns a reshape makes into heads") {
  GptConfig config = gpt_preset("1m");
  config.fused_qkv = true;
  const Program program = gpt_forward(config, 2);
  const auto op = [&](const std::string& name) {
    return *std::ranges::find(program.ops, name, &Op::name);
  };
  CHECK(to_string(op("h0.attn.qkv.weight").shape) == "f32[128,384]");
  CHECK(to_string(op("h1.attn.qkv.bias").shape) == "f32[384]");
  CHECK(to_string(op("h0.attn.heads").shape) == "f32[2,64,3,4,32]");
  CHECK(op("h0.attn.heads").kind == OpKind::reshape);
  CHECK(ir::num_parameters(ir::training_step(program, {})) == gpt_num_parameters(config));
}

TEST_CASE("the step of gpt 2.6b keeps less than its backward pass reads without recomputation") {
  const GptConfig config = gpt_preset("2.6b");
  Program program = gpt_forward(config, 8);
  std::vector<ValueId> parameters;
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::parameter) parameters.push_back(input.value);
  }
  ir::append_gradients(program, program.outputs[0].value, parameters);
  const double hidden_bytes = 8.0 * 1024 * 2560 * 4, score_bytes = 8.0 * 32 * 1024 * 1024 * 4;
  const auto per_layer = [&](const Program& step) {
    return static_cast<double>(ir::kept_bytes(step)) / 32;
  };
  const double before = per_layer(program), after = per_layer(ir::recompute_cheap(program));
  CAPTURE(before, after, hidden_bytes, score_bytes);
  CHECK(after < 0.6 * before);
  // Per layer: two norms' centered inputs, query, key and value, mixed heads, and 4 * hidden in the
  // MLP; the exponentials of the scores; small change for the logits and per-row statistics.
  CHECK(after < 10.5 * hidden_bytes + 1.15 * score_bytes);
}

TEST_CASE("the size of gpt's step grows with its layers alone") {
  const auto size = [](const std::string& preset, std::int64_t batch) {
    return ir::training_step(gpt_forward(gpt_preset(preset), batch), {}).size();
  };
  CHECK(size("2.6b", 1024) == size("6.7b", 1));  // 32 layers both
}
