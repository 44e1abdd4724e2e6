// SPDX-License-Identifier: Apache-2.0
#include "evaluate/planner.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <ranges>

#include "codec/binary.hpp"
#include "config/strategy_file.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/lives.hpp"
#include "plan/pipeline.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"
#include "rhino/members.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// What search/grid finds for the small GPT on four devices, and the plan of it, as text.
std::string planned_text() {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 1e9);
  const auto search = plugin::make_search(plugins().find("search/grid"), Options());
  const std::vector<Strategy> found = search->search({.program = small_gpt_step(),
                                                      .cluster = planning.cost().cluster(),
                                                      .micro_batch_counts = {2, 4},
                                                      .memory_limit_bytes = 1e9,
                                                      .rules = evaluator,
                                                      .prices = evaluator},
                                                     evaluator);
  REQUIRE_FALSE(found.empty());
  std::string text = plan::encode(evaluate::make_plan(planning.context(), found.front()));
  for (const Strategy& strategy : found) text += codec::to_bytes(strategy);
  return text;
}

/// The same from another process, at other addresses.
std::string text_from_another_process() {
  char path[4096] = {};
  REQUIRE(::readlink("/proc/self/exe", path, sizeof path - 1) > 0);
  std::FILE* output = ::popen((std::string(path) + " '[.plan]'").c_str(), "r");
  REQUIRE(output != nullptr);
  std::string text;
  char piece[65536];
  for (std::size_t count; (count = std::fread(piece, 1, sizeof piece, output)) > 0;)
    text.append(piece, count);
  REQUIRE(::pclose(output) == 0);
  return text;
}

/// The chunk's program of a phase.
const sharding::ChunkProgram& program_of(const std::vector<sharding::ChunkProgram>& programs,
                                         std::int32_t chunk, sharding::ChunkPhase phase) {
  for (const sharding::ChunkProgram& program : programs) {
    if (program.chunk == chunk && program.phase == phase) return program;
  }
  FAIL("chunk " << chunk << " has no such program");
  return programs.front();
}

/// Bytes of one device of a GPT of so many layers under Megatron's cut over two devices, four
/// micro-batches.
struct Memory {
  std::int64_t peak_bytes = 0, persistent_bytes = 0;
};
Memory memory_of(std::int64_t num_layers, bool by_layer) {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = num_layers, .hidden = 64, .vocabulary = 256, .sequence = 64}, 16),
      {});
  Planning planning(step, modelled_cluster(2));
  config::StrategyFile file = config::read_strategy_file(
      std::string(RHINO_TEST_STRATEGIES) + "/gpt_megatron.yaml", Options(), 2);
  if (by_layer)
    file.segments = {{.from = {"embedding", "h?.out"}, .to = {"h?.out", "loss"}, .place = "here"}};
  const plan::ExecutionPlan plan = evaluate::make_plan(
      planning.context(),
      sharding::complete(step, config::draft_of(file, step, planning.chunks(1, file.axes), 4)));
  Memory memory{.peak_bytes = plan::peak_bytes(plan)};
  for (const plan::PlanBuffer& buffer : plan.roles[0].buffers)
    memory.persistent_bytes += buffer.persistent ? num_bytes(buffer.shape) : 0;
  return memory;
}

}  // namespace

TEST_CASE("an outline is bound once, however often it is asked for") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  plan::PlanOutline made = evaluate::make_outline(
      planning.context(),
      planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{1}}}));
  CHECK_FALSE(made.bindings.empty());
  plan::bind(made);
  CHECK(made.bindings.empty());
  const std::string text = plan::encode(made.plan);
  plan::bind(made);
  CHECK(plan::encode(made.plan) == text);
}

TEST_CASE("a layer that is made anew costs its states, its gradients and what enters it") {
  const Memory four = memory_of(4, true), five = memory_of(5, true);
  const std::int64_t states = five.persistent_bytes - four.persistent_bytes;  // value, two moments
  const std::int64_t activation = 16 / 4 * 64 * 64 * 4;
  const auto expected = static_cast<double>(states + states / 3 + activation);
  CHECK(static_cast<double>(five.peak_bytes - four.peak_bytes) == Approx(expected).epsilon(0.02));
  CHECK(five.peak_bytes < memory_of(5, false).peak_bytes);
}

