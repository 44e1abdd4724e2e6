// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "calibrate/calibrations.hpp"
#include "calibrate/drift.hpp"
#include "calibrate/network.hpp"
#include "rhino/error.hpp"
#include "store/calibration_file.hpp"

using namespace rhino;
using namespace rhino::calibrate;

namespace {

/// Runs of these disturbances, one after the other.
struct Runs {
  std::vector<double> disturbances;
  std::size_t num_run = 0;
  CalibrationRun operator()() { return {.disturbance = disturbances.at(num_run++)}; }
};

}  // namespace

TEST_CASE("a calm calibration is taken at once") {
  Runs runs{{0.02, 0.01}};
  CHECK(calmest(std::ref(runs), 3).disturbance == 0.02);
  CHECK(runs.num_run == 1);
}

TEST_CASE("a disturbed calibration is repeated until one is calm") {
  Runs runs{{0.9, 0.03, 0.01}};
  const CalibrationRun run = calmest(std::ref(runs), 3);
  CHECK(run.disturbance == 0.03);
  CHECK(is_calm(run));
  CHECK(runs.num_run == 2);
}

TEST_CASE("a disturbed calibration is kept for its run, a calm one is not") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("rhino_calibrate_test_" + std::to_string(getpid()));
  int num_made = 0;
  const auto make = [&](const std::string& fingerprint) {
    return kept_or(folder, "f", [&] {
      ++num_made;
      return cost::Calibration{.fingerprint = fingerprint, .kernel_latency_s = 1.0 * num_made};
    });
  };
  make("f");
  CHECK(make("f").kernel_latency_s == 2);
  make(as_disturbed("f"));
  CHECK(make("f").kernel_latency_s == 3);
  CHECK(is_disturbed(make("f")));
  CHECK(num_made == 3);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a disturbed calibration is every run's for 20 s, and then nobody's") {
  const auto cache =
      std::filesystem::temp_directory_path() / ("rhino_calibrate_test_" + std::to_string(getpid()));
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  WorkerSetup setup;
  setup.session.worker = "there is no such worker";
  CHECK_THROWS_AS(calibration_for(setup), Error);
  const std::string fingerprint = as_disturbed(calibration_fingerprint(setup));
  const cost::Calibration kept{.fingerprint = fingerprint, .kernel_latency_s = 7};
  store::save_calibration(kept);
  CHECK(calibration_for(setup) == kept);
  for (const auto& file : std::filesystem::directory_iterator(store::cache_folder()))
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(21));
  CHECK_THROWS_AS(calibration_for(setup), Error);
  std::filesystem::remove_all(cache);
}

TEST_CASE("where none is calm the calmest is taken and known to be disturbed") {
  Runs runs{{0.9, 0.5, 0.7, 0.1}};
  const CalibrationRun run = calmest(std::ref(runs), 3);
  CHECK(run.disturbance == 0.5);
  CHECK_FALSE(is_calm(run));
}

TEST_CASE("a calibration holds while its dots and its streams take what they took, either way") {
  CHECK(holds({}));
  CHECK(holds({.dots = 1.04, .streams = 0.94}));
  CHECK(holds({.dots = 1 / 1.04, .streams = 1.07}));
  CHECK_FALSE(holds({.dots = 1.2}));
  CHECK_FALSE(holds({.dots = 1 / 1.2}));
  CHECK_FALSE(holds({.streams = 1.2}));
  CHECK_FALSE(holds({.streams = 1 / 1.2}));
  CHECK(holds({.caches = 1.1}));
  CHECK_FALSE(holds({.caches = 1.3}));
  CHECK_FALSE(holds({.caches = 1 / 1.3}));
}

TEST_CASE("drift is what few probes take over what the same took after the calibration") {
  const cost::Calibration before{.few_probes = {1, 2, 4}};
  const Drift drift = drift_of(before, {1.04, 1.9, 4.4});
  CHECK(drift.dots == Approx(1.04));
  CHECK(drift.streams == Approx(0.95));
  CHECK(drift.caches == Approx(1.1));
  CHECK(holds(drift));
  const cost::Calibration after = moved(before, drift);
  CHECK(after.few_probes.dots_s == Approx(1.04));
  CHECK(drift_of(after, after.few_probes).streams == Approx(1));
  CHECK_FALSE(holds(drift_of({}, {1, 2, 4})));  // nothing to compare with
  CHECK_FALSE(holds(drift_of({}, {})));
}

TEST_CASE("a machine is priced as it is now, over a network as it was measured") {
  const cost::Calibration machine{.fingerprint = "f", .kernel_latency_s = 2, .intra_host = {1, 1}};
  const cost::Calibration network{.fingerprint = "f-net",
                                  .kernel_latency_s = 1,
                                  .intra_host = {2, 2},
                                  .inter_host = {3, 3},
                                  .network_cpu_s_per_byte = 4,
                                  .network_cpu_s_per_piece = 5,
                                  .network_beside_s_per_byte = 6};
  const cost::Calibration both = with_network(machine, network);
  CHECK(both == cost::Calibration{.fingerprint = "f-net",
                                  .kernel_latency_s = 2,
                                  .intra_host = {2, 2},
                                  .inter_host = {3, 3},
                                  .network_cpu_s_per_byte = 4,
                                  .network_cpu_s_per_piece = 5,
                                  .network_beside_s_per_byte = 6});
  CHECK(is_disturbed(with_network({.fingerprint = as_disturbed("f")}, network)));
}

TEST_CASE("a calibration moves with the machine, its peaks do not") {
  cost::Calibration before{.fingerprint = "f", .memory_bytes_per_s = 6, .copy_bytes_per_s = 6};
  before.dots = before.dots_of_rows = before.dots_of_columns = {{1, 8, 8, 8, 2}};
  before.narrow_dots[DType::bf16] = {{{1, 8, 8, 8, 2}}, 7};
  before.convolutions[DType::f32] = {{1, 8, 8, 8, 2}};
  before.element_s = {{OpKind::add, 2}};
  before.folds = {{40, 2}};
  before.reach = {{1e6, 1, 2, 3}, {4e6, 4, 5, 6}};
  before.few_probes = {1, 2, 3};
  before.kernel_latency_s = 1, before.peak_flops = 8, before.peak_bytes_per_s = 9;
  const cost::Calibration after = moved(before, {.dots = 1.5, .streams = 3, .caches = 2});
  cost::Calibration expected = before;
  expected.dots = expected.dots_of_rows = expected.dots_of_columns = {{1, 8, 8, 8, 3}};
  expected.narrow_dots[DType::bf16] = {{{1, 8, 8, 8, 3}}, 7};
  expected.element_s = {{OpKind::add, 3}};
  expected.folds = {{40, 3}};
  expected.reach = {{1e6, 2, 4, 6}, {4e6, 12, 15, 18}};
  expected.memory_bytes_per_s = expected.copy_bytes_per_s = 2;
  expected.few_probes = {1.5, 6, 6};
  CHECK(after == expected);
  CHECK(moved(before, {}) == before);
}
