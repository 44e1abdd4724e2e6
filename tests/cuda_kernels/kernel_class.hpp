// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/op_info.hpp"
#include "lower/lower.hpp"

namespace rhino::cuda_kernels {

/// By which tables sum up the kernels of a training step.
inline std::string class_of(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Op& last = lowered.program.op(group.ops.back());
  if (last.phase == Phase::update) return "optimizer";
  if (group.kind == lower::KernelGroup::Kind::dot) return "dots";
  if (group.kind == lower::KernelGroup::Kind::attention) return "attention";
  if (group.kind == lower::KernelGroup::Kind::other) return std::string(ir::op_name(last.kind));
  bool folds = false, sums = false;
  for (const lower::LoopNest& nest : group.nests) {
    for (const lower::LoopNest::Member& member : nest.members) {
      folds = folds || member.folds;
      sums = sums || (lowered.program.op(member.op).kind == OpKind::reduce && !member.folds);
    }
  }
  return folds ? "rows (layer norm, loss)" : sums ? "sums over samples" : "elementwise";
}

}  // namespace rhino::cuda_kernels
