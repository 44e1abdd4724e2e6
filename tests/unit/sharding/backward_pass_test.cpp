// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "ir/builder.hpp"
#include "lower/lower.hpp"
#include "partition_harness.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// Dots that backward ops lead to, back over values that are not kept.
std::int64_t num_repeated_dots(const Strategy& strategy) {
  const Program& program = gpt_step();
  std::vector<bool> needed(program.ops.size());
  std::int64_t count = 0;
  for (ValueId id = program.size() - 1; id >= 0; --id) {
    const auto index = static_cast<std::size_t>(id);
    const bool repeats = needed[index] && sharding::is_recomputed(strategy, id);
    if (program.op(id).phase != Phase::backward && !repeats) continue;
    count += repeats && program.op(id).kind == OpKind::dot;
    for (const ValueId operand : program.op(id).operands) {
      if (strategy.chunk_of[static_cast<std::size_t>(operand)] == strategy.chunk_of[index])
        needed[static_cast<std::size_t>(operand)] = true;
    }
  }
  return count;
}

std::vector<sharding::ChunkProgram> cut_programs(const Program& program, const Strategy& strategy) {
  return sharding::partition(program, strategy, std::vector<bool>(strategy.chunks.size(), true));
}

std::vector<ValueId> values_of(const std::vector<sharding::Port>& ports) {
  std::vector<ValueId> values;
  for (const sharding::Port& port : ports) values.push_back(port.value);
  std::sort(values.begin(), values.end());
  return values;
}

std::int64_t num_dots(const sharding::ChunkProgram& program) {
  return std::ranges::count(program.program.ops, OpKind::dot, &Op::kind);
}

}  // namespace

TEST_CASE("a stage keeps what its backward pass reads, or recomputes it") {
  StrategyDraft draft = draft_on({{1}, {1}}, 2);
  draft.chunks[0].recompute = true;
  const auto programs = sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft));
  const auto& recomputing = program_at(programs, 0, sharding::ChunkPhase::backward);
  const auto& keeping = program_at(programs, 1, sharding::ChunkPhase::backward);
  CHECK(ports_from(recomputing.inputs, 0, sharding::Repeat::per_micro_batch).empty());
  CHECK_FALSE(ports_from(keeping.inputs, 1, sharding::Repeat::per_micro_batch).empty());
}

TEST_CASE("a backward pass makes anew exactly what it needs of the values that are not kept") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    StrategyDraft draft = draft_on({{1}, {1}}, 2);
    draft.recompute = random_recompute(random, gpt_step());
    const Strategy strategy = sharding::complete(gpt_step(), draft);
    std::int64_t count = 0;
    for (const auto& part : sharding::partition(gpt_step(), strategy)) {
      if (part.phase != sharding::ChunkPhase::backward) continue;
      for (const sharding::Port& port : part.inputs)
        CHECK((port.source != part.chunk || !sharding::is_recomputed(strategy, port.value)));
      count += num_dots(part);
    }
    CHECK(count == num_dots(gpt_step(), Phase::backward) + num_repeated_dots(strategy));
  }
}

TEST_CASE("a backward pass is cut into gradients of activations and terms of sums") {
  const Strategy strategy = sharding::complete(gpt_step(), draft_on({{2}, {2}}, 2));
  const auto whole = sharding::partition(gpt_step(), strategy);
  const auto cut = cut_programs(gpt_step(), strategy);
  const auto is_sum = [](const sharding::Port& port) {
    return port.repeat == sharding::Repeat::accumulated;
  };
  for (const std::int32_t chunk : {0, 1}) {
    CAPTURE(chunk);
    const auto& both = program_at(whole, chunk, sharding::ChunkPhase::backward);
    const auto& backward = program_at(cut, chunk, sharding::ChunkPhase::backward);
    const auto& weight = program_at(cut, chunk, sharding::ChunkPhase::weight);
    CHECK(std::ranges::none_of(backward.outputs, is_sum));
    CHECK(std::ranges::all_of(weight.outputs, is_sum));
    CHECK(std::ranges::count_if(both.outputs, is_sum) == std::ssize(weight.outputs));
    CHECK(num_dots(backward) + num_dots(weight) == num_dots(both));
    CHECK(num_dots(backward) > 0);
    CHECK(num_dots(weight) > 0);
    // What the halves read is what the whole one reads and what one makes for the other.
    std::set<ValueId> read;
    for (const auto* half : {&backward, &weight}) {
      for (const ValueId value : values_of(half->inputs)) read.insert(value);
    }
    for (const ValueId value : values_of(both.inputs)) CHECK(read.erase(value) == 1);
    const std::vector<ValueId> made = values_of(backward.outputs);
    for (const ValueId value : read) CHECK(std::ranges::binary_search(made, value));
  }
  CHECK(cut.size() == whole.size() + 2);
}