/// Whatever makes layers anew, cuts heads, or gathers parameters between a layer's ops.
TEST_CASE("where attention is one kernel no scores lie in memory") {
  constexpr std::int64_t kSequence = 96, kLayers = 3;
  const Program step = ir::training_step(models::gpt_forward({.num_layers = kLayers,
                                                              .hidden = 32,
                                                              .num_heads = 4,
                                                              .vocabulary = 64,
                                                              .sequence = kSequence},
                                                             8),
                                         {});
  Cluster cluster = modelled_cluster(4);
  cluster.software.attention = GENERATE(true, false);
  const bool by_layer = GENERATE(false, true);
  const int zero_stage = GENERATE(0, 3);
  CAPTURE(cluster.software.attention, by_layer, zero_stage);
  Planning planning(step, cluster);
  config::StrategyFile file = config::read_strategy_file(
      std::string(RHINO_TEST_STRATEGIES) + "/gpt_megatron.yaml", Options(), 4);
  if (by_layer)
    file.segments = {{.from = {"embedding", "h?.out"}, .to = {"h?.out", "loss"}, .place = "here"}};
  file.zero_stage = zero_stage;
  file.gradient_sums.bucket_bytes = 1024;
  Strategy strategy =
      sharding::complete(step, config::draft_of(file, step, planning.chunks(1, file.axes), 2));
  const plan::ExecutionPlan plan = evaluate::make_plan(planning.context(), strategy);
  plan::validate(plan);
  const auto num_scores =
      std::ranges::count_if(plan.roles[0].buffers, [&](const plan::PlanBuffer& buffer) {
        return std::ranges::count(buffer.shape.dims, kSequence) > 1;
      });
  std::int64_t num_forward = 0, num_backward = 0;
  for (const plan::Instruction& instruction : plan.roles[0].instructions) {
    if (instruction.kind != plan::InstructionKind::run || instruction.instance != 0) continue;
    const lower::LoweredProgram lowered =
        lower::lower(plan.programs[at(instruction.index)], lower::kernels_of(plan.cluster));
    for (const lower::KernelGroup& group : lowered.groups) {
      const bool is_forward = instruction.phase == plan::InstructionPhase::forward;
      if (group.attention) ++(is_forward ? num_forward : num_backward);
    }
  }
  CHECK((num_scores > 0) == !cluster.software.attention);
  CHECK(num_forward == (cluster.software.attention ? kLayers : 0));
  if (cluster.software.attention) CHECK(num_backward >= kLayers);
}

