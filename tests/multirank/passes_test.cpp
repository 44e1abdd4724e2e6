// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <numeric>

#include "gpt_plans.hpp"
#include "plan/plan_file.hpp"

namespace rhino {
namespace {

/// Loss, gradients and updated states of one step.
std::vector<std::vector<double>> values_of(const plan::ExecutionPlan& plan, const Program& step) {
  const RunDir dir;
  const auto session = runtime::start_session(plan, options_in(dir));
  session->run_steps(1, false);
  std::vector<std::int32_t> outputs(step.outputs.size());
  std::iota(outputs.begin(), outputs.end(), 0);
  std::vector<std::vector<double>> values;
  for (runtime::FetchedTensor& tensor : session->fetch(outputs))
    values.push_back(std::move(tensor.elements));
  return values;
}

}  // namespace

TEST_CASE("workers get the same bits whether backward passes are whole or cut") {
  const std::int64_t num_stages = GENERATE(2, 4);
  CAPTURE(num_stages);
  config::CellSpec cell = small_gpt();
  cell.model.options["num_layers"] = std::int64_t{4};
  planning::Models models;
  const Program& step = models.of(cell).step;
  const auto plan_with = [&](const std::string& schedule) {
    return plan_of({"gpt_megatron.yaml",
                    {{"stage", num_stages}, {"tensor", std::int64_t{1}}},
                    static_cast<std::int32_t>(num_stages),
                    schedule},
                   kMicroBatches, step);
  };
  const plan::ExecutionPlan whole = plan_with("schedule/1f1b");
  CHECK_THAT(plan::explain(whole), !Catch::Contains("W0.0"));
  const std::vector<std::vector<double>> values = values_of(whole, step);
  for (const char* schedule : {"schedule/zb_h1", "schedule/zero_bubble"}) {
    CAPTURE(schedule);
    const plan::ExecutionPlan cut = plan_with(schedule);
    CHECK_THAT(plan::explain(cut), Catch::Contains("W0.0"));
    CHECK((values_of(cut, step) == values));
  }
  // Two chunks per worker, round and round: other programs, the same sums. And any order.
  for (const char* schedule :
       {"schedule/interleaved_1f1b", "schedule/breadth_first", "schedule/auto"}) {
    CAPTURE(schedule);
    CHECK((values_of(plan_with(schedule), step) == values));
  }
}

}  // namespace rhino
