// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// A strategy as a person would write it: parameters as they are cut there, and the axis that cuts
/// the batch; all else follows by propagation.
inline StrategyDraft draft_like(const Program& program, const Strategy& strategy) {
  StrategyDraft draft;
  draft.name = strategy.name + ", propagated";
  draft.num_micro_batches = strategy.num_micro_batches;
  draft.chunks = strategy.chunks;
  draft.chunk_of = strategy.chunk_of;
  draft.recompute = strategy.recompute;
  for (const Input& input : program.inputs) {
    const ShardingSpec& spec = strategy.specs[at(input.value)];
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(spec.dims.size())};
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      for (const AxisSplit& split : spec.dims[d].splits) {
        if (split.axis == kMicroAxis) continue;
        annotation.dims[d].push_back(split.axis);
        if (input.kind == InputKind::batch && d == 0) draft.batch_axis = split.axis;
      }
    }
    if (input.kind == InputKind::parameter) draft.annotations.push_back(std::move(annotation));
  }
  return draft;
}

}  // namespace rhino::common