TEST_CASE("a plan and its strategies as text", "[.plan]") {
  const std::string text = planned_text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

TEST_CASE("the same cell gets the same strategy and plan, byte for byte") {
  const std::string first = planned_text();
  CHECK((first == planned_text()));  // too long to be shown
  // Catch speaks before and after it.
  CHECK((text_from_another_process().find(first) != std::string::npos));
}

TEST_CASE("the problem of a pipeline of two chunks adds up") {
  constexpr std::int64_t kMicroBatches = 4, kBatch = 8, kSequence = 16, kHidden = 32;
  Cluster cluster = modelled_cluster(2);
  cluster.intra_host = {1e10, 1e-5};
  Planning planning(small_gpt_step(), cluster);
  const Strategy strategy = planning.strategy(
      "gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{1}}}, kMicroBatches);
  const std::vector<sharding::ChunkProgram> whole = sharding::partition(small_gpt_step(), strategy),
                                            cut = sharding::partition(small_gpt_step(), strategy,
                                                                      {true, true});
  const PipelineProblem problem = evaluate::pipeline_problem(strategy, whole, cut, planning.cost());

  CHECK(problem.num_micro_batches == kMicroBatches);
  CHECK(problem.num_meshes == 2);
  CHECK(problem.is_step_joint);  // embeddings are tied
  REQUIRE(problem.chunks.size() == 2);
  const double boundary_bytes = kBatch / kMicroBatches * kSequence * kHidden * 4;
  REQUIRE(problem.edges.size() == 2);
  CHECK(problem.edges[0].from == ChunkPass{Pass::forward, 0});
  CHECK(problem.edges[0].to == ChunkPass{Pass::forward, 1});
  CHECK(problem.edges[1].from == ChunkPass{Pass::backward, 1});
  CHECK(problem.edges[1].to == ChunkPass{Pass::backward, 0});
  for (const PipelineEdge& edge : problem.edges) {
    CHECK(edge.bytes == boundary_bytes);
    CHECK(edge.seconds == Approx(1e-5 + boundary_bytes / 1e10));
  }

  const plan::StepTrace trace = simulate::simulate(
      evaluate::make_plan(planning.context(), strategy), planning.cost(), {.num_steps = 2});
  for (std::int32_t c = 0; c < 2; ++c) {
    CAPTURE(c);
    const ChunkCost& chunk = problem.chunks[static_cast<std::size_t>(c)];
    CHECK(chunk.mesh == c);
    CHECK(chunk.forward_to_weight_bytes > boundary_bytes);
    CHECK(chunk.backward_weight_s > chunk.forward_s);
    const Mesh& mesh = strategy.chunks[static_cast<std::size_t>(c)].mesh;
    const auto seconds = [&](const auto& programs, sharding::ChunkPhase phase) {
      return evaluate::price(program_of(programs, c, phase), mesh, planning.cost()).seconds();
    };
    CHECK(chunk.forward_s == Approx(seconds(whole, sharding::ChunkPhase::forward)));
    CHECK(chunk.backward_weight_s == Approx(seconds(whole, sharding::ChunkPhase::backward)));
    CHECK(chunk.backward_s == Approx(seconds(cut, sharding::ChunkPhase::backward)));
    CHECK(chunk.weight_s == Approx(seconds(cut, sharding::ChunkPhase::weight)));
    CHECK(chunk.weight_s > 0);
    CHECK(chunk.update_s == Approx(seconds(whole, sharding::ChunkPhase::update)));
    CHECK(chunk.update_s > 0);
    CHECK(chunk.backward_s > chunk.weight_s);  // attention has gradients of activations alone
    // Halves read some of what they share twice.
    CHECK(chunk.backward_s + chunk.weight_s >= chunk.backward_weight_s * (1 - 1e-9));
    CHECK(chunk.backward_s + chunk.weight_s < chunk.backward_weight_s * 1.5);
    // What the simulator sees a device compute in one step is at least that: it runs some programs
    // in two parts, so that a message leaves early, and may lose fusion between them.
    const double computed_s =
        static_cast<double>(kMicroBatches) * (chunk.forward_s + chunk.backward_weight_s) +
        seconds(whole, sharding::ChunkPhase::update);
    const double simulated_s = trace.devices[static_cast<std::size_t>(c)].compute_s;
    CHECK(simulated_s > computed_s * 0.95);
    CHECK(simulated_s < computed_s * 1.25);
  }
}

/// What the simulator sees the second of two stages do until its gradient leaves. While activations
/// are reduced over a tensor axis it makes gradients of weights.
TEST_CASE("a backward pass sends behind what it does meanwhile, and says so") {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 8, .hidden = 64, .num_heads = 4, .vocabulary = 64, .sequence = 16}, 8),
      {});
  const std::int64_t tensor = GENERATE(1, 2);
  CAPTURE(tensor);
  Cluster cluster = modelled_cluster(static_cast<std::int32_t>(2 * tensor));
  cluster.models[0].peak_flops = {{DType::f32, 1e9}};  // dots take nearly all of the time
  cluster.intra_host = {1e14, 1e-9};
  Planning planning(step, cluster);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", tensor}}, 1);
  sharding::Partitioner partitioner(step, strategy);
  const ChunkCost chunk = evaluate::pipeline_problem(strategy, partitioner.programs(),
                                                     partitioner.cut_passes(), planning.cost())
                              .chunks[1];
  const plan::ExecutionPlan plan = evaluate::make_plan(planning.context(), strategy);
  const plan::StepTrace trace = simulate::simulate(plan, planning.cost());
  double first_s = -1, sent_s = 0;
  const auto last = std::ranges::find(trace.devices, 1, &plan::DeviceTrace::role);
  REQUIRE(last != trace.devices.end());
  for (const plan::TraceEvent& event : last->events) {
    const plan::Instruction& own =
        plan.roles[1].instructions[static_cast<std::size_t>(event.instruction)];
    if (own.phase != plan::InstructionPhase::backward) continue;
    if (own.kind == plan::InstructionKind::run && first_s < 0) first_s = event.begin_s;
    const bool sends = own.kind == plan::InstructionKind::start && own.instance >= 0 &&
                       plan.communications[static_cast<std::size_t>(own.index)].kind ==
                           plan::CommunicationKind::transfer;
    if (sends) sent_s = event.begin_s;
  }
  CHECK(chunk.backward_s + chunk.weight_first_s == Approx(sent_s - first_s).epsilon(0.1));
  if (tensor > 1) CHECK(chunk.weight_first_s > 0.6 * chunk.weight_s);
  else CHECK(chunk.weight_first_s == 0);
}

