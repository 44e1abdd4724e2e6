// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/kernel_unit.hpp"

#include <algorithm>
#include <functional>
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

}  // namespace

std::string unit_prelude(bool has_attention) {
  return has_attention ? kPrelude + attention_preludes() : kPrelude;
}

std::string kernel_source(const std::string& name, const std::string& text, const std::string& kind,
                          int at_once) {
  const std::string blocks = std::to_string(at_once);
  const std::string bounds = kind == kAttentionKind ? "ATTENTION_BOUNDS(" + blocks + ")"
                             : kind == kRowsKind || kind == kColumnSumsKind ? "256, " + blocks
                                                                            : "256";
  return "extern \"C\" __global__ void __launch_bounds__(" + bounds + ") " + name + text;
}

std::vector<GroupSource> group_sources(const lower::LoweredProgram& lowered) {
  std::vector<GroupSource> sources;
  for (const lower::KernelGroup& group : lowered.groups) add_group(sources, lowered, group);
  return sources;
}

KernelUnits kernel_units(const std::vector<GroupSource>& groups, const std::string& program,
                         std::size_t num_units) {
  KernelUnits units;
  std::vector<const KernelText*> kernels;
  const auto add = [&](const KernelText& kernel) {
    if (kernel.bases.size() > kMaxBases)
      throw Error("a kernel of program '" + program + "' reads and writes " +
                  std::to_string(kernel.bases.size()) + " tensors, more than CUDA has room for");
    if (units.places.try_emplace(kernel.text).second) kernels.push_back(&kernel);
  };
  for (const GroupSource& group : groups) {
    for (const KernelText& kernel : group.kernels) add(kernel);
    for (const KernelText& kernel : group.kernels_behind) add(kernel);
  }
  num_units = std::clamp<std::size_t>(kernels.size(), 1, num_units);
  units.sources.resize(kernels.empty() ? 0 : num_units);
  std::vector<bool> has_attention(num_units);
  // Those that take long to compile, long ones, are dealt out first.
  std::ranges::stable_sort(kernels, std::greater<>(), [](const KernelText* kernel) {
    return std::pair(kernel->kind == kAttentionKind, kernel->text.size());
  });
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelText& kernel = *kernels[i];
    const std::size_t unit = i % num_units;
    const std::string name = "kernel_" + std::to_string(i);
    units.places[kernel.text] = {unit, name};
    units.sources[unit] += kernel_source(name, kernel.text, kernel.kind, kernel.at_once);
    if (kernel.kind == kAttentionKind) has_attention[unit] = true;
  }
  for (std::size_t unit = 0; unit < units.sources.size(); ++unit)
    units.sources[unit] = unit_prelude(has_attention[unit]) + units.sources[unit];
  return units;
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