TEST_CASE("chunks that are not cut keep their programs") {
  const Strategy strategy = sharding::complete(gpt_step(), draft_on({{2}, {2}}, 2));
  sharding::Partitioner partitioner(gpt_step(), strategy);
  const auto whole = partitioner.programs();
  const auto half = partitioner.programs({true, false});
  for (const sharding::ChunkProgram& program : whole) {
    if (program.chunk == 1) CHECK(program_at(half, 1, program.phase) == program);
  }
  CHECK(partitioner.programs() == whole);
}

TEST_CASE("what a backward pass has made anew is kept for the gradients of weights") {
  StrategyDraft draft = draft_on({{1}, {1}}, 2);
  draft.chunks[0].recompute = true;
  const Strategy strategy = sharding::complete(gpt_step(), draft);
  const auto whole = sharding::partition(gpt_step(), strategy);
  const auto cut = cut_programs(gpt_step(), strategy);
  const auto& backward = program_at(cut, 0, sharding::ChunkPhase::backward);
  const auto& weight = program_at(cut, 0, sharding::ChunkPhase::weight);
  CHECK(num_dots(backward) + num_dots(weight) ==
        num_dots(program_at(whole, 0, sharding::ChunkPhase::backward)));
  const auto is_dot_anew = [](const Op& op) {
    return op.kind == OpKind::dot && op.phase == Phase::forward;
  };
  CHECK(std::ranges::any_of(backward.program.ops, is_dot_anew));
  CHECK(std::ranges::none_of(weight.program.ops, is_dot_anew));
  CHECK(values_of(program_at(cut, 0, sharding::ChunkPhase::forward).outputs) ==
        values_of(program_at(whole, 0, sharding::ChunkPhase::forward).outputs));
}

TEST_CASE("what gradients of weights alone read they make anew themselves") {
  ir::Builder b("alone");
  const Shape tile{DType::f32, {8, 4, 4}}, weight{DType::f32, {4, 4}};
  const auto layer = [&](ValueId x) {
    return b.dot(x, b.input(InputKind::parameter, weight, {}, "w"), {{}, {}, {2}, {0}});
  };
  const ValueId given = b.input(InputKind::batch, tile, {}, "given");
  const ValueId first = layer(b.input(InputKind::batch, tile, {}, "x"));
  const ValueId alone = b.dot(first, given, {{0}, {0}, {2}, {1}});
  b.output(b.reduce(layer(alone), {0, 1, 2}, Reduction::sum), OutputKind::loss);
  const Program program = step_of(std::move(b).finish());
  StrategyDraft draft = draft_on({{2}}, 2);
  draft.recompute = {alone};
  const Strategy strategy = sharding::complete(program, draft);
  for (const auto& part : cut_programs(program, strategy)) {
    const bool is_weight = part.phase == sharding::ChunkPhase::weight;
    if (!is_weight && part.phase != sharding::ChunkPhase::backward) continue;
    CHECK(std::ranges::count_if(part.program.ops, [](const Op& op) {
            return op.kind == OpKind::dot && op.phase == Phase::forward;
          }) == is_weight);
  }
  check_step(program, strategy, 2);
}

TEST_CASE("layers that are made anew one by one need no more memory together than alone") {
  const auto workspace = [](std::int64_t num_layers, bool by_layer) {
    models::GptConfig config = tiny_gpt();
    config.num_layers = num_layers;
    const Program program = step_of(models::gpt_forward(config, 8));
    StrategyDraft draft = draft_on({{1}}, 2);
    draft.chunks[0].recompute = !by_layer;
    for (ValueId id = 0; id < program.size() && by_layer; ++id) {
      const std::string& name = program.op(id).name;
      const bool is_kept = name.ends_with(".out") && name.find('.') == name.rfind('.');
      if (is_made_forward(program.op(id)) && !is_kept) draft.recompute.push_back(id);
    }
    const auto programs = sharding::partition(program, sharding::complete(program, draft));
    return lower::lower(program_at(programs, 0, sharding::ChunkPhase::backward).program)
        .workspace_bytes;
  };
  CHECK(workspace(6, false) > workspace(3, false));
  CHECK(workspace(6, true) == workspace(3, true));
}

TEST_CASE("what cannot be made anew is refused") {
  Strategy strategy = sharding::complete(gpt_step(), draft_on({{1}}, 1));
  const auto refusal = [&](std::vector<ValueId> values) {
    strategy.recompute = std::move(values);
    try {
      sharding::check_strategy(gpt_step(), strategy);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ValueId hidden = find_value(gpt_step(), "h0.mid");
  CHECK(refusal({hidden}).empty());
  CHECK_THAT(refusal({hidden, hidden}), Catch::Contains("do not increase"));
  CHECK_THAT(refusal({find_value(gpt_step(), "wte")}),
             Catch::Contains("not made by a forward pass"));
  CHECK_THAT(refusal({find_value(gpt_step(), "wte.gradient")}),
             Catch::Contains("not made by a forward pass"));
  CHECK_THAT(refusal({gpt_step().size()}), Catch::Contains("program 'gpt-tiny' has"));
}

}  // namespace rhino::test
