// SPDX-License-Identifier: Apache-2.0
#include "config/strategy_file.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "config/value_pattern.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "temporary_file.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

TEST_CASE("a strategy file annotates what its patterns match") {
  const TemporaryFile file(R"(name: columns
mesh: {stage: 2, data: 1, tensor: 2}
shard:
  - {match: "*.weight", dims: {heads: tensor}}
)");
  Program program;
  program.ops = {{.kind = OpKind::parameter, .shape = {DType::f32, {8, 4}}, .name = "h0.weight"},
                 {.kind = OpKind::parameter, .shape = {DType::f32, {8}}, .name = "h0.bias"}};
  program.inputs = {{.value = 0, .dim_names = {"hidden", "heads"}}, {.value = 1}};
  const StrategyFile strategy =
      read_strategy_file(file.path(), Options({{"tensor", std::int64_t{4}}}));
  CHECK(strategy.num_stages == 2);
  CHECK(strategy.axes == std::vector<MeshAxis>{{"data", 1}, {"tensor", 4}});
  const StrategyDraft draft = draft_of(strategy, program, {Chunk{}, Chunk{}}, 4);
  REQUIRE(draft.annotations.size() == 1);
  CHECK(draft.annotations[0].dims == std::vector<std::vector<AxisId>>{{}, {1}});
  CHECK(draft.batch_axis == 0);
  CHECK_THROWS_WITH(read_strategy_file(file.path(), Options({{"tenosr", std::int64_t{4}}})),
                    Contains("did you mean 'tensor'?"));
}

TEST_CASE("gradients overlap, in buckets, as the strategy or its choice says") {
  const auto sums_of = [](const std::string& keys, const Options& options = {}) {
    const TemporaryFile file("name: x\nmesh: {stage: 1}\n" + keys);
    return read_strategy_file(file.path(), options).gradient_sums;
  };
  CHECK((sums_of("") == GradientSums()));
  CHECK((sums_of("overlap: false\nbucket: 25MB\n") == GradientSums{false, 25000000}));
  CHECK((sums_of("bucket: 25MB\n", Options({{"overlap", false}, {"bucket", std::int64_t{8}}})) ==
         GradientSums{false, 8}));
  CHECK_THROWS_WITH(sums_of("bucket: 0\n"), Contains("bucket must be at least one byte"));
  CHECK_THROWS_WITH(sums_of("bucket: many\n"), Contains(":3: "));
  CHECK_THROWS_WITH(sums_of("overlap: 4MiB\n"), Contains(":3: "));
}

TEST_CASE("a chunk that there is not is told with its place") {
  models::GptConfig config{.preset = "", .num_layers = 2, .hidden = 4, .num_heads = 2};
  const Program program = ir::training_step(models::gpt_forward(config, 2), {});
  const TemporaryFile third("name: x\nmesh: {stage: 2}\nchunks: {h0.out: 2}\n");
  CHECK_THROWS_WITH(draft_of(read_strategy_file(third.path(), {}), program, {{}, {}}, 1),
                    Contains(":3: there is no chunk 2 of 2"));
  const TemporaryFile cut("name: x\nmesh: {stage: 2}\nchunks: {h0.out: 4294967296}\n");
  CHECK_THROWS_WITH(read_strategy_file(cut.path(), {}), Contains(":3: ") && Contains("65535"));
  const TemporaryFile zero("name: x\nmesh: {stage: 2}\nzero: 4294967296\n");
  CHECK_THROWS_WITH(read_strategy_file(zero.path(), {}), Contains("zero must be 0, 1, 2 or 3"));
}

