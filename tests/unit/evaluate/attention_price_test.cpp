// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds where attention is one kernel in some passes, or in none.
#include <algorithm>
#include <catch2/catch.hpp>

#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "models/t5.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"

namespace rhino::test {

/// A learned bias keeps scores in memory where a step is one program, and not in a forward pass.
TEST_CASE("a bound leaves out attention that is one kernel in one pass alone") {
  const Program step = ir::training_step(models::t5_forward({.num_layers = 2,
                                                             .num_decoder_layers = 2,
                                                             .hidden = 16,
                                                             .num_heads = 4,
                                                             .head_dim = 4,
                                                             .ffn = 16,
                                                             .vocabulary = 64,
                                                             .sequence = 256,
                                                             .target_sequence = 256},
                                                            8),
                                         {});
  Cluster cluster = modelled_cluster(1);
  cluster.software.attention = true;
  Planning planning(step, cluster);
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = planning.chunks(1, {{"data", 1}});
  draft.batch_axis = 0;
  draft.chunks.front().recompute = true;
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy = evaluator.complete(draft);
  const double bound_s = evaluator.estimate(strategy).bound_s;
  CAPTURE(bound_s);
  CHECK(bound_s > 0);
  CHECK(bound_s <= evaluator.evaluate(strategy).step_s * (1 + 1e-9));
}

/// Op by op, products of attention take longer than its kernel, which keeps scores out of memory.
TEST_CASE("the least seconds of a space leave out what attention may do in one kernel") {
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 2, .hidden = 64, .num_heads = 16, .vocabulary = 64, .sequence = 2048}, 8),
      {});
  Cluster cluster = modelled_cluster(2);
  cluster.software.attention = true;
  Planning planning(step, cluster);
  StrategyDraft draft{.num_micro_batches = 1, .chunks = planning.chunks(1, {{"data", 2}})};
  draft.batch_axis = 0;
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Evaluation evaluation = evaluator.evaluate(evaluator.complete(draft));
  const double least_s = evaluator.least_s({draft.chunks.front().mesh, 1});
  CAPTURE(least_s);
  CHECK(least_s > 0);
  CHECK(least_s <= evaluation.step_s * (1 + 1e-9));
}

/// Devices hold terms of scores, which are added up before the softmax: loops and products run as
/// those of any other ops, in all layers or in the first one alone.
TEST_CASE("an attention that is no kernel is priced as loops and products") {
  constexpr std::int64_t kSequence = 512;
  const Program step = ir::training_step(
      models::gpt_forward(
          {.num_layers = 3, .hidden = 64, .num_heads = 4, .vocabulary = 64, .sequence = kSequence},
          8),
      {});
  Cluster cluster = modelled_cluster(2);
  cluster.software.attention = true;
  cluster.models.front().memory_bytes_per_s /= 4;
  Planning planning(step, cluster);
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = planning.chunks(1, {{"data", 1}, {"tensor", 2}});
  draft.batch_axis = 0;
  const auto num_cut = at(GENERATE(1, 3));
  for (ValueId id = 0; id < step.size() && draft.annotations.size() < 2 * num_cut; ++id) {
    const Op& op = step.op(id);
    const bool is_scores = op.kind == OpKind::dot && op.phase == Phase::forward &&
                           std::ranges::count(op.shape.dims, kSequence) == 2;
    if (!is_scores) continue;
    const DotAttr& dot = op.attributes.get<DotAttr>();
    for (const auto& [operand, depth] :
         {std::pair(op.operands[0], dot.lhs_contracting), {op.operands[1], dot.rhs_contracting}}) {
      draft.annotations.push_back(
          {operand, std::vector<std::vector<AxisId>>(step.shape(operand).dims.size())});
      draft.annotations.back().dims[at(depth.front())] = {1};
    }
  }
  REQUIRE(draft.annotations.size() == 2 * num_cut);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy = evaluator.complete(draft);
  const Estimate estimate = evaluator.estimate(strategy);
  const double step_s = evaluator.evaluate(strategy).step_s;
  CAPTURE(num_cut, estimate.bound_s, step_s);
  CHECK(estimate.step_s == Approx(step_s).epsilon(0.1));
  CHECK(estimate.bound_s <= step_s * (1 + 1e-9));
}

}  // namespace rhino::test
