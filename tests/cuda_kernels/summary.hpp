// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "census.hpp"
#include "compilation.hpp"

/// What is committed of a whole compilation, tests/data/cuda/kernels.txt.
namespace rhino::test {

struct CompiledText {
  CountedKernel counted;
  std::string text;
  CompiledKernel compiled;
};
using CompiledCensus = std::vector<CompiledText>;

/// First lines: number and fingerprint of all kernels, how many unlike ones there are, and that
/// every `every`-th of those was compiled.
std::string summary_head(const Census& census, std::size_t num_unlike, std::size_t every,
                         const std::string& compiler_version);
/// A table of one architecture by kind, and the kernels with most registers.
std::string summary_of(const CompiledCensus& kernels, int architecture);
/// Sentences of kernels that spill, keep a stack, or need more than a block has.
std::vector<std::string> faults_of(const CompiledCensus& kernels);

}  // namespace rhino::test
