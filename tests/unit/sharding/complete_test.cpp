// SPDX-License-Identifier: Apache-2.0
#include "sharding/complete.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "drafts.hpp"
#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

Program gpt_step(std::int64_t batch) {
  models::GptConfig config;
  config.num_layers = 3;
  config.sequence = 16;
  config.vocabulary = 64;
  config.hidden = 32;
  return ir::training_step(models::gpt_forward(config, batch), {});
}

const ShardingSpec& spec_of(const Program& program, const Strategy& strategy,
                            const std::string& name) {
  return strategy.specs[at(find_value(program, name))];
}

// What is true of the completion of any draft.
void check_completed(const Program& program, const Strategy& strategy, std::int32_t zero_stage) {
  sharding::check_strategy(program, strategy);
  for (const Output& output : program.outputs) {
    if (output.kind != OutputKind::updated_state) continue;
    const ValueId input = program.inputs[at(output.input)].value;
    CHECK(strategy.specs[at(output.value)] == strategy.specs[at(input)]);
    CHECK(strategy.chunk_of[at(output.value)] == strategy.chunk_of[at(input)]);
  }
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::batch)
      CHECK(is_split(strategy.specs[at(input.value)], kMicroAxis));
    if (input.state_of < 0) continue;
    const ValueId parameter = program.inputs[at(input.state_of)].value;
    CHECK(strategy.chunk_of[at(input.value)] == strategy.chunk_of[at(parameter)]);
    if (zero_stage != 0 && zero_stage != 3) continue;
    CHECK(sharding::to_string(strategy.specs[at(input.value)], strategy.chunks[0].mesh) ==
          sharding::to_string(strategy.specs[at(parameter)], strategy.chunks[0].mesh));
  }
}

// Once a value is summed over micro-batches nothing that depends on it is cut into them.
void check_accumulates_once(const Program& program, const Strategy& strategy) {
  std::vector<bool> late(program.ops.size());
  for (ValueId id = 0; id < program.size(); ++id) {
    for (ValueId operand : program.op(id).operands) {
      late[at(id)] =
          late[at(id)] || late[at(operand)] || is_partial(strategy.specs[at(operand)], kMicroAxis);
    }
    if (late[at(id)]) CHECK_FALSE(is_micro(strategy.specs[at(id)]));
  }
}

}  // namespace

TEST_CASE("gpt with Megatron's annotations has one all-reduce per pair of dots and direction") {
  const Program program = gpt_step(8);
  StrategyDraft draft = make_draft(1, 2, 2, 2);
  annotate_megatron(program, draft);
  const Strategy strategy = sharding::complete(program, draft);
  check_completed(program, strategy, 0);
  check_accumulates_once(program, strategy);
  int forward = 0, backward = 0, gradients = 0;
  for (const Mismatch& pair : mismatches(program, strategy)) {
    INFO("value " << pair.value << " '" << program.producer(pair.value).name
                  << "': " << sharding::to_string(pair.made, draft.chunks[0].mesh) << " read as "
                  << sharding::to_string(pair.read, draft.chunks[0].mesh));
    REQUIRE(pair.made.partial.size() == 1);
    CHECK(pair.read.partial.empty());
    CHECK(pair.made.dims == pair.read.dims);
    if (is_partial(pair.made, 1)) {
      CHECK(program.producer(pair.value).kind == OpKind::dot);
      ++(pair.reader == Phase::forward ? forward : backward);
    } else {
      CHECK(pair.reader == Phase::update);
      ++gradients;
    }
  }
  CHECK(forward == 2 * 3);
  CHECK(backward == 2 * 3);
  const auto num_parameters =
      std::count_if(program.inputs.begin(), program.inputs.end(),
                    [](const Input& input) { return input.kind == InputKind::parameter; });
  CHECK(gradients == num_parameters);
}

