// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "rhino/program.hpp"

namespace rhino::ir {

/// HLO text of a Program; what HLO has no word for (phase, origin, input and output kinds,
/// initializers) goes into `metadata={...}` and `frontend_attributes={...}`.
/// parse_hlo(print_hlo(p)) == p.
std::string print_hlo(const Program& program);

/// Parses HLO text. Throws Error `file:line: ...`.
Program parse_hlo(std::string_view text, const std::string& file);

}  // namespace rhino::ir
