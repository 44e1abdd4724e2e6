// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_time.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "evaluate/pipeline_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using plan::pass_of;
using Crossing = StepParts::Crossing;

/// What a mesh has to do in a step, one after the other.
double work_s(const StepParts& parts, const PassSteps& order, std::size_t mesh) {
  double sum_s = parts.prologue_s[mesh], early_s = 0, issue_s = 0;
  std::set<std::pair<std::int32_t, Pass>> begun;
  for (const plan::PassStep& step : order[mesh]) {
    const PassSpan& span = parts.chunks[at(step.chunk)].passes[static_cast<std::size_t>(step.pass)];
    sum_s += span.seconds + (begun.insert({step.chunk, step.pass}).second ? 0 : span.adding_s);
    issue_s += span.issue_s;
  }
  int num_chunks = 0;
  for (const StepParts::Chunk& chunk : parts.chunks) {
    if (at(chunk.mesh) != mesh) continue;
    // Reductions begin no sooner than the last pass that adds to sums.
    const auto longest_s = [](const PassSpan& span) { return span.seconds + span.adding_s; };
    early_s = chunk.early_s - std::max(longest_s(chunk.passes[1]), longest_s(chunk.passes[2]));
    ++num_chunks;
  }
  return std::max(issue_s, sum_s + std::max(parts.update_s[mesh], num_chunks == 1 ? early_s : 0));
}

}  // namespace

std::vector<PipelineEdge> edges_of(const StepParts& parts) {
  std::map<std::pair<ChunkPass, ChunkPass>, double> seconds;
  for (const Crossing& crossing : parts.crossings) {
    if (!sharding::is_pass(crossing.phase)) continue;
    for (const Crossing::Target& target : crossing.targets) {
      double& most_s = seconds[{{pass_of(crossing.phase), crossing.chunk},
                                {pass_of(target.phase), target.chunk}}];
      most_s = std::max(most_s, target.latency_s + target.busy_s);
    }
  }
  for (const auto& ends : parts.stays) seconds.try_emplace(ends, 0);
  std::vector<PipelineEdge> edges;
  for (const auto& [ends, most_s] : seconds) edges.push_back({ends.first, ends.second, 0, most_s});
  return edges;
}

ExpectedStep expected_step(const StepParts& parts, const PassSteps& order,
                           const std::vector<ChunkBytes>& bytes) {
  PipelineWalk walk(parts, order, true);
  ExpectedStep step{walk.period_s()};
  if (!bytes.empty()) step.most_bytes = walk.most_bytes(bytes);
  return step;
}

double work_bound_s(const StepParts& parts, const PassSteps& order) {
  double bound_s = 0;
  for (std::size_t mesh = 0; mesh < order.size(); ++mesh)
    bound_s = std::max(bound_s, work_s(parts, order, mesh));
  return bound_s;
}

double step_bound_s(const StepParts& parts, const PassSteps& order) {
  return std::max(PipelineWalk(parts, order, false).period_s(), work_bound_s(parts, order));
}

}  // namespace rhino::evaluate