TEST_CASE("biases, states and gradients are cut like the weights that Megatron cuts") {
  const Program program = gpt_step(8);
  StrategyDraft draft = make_draft(1, 1, 2, 2);
  annotate_megatron(program, draft);
  const Strategy strategy = sharding::complete(program, draft);
  CHECK(spec_of(program, strategy, "h1.attn.qkv.bias").dims[1].splits ==
        std::vector<AxisSplit>{{1, 4}});
  CHECK(spec_of(program, strategy, "h1.mlp.up.bias").dims[0].splits ==
        std::vector<AxisSplit>{{1, 128}});
  CHECK(spec_of(program, strategy, "h1.mlp.down.bias") == sharding::replicated(1));
  CHECK(spec_of(program, strategy, "h1.ln1.scale") == sharding::replicated(1));
  for (const Output& output : program.outputs) {
    if (output.kind != OutputKind::gradient) continue;
    const ShardingSpec& parameter = strategy.specs[at(program.inputs[at(output.input)].value)];
    INFO(program.producer(output.value).name);
    CHECK(strategy.specs[at(output.value)].dims == parameter.dims);
    CHECK_FALSE(is_partial(strategy.specs[at(output.value)], 1));
  }
}

TEST_CASE("data parallelism communicates nothing but gradients") {
  const Program program =
      GENERATE(gpt_step(8), ir::training_step(models::branching_forward(8, 6, 3), {}));
  const Strategy strategy = sharding::complete(program, make_draft(1, 4, 1, 2));
  check_completed(program, strategy, 0);
  for (const Mismatch& pair : mismatches(program, strategy)) {
    CHECK(pair.made.dims == pair.read.dims);
    CHECK(pair.made.partial == std::vector<Partial>{{0, Reduction::sum}});
    CHECK(pair.reader == Phase::update);
  }
  for (const Input& input : program.inputs) {
    const ShardingSpec& spec = strategy.specs[at(input.value)];
    if (input.kind == InputKind::batch) {
      CHECK(spec.dims[0].splits == std::vector<AxisSplit>{{kMicroAxis, 8}, {0, 4}});
    } else {
      CHECK(spec == sharding::replicated(spec.dims.size()));
    }
  }
}

TEST_CASE("the terms of a tied gradient are summed before they are reduced") {
  const Program program = gpt_step(8);
  const Strategy strategy = sharding::complete(program, make_draft(1, 2, 1, 2));
  const ValueId gradient = find_value(program, "wte.gradient");
  CHECK(program.op(gradient).kind == OpKind::add);
  CHECK(strategy.specs[at(gradient)].partial == std::vector<Partial>{{0, Reduction::sum}});
  for (ValueId term : program.op(gradient).operands) {
    CHECK(strategy.specs[at(term)].partial ==
          std::vector<Partial>{{kMicroAxis, Reduction::sum}, {0, Reduction::sum}});
  }
}

TEST_CASE("ZeRO splits states, then gradients as they are read, then parameters") {
  const Program program = gpt_step(8);
  const auto zero_stage = GENERATE(1, 2, 3);
  StrategyDraft draft = make_draft(1, 2, 2, 2);
  annotate_megatron(program, draft);
  draft.zero_stage = zero_stage;
  const Strategy strategy = sharding::complete(program, draft);
  check_completed(program, strategy, zero_stage);
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::batch || input.kind == InputKind::scalar) continue;
    INFO(program.producer(input.value).name);
    const bool expected = input.kind == InputKind::optimizer_state || zero_stage == 3;
    CHECK(is_split(strategy.specs[at(input.value)], 0) == expected);
  }
  bool gradients_read_split = true;
  for (const Mismatch& pair : mismatches(program, strategy)) {
    if (pair.reader != Phase::update || !is_partial(pair.made, 0)) continue;
    gradients_read_split &= is_split(pair.read, 0);
  }
  CHECK(gradients_read_split);
  CHECK(strategy.gradient_sums.scatter_each == (zero_stage >= 2));
}

TEST_CASE("a cut of an inner dim goes on through a merge as a strided one") {
  ir::Builder builder("merged heads");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {8, 6, 5}}, {}, "x");
  const ValueId weight = builder.input(InputKind::parameter, {DType::f32, {5, 4}}, {}, "w");
  const ValueId merged = builder.reshape(x, {48, 5});
  const ValueId y = builder.dot(merged, weight, {{}, {}, {1}, {0}});
  const ValueId back = builder.reshape(builder.unary(OpKind::tanh, y), {8, 6, 4});
  builder.output(builder.reduce(back, {0, 1, 2}, Reduction::sum), OutputKind::loss);
  const Program program = ir::training_step(std::move(builder).finish(), {});
  StrategyDraft draft = make_draft(1, 2, 3, 2);
  draft.annotations.push_back({x, {{}, {1}, {}}});
  const Strategy strategy = sharding::complete(program, draft);
  check_completed(program, strategy, 0);
  const std::vector<AxisSplit> strided{{kMicroAxis, 48}, {0, 24}, {1, 6}};
  CHECK(strategy.specs[at(merged)].dims[0].splits == strided);
  CHECK(strategy.specs[at(y)].dims[0].splits == strided);
  CHECK(strategy.specs[at(back)].dims[1].splits == std::vector<AxisSplit>{{1, 6}});
  for (const Mismatch& pair : mismatches(program, strategy)) {
    CHECK(pair.made.dims == pair.read.dims);
  }
}

