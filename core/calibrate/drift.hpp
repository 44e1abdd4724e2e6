// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// The calibration tells of the machine as it is.
bool holds(const Drift& drift);

/// Measures that, unless it was made within the last seconds. True of GPUs, which nobody else slows
/// down.
bool still_holds(const cost::Calibration& calibration, const WorkerSetup& setup);

}  // namespace rhino::calibrate
