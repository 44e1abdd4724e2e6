// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine.hpp"

#include <catch2/catch.hpp>
#include <vector>

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

TEST_CASE("where none is calm the calmest is taken and known to be disturbed") {
  Runs runs{{0.9, 0.5, 0.7, 0.1}};
  const CalibrationRun run = calmest(std::ref(runs), 3);
  CHECK(run.disturbance == 0.5);
  CHECK_FALSE(is_calm(run));
}