TEST_CASE("an annotated value takes the axes written there and no other") {
  const Program program = ir::training_step(models::branching_forward(8, 6, 2), {});
  StrategyDraft draft = make_draft(1, 2, 2, 2);
  const ValueId split = find_value(program, "level0.left.weight");
  const ValueId whole = find_value(program, "level0.left.bias");
  draft.annotations = {{split, {{}, {1}}}};
  CHECK(is_split(sharding::complete(program, draft).specs[at(whole)], 1));
  draft.annotations.push_back({whole, {{}}});
  const Strategy strategy = sharding::complete(program, draft);
  CHECK(strategy.specs[at(whole)] == sharding::replicated(1));
  check_completed(program, strategy, 0);
}

TEST_CASE("axes named on one dim split it in that order") {
  const Program program = ir::training_step(models::branching_forward(8, 12, 2), {});
  StrategyDraft draft = make_draft(1, 2, 3, 2);
  const ValueId weight = find_value(program, "level0.left.weight");
  draft.annotations = {{weight, {{}, {1, 0}}}};
  const Strategy strategy = sharding::complete(program, draft);
  CHECK(strategy.specs[at(weight)].dims[1].splits == std::vector<AxisSplit>{{1, 12}, {0, 4}});
  check_completed(program, strategy, 0);
}

TEST_CASE("meshes of different sizes keep contiguous cuts contiguous") {
  const Program program = gpt_step(16);
  StrategyDraft draft = make_draft(2, 2, 2, 2);
  draft.chunks[1].mesh.axes[0].size = 4;
  draft.chunks[1].mesh.axes[1].size = 1;
  annotate_megatron(program, draft);
  const Strategy strategy = sharding::complete(program, draft);
  check_completed(program, strategy, 0);
  const ShardingSpec& first = spec_of(program, strategy, "h0.out");
  const ShardingSpec& last = spec_of(program, strategy, "h2.out");
  CHECK(first.dims[0].splits == std::vector<AxisSplit>{{kMicroAxis, 16}, {0, 8}});
  CHECK(last.dims[0].splits == std::vector<AxisSplit>{{kMicroAxis, 16}, {0, 8}});
  CHECK(strategy.chunk_of[at(find_value(program, "h2.out"))] == 1);
  CHECK(is_split(spec_of(program, strategy, "h0.mlp.up.weight"), 1));
  CHECK_FALSE(is_split(spec_of(program, strategy, "h2.mlp.up.weight"), 1));
}

TEST_CASE("what is made from constants stands in no chunk and is cut as it is read") {
  const Program program = gpt_step(8);
  const Strategy strategy = sharding::complete(program, make_draft(2, 2, 1, 2));
  int num_micro = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (program.op(id).kind == OpKind::constant) CHECK(strategy.chunk_of[at(id)] == -1);
    if (strategy.chunk_of[at(id)] == -1) num_micro += is_micro(strategy.specs[at(id)]);
  }
  CHECK(num_micro > 0);
}

TEST_CASE("a constant carries no cut from one of its readers to another") {
  // As many samples as features, and a constant that both are multiplied by.
  ir::Builder b("shared");
  const Shape row{DType::f32, {8}}, matrix{DType::f32, {8, 8}};
  const ValueId x = b.input(InputKind::batch, matrix, {}, "x"),
                w = b.input(InputKind::parameter, row, {}, "w"), half = b.fill(row, 0.5),
                samples = b.mul(b.reduce(x, {1}, Reduction::sum), half),
                features = b.broadcast_in_dim(b.mul(w, half), {8, 8}, {1}),
                terms = b.reduce(b.mul(x, features), {0, 1}, Reduction::sum);
  b.output(b.add(b.reduce(samples, {0}, Reduction::sum), terms), OutputKind::loss);
  const Program program = std::move(b).finish();
  const Strategy strategy = sharding::complete(program, make_draft(1, 4, 1, 1));
  CHECK(strategy.specs[at(samples)].dims[0].splits ==
        std::vector<AxisSplit>{{kMicroAxis, 8}, {0, 8}});
  CHECK(strategy.specs[at(w)] == sharding::replicated(1));
}

