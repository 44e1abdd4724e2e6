// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhino::ir {

/// How the text of a program calls its outputs, by number, as far as its author knows them: HLO
/// the instructions that yield them, StableHLO of JAX their places in what the function returned
/// (`result[1]['loss']`). Empty where that is not told.
std::vector<std::string> hlo_output_names(std::string_view text, const std::string& file);
std::vector<std::string> stablehlo_output_names(std::string_view text);

}  // namespace rhino::ir
