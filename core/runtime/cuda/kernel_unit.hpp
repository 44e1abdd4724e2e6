// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {

/// What the groups of a lowered program are made of, in the order in which they run. Needs no
/// driver. Throws Error naming an op that has no kernel.
std::vector<GroupSource> group_sources(const lower::LoweredProgram& lowered);

/// What a unit begins with, of kernels of attention or not.
std::string unit_prelude(bool has_attention);

/// All kernels of groups, those of equal text once, in units of NVRTC.
struct KernelUnits {
  struct Place {
    std::size_t unit = 0;
    std::string name;
  };
  std::map<std::string, Place> places;  ///< of a kernel, by its text
  std::vector<UnitSource> sources;      ///< of each unit, with the prelude
};
/// Whether kernels of this kind, dots, convolutions or attention each on its own, are compiled as
/// UnitSource::contracts says: sums of products are what they are made of.
bool contracts(const std::string& kind);

/// At most `num_units`, which threads may compile side by side, or two, where some kernels contract
/// and some do not; kEach: one for each kernel, which then has the same text wherever that kernel
/// is. A kernel is called by its kind and the fingerprint of its text. Throws Error naming
/// `program` where a kernel has more parameters than CUDA takes.
inline constexpr std::size_t kEach = std::numeric_limits<std::size_t>::max();
KernelUnits kernel_units(const std::vector<GroupSource>& groups, const std::string& program,
                         std::size_t num_units);

/// Of each scratch memory, what the group takes that wants most of it.
std::vector<std::int64_t> scratch_bytes(const std::vector<GroupSource>& groups);

/// A kernel of some kind as it stands behind the prelude; `at_once` as in KernelText.
std::string kernel_source(const std::string& name, const std::string& text, const std::string& kind,
                          int at_once = 1);

}  // namespace rhino::runtime::cuda
