// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/experiment.hpp"

namespace rhino::measure {

/// A cell under its name.
struct NamedCell {
  std::string name;
  config::CellSpec cell;
};

/// `gpt(preset=15m)/local(devices=2)/grid/send_recv/1f1b`: unique in an experiment.
std::vector<NamedCell> name_cells(const config::Experiment& experiment);

/// Leaves out cells that differ from an earlier one of their case only in what cannot matter: the
/// schedule and the resharding of a strategy file with one stage. Names of baselines are joined.
void merge_equal_cells(config::Experiment& experiment, const std::vector<std::string>& folders);

}  // namespace rhino::measure
