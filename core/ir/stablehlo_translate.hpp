// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/hlo_syntax.hpp"
#include "ir/stablehlo_syntax.hpp"

namespace rhino::ir::stablehlo {

/// The same module in HLO's words, so that one importer reads both: functions and regions are
/// computations, results of several are tuples and their elements, and what a region reads of its
/// surroundings is handed to it. Throws Error `file:line:column: ...`. `module` must outlive it.
hlo::Module translate(const Module& module, const std::string& file);

}  // namespace rhino::ir::stablehlo
