// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "config/yaml_reader.hpp"

namespace rhino::config {

/// What a case, the matrix, a baseline and --set may set of cells, `topology` to `check`. Each of
/// these multiplies the cells by the values of a list; what cannot be fails at its place.

/// All of `map`, whose other keys are the cases' own, or fail.
void apply_map(std::vector<CellSpec>& cells, const YamlReader& map);
/// What the matrix says once holds for baselines, too; they are compared with what it lists.
void apply_single_values(std::vector<CellSpec>& cells, const YamlReader& matrix);
/// `--set key=value`: values are YAML text.
void apply_overrides(std::vector<CellSpec>& cells,
                     const std::map<std::string, std::string>& overrides);

}  // namespace rhino::config
