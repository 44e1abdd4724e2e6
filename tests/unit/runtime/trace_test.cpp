// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/trace.hpp"

#include <catch2/catch.hpp>

namespace rhino {
namespace {

runtime::RunReply reply(double start_s, std::vector<double> ends_s) {
  runtime::RunReply made;
  made.start_s = start_s;
  made.trace.step_end_s = std::move(ends_s);
  return made;
}

TEST_CASE("times count from the first rank's start and the slowest rank sets the period") {
  std::vector<runtime::RunReply> replies = {reply(100, {103, 104, 105}),
                                            reply(101, {102, 104, 106})};
  replies[1].trace.events = {{3, 0, 104, 106}};
  const plan::StepTrace trace = runtime::join_traces(replies);
  CHECK(trace.devices[0].step_end_s == std::vector<double>{3, 4, 5});
  CHECK(trace.devices[1].events[0] == plan::TraceEvent{3, 0, 4, 6});
  CHECK(trace.makespan_s == 3);
  CHECK(trace.step_s == 2);
}

TEST_CASE("the period of a single step is its makespan") {
  const plan::StepTrace trace = runtime::join_traces({reply(1, {3}), reply(2, {5})});
  CHECK(trace.makespan_s == 4);
  CHECK(trace.step_s == 4);
}

}  // namespace
}  // namespace rhino
