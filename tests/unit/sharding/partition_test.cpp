// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "partition_harness.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// One or two chunks on 1 to 8 devices, some of them recomputing.
StrategyDraft random_draft(Random& random) {
  static const std::vector<std::vector<std::vector<std::int64_t>>> kMeshes = {
      {{2}},      {{4}},         {{2, 2}},     {{6}},      {{2, 3}},         {{8}},
      {{2, 4}},   {{2, 2, 2}},   {{1}, {1}},   {{2}, {2}}, {{2, 1}, {2, 2}}, {{4}, {2}},
      {{2}, {6}}, {{2, 2}, {4}}, {{3}, {2, 2}}};
  StrategyDraft draft;
  draft.name = "random";
  draft.num_micro_batches = 1 << draw(random, 3);
  draft.chunks = chunks_on(
      kMeshes[static_cast<std::size_t>(draw(random, static_cast<std::int64_t>(kMeshes.size())))]);
  for (Chunk& chunk : draft.chunks) chunk.recompute = draw(random, 3) == 0;
  if (draw(random, 4) == 0) draft.chunks.back().mesh = draft.chunks.front().mesh;
  return draft;
}

std::vector<std::vector<std::int64_t>> axis_sizes(const StrategyDraft& draft) {
  std::vector<std::vector<std::int64_t>> sizes;
  for (const Chunk& chunk : draft.chunks) {
    sizes.emplace_back();
    for (const MeshAxis& axis : chunk.mesh.axes) sizes.back().push_back(axis.size);
  }
  return sizes;
}

/// Two layers whose updates are scaled by the norm of all gradients: chunks wait for each other in
/// turn.
Program clipped_step() {
  ir::Builder forward("clipped");
  const ValueId x = forward.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
  const ValueId w0 = forward.input(InputKind::parameter, {DType::f32, {4, 6}}, {}, "w0");
  const ValueId w1 = forward.input(InputKind::parameter, {DType::f32, {6, 4}}, {}, "w1");
  const ValueId hidden = forward.unary(OpKind::tanh, forward.dot(x, w0, {{}, {}, {1}, {0}}));
  const ValueId y = forward.dot(hidden, w1, {{}, {}, {1}, {0}});
  const ValueId loss = forward.reduce(forward.mul(y, y), {0, 1}, Reduction::sum);
  forward.output(loss, OutputKind::loss);
  Program program = std::move(forward).finish();
  const std::vector<ValueId> gradients = ir::append_gradients(program, loss, {w0, w1});
  ir::Builder builder(std::move(program));
  builder.set_phase(Phase::update);
  const auto norm = [&](ValueId g) {
    return builder.reduce(builder.mul(g, g), {0, 1}, Reduction::sum);
  };
  const ValueId all = builder.add(norm(gradients[0]), norm(gradients[1]));
  const ValueId scale = builder.unary(OpKind::rsqrt, builder.shift(all, 1));
  for (std::int32_t i = 0; i < 2; ++i) {
    const ValueId g = gradients[static_cast<std::size_t>(i)];
    const Shape shape = builder.shape(g);
    const ValueId step = builder.mul(g, builder.broadcast_in_dim(scale, shape.dims, {}));
    builder.output(g, OutputKind::gradient, i + 1);
    builder.output(builder.sub(i == 0 ? w0 : w1, step), OutputKind::updated_state, i + 1);
  }
  return std::move(builder).finish();
}

using Counts = std::map<OpKind, int>;

