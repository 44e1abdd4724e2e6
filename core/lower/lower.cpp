// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.hpp"

#include <utility>
#include <vector>

#include "lower/fusion.hpp"
#include "lower/placement.hpp"
#include "lower/prepare.hpp"
#include "lower/storage.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {

LoweredProgram lower(const Program& program, Kernels kernels) {
  std::vector<ValueId> made_for;
  return lower(program, kernels, made_for);
}

LoweredProgram lower(const Program& program, Kernels kernels, std::vector<ValueId>& made_for) {
  LoweredProgram lowered;
  Prepared made;
  if (kernels.attention) {
    const WithAttention found = with_attention(program);
    made = prepared(found.program, found.attentions);
    for (ValueId& id : made.made_for) id = found.made_for[at(id)];
  } else {
    made = prepared(program);
  }
  lowered.program = std::move(made.program);
  made_for = std::move(made.made_for);
  const std::vector<Attention>& attentions = made.attentions;
  Storage storage = analyze_storage(lowered.program, attentions);
  lowered.views = storage.views;
  lowered.groups = fuse(lowered.program, storage, attentions, kernels.longest_row);
  Dependencies dependencies = dependencies_of(lowered.program, storage, lowered.groups);
  place_outputs(lowered, storage, dependencies);
  schedule_groups(lowered, dependencies);
  place_temporaries(lowered, storage);
  return lowered;
}

}  // namespace rhino::lower
