// SPDX-License-Identifier: Apache-2.0
// What search/rhino offers before it has searched anything, and what becomes of it.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "forwarding.hpp"
#include "plugin/scope.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

std::unique_ptr<Search> made_with(std::map<std::string, OptionValue> options) {
  return plugin::make_search(plugins().find("search/rhino"), Options(std::move(options)));
}

/// An evaluator that finds what it evaluates first far quicker than all else.
class FirstQuickest final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  const Strategy& first() const { return first_; }

  Evaluation evaluate(const Strategy& strategy) override {
    Evaluation evaluation = Forwarding::evaluate(strategy);
    if (first_.chunks.empty()) first_ = strategy;
    if (strategy == first_) evaluation.step_s /= 1e3;
    return evaluation;
  }

 private:
  Strategy first_;
};

}  // namespace

TEST_CASE("a search of so many stages that its budget ends hands in none of one stage") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, evaluate::PlanEvaluator& evaluator) {
    evaluator.set_budget(1, 0);
    CHECK_THROWS_AS(made_with({{"stages", std::int64_t{2}}})->search(problem, evaluator),
                    plugin::EndOfSearch);
    REQUIRE(evaluator.quickest() != nullptr);
    CHECK(evaluator.quickest()->chunks.size() == 2);
  });
}

TEST_CASE("what is offered first is an answer like all that the search then finds") {
  const Program step = gpt({.num_layers = 1});
  const Cluster cluster = slow_cluster(2, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    FirstQuickest misled(strategies);
    const std::vector<Strategy> found = made_with({})->search(problem, misled);
    REQUIRE(found.size() > 1);
    CHECK(misled.first().name.starts_with("data parallelism"));
    CHECK((found.front() == misled.first()));
  });
}

TEST_CASE("what breaks a pin is not offered first, and takes nothing of the budget") {
  const Program step = gpt({.num_layers = 1});
  const Cluster cluster = slow_cluster(2, false);
  Toy toy(plugins(), step, cluster);
  for (const Input& input : step.inputs)
    if (input.kind == InputKind::batch) toy.pins.push_back({input.value, {}});
  REQUIRE_FALSE(toy.pins.empty());
  toy.ask(1e12, [&](const SearchProblem& problem, evaluate::PlanEvaluator& evaluator) {
    evaluator.set_budget(1, 0);
    CHECK_THROWS_AS(made_with({})->search(problem, evaluator), plugin::EndOfSearch);
    CHECK(evaluator.quickest() != nullptr);
  });
}

}  // namespace rhino::test
