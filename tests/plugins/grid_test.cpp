// SPDX-License-Identifier: Apache-2.0
// What search/grid says that it proves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "plugin/scope.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

constexpr AxisId kData = 0, kTensor = 1;

std::unique_ptr<Search> grid() {
  return plugin::make_search(plugins().find("search/grid"), Options());
}

/// Parameters are cut along a dim of them each, or not.
void annotate(Random& random, const Program& program, std::int64_t num_parts,
              StrategyDraft& draft) {
  for (const Input& input : program.inputs) {
    const std::vector<std::int64_t>& dims = program.shape(input.value).dims;
    if (input.kind != InputKind::parameter || dims.empty() || draw(random, 2) == 0) continue;
    const std::size_t dim = at(draw(random, std::ssize(dims)));
    if (dims[dim] % num_parts != 0) continue;
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(dims.size())};
    annotation.dims[dim] = {kTensor};
    draft.annotations.push_back(std::move(annotation));
  }
}

struct Layout {
  std::int64_t stage = 1, data = 1, tensor = 1;
};

/// Of a layout, with any dims, ZeRO and recomputation. Throws Error where that does not divide.
Strategy drawn(Random& random, const Layout& layout, const SearchProblem& problem,
               Strategies& strategies) {
  const auto one_of = [&](const auto& all) { return all[at(draw(random, std::ssize(all)))]; };
  StrategyDraft draft{
      .name = "drawn",
      .num_micro_batches = one_of(problem.micro_batch_counts),
      .chunks = strategies.chunks(static_cast<std::int32_t>(layout.stage),
                                  {{"data", layout.data}, {"tensor", layout.tensor}}),
      .batch_axis = kData,
      .zero_stage = static_cast<std::int32_t>(draw(random, 4))};
  annotate(random, problem.program, layout.tensor, draft);
  Strategy strategy = strategies.complete(draft);
  common::set_recompute(strategy, problem.program,
                        one_of(std::vector{common::Recompute::nothing, common::Recompute::segments,
                                           common::Recompute::all}));
  return strategy;
}

}  // namespace

TEST_CASE("no strategy of a layout takes less than grid says of all of them") {
  const std::string schedule = GENERATE("schedule/1f1b", "schedule/zero_bubble");
  const std::int64_t num_layers = GENERATE(0, 1, 3);
  const Program step = num_layers > 0 ? gpt({.num_layers = num_layers})
                                      : ir::training_step(models::random_forward(11, 12, 5), {});
  const Cluster cluster = slow_cluster(4, num_layers > 1);
  Toy toy(plugins(), step, cluster, nullptr, schedule);
  int num_priced = 0;
  for (const Layout& layout :
       {Layout{1, 4, 1}, {1, 2, 2}, {1, 1, 4}, {2, 2, 1}, {2, 1, 2}, {4, 1, 1}}) {
    const Answer found =
        toy.run("search/grid",
                {{"stage", layout.stage}, {"data", layout.data}, {"tensor", layout.tensor}}, 1e12);
    if (!found.ok()) continue;
    CAPTURE(schedule, num_layers, layout.stage, layout.data, layout.tensor);
    CHECK(found.bound_s > 0);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      Random random(7);
      for (int i = 0; i < 30; ++i) {
        try {
          const Strategy strategy = drawn(random, layout, problem, strategies);
          const Evaluation evaluation = strategies.evaluate(strategy);
          if (!evaluation.feasible) continue;
          ++num_priced;
          CHECK(evaluation.step_s >= found.bound_s * (1 - 1e-9));
        } catch (const Error&) {  // it does not divide
        }
      }
    });
  }
  CHECK(num_priced > 60);
}

TEST_CASE("grid says the same of all strategies however many it has evaluated") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  const Answer found = toy.run("search/grid", {}, 1e12);
  REQUIRE(found.ok());
  toy.ask(1e12, [&](const SearchProblem& problem, evaluate::PlanEvaluator& evaluator) {
    evaluator.set_budget(1, 0);
    CHECK_THROWS_AS(grid()->search(problem, evaluator), plugin::EndOfSearch);
    CHECK(evaluator.bound_s() > 0);
    CHECK(evaluator.bound_s() == found.bound_s);
  });
}

}  // namespace rhino::test
