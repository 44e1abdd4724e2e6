// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::ir {

/// What an op computes, and in which phase: a copy that allocates nothing for its name.
inline Op without_name(const Op& op) {
  Op copy;
  copy.kind = op.kind;
  copy.phase = op.phase;
  copy.shape = op.shape;
  copy.operands = op.operands;
  copy.attributes = op.attributes;
  return copy;
}

inline Program without_names(const Program& program) {
  Program copy{.name = {}, .ops = {}, .inputs = program.inputs, .outputs = program.outputs};
  copy.ops.reserve(program.ops.size());
  for (const Op& op : program.ops) copy.ops.push_back(without_name(op));
  return copy;
}

}  // namespace rhino::ir
