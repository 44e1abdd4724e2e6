// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
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
  for (runtime::FetchedTensor& tensor : session->fetch(outputs)) {
    CHECK(tensor.num_disagreeing == 0);
    values.push_back(std::move(tensor.elements));
  }
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
  for (const char* schedule :
       {"schedule/zb_h1", "schedule/zero_bubble", "schedule/zb_v", "schedule/dualpipe_v"}) {
    CAPTURE(schedule);
    const bool lacks_micro_batches = schedule == std::string("schedule/dualpipe_v");
    if (lacks_micro_batches && kMicroBatches < 2 * num_stages) continue;
    const plan::ExecutionPlan cut = plan_with(schedule);
    CHECK_THAT(plan::explain(cut), Catch::Contains("W0.0"));
    CHECK((values_of(cut, step) == values));
  }
  // Two chunks per worker, round and round, or forth and back: other programs, the same sums. And
  // any order.
  for (const char* schedule : {"schedule/interleaved_1f1b", "schedule/breadth_first",
                               "schedule/hanayo", "schedule/auto"}) {
    CAPTURE(schedule);
    CHECK((values_of(plan_with(schedule), step) == values));
  }
}

TEST_CASE("workers get the same sums in two directions, and replicas the same bits") {
  // Adam, and a loss scale whose flags go over all replicas; data parallelism with ZeRO beside it.
  const std::string optimizer = GENERATE("adam", "mixed");
  const bool is_split = GENERATE(false, true);
  CAPTURE(optimizer, is_split);
  const Program& step = model(optimizer).step;
  const auto plan_with = [&](const std::string& schedule) {
    const Split split{"gpt_megatron.yaml",
                      {{"stage", std::int64_t{2}},
                       {"tensor", std::int64_t{1}},
                       {"zero", std::int64_t{is_split ? 1 : 0}}},
                      is_split ? 4 : 2,
                      schedule};
    return plan_of(split, kMicroBatches, step, kSmallBucketBytes);
  };
  const std::vector<std::vector<double>> one = values_of(plan_with("schedule/1f1b"), step);
  for (const char* schedule : {"schedule/chimera", "schedule/dualpipe"}) {
    CAPTURE(schedule);
    const plan::ExecutionPlan plan = plan_with(schedule);
    CHECK(plan.num_replicas == 2);
    const std::vector<std::vector<double>> two = values_of(plan, step);
    REQUIRE(two.size() == one.size());
    for (std::size_t o = 0; o < one.size(); ++o) {
      double difference = 0, norm = 0;
      for (std::size_t i = 0; i < one[o].size(); ++i) {
        difference += std::pow(two[o][i] - one[o][i], 2);
        norm += std::pow(one[o][i], 2);
      }
      CAPTURE(o);
      CHECK(std::sqrt(difference) <= (optimizer == "mixed" ? 0.01 : 1e-5) * std::sqrt(norm) + 1e-9);
    }
  }
}

}  // namespace rhino
