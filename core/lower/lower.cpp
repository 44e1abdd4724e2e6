// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.hpp"

#include <utility>

#include "lower/fusion.hpp"
#include "lower/placement.hpp"
#include "lower/prepare.hpp"
#include "lower/storage.hpp"

namespace rhino::lower {

LoweredProgram lower(const Program& program) {
  LoweredProgram lowered;
  lowered.program = prepared(program).program;
  Storage storage = analyze_storage(lowered.program);
  lowered.views = storage.views;
  lowered.groups = fuse(lowered.program, storage);
  Dependencies dependencies = dependencies_of(lowered.program, storage, lowered.groups);
  place_outputs(lowered, storage, dependencies);
  schedule_groups(lowered, dependencies);
  place_temporaries(lowered, storage);
  return lowered;
}

}  // namespace rhino::lower
