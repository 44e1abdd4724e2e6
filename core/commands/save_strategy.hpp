// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/named_cells.hpp"
#include "planning/plan_cell.hpp"

namespace rhino::commands {

/// Where `search --save` puts strategies: PATH.yaml is the file of the only cell, any other path a
/// folder of a file per cell.
class StrategySaver {
 public:
  using Plan = std::function<planning::PlannedCell(const config::CellSpec&)>;

  /// `plan` plans a cell as the search did. Throws Error where a file stands there already, unless
  /// `overwrite`.
  StrategySaver(std::string target, bool overwrite, const Plan& plan);

  /// Writes what was found for a cell and proves it: planned again with the file for its search,
  /// the cell gets the same strategy and the same plan, byte for byte. Returns the path. Throws
  /// Error, and leaves no file, where it does not.
  std::string save(const measure::NamedCell& named, const planning::PlannedCell& planned,
                   const Cluster& cluster) const;

  bool is_file() const { return target_.ends_with(".yaml"); }

 private:
  void refuse_present(const std::string& path) const;
  void prove(const measure::NamedCell& named, const planning::PlannedCell& planned,
             const std::string& path) const;

  std::string target_;
  bool overwrite_;
  const Plan& plan_;
};

}  // namespace rhino::commands
