// SPDX-License-Identifier: Apache-2.0
#include "evaluate/weight_first.hpp"

#include <algorithm>

#include "lower/attention.hpp"
#include "plan/work_ahead.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

static bool is_near(const Strategy& strategy, std::int32_t chunk, std::int32_t other) {
  return strategy.chunks[at(chunk)].mesh == strategy.chunks[at(other)].mesh;
}

WeightFirst::WeightFirst(const std::vector<sharding::ChunkProgram>& whole, const Strategy& strategy,
                         bool attends, std::vector<ChunkCost>& chunks, plan::KnownCuts& cuts)
    : attends_(attends), chunks_(chunks), cuts_(cuts) {
  for (const sharding::ChunkProgram& part : whole) {
    for (const sharding::Port& port : part.inputs) {
      const bool is_each = port.repeat == sharding::Repeat::per_micro_batch;
      if (!is_each || port.source < 0 || is_near(strategy, port.source, part.chunk)) continue;
      read_.emplace(port.source, port.value);
      first_.try_emplace({part.chunk, port.value}, part.phase);
    }
  }
}

void WeightFirst::add(const sharding::ChunkProgram& part, double kernels_s,
                      std::int64_t bucket_bytes, bool blocks) const {
  plan::CutProblem pass{.program = part.program,
                        .arrival = {},
                        .departures = {{}},
                        .least_bucket_bytes = bucket_bytes,
                        .blocks = blocks};
  if (attends_) pass.inside = lower::inside_attention(part.program);
  for (const sharding::Port& port : part.inputs) {
    const auto first = first_.find({part.chunk, port.value});
    pass.arrival.push_back(first != first_.end() && first->second == part.phase ? 0 : -1);
    pass.lasting.push_back(port.repeat == sharding::Repeat::per_step);
  }
  for (std::size_t i = 0; i < part.outputs.size(); ++i) {
    if (part.outputs[i].repeat == sharding::Repeat::per_micro_batch &&
        read_.contains({part.chunk, part.outputs[i].value}))
      pass.departures.front().push_back(part.program.outputs[i].value);
  }
  if (pass.departures.front().empty()) return;
  ChunkCost& cost = chunks_[at(part.chunk)];
  cost.weight_first_s = std::min(plan::share_ahead(pass, cuts_) * kernels_s,
                                 std::max(0.0, cost.backward_weight_s - cost.backward_s));
}

}  // namespace rhino::evaluate
