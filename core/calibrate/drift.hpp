// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calibrate/machine.hpp"

namespace rhino::calibrate {

/// Measures a few probes of a calibration again, in a second: dots, streams beyond all caches, and
/// loops within the shared one.
cost::Calibration::FewProbes few_probes(const WorkerSetup& setup);

/// How long these take over what they took when it was made. Other guests of a virtual machine's
/// host make it a third slower for minutes, which no repetitions within one second tell.
struct Drift {
  double dots = 1, streams = 1, caches = 1;
};

/// Like is compared with like: in a session of few probes streams take a fifth more than among all
/// probes of a calibration. Of one without few probes such that it does not hold.
Drift drift_of(const cost::Calibration& calibration, const cost::Calibration::FewProbes& now);

/// The calibration tells of the machine nearly as it is.
bool holds(const Drift& drift);

/// What it says of the machine as it is by that: its times, not its peaks.
cost::Calibration moved(cost::Calibration calibration, const Drift& drift);

/// Measures that, unless it was made within the last seconds, and moves it; nullopt: it holds no
/// longer. That of GPUs, which nobody else slows down, is as it was.
std::optional<cost::Calibration> renewed(const cost::Calibration& calibration,
                                         const WorkerSetup& setup);

}  // namespace rhino::calibrate
