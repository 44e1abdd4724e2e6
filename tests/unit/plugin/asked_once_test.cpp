// SPDX-License-Identifier: Apache-2.0
#include "plugin/asked_once.hpp"

#include <catch2/catch.hpp>

#include "rhino/error.hpp"

using namespace rhino;

namespace {

/// Answers with one action, in which the number of micro-batches is told; counts the questions.
class Counting : public Schedule {
 public:
  Placement placement(int) override { return {}; }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    ++num_asked;
    if (problem.num_micro_batches == 0) throw Error("nothing to order");
    return {{{{.micro_batch = static_cast<std::int32_t>(problem.num_micro_batches)}}}};
  }
  int num_asked = 0;
};

PipelineProblem problem(std::int64_t num_micro_batches) {
  PipelineProblem problem;
  problem.num_micro_batches = num_micro_batches;
  return problem;
}

}  // namespace

TEST_CASE("a question is put once, until it is forgotten") {
  Counting inner;
  plugin::AskedOnce asked(inner, 2);
  const auto answer = [&](std::int64_t count) {
    return asked.schedule(problem(count)).order.front().front().micro_batch;
  };
  for (const std::int64_t count : {1, 2, 1, 2, 1}) CHECK(answer(count) == count);
  CHECK(inner.num_asked == 2);
  CHECK(answer(3) == 3);  // in place of 2, which was asked longest ago
  CHECK(answer(1) == 1);
  CHECK(inner.num_asked == 3);
  CHECK(answer(2) == 2);
  CHECK(inner.num_asked == 4);
}

TEST_CASE("a draft is another question, and refusals are asked again") {
  Counting inner;
  plugin::AskedOnce asked(inner);
  PipelineProblem draft = problem(1);
  draft.is_draft = true;
  asked.schedule(problem(1));
  asked.schedule(draft);
  CHECK(inner.num_asked == 2);
  CHECK_THROWS_AS(asked.schedule(problem(0)), Error);
  CHECK_THROWS_AS(asked.schedule(problem(0)), Error);
  CHECK(inner.num_asked == 4);
  asked.schedule(problem(1));
  CHECK(inner.num_asked == 4);
}
