// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "calibrate/machine.hpp"
#include "rhino/cluster.hpp"

namespace rhino::calibrate {

/// The calibrations that a run has needed so far. `progress` is told when one is made.
class Calibrations {
 public:
  using Progress = std::function<void(const std::string&)>;

  /// Of this machine.
  const cost::Calibration& machine(const WorkerSetup& setup, const Progress& progress);
  /// Of this machine with the network of an emulated cluster between the hosts of the setup.
  const cost::Calibration& network(const WorkerSetup& setup, const Cluster& cluster,
                                   const Progress& progress);

 private:
  std::map<std::string, cost::Calibration> made_;  // by fingerprint, or key of the emulation
};

}  // namespace rhino::calibrate
