// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "calibrate/drift.hpp"
#include "calibrate/machine_probes.hpp"
#include "calibrate/probes.hpp"
#include "codec/fingerprint.hpp"
#include "store/calibration_file.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"
#include "topology/large_pages.hpp"
#include "topology/other_work.hpp"

namespace rhino::calibrate {
namespace {

/// Another word with every change of what is measured: calibrations of before are not taken up.
constexpr const char* kMethod =
    "each rank, warm lines near and far, dots from two distances, rows each, steps and terms, "
    "sums, large moves, attention, behind barriers, few probes, held up, forgotten behind "
    "barriers, upwards, layouts side by side, hot dots, convolutions of many pixels and few";
constexpr const char* kDisturbed = " (disturbed)";
const std::string kFake = "fake ";

}  // namespace

/// The GPUs that ranks drive, and how.
static std::string gpus_text(const WorkerSetup& setup) {
  const topology::GpuInventory& found = topology::discover_gpus();
  std::string text = "/" + found.driver + "/" + std::to_string(found.cuda_version) + "/" +
                     setup.session.transport + "/" + to_string(setup.session.gpu);
  for (const topology::Gpu& gpu : found.gpus) text += "/" + topology::describe(gpu);
  return text;
}

std::string calibration_fingerprint(const WorkerSetup& setup) {
  const topology::Machine machine = topology::discover_machine();
  const bool is_fake = drives_gpus(setup) && topology::discover_gpus().is_fake();
  return (is_fake ? kFake : "") +
         codec::fingerprint(machine.processor + "/" + std::to_string(machine.num_cores) + "/" +
                            std::to_string(machine.total_memory_bytes >> 30) + "/" +
                            std::to_string(topology::shared_page_bytes()) + "/" +
                            setup.session.device + "/" + std::to_string(setup.num_ranks) + "/" +
                            std::to_string(setup.session.num_threads) + "/" RHINO_VERSION "/" +
                            kMethod + (drives_gpus(setup) ? gpus_text(setup) : ""));
}

bool is_fake(const cost::Calibration& calibration) {
  return calibration.fingerprint.starts_with(kFake);
}

CalibrationRun calibrate_machine(const WorkerSetup& setup) {
  constexpr int kSteps = 4;
  MachineProbes probes(setup);
  const auto session = runtime::start_session(probes.finish(), setup.session);
  const topology::OtherWork others;
  std::vector<plan::StepTrace> steps;
  for (int i = 0; i < kSteps; ++i) steps.push_back(session->run_steps(1, true));
  const double others_share = others.busy_cores() / topology::discover_machine().num_cores;
  CalibrationRun run = probes.read(steps);
  run.calibration.fingerprint = calibration_fingerprint(setup);
  // What others do on this host's cores, a GPU does not feel.
  if (!drives_gpus(setup)) run.disturbance = std::max(run.disturbance, others_share);
  return run;
}

bool is_disturbed(const cost::Calibration& calibration) {
  return calibration.fingerprint.ends_with(kDisturbed);
}

std::string as_disturbed(const std::string& fingerprint) { return fingerprint + kDisturbed; }

std::string as_calm(const std::string& fingerprint) {
  return fingerprint.substr(0, fingerprint.find(kDisturbed));
}

bool is_calm(const CalibrationRun& run) {
  constexpr double kMostDisturbance = 0.15;  // 0.03 to 0.1 on an idle machine
  return run.disturbance <= kMostDisturbance;
}

CalibrationRun calmest(const std::function<CalibrationRun()>& run, int most) {
  CalibrationRun calm = run();
  for (int i = 1; i < most && !is_calm(calm); ++i) {
    CalibrationRun again = run();
    if (again.disturbance < calm.disturbance) calm = std::move(again);
  }
  return calm;
}

cost::Calibration calibration_for(const WorkerSetup& setup) {
  if (!drives_gpus(setup) || !topology::discover_gpus().is_fake()) {
    const std::string fingerprint = calibration_fingerprint(setup);
    const std::optional<cost::Calibration> kept =
        store::load_calibration(fingerprint, store::cache_folder(), store::kMostCalibrationAge_s);
    if (kept) {
      if (auto now = renewed(*kept, setup)) return *std::move(now);
    }
    if (const auto disturbed =
            store::load_calibration(as_disturbed(fingerprint), store::cache_folder(), kLeastAge_s))
      return *disturbed;
  }
  constexpr int kMostRuns = 3;
  return new_calibration(setup, kMostRuns);
}

cost::Calibration new_calibration(const WorkerSetup& setup, int most_runs) {
  if (drives_gpus(setup) && topology::discover_gpus().is_fake())
    return calibrate_machine(setup).calibration;
  CalibrationRun fresh = calmest([&] { return calibrate_machine(setup); }, most_runs);
  if (!drives_gpus(setup)) fresh.calibration.few_probes = few_probes(setup);
  if (!is_calm(fresh)) fresh.calibration.fingerprint = as_disturbed(fresh.calibration.fingerprint);
  store::save_calibration(fresh.calibration);
  return fresh.calibration;
}

}  // namespace rhino::calibrate
