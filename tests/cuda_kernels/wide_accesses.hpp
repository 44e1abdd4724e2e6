// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compilation.hpp"

namespace rhino::test {

/// Sentences of accesses to memory by less than 16 bytes (LDG.E.128, STG.E.128) where all lie side
/// by side: elementwise, by rows, and attention in one pass, in f32, bf16 and f16. Finds none where
/// there is no disassembler.
std::vector<std::string> narrow_accesses(const RealCompiler& compiler, int architecture);

}  // namespace rhino::test
