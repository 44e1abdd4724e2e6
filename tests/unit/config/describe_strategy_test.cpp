// SPDX-License-Identifier: Apache-2.0
#include "config/describe_strategy.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <set>

#include "../evaluate/planning.hpp"
#include "../sharding/drafts.hpp"
#include "../sharding/spmd_harness.hpp"
#include "config/exact_values.hpp"
#include "evaluate/evaluator.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// A strategy file as text, read back.
config::StrategyFile reread(const std::string& text) {
  const std::string path =
      std::string(P_tmpdir) + "/rhino_strategy_" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << text;
  config::StrategyFile file = config::read_strategy_file(path, Options());
  std::remove(path.c_str());
  return file;
}

/// Lines of the file that says all of `strategy`; comments do not count.
std::int64_t check_round_trip(const Program& program, const Strategy& strategy) {
  const std::string text =
      config::strategy_text(config::describe_strategy(program, strategy), "from a test");
  INFO(text);
  const config::StrategyFile file = reread(text);
  for (const Chunk& chunk : strategy.chunks) CHECK(contains(file.meshes(), chunk.mesh.axes));
  Strategy made = sharding::complete(
      program, config::draft_of(file, program, strategy.chunks, file.micro_batches));
  config::set_exact(file, program, made);
  CHECK((made == strategy));
  return std::count(text.begin(), text.end(), '\n') - 1;
}

Program gpt_step(const models::GptConfig& gpt, std::int64_t batch) {
  return ir::training_step(models::gpt_forward(gpt, batch), {});
}

/// Gives each mesh sizes of its own.
void draw_sizes(Random& random, StrategyDraft& draft) {
  DeviceId next = 0;
  for (Chunk& chunk : draft.chunks) {
    chunk.mesh.devices.clear();
    std::int64_t count = 1;
    for (MeshAxis& axis : chunk.mesh.axes) count *= axis.size = 1 + draw(random, 3);
    for (; count > 0; --count) chunk.mesh.devices.push_back(next++);
  }
}

/// A draft with annotations of a few values, mostly inputs; nothing where they do not fit.
std::optional<Strategy> random_draft(Random& random, const Program& program) {
  StrategyDraft draft = make_draft(static_cast<std::int32_t>(1 + draw(random, 2)),
                                   1 + draw(random, 3), 1 + draw(random, 3), 1 + draw(random, 2));
  if (draw(random, 4) == 0) draw_sizes(random, draft);
  draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
  draft.gradient_sums = {.overlap = draw(random, 3) > 0, .bucket_bytes = 1 + draw(random, 1 << 23)};
  const std::int64_t recompute = draw(random, 3);  // nothing, chunks, values
  for (Chunk& chunk : draft.chunks) chunk.recompute = recompute == 1 && draw(random, 2) == 0;
  for (ValueId id = 0; id < program.size() && recompute == 2; ++id) {
    const Op& op = program.op(id);
    const bool may_be = op.phase == Phase::forward && !op.operands.empty();
    if (may_be && draw(random, 3) > 0) draft.recompute.push_back(id);
  }
  std::set<ValueId> annotated;
  for (std::int64_t count = draw(random, 5); count > 0; --count) {
    const auto input = static_cast<std::size_t>(draw(random, std::ssize(program.inputs)));
    const ValueId id = draw(random, 4) == 0 ? static_cast<ValueId>(draw(random, program.size()))
                                            : program.inputs[input].value;
    const auto rank = std::ssize(program.op(id).shape.dims);
    if (program.op(id).phase == Phase::update || rank == 0 || !annotated.insert(id).second)
      continue;
    Annotation annotation{id, std::vector<std::vector<AxisId>>(static_cast<std::size_t>(rank))};
    if (draw(random, 4) > 0) annotation.dims[static_cast<std::size_t>(draw(random, rank))] = {1};
    draft.annotations.push_back(std::move(annotation));
  }
  try {
    return sharding::complete(program, draft);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("strategy files that are shipped come back from what they complete to") {
  const std::string name = GENERATE("gpt_megatron", "data_parallel", "single_device");
  const std::int64_t stage = GENERATE(1, 2), data = GENERATE(1, 2), tensor = GENERATE(1, 2, 4);
  const std::int64_t zero = GENERATE(0, 1, 2, 3), num_layers = GENERATE(2, 3);
  const bool is_single = name == "single_device", is_megatron = name == "gpt_megatron";
  if ((is_single && stage * data * tensor * (zero + 1) > 1) || (!is_megatron && tensor > 1)) return;
  const Program step =
      gpt_step({.num_layers = num_layers, .hidden = 32, .vocabulary = 64, .sequence = 16}, 8);
  Planning planning(step, modelled_cluster(16));
  std::map<std::string, OptionValue> sizes{{"stage", stage}, {"data", data}, {"zero", zero}};
  if (is_megatron) sizes["tensor"] = tensor;
  CAPTURE(name, stage, data, tensor, zero, num_layers);
  CHECK(check_round_trip(step, planning.strategy(name, sizes, 2)) <= 9);
}

TEST_CASE("the file of a strategy of gpt 2.6b is as short as a person's") {
  const Program step = gpt_step(models::gpt_preset("2.6b"), 32);
  Planning planning(step, modelled_cluster(8));
  const std::int64_t num_lines = check_round_trip(
      step, planning.strategy("gpt_megatron",
                              {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{4}}}, 16));
  CHECK(num_lines <= 10);
}

TEST_CASE("what search/grid finds can be written as files") {
  const double memory_bytes = GENERATE(1e9, 1.2e6);
  const std::int64_t tensor = GENERATE(0, 2, 4);
  CAPTURE(memory_bytes, tensor);
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), memory_bytes);
  const auto search =
      plugin::make_search(plugins().find("search/grid"),
                          Options({{"tensor", tensor}, {"max_results", std::int64_t{20}}}));
  const std::vector<Strategy> found = search->search({.program = small_gpt_step(),
                                                      .cluster = planning.cost().cluster(),
                                                      .micro_batch_counts = {2, 4},
                                                      .memory_limit_bytes = memory_bytes,
                                                      .rules = evaluator,
                                                      .prices = evaluator},
                                                     evaluator);
  for (const Strategy& strategy : found) CHECK(check_round_trip(small_gpt_step(), strategy) <= 20);
  CHECK_FALSE(found.empty());
}

