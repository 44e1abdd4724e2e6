// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/calibrations.hpp"
#include "config/experiment.hpp"
#include "measure/machine_watch.hpp"
#include "measure/reference_run.hpp"
#include "planning/cell_inputs.hpp"
#include "plugin/registry.hpp"
#include "runtime/agents/agents.hpp"
#include "store/run_folder.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::measure {

/// What all cells of a run share. Borrowed references live as long as the run.
struct RunContext {
  const config::Experiment& experiment;
  const plugin::Registry& registry;
  store::RunFolder& folder;
  std::string worker;                ///< path of rhino-worker
  std::vector<std::string> folders;  ///< where topologies and strategy files are looked for
  std::string plan_file = {};        ///< --plan: runs it instead of searching
  /// Told what goes on. Ends the cell at hand where it throws Error.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  /// True once the run is to end: sessions stop, and the cell that this cuts is not recorded.
  std::function<bool()> is_interrupted = [] { return false; };

  // What cells need alike is made by the first that needs it.
  planning::Models models = {};
  calibrate::Calibrations calibrations;
  ProbeTimes probe = {};          ///< right after the last look at one of them
  std::int64_t probed_look = -1;  ///< of calibrate::Calibrations::num_looks()
  topology::EmulatedClusters emulated = {};
  References references = {};
  std::optional<MachineWatch> watch = {};
  runtime::Agents* agents = nullptr;  ///< of the other hosts that a launcher started this run on

  /// Workers of a cell: one rank per device, cores shared out evenly.
  calibrate::WorkerSetup workers(const config::CellSpec& cell, std::int32_t num_ranks) const;
  /// Says in `options` where they start: on the hosts of an emulated cluster, on those of agents,
  /// here. Throws Error naming a host that is lost.
  void place(const config::CellSpec& cell, const Cluster& cluster,
             runtime::SessionOptions& options);
};

/// Record::environment of these workers.
std::map<std::string, std::string> run_environment(const calibrate::WorkerSetup& setup);

}  // namespace rhino::measure
