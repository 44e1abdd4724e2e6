// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/kernel_unit.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <span>
#include <utility>

#include "codec/fingerprint.hpp"
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

/// `rows_3878f89d5b2ac514`, whatever else is in its unit.
std::string name_of(const KernelText& kernel) {
  std::string name = kernel.kind + "_" + codec::fingerprint(kernel.text);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// Kernels that all contract or all do not, into at most `num_units` further units of `units`.
/// Those that take long to compile, long ones, are dealt out first.
void deal_out(std::span<const KernelText*> kernels, std::size_t num_units, KernelUnits& units) {
  std::ranges::stable_sort(kernels, std::greater<>(), [](const KernelText* kernel) {
    return std::pair(kernel->kind == kAttentionKind, kernel->text.size());
  });
  num_units = std::min(kernels.size(), num_units);
  const std::size_t first = units.sources.size();
  units.sources.resize(first + num_units);
  std::vector<bool> has_attention(num_units);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelText& kernel = *kernels[i];
    UnitSource& unit = units.sources[first + i % num_units];
    const std::string name = name_of(kernel);
    units.places[kernel.text] = {first + i % num_units, name};
    unit.text += kernel_source(name, kernel.text, kernel.kind, kernel.at_once);
    unit.contracts = contracts(kernel.kind);
    if (kernel.kind == kAttentionKind) has_attention[i % num_units] = true;
  }
  for (std::size_t i = 0; i < num_units; ++i)
    units.sources[first + i].text = unit_prelude(has_attention[i]) + units.sources[first + i].text;
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

bool contracts(const std::string& kind) {
  return kind == kDotKind || kind == kConvolutionKind || kind == kAttentionKind;
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
  const auto does_not_contract = std::ranges::stable_partition(
      kernels, [](const KernelText* kernel) { return contracts(kernel->kind); });
  const std::span all(kernels);
  const std::size_t num_contracting = kernels.size() - does_not_contract.size();
  const std::size_t few = std::min(num_contracting, std::max<std::size_t>(1, num_units / 2));
  deal_out(all.first(num_contracting), few, units);
  const std::size_t others = std::max<std::size_t>(1, num_units - std::min(few, num_units));
  deal_out(all.subspan(num_contracting), others, units);
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
