// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "calibrate/machine.hpp"
#include "calibrate/network.hpp"
#include "rhino/cluster.hpp"

namespace rhino::calibrate {

/// What `make` makes, unless a disturbed one of that fingerprint stands in `folder`, where such a
/// one is then kept.
cost::Calibration kept_or(const std::string& folder, const std::string& fingerprint,
                          const std::function<cost::Calibration()>& make);

/// The calibrations that a run has needed so far. `progress` is told when one is made. One that
/// other work disturbed is kept in `folder`, for this run: it is not measured again when the run is
/// taken up, and shows what its predictions came from.
class Calibrations {
 public:
  using Progress = std::function<void(const std::string&)>;
  explicit Calibrations(std::string folder) : folder_(std::move(folder)) {}

  /// Cells to come are compared with each other: each calibration that one of them needs is looked
  /// at before, once, and measured again where the machine's speed has changed (drift.hpp).
  void begin_case() { looked_at_.clear(); }

  /// Another number whenever a machine has been measured, or looked at anew.
  std::int64_t num_looks() const { return num_looks_; }

  /// Of this machine. What it refers to changes where a later case finds that it no longer holds.
  const cost::Calibration& machine(const WorkerSetup& setup, const Progress& progress);
  /// machine() again, with the higher of its peaks and of those that a new measurement finds: cores
  /// of a virtual machine come to lie nearer, and what passes between them is quicker then.
  const cost::Calibration& raise_peaks(const WorkerSetup& setup, const Progress& progress);
  /// Of this machine with the network of an emulated cluster between the hosts of the setup.
  const cost::Calibration& network(const WorkerSetup& setup, const Cluster& cluster,
                                   const Progress& progress);
  /// Of this machine with the links between the hosts of the setup's agents; the cluster is told of
  /// interfaces and pairs whose own is another.
  const cost::Calibration& hosts(const WorkerSetup& setup, Cluster& cluster,
                                 const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  std::map<std::string, HostLinks> links_;  // by the key of the hosts
  std::string folder_;
  std::set<std::string> looked_at_;  ///< fingerprints, in this case
  std::int64_t num_looks_ = 0;
  std::map<std::string, Clock::time_point> made_at_;
  std::map<std::string, cost::Calibration> made_;  // by fingerprint, or key of the emulation
};

}  // namespace rhino::calibrate