Counts collectives(const std::vector<sharding::ChunkProgram>& programs,
                   sharding::ChunkPhase phase) {
  Counts counts;
  for (const sharding::ChunkProgram& program : programs) {
    if (program.phase != phase) continue;
    for (const Op& op : program.program.ops) {
      if (ir::is_collective(op.kind)) ++counts[op.kind];
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("gpt under data, tensor and pipeline parallelism equals the single device") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}}, {{2}}, {{2, 2}}, {{2}, {2}}, {{2, 2}, {2, 2}}, {{4}, {2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const auto num_micro_batches = GENERATE(1, 2, 4);
  const auto zero_stage = GENERATE(0, 1, 2, 3);
  StrategyDraft draft = draft_on(meshes, num_micro_batches);
  draft.zero_stage = zero_stage;
  CAPTURE(meshes, num_micro_batches, zero_stage);
  if (num_micro_batches * meshes[0][0] > 8) return;
  check_step(gpt_step(), sharding::complete(gpt_step(), draft),
             static_cast<std::uint64_t>(zero_stage + num_micro_batches));
}

TEST_CASE("of a constant each reader has the part of its micro-batch, or all of it") {
  // Samples read it along either dim, and so does a parameter: as many of all of them.
  ir::Builder b("shared");
  const Shape square{DType::f32, {8, 8}};
  const ValueId x = b.input(InputKind::batch, square, {}, "x"),
                w = b.input(InputKind::parameter, square, {}, "w"), half = b.fill(square, 0.5),
                y = b.dot(b.mul(x, half), b.mul(w, half), {{}, {}, {1}, {0}}),
                turned = b.mul(b.transpose(y, {1, 0}), half);
  b.output(b.reduce(b.mul(turned, turned), {0, 1}, Reduction::sum), OutputKind::loss);
  const Program program = step_of(std::move(b).finish());
  for (const std::int64_t num_micro_batches : {1, 2, 4}) {
    CAPTURE(num_micro_batches);
    check_step(program, sharding::complete(program, draft_on({{2}}, num_micro_batches)));
  }
}

TEST_CASE("a batch of one sample runs under tensor and pipeline parallelism, too") {
  const Program program = step_of(models::gpt_forward(tiny_gpt(), 1));
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}}, {{2}}, {{2, 2}}, {{2}, {2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const bool recomputes = GENERATE(false, true);
  StrategyDraft draft = draft_on(meshes, 1);
  draft.batch_axis = -2;
  for (Chunk& chunk : draft.chunks) chunk.recompute = recomputes;
  CAPTURE(meshes, recomputes);
  for (const std::uint64_t seed : {1, 2, 3}) {
    Random random(seed);
    check_step(program, random_strategy(random, program, draft), seed);
  }
}

TEST_CASE("random programs under random shardings of every op equal the single device") {
  const auto seed = GENERATE(range(1, 201));
  Random random(static_cast<std::uint64_t>(seed));
  const Program program =
      step_of(models::random_forward(static_cast<std::uint64_t>(seed) + 1000, 8, 24),
              draw(random, 2) ? ir::Optimizer::Kind::adam : ir::Optimizer::Kind::sgd);
  StrategyDraft draft = random_draft(random);
  if (num_dots(program, Phase::forward) < 2) draft.chunks.resize(1);
  draft.recompute = random_recompute(random, program);
  CAPTURE(seed, draft.num_micro_batches, axis_sizes(draft));
  check_step(program, random_strategy(random, program, draft), static_cast<std::uint64_t>(seed));
}

TEST_CASE("gpt under random shardings of every op equals the single device") {
  const auto seed = GENERATE(range(1, 31));
  Random random(static_cast<std::uint64_t>(seed));
  StrategyDraft draft = random_draft(random);
  draft.recompute = random_recompute(random, gpt_step());
  CAPTURE(seed, draft.num_micro_batches, axis_sizes(draft));
  check_step(gpt_step(), random_strategy(random, gpt_step(), draft),
             static_cast<std::uint64_t>(seed));
}

TEST_CASE("branches under random shardings of every op equal the single device") {
  const auto seed = GENERATE(range(1, 31));
  Random random(static_cast<std::uint64_t>(seed));
  const Program program = step_of(models::branching_forward(8, 12, 2));
  StrategyDraft draft = random_draft(random);
  draft.recompute = random_recompute(random, program);
  CAPTURE(seed, draft.num_micro_batches, axis_sizes(draft));
  check_step(program, random_strategy(random, program, draft), static_cast<std::uint64_t>(seed));
}

TEST_CASE("updates that wait for each other in turn become several programs") {
  const Program program = clipped_step();
  const auto num_micro_batches = GENERATE(1, 2);
  StrategyDraft draft = draft_on({{2}, {2}}, num_micro_batches);
  const Strategy strategy = sharding::complete(program, draft);
  check_step(program, strategy);
  const std::vector<sharding::ChunkProgram> programs = sharding::partition(program, strategy);
  const auto num_updates = [&](std::int32_t chunk) {
    return std::count_if(programs.begin(), programs.end(), [&](const sharding::ChunkProgram& part) {
      return part.chunk == chunk && part.phase == sharding::ChunkPhase::update;
    });
  };
  CHECK(num_updates(0) + num_updates(1) > 2);
}

TEST_CASE("an update that may be skipped waits for that before it makes new states") {
  // The flag goes to the chunk of the loss and back; what lies there until then are gradients.
  const ir::LossScale scale{.initial = 64, .growth_interval = GENERATE(0, 4)};
  const Program step = ir::training_step(models::gpt_forward(tiny_gpt(), 8),
                                         {.learning_rate = 0.1, .loss_scale = scale});
  StrategyDraft draft = draft_on({{2}, {2}}, 2);
  draft.batch_axis = 0;
  std::int32_t num_later = 0;
  for (const sharding::ChunkProgram& part :
       sharding::partition(step, sharding::complete(step, draft))) {
    if (part.phase != sharding::ChunkPhase::update || part.level == 0) continue;
    ++num_later;
    for (const sharding::Port& port : part.inputs) {
      const bool is_flag = port.global.dtype == DType::pred || port.global.dims.empty();
      const bool is_kept = port.source < 0 || port.repeat == sharding::Repeat::accumulated;
      CAPTURE(part.chunk, part.level, port.value, to_string(port.global));
      CHECK((port.source != part.chunk || is_flag || is_kept ||
             step.op(port.value).phase != Phase::update));
    }
  }
  CHECK(num_later > 0);
}

/// Nothing of one row is cut by micro-batches: a prologue would spread every bias for all that come
/// later, and they would lie in memory throughout the step.
TEST_CASE("of a batch of one row, too, passes spread what weights are added to") {
  const Program step = step_of(models::gpt_forward(tiny_gpt(), 1));
  StrategyDraft draft = draft_on({{1}, {1}}, 1);
  for (Chunk& chunk : draft.chunks) chunk.recompute = GENERATE(false, true);
  const Strategy strategy = sharding::complete(step, draft);
  for (const sharding::ChunkProgram& part : sharding::partition(step, strategy)) {
    if (part.phase != sharding::ChunkPhase::prologue) continue;
    for (const sharding::Port& port : part.outputs) {
      CAPTURE(part.chunk, port.value, step.op(port.value).name);
      CHECK(step.op(port.value).kind == OpKind::parameter);
    }
  }
  check_step(step, strategy);
}

TEST_CASE("a tied weight goes to the other stage once per step and its gradient comes back") {
  const auto programs =
      sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft_on({{2}, {2}}, 2)));
  const auto& prologue = program_at(programs, 0, sharding::ChunkPhase::prologue);
  REQUIRE(prologue.outputs.size() == 1);
  CHECK(gpt_step().op(prologue.outputs[0].value).name == "wte");
  CHECK(ports_from(program_at(programs, 1, sharding::ChunkPhase::forward).inputs, 0,
                   sharding::Repeat::per_step)
            .size() == 1);
  const auto& update = program_at(programs, 0, sharding::ChunkPhase::update);
  CHECK(ports_from(update.inputs, 1, sharding::Repeat::per_step).size() == 1);
}

