// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/strategy_file.hpp"

namespace rhino::config {

/// The file that a person would have written for a whole strategy: sizes of the mesh, and the few
/// patterns over names from which completion makes every other spec. Completed on the strategy's
/// own chunks it yields `strategy` again, exactly; Error naming a value where no file does.
StrategyFile describe_strategy(const Program& program, const Strategy& strategy);

}  // namespace rhino::config
