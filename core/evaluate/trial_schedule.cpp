// SPDX-License-Identifier: Apache-2.0
/// What a schedule is asked, and what a step takes in the order that it answers.
#include <algorithm>
#include <utility>

#include "evaluate/placing.hpp"
#include "evaluate/table_trial.hpp"
#include "plan/pipeline.hpp"
#include "plugin/scope.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

using sharding::ChunkPhase;

/// Of W whole backward passes, before all has left.
static double weight_first_s(const PassSpan& whole, double backward_s) {
  return std::min(whole.ahead_s, std::max(0.0, whole.one_by_one_s - backward_s));
}

/// `parts`: of whole backward passes.
PipelineProblem TableTrial::problem(const StepParts& parts) const {
  PipelineProblem problem;
  const std::vector<KeptBytes> kept = kept_bytes(true);
  for (std::size_t c = 0; c < parts.chunks.size(); ++c) {
    const StepParts::Chunk& chunk = parts.chunks[c];
    // Nobody has asked for the halves so far.
    const double whole_s = chunk.passes[1].one_by_one_s;
    problem.chunks.push_back({.mesh = chunk.mesh,
                              .forward_s = chunk.passes[0].one_by_one_s,
                              .backward_s = whole_s / 2,
                              .weight_s = whole_s / 2,
                              .backward_weight_s = whole_s,
                              .weight_first_s = weight_first_s(chunk.passes[1], whole_s / 2),
                              .update_s = chunk.update.one_by_one_s,
                              .forward_to_backward_bytes = kept[c].forward_to_backward,
                              .forward_to_weight_bytes = kept[c].forward_to_weight,
                              .backward_to_weight_bytes = kept[c].backward_to_weight});
  }
  problem.num_micro_batches = strategy_.num_micro_batches;
  problem.num_meshes = static_cast<std::int32_t>(num_meshes_);
  problem.is_draft = true;
  plan::set_rooms(problem, strategy_, context_.cost.cluster(), lasting_bytes());
  problem.edges = edges_of(parts);
  for (const StepParts::Crossing& crossing : parts.crossings) {
    for (const StepParts::Crossing::Target& target : crossing.targets)
      problem.is_step_joint |=
          target.phase == ChunkPhase::update &&
          parts.chunks[at(target.chunk)].mesh != parts.chunks[at(crossing.chunk)].mesh;
  }
  return problem;
}

plan::PassOrder TableTrial::ordered(const PipelineProblem& problem) const {
  return blaming_placement(context_, strategy_, [&] {
    const PipelineSchedule answer = context_.schedule.schedule(problem);
    return plugin::blaming(context_.schedule_id, [&] { return plan::pass_order(problem, answer); });
  });
}

bool TableTrial::is_fixed(PipelineProblem problem, const plan::PassOrder& order) const {
  for (ChunkCost& chunk : problem.chunks) chunk = {.mesh = chunk.mesh};
  for (PipelineEdge& edge : problem.edges) edge.bytes = edge.seconds = 0;
  problem.activation_limit_bytes.assign(num_meshes_, 0);
  problem.is_draft = false;  // two drafts may be alike by chance
  if (fixed_steps_.empty() || problem != fixed_problem_) {
    fixed_steps_ = ordered(problem).steps;
    fixed_problem_ = std::move(problem);
  }
  return fixed_steps_ == order.steps;
}

/// In halves a backward pass may take less than it does whole.
static void shorten(StepParts& whole, const StepParts& halves) {
  const auto seconds = [](const StepParts::Chunk& chunk) {
    return chunk.passes[1].seconds + chunk.passes[2].seconds;
  };
  for (std::size_t c = 0; c < whole.chunks.size(); ++c) {
    if (seconds(halves.chunks[c]) < seconds(whole.chunks[c]))
      whole.chunks[c].passes = halves.chunks[c].passes;
  }
}

Estimate TableTrial::price() {
  price(*whole_);
  is_cut_.assign(strategy_.chunks.size(), false);
  StepParts expected = parts(false);
  StepParts least = parts(true);
  PipelineProblem problem = this->problem(expected);
  plan::PassOrder order = ordered(problem);
  const bool is_any_cut = std::ranges::find(order.is_cut, true) != order.is_cut.end();
  if (is_any_cut) {
    price(cut());
    is_cut_.assign(strategy_.chunks.size(), true);
    const StepParts halves = parts(false);
    shorten(least, parts(true));
    problem = this->problem(halves);
    for (std::size_t c = 0; c < problem.chunks.size(); ++c) {
      ChunkCost& chunk = problem.chunks[c];
      const PassSpan& whole = expected.chunks[c].passes[1];
      chunk.weight_s = halves.chunks[c].passes[2].one_by_one_s;
      chunk.backward_s = halves.chunks[c].passes[1].one_by_one_s;
      chunk.backward_weight_s = whole.one_by_one_s;
      chunk.weight_first_s = weight_first_s(whole, chunk.backward_s);
    }
    order = ordered(problem);
    is_cut_ = order.is_cut;
    expected = parts(false);
  }
  const ExpectedStep step = expected_step(expected, order.steps, chunk_bytes());
  const auto bound_s = [&] {
    if (!is_fixed(problem, order)) return work_bound_s(least, order.steps);
    return step_bound_s(is_any_cut ? parts(true) : least, order.steps);
  };
  return {.bound_s = bound_s(), .step_s = step.step_s, .peak_bytes = peak_bytes(step.most_bytes)};
}

}  // namespace rhino::evaluate
