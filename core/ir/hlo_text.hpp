// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "rhino/program.hpp"

namespace rhino::ir {

/// HLO text of a Program; what HLO has no word for (phase, origin, input and output kinds,
/// initializers) goes into `metadata={...}` and `frontend_attributes={...}`.
/// parse_hlo(print_hlo(p)) == p.
std::string print_hlo(const Program& program);

/// What an import may do.
struct ImportOptions {
  /// Meanings of custom-calls beside the known ones, by target; see hlo_custom_call.hpp.
  std::map<std::string, std::string> custom_calls;
  std::int64_t max_unrolled_ops = 50'000;  ///< that one loop may make
};

/// The entry computation of HLO text as a Program: calls and fusions inlined, barriers left out,
/// loops with a number of iterations that is known unrolled, ops that Programs lack written with
/// others. Elements of tuples are inputs and outputs of their own. Throws Error
/// `file:line:column: %instruction: ...`.
Program parse_hlo(std::string_view text, const std::string& file,
                  const ImportOptions& options = {});

/// The same of StableHLO text as MLIR prints it, pretty or generic, with debug information or
/// without: the function `main`.
Program parse_stablehlo(std::string_view text, const std::string& file,
                        const ImportOptions& options = {});

}  // namespace rhino::ir
