// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/kernel_unit.hpp"

#include <algorithm>
#include <utility>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/attention_prelude.hpp"
#include "runtime/cuda/column_sums.hpp"
#include "runtime/cuda/loop_source.hpp"
#include "runtime/cuda/prelude.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Parameters of a kernel take at most 4 KiB.
constexpr std::size_t kMaxBases = 500;

GroupSource nest_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                        const lower::LoopNest& nest) {
  LoopKernels made = loop_kernels(lowered, group, nest, scratch_base(lowered, 0));
  return {{}, std::move(made.kernels), std::move(made.scratch_bytes)};
}

void add_group(std::vector<GroupSource>& sources, const lower::LoweredProgram& lowered,
               const lower::KernelGroup& group) {
  switch (group.kind) {
    case lower::KernelGroup::Kind::dot: sources.push_back(dot_source(lowered, group)); break;
    case lower::KernelGroup::Kind::attention:
      sources.push_back(attention_source(lowered, group));
      break;
    case lower::KernelGroup::Kind::other: sources.push_back(op_source(lowered, group)); break;
    case lower::KernelGroup::Kind::loop:
      for (const lower::LoopNest& nest : group.nests)
        sources.push_back(nest_source(lowered, group, nest));
      break;
  }
}

bool has_attention(const std::vector<GroupSource>& groups) {
  return std::ranges::any_of(groups, [](const GroupSource& group) {
    return !group.kernels.empty() && group.kernels.front().kind == kAttentionKind;
  });
}

}  // namespace

std::string unit_prelude(bool has_attention) {
  return has_attention ? std::string(kPrelude) + kAttentionTiles + kAttentionPrelude : kPrelude;
}

std::string kernel_source(const std::string& name, const std::string& text,
                          const std::string& kind) {
  // Attention keeps tiles in registers: one block that spills none of them is worth more than two.
  // Sums of columns ptxas gives 32 registers and spills, if no number of blocks is asked for.
  const std::string bounds = kind == kAttentionKind    ? std::to_string(kAttentionThreads) + ", 1"
                             : kind == kRowsKind       ? "ROW_BOUNDS"
                             : kind == kColumnSumsKind ? "256, 3"
                                                       : "256";
  return "extern \"C\" __global__ void __launch_bounds__(" + bounds + ") " + name + text;
}

std::vector<GroupSource> group_sources(const lower::LoweredProgram& lowered) {
  std::vector<GroupSource> sources;
  for (const lower::KernelGroup& group : lowered.groups) add_group(sources, lowered, group);
  return sources;
}

KernelUnit kernel_unit(const std::vector<GroupSource>& groups, const std::string& program) {
  KernelUnit unit;
  unit.source = unit_prelude(has_attention(groups));
  const auto add = [&](const KernelText& kernel) {
    if (kernel.bases.size() > kMaxBases)
      throw Error("a kernel of program '" + program + "' reads and writes " +
                  std::to_string(kernel.bases.size()) + " tensors, more than CUDA has room for");
    const auto [name, is_new] =
        unit.names.try_emplace(kernel.text, "kernel_" + std::to_string(unit.names.size()));
    if (is_new) unit.source += kernel_source(name->second, kernel.text, kernel.kind);
  };
  for (const GroupSource& group : groups) {
    for (const KernelText& kernel : group.kernels) add(kernel);
    for (const KernelText& kernel : group.kernels_behind) add(kernel);
  }
  return unit;
}

std::vector<std::int64_t> scratch_bytes(const std::vector<GroupSource>& groups) {
  std::vector<std::int64_t> most;
  for (const GroupSource& group : groups) {
    most.resize(std::max(most.size(), group.scratch_bytes.size()));
    for (std::size_t i = 0; i < group.scratch_bytes.size(); ++i)
      most[i] = std::max(most[i], group.scratch_bytes[i]);
  }
  return most;
}

}  // namespace rhino::runtime::cuda
