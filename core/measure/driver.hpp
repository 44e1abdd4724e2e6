// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/cell_run.hpp"

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

/// Runs every cell as a Google Benchmark of its own: manual time, one iteration per repetition.
/// `benchmark_flags` are `--benchmark_*` words as given (repetitions, out, format, list_tests,
/// filter). Records go to the run folder as cells end, and to `on_record`. Returns false where
/// Google Benchmark refused its flags.
bool drive(RunContext& context, const std::vector<NamedCell>& cells,
           std::vector<std::string> benchmark_flags,
           const std::function<void(const store::Record&)>& on_record);

/// Fills in the ratios to the baselines of the same case.
void compare_with_baselines(std::vector<store::Record>& records);

}  // namespace rhino::measure
