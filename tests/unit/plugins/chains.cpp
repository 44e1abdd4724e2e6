// SPDX-License-Identifier: Apache-2.0
#include "chains.hpp"

#include <algorithm>

#include "list_execution.hpp"
#include "rhino/index.hpp"

namespace rhino::test {

PipelineProblem chain(const ChainCase& of) {
  PipelineProblem problem;
  problem.num_meshes = of.stages;
  problem.num_micro_batches = of.micro_batches;
  problem.activation_limit_bytes.resize(at(of.stages));
  for (std::int32_t stage = 0; stage < of.stages; ++stage) {
    problem.chunks.push_back({.mesh = stage,
                              .forward_s = of.forward_s,
                              .backward_s = of.backward_s,
                              .weight_s = of.weight_s,
                              .backward_weight_s = of.backward_s + of.weight_s});
    if (stage == 0) continue;
    problem.edges.push_back({{Pass::forward, stage - 1}, {Pass::forward, stage}});
    problem.edges.push_back({{Pass::backward, stage}, {Pass::backward, stage - 1}});
  }
  return problem;
}

PipelineProblem random_chain(std::mt19937& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
  };
  ChainCase of{.stages = static_cast<std::int32_t>(draw(2, 8)), .micro_batches = 1};
  of.micro_batches = draw(of.stages, 8 * of.stages);
  PipelineProblem problem = chain(of);
  const std::int64_t limit = draw(of.stages, 2 * of.stages);
  for (ChunkCost& chunk : problem.chunks) {
    chunk.forward_s = static_cast<double>(draw(8, 16));
    chunk.backward_s = static_cast<double>(draw(8, 16));
    chunk.weight_s = static_cast<double>(draw(6, 14));
    chunk.backward_weight_s = chunk.backward_s + chunk.weight_s;
    chunk.forward_to_weight_bytes = 1;
  }
  problem.activation_limit_bytes.assign(at(of.stages), static_cast<double>(limit));
  for (std::size_t e = 0; e < problem.edges.size(); e += 2)
    problem.edges[e].seconds = problem.edges[e + 1].seconds = static_cast<double>(draw(0, 10));
  return problem;
}

std::int64_t kept(const plan::PassOrder& order, std::size_t stage) {
  std::int64_t kept = 0, most = 0;
  for (const plan::PassStep& step : order.steps[stage]) {
    const bool ends = step.pass == (order.is_cut[stage] ? Pass::weight : Pass::backward);
    kept += step.pass == Pass::forward ? 1 : ends ? -1 : 0;
    most = std::max(most, kept);
  }
  return most;
}

double kept_bytes(const PipelineProblem& problem, const plan::PassOrder& order, std::size_t mesh) {
  double kept = 0, most = 0;
  for (const plan::PassStep& step : order.steps[mesh]) {
    const ChunkCost& chunk = problem.chunks[at(step.chunk)];
    const bool is_cut = order.is_cut[at(step.chunk)];
    if (step.pass == Pass::forward)
      kept += chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
    if (step.pass == Pass::backward && is_cut) kept += chunk.backward_to_weight_bytes;
    most = std::max(most, kept);
    if (step.pass == Pass::backward) kept -= chunk.forward_to_backward_bytes;
    if (step.pass == (is_cut ? Pass::weight : Pass::backward))
      kept -= chunk.forward_to_weight_bytes + (is_cut ? chunk.backward_to_weight_bytes : 0);
  }
  return most;
}

bool fits(const PipelineProblem& problem, const plan::PassOrder& order) {
  constexpr double kRounding = 1 + 1e-9;  // of sums of what parts of a micro-batch keep
  for (std::size_t mesh = 0; mesh < order.steps.size(); ++mesh)
    if (kept_bytes(problem, order, mesh) > problem.activation_limit_bytes[mesh] * kRounding)
      return false;
  return true;
}

ChainTimes times(const PipelineProblem& problem, const plan::PassOrder& order) {
  ChainTimes times;
  for (const std::vector<double>& ends_s :
       list_ends_s(problem, order, {.num_steps = 3, .is_gradient_early = true})) {
    times.period_s = std::max(times.period_s, (ends_s.back() - ends_s.front()) / 2);
    times.makespan_s = std::max(times.makespan_s, ends_s.front());
  }
  return times;
}

}  // namespace rhino::test
