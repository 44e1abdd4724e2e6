// SPDX-License-Identifier: Apache-2.0
#include "report/pipeline_table.hpp"

#include <catch2/catch.hpp>

namespace rhino::report {
namespace {

store::Record record_of(const std::string& schedule, double ratio, const std::string& verdict) {
  store::Record record;
  record.independent["schedule"] = "schedule/" + schedule;
  record.pipeline.num_stages = 4;
  record.baselines = {{.name = "own", .ratio = ratio, .verdict = verdict}};
  return record;
}

}  // namespace

TEST_CASE("a baseline's wins and losses are counted over all pipelines") {
  store::Record own = record_of("own", 1, "none");
  own.baseline_of = {"own"};
  CHECK(pipeline_summary({own, record_of("a", 0.5, "slower"), record_of("a", 0.8, "slower"),
                          record_of("b", 1.25, "faster"), record_of("b", 1.01, "same"),
                          record_of("a", 1, "same"), record_of("b", 0.5, "inconclusive"),
                          record_of("once", 0.5, "slower"), record_of("b", 0, "none")}) ==
        "\nown against  faster  same  slower  median\n"
        "a                 2     1       0   1.25x\n"
        "b                 0     1       1   0.99x\n");
  CHECK(pipeline_summary({own, record_of("once", 0.5, "slower")}) == "");
}

}  // namespace rhino::report
