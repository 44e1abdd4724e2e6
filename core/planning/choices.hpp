// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "plugin/registry.hpp"

namespace rhino::planning {

/// Throws Error with the place where the cell names a plugin or strategy file that does not exist,
/// or options that they do not know.
void check_choices(const config::CellSpec& cell, const plugin::Registry& registry,
                   const std::vector<std::string>& folders);

/// True where the choice is the path of a strategy file.
bool is_strategy_file(const config::Choice& search);

}  // namespace rhino::planning
