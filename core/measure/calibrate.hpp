// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cost/cost.hpp"

namespace rhino {

/// How workers are started, for calibrations and cells alike.
struct WorkerSetup {
  std::string worker;  ///< path of rhino-worker
  std::string device = "cpu";
  std::int32_t num_ranks = 1;
  int num_threads = 1;
  std::string log_dir;
  std::function<bool()> is_interrupted = {};  ///< as in SessionOptions
};

/// What tells one machine and set-up from another: processor, cores, ranks, threads, engine build.
std::string calibration_fingerprint(const WorkerSetup& setup);

/// Measures with real workers, through the same executor as experiments: dots over a grid of shapes
/// that no preset uses, elementwise ops in cache, streaming, messages and all-reduces between the
/// first two ranks. Takes a few seconds.
Calibration calibrate(const WorkerSetup& setup);

/// The cached calibration, or a new one that is then kept.
Calibration calibration_for(const WorkerSetup& setup);

}  // namespace rhino
