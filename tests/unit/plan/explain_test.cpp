// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "plan/plan_file.hpp"
#include "plan/single_communication.hpp"
#include "plan_harness.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {

TEST_CASE("an explained plan folds what repeats and names memory and bytes") {
  StrategyDraft draft;
  draft.name = "two stages";
  draft.num_micro_batches = 8;
  draft.chunks = chunks_on({{1}, {1}});
  draft.batch_axis = 0;
  SendRecv resharding;
  const plan::ExecutionPlan plan =
      plan_of(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), "1f1b", resharding);
  const std::string text = plan::explain(plan);
  INFO(text);
  using Catch::Contains;
  CHECK_THAT(text, Contains("plan 'two stages': 8 micro-batches, 2 roles"));
  CHECK_THAT(text, Contains("role 1: devices 1 (data 1)"));
  CHECK_THAT(text, Contains("order: F0.0 {F0.1 B0.0} ... {F0.7 B0.6} B0.7 update"));
  CHECK_THAT(text, Contains("memory of each device: "));
  CHECK_THAT(text, Contains("forward of chunk 0, role 0 to 1: "));
  CHECK_THAT(text, Contains("8 times\n       direct: messages of up to "));
  // Frees stand behind the instruction that they follow: no lines of their own.
  CHECK_THAT(text, Contains("; frees ") && Contains(" alive:") && !Contains("\n    free"));
}

TEST_CASE("an explained plan tells a chain from direct messages") {
  const Mesh source{{{"x", 1}}, {0}}, target{{{"x", 2}}, {1, 2}};
  const ShardingSpec whole{{{}}, {}};
  ReshardProblem problem{{{{DType::f32, {8}}, source, whole, {{target, whole}}}}, {}};
  problem.cluster.host_of = {0, 0, 0};
  const Multicast chain{0, {1, 2}, {{0}, {8}}, 2};
  const std::string text = plan::explain(plan::reshard_plan(problem, {{{0, chain, {}}}}));
  CHECK_THAT(text, Catch::Contains("relayed: messages of up to 16 B, over up to 2 hops"));
}

}  // namespace rhino::test
