// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "drafts.hpp"
#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "lower/lower.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

models::GptConfig tiny_gpt() {
  models::GptConfig config;
  config.preset = "tiny";
  config.num_layers = 2;
  config.hidden = 8;
  config.num_heads = 2;
  config.vocabulary = 16;
  config.sequence = 4;
  return config;
}

Program step_of(Program forward, ir::Optimizer::Kind kind = ir::Optimizer::Kind::adam) {
  return ir::training_step(std::move(forward),
                           {.kind = kind, .learning_rate = 0.1, .momentum = 0.9});
}

const Program& gpt_step() {
  static const Program program = step_of(models::gpt_forward(tiny_gpt(), 8));
  return program;
}

/// Chunks on disjoint meshes, one per entry; the devices of a mesh are consecutive.
std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes) {
  std::vector<Chunk> chunks;
  DeviceId next = 0;
  for (const auto& sizes : meshes) {
    chunks.push_back({make_mesh(sizes, next), false});
    next += static_cast<DeviceId>(chunks.back().mesh.devices.size());
  }
  return chunks;
}

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

bool is_made_forward(const Op& op) { return op.phase == Phase::forward && !op.operands.empty(); }

/// Some forward values.
std::vector<ValueId> random_recompute(Random& random, const Program& program) {
  std::vector<ValueId> values;
  const std::int64_t often = draw(random, 3);
  for (ValueId id = 0; id < program.size(); ++id) {
    if (is_made_forward(program.op(id)) && draw(random, 3) < often) values.push_back(id);
  }
  return values;
}

std::vector<std::vector<std::int64_t>> axis_sizes(const StrategyDraft& draft) {
  std::vector<std::vector<std::int64_t>> sizes;
  for (const Chunk& chunk : draft.chunks) {
    sizes.emplace_back();
    for (const MeshAxis& axis : chunk.mesh.axes) sizes.back().push_back(axis.size);
  }
  return sizes;
}

std::int64_t num_forward_dots(const Program& program) {
  return std::count_if(program.ops.begin(), program.ops.end(), [](const Op& op) {
    return op.kind == OpKind::dot && op.phase == Phase::forward;
  });
}

std::int64_t num_backward_dots(const Program& program) {
  return std::count_if(program.ops.begin(), program.ops.end(), [](const Op& op) {
    return op.kind == OpKind::dot && op.phase == Phase::backward;
  });
}

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

/// With backward passes whole, or cut, as chance has it.
void check_step(const Program& program, const Strategy& strategy, std::uint64_t seed = 1) {
  Random random(seed);
  const std::vector<ir::Tensor> inputs = random_inputs(random, program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs, ir::Precision::f64);
  std::vector<bool> is_cut;
  for (std::size_t c = 0; c < strategy.chunks.size(); ++c) is_cut.push_back(draw(random, 2) > 0);
  const std::vector<ir::Tensor> actual = run_partitioned(program, strategy, inputs, is_cut);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(is_cut, i, program.producer(program.outputs[i].value).name);
    CHECK(relative_error(actual[i], expected[i]) < 1e-9);
  }
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

const sharding::ChunkProgram& program_at(const std::vector<sharding::ChunkProgram>& programs,
                                         std::int32_t chunk, sharding::ChunkPhase phase) {
  return *std::find_if(programs.begin(), programs.end(),
                       [&](const sharding::ChunkProgram& program) {
                         return program.chunk == chunk && program.phase == phase;
                       });
}

std::vector<sharding::Port> ports_from(const std::vector<sharding::Port>& inputs,
                                       std::int32_t source, sharding::Repeat repeat) {
  std::vector<sharding::Port> ports;
  std::copy_if(
      inputs.begin(), inputs.end(), std::back_inserter(ports),
      [&](const sharding::Port& port) { return port.source == source && port.repeat == repeat; });
  return ports;
}

StrategyDraft draft_on(const std::vector<std::vector<std::int64_t>>& meshes,
                       std::int64_t num_micro_batches) {
  StrategyDraft draft;
  draft.name = "test";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  return draft;
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
  if (num_forward_dots(program) < 2) draft.chunks.resize(1);
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
    std::int64_t num_dots = 0;
    for (const auto& part : sharding::partition(gpt_step(), strategy)) {
      if (part.phase != sharding::ChunkPhase::backward) continue;
      for (const sharding::Port& port : part.inputs)
        CHECK((port.source != part.chunk || !sharding::is_recomputed(strategy, port.value)));
      num_dots += std::ranges::count(part.program.ops, OpKind::dot, &Op::kind);
    }
    CHECK(num_dots == num_backward_dots(gpt_step()) + num_repeated_dots(strategy));
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
  const auto num_parameters =
      std::count_if(gpt_step().inputs.begin(), gpt_step().inputs.end(),
                    [](const Input& input) { return input.kind == InputKind::parameter; });
  // That of the table of words is a sum of two, made once per step.
  CHECK(backward.at(OpKind::reduce_scatter) == num_parameters - 1);
  CHECK(update.at(OpKind::reduce_scatter) == 1);
  CHECK(update.at(OpKind::all_gather) == num_parameters);
}

TEST_CASE("ZeRO 1 scatters sums of gradients once a step and reduces nothing whole") {
  StrategyDraft draft = draft_on({{2}}, 2);
  draft.zero_stage = 1;
  const auto programs = sharding::partition(gpt_step(), sharding::complete(gpt_step(), draft));
  CHECK(collectives(programs, sharding::ChunkPhase::backward).empty());
  const auto num_parameters =
      std::count_if(gpt_step().inputs.begin(), gpt_step().inputs.end(),
                    [](const Input& input) { return input.kind == InputKind::parameter; });
  CHECK((collectives(programs, sharding::ChunkPhase::update) ==
         Counts{{OpKind::all_reduce, 1},  // of the loss
                {OpKind::reduce_scatter, num_parameters},
                {OpKind::all_gather, num_parameters}}));
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