TEST_CASE("chunks end with as many of the values that patterns match, the first with one more") {
  const TemporaryFile file("name: x\nmesh: {stage: 1}\nchunks: [\"h?.out\", \"h1?.out\"]\n");
  const StrategyFile strategy = read_strategy_file(file.path(), {});
  CHECK(strategy_text(strategy, "again").find("chunks: [") != std::string::npos);
  models::GptConfig config{.preset = "", .num_layers = 11, .hidden = 4, .num_heads = 2};
  const Program program = ir::training_step(models::gpt_forward(config, 2), {});
  for (const std::int32_t num_chunks : {1, 3, 11}) {
    const StrategyDraft draft =
        draft_of(strategy, program, std::vector<Chunk>(static_cast<std::size_t>(num_chunks)), 1);
    std::vector<std::int32_t> num_layers(static_cast<std::size_t>(num_chunks));
    for (ValueId id = 0; id < program.size(); ++id) {
      const std::string& name = program.op(id).name;
      const auto chunk = static_cast<std::size_t>(draft.chunk_of[static_cast<std::size_t>(id)]);
      if (name.ends_with(".out") && std::ranges::count(name, '.') == 1) ++num_layers[chunk];
      if (name == "logits") CHECK(chunk + 1 == num_layers.size());
    }
    CHECK((num_layers == (num_chunks == 3
                              ? std::vector<std::int32_t>{4, 4, 3}
                              : std::vector<std::int32_t>(num_layers.size(), 11 / num_chunks))));
  }
  CHECK_THROWS_WITH(draft_of(strategy, program, std::vector<Chunk>(12), 1),
                    Contains(":3: 11 values match, and there are 12 chunks"));
}

TEST_CASE("the strategies that name layers are of GPTs of any number of them") {
  for (const std::int64_t num_layers : {2, 12, 101}) {
    CAPTURE(num_layers);
    models::GptConfig config{.preset = "", .num_layers = num_layers, .hidden = 4, .num_heads = 2};
    const Program program = ir::training_step(models::gpt_forward(config, 2), {});
    std::vector<std::size_t> num_remade;
    for (const char* name : {"gpt_megatron_recompute", "gpt_megatron_deepspeed"}) {
      const StrategyFile file =
          read_strategy_file(std::string(RHINO_TEST_STRATEGIES) + "/" + name + ".yaml", {});
      const StrategyDraft draft = draft_of(file, program, std::vector<Chunk>(2), 1);
      num_remade.push_back(draft.recompute.size());
      std::set<std::string> layers;
      for (const ValueId id : draft.recompute) {
        const std::string& made = program.op(id).name;
        if (made.starts_with("h")) layers.insert(made.substr(0, made.find('.')));
      }
      CHECK(layers.size() == static_cast<std::size_t>(num_layers));
    }
    CHECK(num_remade[0] == num_remade[1]);
  }
  CHECK(escaped_glob("h+(3)*.out") == "h+\\(3)\\*.out");
}

TEST_CASE("what lies between two patterns is what a path leads through, past no other of them") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Program program = ir::training_step(models::random_forward(seed, 4, 30), {});
    std::mt19937_64 random(seed);
    std::set<std::string> names;
    for (Op& op : program.ops) {
      const auto choice = random() % 8;
      if (op.phase != Phase::forward || op.operands.empty() || choice > 2) continue;
      op.name = choice == 0 ? "from" : choice == 1 ? "to" : "both";
      names.insert(op.name);
    }
    if (names.size() < 3) continue;  // a pattern that matches nothing is an error
    const StrategyFile file{.segments = {{.from = {"from", "both"}, .to = {"to", "both"}}}};
    const auto begins = [&](ValueId id) {
      const std::string& name = program.op(id).name;
      return name == "from" || name == "both";
    };
    const auto ends = [&](ValueId id) {
      const std::string& name = program.op(id).name;
      return name == "to" || name == "both";
    };
    // Every path, one after the other.
    std::set<ValueId> expected;
    std::vector<ValueId> path;
    const auto walk = [&](const auto& self, ValueId id) -> void {
      for (const ValueId operand : program.op(id).operands) {
        if (begins(operand)) expected.insert(path.begin(), path.end());
        if (begins(operand) || ends(operand)) continue;
        path.push_back(operand);
        self(self, operand);
        path.pop_back();
      }
    };
    for (ValueId id = 0; id < program.size(); ++id) {
      if (ends(id)) walk(walk, id);
    }
    if (expected.empty())
      CHECK_THROWS_WITH(recomputed_values(file, program), Contains("nothing lies"));
    else
      CHECK(recomputed_values(file, program) ==
            std::vector<ValueId>(expected.begin(), expected.end()));
  }
}

