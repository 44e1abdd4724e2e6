// SPDX-License-Identifier: Apache-2.0
// What search/rhino offers before it has searched anything, and what becomes of it.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/scope.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

std::unique_ptr<Search> made_with(std::map<std::string, OptionValue> options) {
  return plugin::make_search(plugins().find("search/rhino"), Options(std::move(options)));
}

/// An evaluator that finds what it evaluates first far quicker than all else.
class FirstQuickest final : public Strategies {
 public:
  explicit FirstQuickest(Strategies& inner) : inner_(inner) {}
  const Strategy& first() const { return first_; }

  Evaluation evaluate(const Strategy& strategy) override {
    Evaluation evaluation = inner_.evaluate(strategy);
    if (first_.chunks.empty()) first_ = strategy;
    if (strategy == first_) evaluation.step_s /= 1e3;
    return evaluation;
  }
  Strategy complete(const StrategyDraft& draft) const override { return inner_.complete(draft); }
  std::vector<Chunk> chunks(std::int32_t num_meshes,
                            const std::vector<MeshAxis>& axes) const override {
    return inner_.chunks(num_meshes, axes);
  }
  Estimate estimate(const Strategy& strategy) override { return inner_.estimate(strategy); }
  std::unique_ptr<Trial> try_out(const Strategy& strategy) override {
    return inner_.try_out(strategy);
  }
  void offer(const Strategy& strategy, double bound_s) override { inner_.offer(strategy, bound_s); }
  bool is_out_of_time() override { return inner_.is_out_of_time(); }
  const StrategySpace& space(const SpaceOptions& options) override { return inner_.space(options); }
  double least_s(const SpaceOptions& options) override { return inner_.least_s(options); }
  double least_device_s(const std::vector<SpaceOptions>& meshes) override {
    return inner_.least_device_s(meshes);
  }
  ChunkFlow flow(const Strategy& strategy) override { return inner_.flow(strategy); }
  void reject(const std::string& candidate, const std::string& reason) override {
    inner_.reject(candidate, reason);
  }

 private:
  Strategies& inner_;
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
