// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calibrate/machine.hpp"

namespace rhino::calibrate {

/// How long workers of now take over what a calibration says: of dots, of streams beyond all caches
/// and of loops within the shared one. Other guests of a virtual machine's host make it a third
/// slower for minutes, which no repetitions within one second tell.
struct Drift {
  double dots = 1, streams = 1, caches = 1;
};

/// Measures a few probes of the calibration again, in less than a second.
Drift drift_of(const cost::Calibration& calibration, const WorkerSetup& setup);

/// The calibration tells of the machine nearly as it is.
bool holds(const Drift& drift);

/// What it says of the machine as it is by that: its times, not its peaks.
cost::Calibration moved(cost::Calibration calibration, const Drift& drift);

/// Measures that, unless it was made within the last seconds, and moves it; nullopt: it holds no
/// longer. That of GPUs, which nobody else slows down, is as it was.
std::optional<cost::Calibration> renewed(const cost::Calibration& calibration,
                                         const WorkerSetup& setup);

}  // namespace rhino::calibrate
