// SPDX-License-Identifier: Apache-2.0
#include "plan/pipeline.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

PipelineProblem problem_of(const Program& step, const Strategy& strategy) {
  return plan::pipeline_of(
      strategy,
      sharding::partition(step, strategy, std::vector<bool>(strategy.chunks.size(), true)));
}

/// Three layers, [8,4] each, the first of which the third reads, too.
Strategy skipping(Program& step) {
  ir::Builder b("skipping");
  const Shape weight{DType::f32, {4, 4}};
  const auto dot = [&](ValueId x, const char* name) {
    return b.dot(x, b.input(InputKind::parameter, weight, {}, name), {{}, {}, {1}, {0}});
  };
  const ValueId x = b.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "x");
  std::vector<std::int32_t> chunk_of;
  const auto end_chunk = [&](std::int32_t chunk) {
    chunk_of.resize(b.program().ops.size(), chunk);
  };
  const ValueId first = b.unary(OpKind::tanh, dot(x, "w0"));
  end_chunk(0);
  const ValueId second = b.unary(OpKind::tanh, dot(first, "w1"));
  end_chunk(1);
  const ValueId third = b.add(dot(second, "w2"), first);
  b.output(b.reduce(b.mul(third, third), {0, 1}, Reduction::sum), OutputKind::loss);
  end_chunk(2);
  step = ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks_on({{1}, {2}, {1}});
  draft.batch_axis = 0;
  draft.chunk_of = chunk_of;
  draft.chunk_of.resize(step.ops.size(), 0);
  return sharding::complete(step, draft);
}

/// Bytes of the buffers whose content is still to be read behind each instruction, but for what
/// lasts from step to step: by looking through all that follows.
std::vector<std::int64_t> bytes_alive(const plan::Role& role) {
  std::vector<std::int64_t> alive;
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    std::int64_t bytes = 0;
    for (std::size_t b = 0; b < role.buffers.size(); ++b) {
      const auto buffer = static_cast<std::int32_t>(b);
      const auto uses = [&](const std::vector<std::int32_t>& list) {
        return std::ranges::find(list, buffer) != list.end();
      };
      const auto next = std::find_if(role.instructions.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     role.instructions.end(), [&](const plan::Instruction& later) {
                                       return later.kind == plan::InstructionKind::run &&
                                              (uses(later.inputs) || uses(later.outputs));
                                     });
      const bool is_read = next != role.instructions.end() && uses(next->inputs);
      const bool lasts = std::ranges::any_of(
          role.inputs, [&](const plan::PlanInput& input) { return input.buffer == buffer; });
      if (is_read && !lasts) bytes += num_bytes(role.buffers[b].shape);
    }
    alive.push_back(bytes);
  }
  return alive;
}

/// Bytes that a plan of one chunk keeps behind a pass of a micro-batch.
struct Kept {
  explicit Kept(const plan::ExecutionPlan& plan)
      : role(plan.roles.front()), alive(bytes_alive(role)) {}
  double behind(plan::InstructionPhase phase, std::int32_t micro_batch) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      const plan::Instruction& instruction = role.instructions[i];
      if (instruction.phase == phase && instruction.instance == micro_batch) last = i;
    }
    return static_cast<double>(alive[last]);
  }
  const plan::Role& role;
  std::vector<std::int64_t> alive;
};

PipelineSchedule one_pass_after_the_other(const std::vector<ActionKind>& kinds,
                                          std::int64_t num_micro_batches) {
  PipelineSchedule schedule{{{}}};
  for (const ActionKind kind : kinds) {
    for (std::int32_t m = 0; m < num_micro_batches; ++m) schedule.order[0].push_back({kind, 0, m});
  }
  return schedule;
}

}  // namespace

TEST_CASE("edges join the passes that read of each other, also over chunks between them") {
  Program step;
  const Strategy strategy = skipping(step);
  const PipelineProblem problem = problem_of(step, strategy);
  std::string edges;
  for (const PipelineEdge& edge : problem.edges) {
    const auto name = [](const ChunkPass& pass) {
      return "FBW"[static_cast<int>(pass.pass)] + std::to_string(pass.chunk);
    };
    edges += name(edge.from) + " to " + name(edge.to) + ": " +
             std::to_string(static_cast<int>(edge.bytes)) + "; ";
    CHECK(edge.seconds == 0);
  }
  // Four samples of four numbers. Nothing of the first layer is a gradient of an activation. Both
  // terms of the gradient of the first layer are added up where the second lies.
  CHECK(edges == "F0 to F1: 64; F0 to F2: 64; F1 to F2: 64; B1 to W0: 64; B2 to B1: 128; ");
  CHECK(problem.num_meshes == 3);
  CHECK(problem.num_micro_batches == 2);
}

TEST_CASE("a pipeline with a skip connection is planned and proved, backward passes cut") {
  Program step;
  const Strategy strategy = skipping(step);
  SendRecv resharding;
  const plan::ExecutionPlan plan = plan_of(step, strategy, "late_weights", resharding);
  plan::validate(plan);
  for (const plan::Role& role : plan.roles) {
    CHECK(std::ranges::any_of(role.instructions, [](const plan::Instruction& instruction) {
      return instruction.phase == plan::InstructionPhase::weight;
    }));
  }
}

TEST_CASE("bytes of a chunk are those that a plan keeps between its passes") {
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = chunks_on({{1}});
  draft.chunks[0].recompute = GENERATE(false, true);
  CAPTURE(draft.chunks[0].recompute);
  draft.batch_axis = 0;
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  const ChunkCost cost = problem_of(tiny_gpt_step(), strategy).chunks[0];
  SendRecv resharding;
  const auto kept = [&](const std::vector<ActionKind>& kinds) {
    return plan_of({tiny_gpt_step(), strategy, resharding}, [&](const PipelineProblem& problem) {
      return one_pass_after_the_other(kinds, problem.num_micro_batches);
    });
  };
  using enum plan::InstructionPhase;
  const plan::ExecutionPlan cut_plan =
      kept({ActionKind::forward, ActionKind::backward, ActionKind::weight});
  const Kept cut(cut_plan);
  const double both = cost.forward_to_backward_bytes + cost.forward_to_weight_bytes;
  CHECK(cut.behind(forward, 2) - cut.behind(forward, 1) == both);
  CHECK(cut.behind(backward, 2) - cut.behind(backward, 1) ==
        cost.backward_to_weight_bytes - cost.forward_to_backward_bytes);
  CHECK(cut.behind(weight, 2) - cut.behind(weight, 1) ==
        -cost.forward_to_weight_bytes - cost.backward_to_weight_bytes);
  CHECK(cost.backward_to_weight_bytes > 0);
  const plan::ExecutionPlan whole_plan = kept({ActionKind::forward, ActionKind::backward_weight});
  const Kept whole(whole_plan);
  CHECK(whole.behind(forward, 2) - whole.behind(forward, 1) == both);
  CHECK(whole.behind(backward, 2) - whole.behind(backward, 1) == -both);
}

}  // namespace rhino::test