TEST_CASE("edges take as long as the interfaces of hosts, which devices share") {
  Cluster cluster = modelled_cluster(8);
  cluster.hosts = {{"a", {0, 1, 2, 3}}, {"b", {4, 5, 6, 7}}};
  std::ranges::fill(cluster.host_of | std::views::drop(4), 1);
  cluster.intra_host = {1e12, 1e-6};
  cluster.inter_host = {1e8, 1e-5};
  Planning planning(small_gpt_step(), cluster);
  constexpr std::int64_t kMicroBatches = 2;
  const double boundary_bytes = 8 / kMicroBatches * 16 * 32 * 4;
  for (const std::int64_t tensor : {1, 2, 4}) {
    CAPTURE(tensor);
    const Strategy strategy = planning.strategy(
        "gpt_megatron", {{"stage", std::int64_t{2}}, {"data", 4 / tensor}, {"tensor", tensor}},
        kMicroBatches);
    const auto programs = [&](std::vector<bool> is_cut) {
      return sharding::partition(small_gpt_step(), strategy, std::move(is_cut));
    };
    const PipelineProblem problem = evaluate::pipeline_problem(
        strategy, programs({false, false}), programs({true, true}), planning.cost());
    REQUIRE(problem.edges.size() == 2);
    for (const PipelineEdge& edge : problem.edges)
      CHECK(edge.seconds == Approx(1e-5 + boundary_bytes / 1e8).epsilon(0.02));
  }
}

TEST_CASE("a pipeline in two directions has every parameter on two meshes, and its sums cross") {
  const auto planned = [](const char* schedule) {
    Planning planning(small_gpt_step(), modelled_cluster(2), schedule);
    plan::ExecutionPlan plan = evaluate::make_plan(
        planning.context(), planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}},
                                                               {"tensor", std::int64_t{1}}}));
    plan::validate(plan);
    return plan;
  };
  const auto held_bytes = [](const plan::ExecutionPlan& plan) {
    std::int64_t bytes = 0;
    for (const plan::Role& role : plan.roles) {
      for (const plan::PlanInput& input : role.inputs) {
        const bool is_held = input.kind != InputKind::batch && input.kind != InputKind::scalar;
        bytes +=
            is_held ? num_bytes(role.buffers[static_cast<std::size_t>(input.buffer)].shape) : 0;
      }
    }
    return bytes;
  };
  const plan::ExecutionPlan one = planned("schedule/1f1b"), two = planned("schedule/chimera");
  CHECK(two.num_replicas == 2);
  CHECK(held_bytes(two) == 2 * held_bytes(one));
  CHECK(plan::peak_bytes(two) > plan::peak_bytes(one));
  // Samples and labels lie where their replica reads them, two micro-batches of four.
  std::map<std::pair<DeviceId, std::int32_t>, std::vector<std::int32_t>> micro_batches;
  for (const plan::Role& role : two.roles) {
    for (const plan::PlanInput& input : role.inputs) {
      if (input.micro_dim >= 0)
        micro_batches[{role.mesh.devices.front(), input.input}].push_back(input.micro_batch);
    }
  }
  CHECK(micro_batches.size() == 4);
  for (const auto& [place, list] : micro_batches)
    CHECK((list == std::vector{0, 2} || list == std::vector{1, 3}));
}