TEST_CASE("one activation goes over the border of two gpt stages, and one gradient comes back") {
  const auto programs =
      sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft_on({{2}, {2}}, 2)));
  const auto& forward = program_at(programs, 1, sharding::ChunkPhase::forward);
  const auto& backward = program_at(programs, 0, sharding::ChunkPhase::backward);
  CHECK(ports_from(forward.inputs, 0, sharding::Repeat::per_micro_batch).size() == 1);
  CHECK(ports_from(backward.inputs, 1, sharding::Repeat::per_micro_batch).size() == 1);
}

std::int64_t num_parameters() {
  return std::ranges::count(gpt_step().inputs, InputKind::parameter, &Input::kind);
}

TEST_CASE("gradients are reduced once per step over the data axis, not per micro-batch") {
  const auto programs =
      sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft_on({{2}}, 4)));
  CHECK(collectives(programs, sharding::ChunkPhase::forward).empty());
  CHECK(collectives(programs, sharding::ChunkPhase::backward).empty());
  const Counts update = collectives(programs, sharding::ChunkPhase::update);
  CHECK(update.size() == 1);
  CHECK(update.contains(OpKind::all_reduce));
}

TEST_CASE("gradients that are used split are reduce-scattered by each micro-batch") {
  StrategyDraft draft = draft_on({{2}}, GENERATE(1, 2));
  draft.zero_stage = 2;
  const auto programs = sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft));
  const Counts backward = collectives(programs, sharding::ChunkPhase::backward);
  const Counts update = collectives(programs, sharding::ChunkPhase::update);
  CHECK(backward.at(OpKind::reduce_scatter) == num_parameters());
  CHECK(!update.contains(OpKind::reduce_scatter));
  CHECK(update.at(OpKind::all_gather) == num_parameters());
}

/// Sums over micro-batches that passes of these programs keep, but for those of one element.
std::int64_t num_sums(const std::vector<sharding::ChunkProgram>& programs) {
  std::int64_t count = 0;
  for (const sharding::ChunkProgram& program : programs) {
    count += std::ranges::count_if(program.outputs, [](const sharding::Port& port) {
      return port.repeat == sharding::Repeat::accumulated && num_elements(port.global.dims) > 1;
    });
  }
  return count;
}

