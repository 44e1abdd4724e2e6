// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cost/cost.hpp"
#include "runtime/session.hpp"

namespace rhino::calibrate {

/// How workers are started, for calibrations and cells alike.
struct WorkerSetup {
  std::int32_t num_ranks = 1;
  runtime::SessionOptions session;
};

/// What tells one machine and set-up from another: processor, cores, ranks, threads, engine build;
/// of device cuda GPUs, driver, transport and modes, too.
std::string calibration_fingerprint(const WorkerSetup& setup);

/// A calibration and how far other work disturbed it: the typical times of all dots over
/// their best - 1, which load that comes and goes makes, what held all runs up, or the share of
/// this machine's cores that others kept busy meanwhile, whichever is most.
struct CalibrationRun {
  cost::Calibration calibration;
  double disturbance = 0;
};

/// Measures with real workers, through the same executor as experiments: dots over a grid of shapes
/// that no preset uses, elementwise ops in cache, streaming, messages and all-reduces between the
/// first two ranks. Takes a few seconds. GPUs are measured by the same, at sizes that fill them.
CalibrationRun calibrate_machine(const WorkerSetup& setup);

/// A machine that others disturb is not followed more closely.
inline constexpr double kLeastAge_s = 20;

/// The calibration that is kept on disk, where it still holds, or a disturbed one as long as
/// kLeastAge_s, or a new one.
cost::Calibration calibration_for(const WorkerSetup& setup);
/// What other work disturbs is measured again, `most_runs` times in all; the calmest run is taken
/// and kept; if it was not calm, its fingerprint says "disturbed".
cost::Calibration new_calibration(const WorkerSetup& setup, int most_runs);

/// Of GPUs that are fakes: of toy sizes, kept nowhere, to be looked at and never to be priced by.
bool is_fake(const cost::Calibration& calibration);

/// One that new_calibration() found no calm moment for, and its fingerprint.
bool is_disturbed(const cost::Calibration& calibration);
std::string as_disturbed(const std::string& fingerprint);
std::string as_calm(const std::string& fingerprint);

/// The calmest of up to `most` runs; ends with the first calm one.
CalibrationRun calmest(const std::function<CalibrationRun()>& run, int most);
/// Other work took so little of it that its typical times are those of this machine.
bool is_calm(const CalibrationRun& run);

}  // namespace rhino::calibrate