TEST_CASE("any draft of branching and random programs completes") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program forward =
        seed % 4 == 0 ? models::branching_forward(24, 12, 2) : models::random_forward(seed, 24, 60);
    const Program program = ir::training_step(forward, {});
    sharding::Completer completer(program);
    Random random(seed);
    for (int repetition = 0; repetition < 8; ++repetition) {
      StrategyDraft draft =
          make_draft(static_cast<std::int32_t>(1 + draw(random, 2)), 1 + draw(random, 3),
                     1 + draw(random, 3), 1 + draw(random, 2));
      draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
      std::set<ValueId> annotated;
      for (std::int64_t count = draw(random, 5); count > 0; --count) {
        const auto id = static_cast<ValueId>(draw(random, program.size()));
        if (program.op(id).phase == Phase::update || !annotated.insert(id).second) continue;
        const ShardingSpec spec =
            random_spec(random, program.shape(id).dims, draft.chunks[0].mesh, false);
        Annotation annotation{id, std::vector<std::vector<AxisId>>(spec.dims.size())};
        for (std::size_t d = 0; d < spec.dims.size(); ++d) {
          for (const AxisSplit& split : spec.dims[d].splits) {
            if (split.axis == 1) annotation.dims[d] = {1};
          }
        }
        draft.annotations.push_back(annotation);
      }
      INFO("seed " << seed << ", repetition " << repetition);
      try {
        const Strategy strategy = completer.complete(draft);
        check_completed(program, strategy, draft.zero_stage);
        check_accumulates_once(program, strategy);
        CHECK(strategy == sharding::complete(program, draft));
      } catch (const Error& error) {
        // A batch input may be annotated so finely that micro-batches do not divide, a random
        // program may have fewer dots than chunks.
        const std::string sentence = error.what();
        INFO(sentence);
        CHECK((sentence.find("cannot be split over axis") != std::string::npos ||
               sentence.find("forward dots: too few") != std::string::npos));
      }
    }
  }
}

TEST_CASE("says why a draft cannot be completed") {
  const Program program = gpt_step(10);
  const ValueId wte = find_value(program, "wte");
  const auto expect = [&](const StrategyDraft& draft, const std::string& sentence) {
    CHECK_THROWS_WITH(sharding::complete(program, draft), Catch::Contains(sentence));
  };
  StrategyDraft draft = make_draft(1, 2, 1, 4);
  expect(draft, "global batch 10 does not divide into 4 micro-batches x 2 data-parallel parts");
  draft = make_draft(1, 1, 5, 1);
  draft.annotations = {{wte, {{1}, {}}}};
  expect(draft, "dim 0 of f32[64,32] cannot be split over axis 'tensor' of 5");
  draft = make_draft(1, 1, 2, 1);
  draft.annotations = {{wte, {{1}, {1}}}};
  expect(draft, "dim 1 of f32[64,32] cannot be split over axis 'tensor', which splits dim 0");
  draft.annotations = {{wte, {{1}}}};
  expect(draft, "op 'wte' (parameter) has 1 dims; the value is f32[64,32]");
  draft.annotations = {{wte, {{}, {}}}, {wte, {{}, {}}}};
  expect(draft, "op 'wte' (parameter) is annotated twice");
  draft.annotations = {{wte, {{2}, {}}}};
  expect(draft, "names axis 2 of 2");
  draft.annotations = {{program.size(), {}}};
  expect(draft, "does not have");
  draft = make_draft(1, 1, 1, 1);
  draft.batch_axis = 2;
  expect(draft, "splits the batch over axis 2 of 2");
  draft.batch_axis = -2;
  draft.zero_stage = 1;
  expect(draft, "has zero_stage 1 but no axis that splits the batch");
  draft.zero_stage = 4;
  expect(draft, "has zero_stage 4; there are 0, 1, 2 and 3");
  draft.zero_stage = 0;
  draft.chunks.clear();
  expect(draft, "has no chunks");
  CHECK_THROWS_WITH(
      sharding::complete(gpt_step(1), make_draft(1, 1, 1, 2)),
      Catch::Contains("global batch 1 does not divide into 2 micro-batches x 1 data-parallel"));
}