TEST_CASE("a table that is read twice has one sum, where one chunk makes both its terms") {
  const auto sums = [](const StrategyDraft& draft) {
    return num_sums(sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft)));
  };
  const std::int64_t count = GENERATE(1, 4), zero = GENERATE(0, 1, 2, 3);
  StrategyDraft one = draft_on({{2}}, count), two = draft_on({{2}, {2}}, count);
  one.zero_stage = two.zero_stage = static_cast<std::int32_t>(zero);
  CAPTURE(count, zero);
  CHECK(sums(one) == num_parameters());
  CHECK(sums(two) == num_parameters() + 1);  // of the first stage and of the last
  CHECK(sums(draft_on({{1}, {1}}, count)) == num_parameters() + 1);
}

/// The squares of x w w w, whose gradient by w is a sum of three products; `leaves`: what is added
/// last is an output, too, both of it.
Program thrice(bool leaves) {
  ir::Builder b("thrice");
  ValueId y = b.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
  const ValueId w = b.input(InputKind::parameter, {DType::f32, {4, 4}}, {}, "w");
  for (int i = 0; i < 3; ++i) y = b.dot(y, w, {{}, {}, {1}, {0}});
  const ValueId loss = b.reduce(b.mul(y, y), {0, 1}, Reduction::sum);
  b.output(loss, OutputKind::loss);
  Program program = std::move(b).finish();
  const ValueId gradient = ir::append_gradients(program, loss, {w})[0];
  program.outputs.push_back({.value = gradient, .kind = OutputKind::gradient});
  if (!leaves) return program;
  for (const ValueId term : program.op(gradient).operands)
    program.outputs.push_back({.value = term, .kind = OutputKind::gradient});
  return program;
}

TEST_CASE("three terms of a weight have one sum, unless they are read for themselves, too") {
  const bool leaves = GENERATE(false, true);
  const Program program = thrice(leaves);
  for (const AxisId batch_axis : {-1, 0}) {
    StrategyDraft draft = draft_on({{2}}, 4);
    draft.batch_axis = batch_axis;
    const Strategy strategy = sharding::complete(program, draft);
    CHECK(num_sums(sharding::partition(program, strategy)) == (leaves ? 2 : 1));
    check_step(program, strategy);
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    check_step(program, random_strategy(random, program, random_draft(random)), seed);
  }
}

TEST_CASE("terms that would have to be reduced to be added are summed up before") {
  const Program program = thrice(false);
  Strategy strategy = sharding::complete(program, draft_on({{2}}, 4));
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::gradient) strategy.specs[at(output.value)].partial.clear();
  }
  const auto programs = sharding::partition(program, strategy);
  CHECK(num_sums(programs) == 2);
  CHECK(collectives(programs, sharding::ChunkPhase::backward).empty());
  CHECK(collectives(programs, sharding::ChunkPhase::update).at(OpKind::all_reduce) > 0);
  check_step(program, strategy);
}

TEST_CASE("ZeRO 1 scatters sums of gradients once a step and reduces nothing whole") {
  StrategyDraft draft = draft_on({{2}}, 2);
  draft.zero_stage = 1;
  const auto programs = sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft));
  CHECK(collectives(programs, sharding::ChunkPhase::backward).empty());
  CHECK((collectives(programs, sharding::ChunkPhase::update) ==
         Counts{{OpKind::all_reduce, 1},  // of the loss
                {OpKind::reduce_scatter, num_parameters()},
                {OpKind::all_gather, num_parameters()}}));
}

TEST_CASE("an op per micro-batch that waits for all of them is refused") {
  ir::Builder builder("waiting");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
  const ValueId total = builder.reduce(x, {0, 1}, Reduction::sum);
  const ValueId spread = builder.broadcast_in_dim(total, {8, 4}, {});
  const ValueId loss = builder.reduce(builder.mul(x, spread), {0, 1}, Reduction::sum);
  builder.output(loss, OutputKind::loss);
  const Program program = std::move(builder).finish();
  Strategy strategy;
  strategy.name = "waiting";
  strategy.num_micro_batches = 2;
  strategy.chunks = chunks_on({{1}});
  strategy.chunk_of.assign(program.ops.size(), 0);
  const ShardingSpec rows{{{{{kMicroAxis, 8}}}, {}}, {}};
  const ShardingSpec sum{{}, {{kMicroAxis, Reduction::sum}}};
  strategy.specs = {rows, sum, rows, rows, sum};
  CHECK_THROWS_WITH(sharding::partition(program, strategy),
                    Catch::Contains("which is complete only after all of them"));
}

}  // namespace rhino::test