TEST_CASE("recompute is of chunks or of segments, and names its line where it is of neither") {
  const auto outcome = [](const std::string& recompute) {
    const TemporaryFile file("name: x\nmesh: {stage: 1}\nrecompute: " + recompute + "\n");
    const Program program = ir::training_step(
        models::gpt_forward(
            {.num_layers = 2, .hidden = 8, .num_heads = 2, .vocabulary = 16, .sequence = 4}, 2),
        {});
    try {
      const StrategyFile strategy = read_strategy_file(file.path(), Options());
      return std::to_string(recomputed_values(strategy, program).size());
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  CHECK(outcome("[true, false]") == "0");
  CHECK(outcome("{values: [\"h*.mid\", h0.attn.qkv]}") == "3");
  CHECK(std::stoi(outcome("{from: \"h*.attn.qkv\", to: \"h*.attn.out\"}")) > 2 * 3);
  CHECK(std::stoi(outcome("[{from: [embedding, \"h*.out\"], to: \"h*.out\"}]")) >
        std::stoi(outcome("[{from: \"h*.attn.qkv\", to: \"h*.attn.out\"}]")));
  CHECK_THAT(outcome("[true, {values: logits}]"),
             Contains(":3: ") && Contains("is of chunks, true or false, or"));
  CHECK_THAT(outcome("{from: \"h*.mid\"}"), Contains(":3: ") && Contains("to"));
  CHECK_THAT(outcome("{from: \"h*.mid\", to: \"h*.middle\"}"),
             Contains(":3: pattern 'h*.middle' matches no value of the forward pass"));
  CHECK_THAT(outcome("{values: wte}"), Contains(":3: pattern 'wte' matches no value"));
  CHECK_THAT(outcome("{from: loss, to: embedding}"), Contains(":3: nothing lies between"));
  CHECK_THAT(outcome("{values: []}"), Contains(":3: 'values': at least one pattern is wanted"));
  CHECK_THAT(outcome("{values: logits, to: loss}"), Contains(":3: ") && Contains("to"));
}

TEST_CASE("what is exact is checked against the program, and names its line") {
  const Program program = ir::training_step(
      models::gpt_forward(
          {.num_layers = 1, .hidden = 8, .num_heads = 2, .vocabulary = 18, .sequence = 4}, 8),
      {});
  const auto outcome = [&](const std::string& exact) {
    const TemporaryFile file(
        "name: x\nmesh: {stage: 1, data: 2, tensor: 4}\nmicro_batches: 2\nexact:\n  - " + exact +
        "\n");
    try {
      check(read_strategy_file(file.path(), Options()), program);
      return std::string("ok");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  CHECK(outcome("{values: [wte], dims: {1: {tensor: 8}}}") == "ok");
  CHECK(outcome("{values: [wte], dims: {1: {tensor: 8, data: 2}}, chunk: 0}") == "ok");
  CHECK(outcome("{values: [wte], chunk: -1, partial: {data: sum}}") == "ok");
  CHECK_THAT(outcome("{values: [wtf], dims: {1: {tensor: 8}}}"),
             Contains(":5: the program has no value 'wtf', or several"));
  CHECK_THAT(outcome("{values: [\"%100000\"]}"),
             Contains(":5: the program has no value '%100000'"));
  CHECK_THAT(outcome("{values: [wte], dims: {2: {tensor: 8}}}"),
             Contains(":5: 'wte' f32[18,8] has no dim 2"));
  CHECK_THAT(outcome("{values: [wte], dims: {0: {tensor: 18}}}"),
             Contains(":5: 'wte': dim 0 of 18 elements does not divide by axis 'tensor' of 4"));
  CHECK_THAT(outcome("{values: [wte], dims: {1: {tensor: 3}}}"),
             Contains(":5: 'wte': dim 1 of 8 elements has a period of 3"));
  CHECK_THAT(outcome("{values: [wte], dims: {1: {tensor: 8}}, partial: {tensor: sum}}"),
             Contains(":5: 'wte': axis 'tensor' occurs twice"));
  for (const std::string chunk : {"-2", "4294967296"})
    CHECK_THAT(outcome("{values: [wte], chunk: " + chunk + "}"),
               Contains(":5: ") && Contains("there is no chunk " + chunk));
}
