// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "config/strategy_file.hpp"
#include "plugin/registry.hpp"
#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::planning {

/// Throws Error with the place where the cell names a plugin or strategy file that does not exist,
/// or options that they do not know.
void check_choices(const config::CellSpec& cell, const plugin::Registry& registry,
                   const std::vector<std::string>& folders);

/// Throws Error with the place where workers cannot stand for the cell's devices.
void check_backend(const config::CellSpec& cell, const Cluster& cluster);

/// Throws Error naming a device that is not measured, of whose rates nothing is said for dots or
/// convolutions of `step`: their arithmetic would be free.
void check_peaks(const Program& step, const Cluster& cluster);

/// The strategy file that the cell names, its sizes those of the choice and the cluster. Throws
/// Error naming file and line.
config::StrategyFile read_strategy(const config::CellSpec& cell, const Cluster& cluster,
                                   const std::vector<std::string>& folders);

/// Throws Error naming file and line where the cell's strategy file, if it names one, names what
/// `step` does not have.
void check_strategy(const config::CellSpec& cell, const Program& step,
                    const std::vector<std::string>& folders);

/// Micro-batch counts that both the case and the strategy file allow.
std::vector<std::int64_t> micro_batch_counts(const config::CellSpec& cell,
                                             const config::StrategyFile& file);

/// True where the choice is the path of a strategy file.
bool is_strategy_file(const config::Choice& search);

}  // namespace rhino::planning