TEST_CASE("says what to do where micro-batches cut samples that share statistics") {
  ir::Builder b("normal");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
  const ValueId mean = b.scale(b.reduce(x, {0}, Reduction::sum), 0.125);
  b.output(b.sub(x, b.broadcast_in_dim(mean, {8, 4}, {1})), OutputKind::value);
  CHECK_THROWS_WITH(sharding::complete(std::move(b).finish(), make_draft(1, 1, 1, 2)),
                    Catch::Contains("norm_batch"));
}

TEST_CASE("names the op that couples the batch") {
  const auto refused = [](auto write) {
    ir::Builder builder("coupled");
    const ValueId x = builder.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
    const ValueId weight = builder.input(InputKind::parameter, {DType::f32, {8, 4}}, {}, "w");
    builder.output(write(builder, x, weight), OutputKind::value);
    const Program program = std::move(builder).finish();
    CHECK_THROWS_WITH(sharding::complete(program, make_draft(1, 1, 1, 2)),
                      Catch::Contains("op 'culprit'") && Catch::Contains("couples the batch"));
    // The whole batch is one micro-batch that may be coupled.
    const Strategy whole = sharding::complete(program, make_draft(1, 2, 1, 1));
    for (const ShardingSpec& spec : whole.specs) {
      for (const DimSharding& dim : spec.dims) {
        for (const AxisSplit& split : dim.splits) CHECK(split.axis != kMicroAxis);
      }
    }
  };
  refused([](ir::Builder& b, ValueId x, ValueId) {
    const ValueId mean = b.broadcast_in_dim(b.reduce(x, {0}, Reduction::sum), {8, 4}, {1});
    b.name(mean, "mean");
    const ValueId y = b.sub(x, mean);
    b.name(mean, "culprit");
    return y;
  });
  refused([](ir::Builder& b, ValueId x, ValueId) {
    const ValueId y = b.reduce(x, {0}, Reduction::max);
    b.name(y, "culprit");
    return y;
  });
  refused([](ir::Builder& b, ValueId x, ValueId weight) {
    const ValueId y = b.mul(x, weight);
    b.name(y, "culprit");
    return y;
  });
  refused([](ir::Builder& b, ValueId x, ValueId) {
    const ValueId y = b.slice(x, {0, 0}, {4, 4});
    b.name(y, "culprit");
    return y;
  });
  refused([](ir::Builder& b, ValueId x, ValueId) {
    const ValueId y = b.dot(x, b.transpose(x, {1, 0}), {{}, {}, {1}, {0}});
    b.name(y, "culprit");
    return y;
  });
}

TEST_CASE("a strategy that is not one for its program is refused") {
  const Program program = ir::training_step(models::branching_forward(8, 6, 2), {});
  const Strategy good = sharding::complete(program, make_draft(2, 2, 1, 2));
  const auto expect = [&](auto spoil, const std::string& sentence) {
    Strategy strategy = good;
    spoil(strategy);
    CHECK_THROWS_WITH(sharding::check_strategy(program, strategy), Catch::Contains(sentence));
  };
  const ValueId weight = find_value(program, "level0.left.weight");
  CHECK_NOTHROW(sharding::check_strategy(program, good));
  expect([](Strategy& s) { s.specs.pop_back(); }, "program 'branching' has");
  expect([](Strategy& s) { s.chunks[0].mesh.devices.pop_back(); }, "make 2 devices of 1");
  expect([](Strategy& s) { s.num_micro_batches = 0; }, "at least one micro-batch");
  expect([&](Strategy& s) { s.chunk_of[at(weight)] = 2; }, "is in chunk 2 of 2");
  expect([&](Strategy& s) { s.specs[at(weight)] = {{{{{0, 3}}}, {}}, {}}; }, "does not divide");
  expect(
      [&](Strategy& s) {
        s.specs[at(weight)].partial = {{0, Reduction::sum}};
      },
      "under no sharding as [-, -] partial sum data");
  expect(
      [&](Strategy& s) {
        for (ValueId id = 0; id < program.size(); ++id) {
          if (program.op(id).phase == Phase::forward && s.chunk_of[at(id)] >= 0) {
            s.chunk_of[at(id)] = 1 - s.chunk_of[at(id)];
          }
        }
      },
      "which runs later");
}

}  // namespace rhino::test
