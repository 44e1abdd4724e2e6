// SPDX-License-Identifier: Apache-2.0
#include "report/communication_table.hpp"

#include <catch2/catch.hpp>

using namespace rhino;
using namespace rhino::report;

namespace {

/// A reshard of 2 s that was predicted to take `step_s`, and `cpu_s` of the machine's cores.
std::string table_of_reshard(double step_s, double cpu_s) {
  store::Record record;
  record.independent = {{"reshard", "S0 to R"},
                        {"topology", "emulated"},
                        {"backend", "ucx"},
                        {"resharding", "resharding/striped"}};
  record.communication.kind = "reshard";
  record.communication.predicted_cpu_s = cpu_s;
  record.samples_s = {2};
  record.predicted_step_s = step_s;
  record.prediction_error = step_s / 2 - 1;
  return communication_table({record});
}

}  // namespace

TEST_CASE("a prediction says CPU exactly where the cores take as long as the network or longer") {
  CHECK(table_of_reshard(1.5, 1.5).find("-25.0% CPU") != std::string::npos);
  CHECK(table_of_reshard(1.5, 1.4).find("-25.0% ") != std::string::npos);
  CHECK(table_of_reshard(1.5, 1.4).find("CPU") == std::string::npos);
  CHECK(table_of_reshard(0, 0).find("CPU") == std::string::npos);  // nothing was predicted
}

TEST_CASE("what is simulated has three digits and no interval") {
  store::Record record;
  record.independent = {{"reshard", "S0 to R"},
                        {"topology", "a"},
                        {"backend", "simulate"},
                        {"resharding", "resharding/striped"}};
  record.communication.kind = "reshard";
  const auto [seconds, text] = GENERATE(table<double, std::string>({{6.9764, " 6.98 s "},
                                                                    {9.9951, " 10.0 s "},
                                                                    {123.4, " 123 s "},
                                                                    {0.8644, " 864 ms "},
                                                                    {3.003e-5, " 30.0 us "}}));
  record.samples_s = {seconds};
  record.summary.median_s = record.summary.ci95_low_s = record.summary.ci95_high_s = seconds;
  const std::string simulated = communication_table({record});
  CAPTURE(simulated);
  CHECK(simulated.find(text) != std::string::npos);
  CHECK(simulated.find("+-") == std::string::npos);
  record.independent["backend"] = "ucx";
  CHECK(communication_table({record}).find("+-0.0%") != std::string::npos);
}
