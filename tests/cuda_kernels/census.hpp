// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "rhino/program.hpp"

/// Which kernels the cuda device would run: of every built-in model and of every op.
namespace rhino::test {

/// Visits training steps of all models, by their smallest preset and by one of a size that is
/// trained, in f32, bf16 and f16; two samples of each op; attention of many depths.
void for_each_program(const std::function<void(const Program&)>& visit);

struct CountedKernel {
  std::string kind;     ///< "dot", "rows", an op's name
  std::string program;  ///< one that has it
  int at_once = 1;      ///< see runtime::cuda::KernelText
};
/// Unlike kernels, by their text: with attention as kernels of its own, and with its scores in
/// memory.
using Census = std::map<std::string, CountedKernel>;
Census take_census();

/// Of kernels whose texts differ in numbers alone, the one of the longest text: the largest
/// numbers; of attention one for each way to call what the prelude has.
Census without_likes(const Census& census);

/// Tells the preludes and all texts of a census from any others.
std::string fingerprint_of(const Census& census);

}  // namespace rhino::test
