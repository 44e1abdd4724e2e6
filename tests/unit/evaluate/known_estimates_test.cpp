// SPDX-License-Identifier: Apache-2.0
#include "evaluate/known_estimates.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "evaluate/evaluator.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// Each differs from the first in something else, or in several things.
std::vector<Strategy> unlike_strategies(Planning& planning) {
  const auto of = [&](std::int64_t stage, std::int64_t data, std::int64_t tensor,
                      std::int64_t num_micro_batches) {
    return planning.strategy("gpt_megatron", {{"stage", stage}, {"data", data}, {"tensor", tensor}},
                             num_micro_batches);
  };
  std::vector<Strategy> all{of(2, 1, 2, 4), of(2, 1, 2, 2), of(2, 1, 2, 8), of(2, 2, 1, 4),
                            of(1, 2, 2, 4), of(1, 1, 4, 1), of(1, 4, 1, 2)};
  const Strategy first = all.front();
  const auto change = [&](auto how) { how(all.emplace_back(first)); };
  change([](Strategy& one) { one.name = "another name"; });
  change([](Strategy& one) { one.chunks.front().recompute = true; });
  change([](Strategy& one) { one.gradient_sums.overlap = !one.gradient_sums.overlap; });
  change([](Strategy& one) { one.gradient_sums.bucket_bytes = 1 << 10; });
  change([](Strategy& one) { std::swap(one.chunks.front().mesh, one.chunks.back().mesh); });
  change([](Strategy& one) {
    const Program& step = small_gpt_step();
    for (ValueId id = 0; id < step.size(); ++id) {
      const Op& op = step.op(id);
      if (op.phase == Phase::forward && op.kind == OpKind::dot && one.chunk_of[at(id)] >= 0)
        one.recompute.push_back(id);
    }
  });
  return all;
}

}  // namespace

TEST_CASE("an estimate is the same whatever was estimated before") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const std::vector<Strategy> all = unlike_strategies(planning);
  std::vector<Estimate> alone;
  for (const Strategy& strategy : all)
    alone.push_back(evaluate::PlanEvaluator(planning.context(), 0).estimate(strategy));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(i << ": " << all[i].name);
    CHECK(evaluator.estimate(all[i]) == alone[i]);
  }
  for (std::size_t i = all.size(); i-- > 0;) {
    INFO(i << ": " << all[i].name);
    CHECK(evaluator.estimate(all[i]) == alone[i]);
  }
  std::set<std::tuple<double, double, double>> different;
  for (const Estimate& one : alone) different.insert({one.bound_s, one.step_s, one.peak_bytes});
  CHECK(different.size() > all.size() / 2);
}

TEST_CASE("strategies are known by all but their name") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const std::vector<Strategy> all = unlike_strategies(planning);
  const sharding::OpGraph graph(small_gpt_step());
  evaluate::Tables tables(graph, planning.cost());
  const evaluate::PlanContext context = planning.context();
  evaluate::KnownEstimates known(context, tables);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      INFO(i << ", " << j);
      Strategy other = all[j];
      other.name = all[i].name;
      CHECK((*known.key(all[i]) == *known.key(all[j])) == (other == all[i]));
    }
  }
}

TEST_CASE("what is no strategy is refused as often as it is estimated") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  Strategy wrong = planning.strategy("data_parallel", {{"data", std::int64_t{2}}});
  wrong.chunks.front().mesh.devices.front() = 99;
  for (int again = 0; again < 2; ++again)
    CHECK_THROWS_WITH(evaluator.estimate(wrong), Catch::Contains("uses device 99"));
}

}  // namespace rhino::test