/// Where a replica runs one of two or three micro-batches its only pass reduces what it makes: it
/// adds to nothing.
TEST_CASE("a pipeline in two directions of few micro-batches reduces what one pass makes") {
  const std::int64_t num_micro_batches = GENERATE(2, 3, 4);
  const std::int64_t zero = GENERATE(0, 1, 2, 3);
  const bool overlap = GENERATE(false, true);
  CAPTURE(num_micro_batches, zero, overlap);
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 4, .hidden = 16, .num_heads = 2, .vocabulary = 32, .sequence = 8},
          2 * num_micro_batches),
      {.kind = ir::Optimizer::Kind::sgd});
  Planning planning(step, modelled_cluster(4), "schedule/chimera");
  Strategy strategy = planning.strategy("gpt_megatron",
                                        {{"stage", std::int64_t{2}},
                                         {"data", std::int64_t{2}},
                                         {"tensor", std::int64_t{1}},
                                         {"zero", zero}},
                                        num_micro_batches);
  strategy.gradient_sums.overlap = overlap;
  strategy.gradient_sums.bucket_bytes = 1;
  const plan::ExecutionPlan plan = evaluate::make_plan(planning.context(), strategy);
  CHECK(plan.num_replicas == 2);
  CHECK_NOTHROW(plan::validate(plan));
}

TEST_CASE("searchers have no pipelines in two directions, and say so") {
  Planning planning(small_gpt_step(), modelled_cluster(2), "schedule/chimera");
  const evaluate::PlanEvaluator evaluator(planning.context(), 1e9);
  CHECK_THROWS_WITH(evaluator.chunks(2, {{"data", 1}}), Catch::Contains("several replicas"));
}

TEST_CASE("passes are laid out in time where loops cost no launch, and not where they never end") {
  Cluster cluster = modelled_cluster(2);
  cluster.models[0].kernel_latency_s = 0;
  cluster.software.kernels_per_loop = 0;
  const auto evaluation = [&] {
    Planning planning(small_gpt_step(), cluster);
    evaluate::PlanEvaluator evaluator(planning.context(), 0);
    return evaluator.evaluate(
        planning.strategy("gpt_megatron", {{"stage", 2}, {"data", 1}, {"tensor", 1}}));
  };
  CHECK(evaluation().feasible);
  cluster.models[0].memory_bytes_per_s = 0;
  CHECK_THAT(evaluation().reason, Catch::Contains("passes of chunk 0 would take for ever"));
}

TEST_CASE("chunks lie where the schedule says, or it is told what is wrong") {
  const auto refusal = [](const Placement& placement) {
    return [placement] { plan::check_placement(placement, 2); };
  };
  CHECK_NOTHROW(refusal({{0, 1, 1, 0}, 2})());
  CHECK_THROWS_WITH(refusal({{0, 1, 1}, 2})(), "the schedule places 3 chunks in 2 replicas");
  CHECK_THROWS_WITH(refusal({{0, 1}, 0})(), "the schedule places 2 chunks in 0 replicas");
  CHECK_THROWS_WITH(refusal({{0, 2}})(), "the schedule places a chunk on mesh 2 of 2");
  CHECK_THROWS_WITH(refusal({{1, 1}})(), "the schedule places no chunk on mesh 0");
}

}  // namespace rhino::test