TEST_CASE("what random drafts complete to can be written as files") {
  int num_written = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program forward =
        seed % 4 == 0 ? models::branching_forward(24, 12, 2) : models::random_forward(seed, 24, 40);
    const Program program = ir::training_step(forward, {});
    Random random(seed);
    for (int repetition = 0; repetition < 4; ++repetition) {
      INFO("seed " << seed << ", repetition " << repetition);
      const std::optional<Strategy> strategy = random_draft(random, program);
      if (!strategy) continue;
      check_round_trip(program, *strategy);
      ++num_written;
    }
  }
  CHECK(num_written > 100);
}

/// `strategy` with values that lie, and are, as no propagation would have it.
static void scramble(Random& random, const Program& program, Strategy& strategy) {
  for (std::int64_t count = 1 + draw(random, 12); count > 0; --count) {
    const auto id = static_cast<ValueId>(draw(random, program.size()));
    const std::vector<std::int64_t>& dims = program.shape(id).dims;
    ShardingSpec& spec = strategy.specs[static_cast<std::size_t>(id)];
    spec.partial.clear();
    for (DimSharding& dim : spec.dims) dim.splits.clear();
    if (!dims.empty() && draw(random, 3) > 0) {
      const auto d = static_cast<std::size_t>(draw(random, std::ssize(dims)));
      spec.dims[d].splits = {{static_cast<AxisId>(draw(random, 3)) - 1, 1 + draw(random, dims[d])}};
    } else {
      spec.partial = {{static_cast<AxisId>(draw(random, 3)) - 1,
                       draw(random, 2) == 0 ? Reduction::sum : Reduction::max}};
    }
    if (draw(random, 3) == 0)
      strategy.chunk_of[static_cast<std::size_t>(id)] =
          static_cast<std::int32_t>(draw(random, std::ssize(strategy.chunks) + 1)) - 1;
  }
}

TEST_CASE("what no rules lead to is written value by value") {
  int num_written = 0;
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) {
    const Program program = ir::training_step(models::random_forward(seed, 24, 20), {});
    Random random(seed);
    INFO("seed " << seed);
    std::optional<Strategy> strategy = random_draft(random, program);
    if (!strategy) continue;
    scramble(random, program, *strategy);
    check_round_trip(program, *strategy);
    ++num_written;
  }
  CHECK(num_written > 15);
}

}  // namespace rhino::test
