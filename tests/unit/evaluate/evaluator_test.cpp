// SPDX-License-Identifier: Apache-2.0
#include "evaluate/evaluator.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "evaluate/price_changes.hpp"
#include "ir/builder.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

// The linker sends calls of OpGraph's constructor here (see meson.build): what a Completer computes
// once is counted where it is made.
extern "C" {
void __real__ZN5rhino8sharding7OpGraphC1ERKNS_7ProgramE(void* graph, const rhino::Program& program);
void __wrap__ZN5rhino8sharding7OpGraphC1ERKNS_7ProgramE(void* graph, const rhino::Program& program);
}
static int num_graphs = 0;
void __wrap__ZN5rhino8sharding7OpGraphC1ERKNS_7ProgramE(void* graph,
                                                        const rhino::Program& program) {
  ++num_graphs;
  __real__ZN5rhino8sharding7OpGraphC1ERKNS_7ProgramE(graph, program);
}

namespace rhino::test {
namespace {

using Catch::Matchers::Contains;

constexpr double kNoLimit = 0;

/// Ways to cut the only op of a program of `operands` and one dot.
std::vector<OpSplit> dot_splits(const std::vector<std::vector<std::int64_t>>& operands,
                                const DotAttr& attr, std::int64_t num_parts) {
  ir::Builder builder("dot");
  std::vector<ValueId> values;
  for (const auto& dims : operands)
    values.push_back(builder.input(InputKind::batch, {DType::f32, dims}, {}, "operand"));
  const ValueId dot = builder.dot(values[0], values[1], attr);
  builder.output(dot, OutputKind::value);
  const Program program = std::move(builder).finish();
  Planning planning(program, modelled_cluster(8));
  return evaluate::PlanEvaluator(planning.context(), kNoLimit).splits(dot, num_parts);
}

bool has(const std::vector<OpSplit>& splits, const OpSplit& split) {
  return std::find(splits.begin(), splits.end(), split) != splits.end();
}

}  // namespace

TEST_CASE("the ways to cut a matrix product are the textbook ones") {
  const auto splits = dot_splits({{8, 6}, {6, 4}}, {{}, {}, {1}, {0}}, 2);
  CHECK(splits.size() == 3);
  CHECK(has(splits, {{0, -1}, {8, 0}, 0, 8}));                             // rows
  CHECK(has(splits, {{-1, 1}, {0, 4}, 1, 4}));                             // columns
  CHECK(has(splits, {{1, 0}, {6, 6}, -1, 0, true, Reduction::sum}));       // what is summed over
  CHECK(dot_splits({{8, 6}, {6, 4}}, {{}, {}, {1}, {0}}, 4).size() == 2);  // 6 does not divide
}

TEST_CASE("a batched product is cut along its batch too") {
  const auto splits = dot_splits({{4, 8, 6}, {4, 6, 2}}, {{0}, {0}, {2}, {1}}, 2);
  CHECK(splits.size() == 4);
  CHECK(has(splits, {{0, 0}, {4, 4}, 0, 4}));
  CHECK(has(splits, {{1, -1}, {8, 0}, 1, 8}));
  CHECK(has(splits, {{-1, 2}, {0, 2}, 2, 2}));
  CHECK(has(splits, {{2, 1}, {6, 6}, -1, 0, true, Reduction::sum}));
}

TEST_CASE("a cut kernel takes less time, by no more than the parts") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const Program& step = small_gpt_step();
  std::int64_t num_dots = 0;
  for (ValueId id = 0; id < step.size(); ++id) {
    if (step.op(id).kind != OpKind::dot) continue;
    ++num_dots;
    const std::size_t num_operands = step.op(id).operands.size();
    const OpSplit whole{std::vector<std::int32_t>(num_operands, -1),
                        std::vector<std::int64_t>(num_operands, 0)};
    const double whole_s = evaluator.kernel_s(id, whole, 1);
    for (const OpSplit& split : evaluator.splits(id, 2)) {
      CHECK(evaluator.kernel_s(id, split, 2) <= whole_s);
      CHECK(evaluator.kernel_s(id, split, 2) >= whole_s / 2 * 0.999);
    }
  }
  CHECK(num_dots > 10);
}

TEST_CASE("what a searcher asks is priced by the calibration that prices the plan") {
  const Program& step = small_gpt_step();
  Planning planning(step, modelled_cluster(2));
  const cost::Calibration calibration{
      .memory_bytes_per_s = planning.cost().cluster().models[0].memory_bytes_per_s / 2,
      .kernel_latency_s = planning.cost().cluster().models[0].kernel_latency_s};
  const cost::CostModel measured(planning.cost().cluster(), &calibration);
  const evaluate::PlanContext context = planning.context();
  evaluate::PlanEvaluator nominal(context, kNoLimit),
      calibrated({step, measured, context.resharding, context.schedule}, kNoLimit);
  for (ValueId id = 0; id < step.size(); ++id) {
    if (step.op(id).operands.empty() || step.op(id).kind == OpKind::dot) continue;
    const OpSplit whole{std::vector<std::int32_t>(step.op(id).operands.size(), -1), {}};
    REQUIRE(calibrated.kernel_s(id, whole, 1) == Approx(2 * nominal.kernel_s(id, whole, 1)));
    if (step.op(id).kind != OpKind::add) continue;
    const auto bytes = static_cast<double>(num_bytes(step.shape(id)));
    REQUIRE(nominal.kernel_s(id, whole, 1) == Approx(planning.cost().stream_s(3 * bytes)));
  }
  const Strategy strategy = planning.strategy("data_parallel", {});
  CHECK(calibrated.estimate(strategy).step_s > nominal.estimate(strategy).step_s);
}

TEST_CASE("an estimate ranks cut compute before replicated compute where links are fast") {
  const std::string fast_or_slow = GENERATE("fast", "slow");
  const bool fast = fast_or_slow == "fast";
  Cluster cluster = modelled_cluster(2);
  cluster.models[0].peak_flops = {{DType::f32, 1e9}};
  cluster.intra_host = fast ? Link{1e15, 0} : Link{1e3, 0};
  Planning planning(small_gpt_step(), cluster);
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const std::map<std::string, OptionValue> two{{"tensor", std::int64_t{2}}};
  const Strategy cut = planning.strategy("gpt_megatron", two);
  const Strategy replicated = evaluator.complete({.name = "replicated",
                                                  .num_micro_batches = 4,
                                                  .chunks = planning.chunks(1, {{"tensor", 2}})});
  CAPTURE(fast_or_slow);
  CHECK((evaluator.estimate(cut).step_s < evaluator.estimate(replicated).step_s) == fast);
  CHECK((evaluator.evaluate(cut).step_s < evaluator.evaluate(replicated).step_s) == fast);
}

TEST_CASE("a strategy that does not fit is infeasible and says how many bytes it takes") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const Strategy strategy = planning.strategy("data_parallel", {});
  const auto bytes =
      static_cast<double>(plan::peak_bytes(evaluate::make_plan(planning.context(), strategy)));
  evaluate::PlanEvaluator tight(planning.context(), bytes - 1);
  const Evaluation refused = tight.evaluate(strategy);
  CHECK_FALSE(refused.feasible);
  CHECK(refused.peak_bytes == bytes);
  CHECK_THAT(refused.reason, Catch::Matches("needs [0-9.]+ kB of memory per device, and there are "
                                            "[0-9.]+ kB"));
  evaluate::PlanEvaluator enough(planning.context(), bytes);
  const Evaluation accepted = enough.evaluate(strategy);
  CHECK(accepted.feasible);
  CHECK(accepted.peak_bytes == bytes);
  CHECK(enough.num_evaluated() == 1);
}

TEST_CASE("a search of many drafts derives rules and users of the program once") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const auto search = plugin::make_search(plugins().find("search/grid"), Options());
  num_graphs = 0;
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const SearchProblem problem{.program = small_gpt_step(),
                              .cluster = planning.cost().cluster(),
                              .micro_batch_counts = {2},
                              .rules = evaluator,
                              .prices = evaluator};
  REQUIRE_FALSE(search->search(problem, evaluator).empty());
  CHECK(num_graphs == 1);
}

TEST_CASE("an evaluation is what the simulator makes of the plan") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{2}}});
  const Evaluation evaluation = evaluator.evaluate(strategy);
  REQUIRE(evaluation.feasible);
  const plan::StepTrace trace =
      simulate::simulate(evaluate::make_plan(planning.context(), strategy), planning.cost(),
                         {.num_steps = 2, .keep_events = false});
  CHECK(evaluation.step_s == trace.step_s);
  CHECK(evaluation.compute_s > 0);
  CHECK(evaluation.waiting_s > 0);
  CHECK(evaluation.compute_s + evaluation.waiting_s <= trace.makespan_s * 1.0001);
}

TEST_CASE("the quickest of what is offered and evaluated runs, the largest bound counts") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const Strategy two = planning.strategy("data_parallel", {}, 2),
                 four = planning.strategy("data_parallel", {}, 4);
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const double two_s = evaluator.evaluate(two).step_s;
  evaluator.offer(two, 1e-6);
  CHECK(evaluator.num_evaluated() == 1);  // as it is
  evaluator.offer(four, 0);
  CHECK(evaluator.num_evaluated() == 2);
  CHECK(evaluator.bound_s() == 1e-6);
  const double four_s = evaluator.candidates().back().step_s;
  CHECK(*evaluator.quickest() == (four_s < two_s ? four : two));
}

TEST_CASE("kernels and communication that change together change the step, one of them a part") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  const Strategy strategy =
      planning.strategy("gpt_megatron", {{"stage", std::int64_t{2}}, {"tensor", std::int64_t{2}}});
  const plan::ExecutionPlan plan = evaluate::make_plan(planning.context(), strategy);
  const auto step_s = [&](double kernels, double links) {
    const Cluster cluster =
        evaluate::changed(modelled_cluster(4), {.name = "", .kernels = kernels, .links = links});
    return simulate::simulate(plan, cost::CostModel(cluster), {.num_steps = 2}).step_s;
  };
  const double own_s = step_s(1, 1);
  CHECK(step_s(1.2, 1.2) == Approx(1.2 * own_s));
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  evaluator.change_prices();
  evaluator.evaluate(strategy);
  const std::vector<double>& changed_s = evaluator.candidates().front().changed_s;
  REQUIRE(changed_s.size() == evaluate::kPriceChanges.size());
  for (std::size_t c = 0; c < changed_s.size(); ++c) {
    const auto& [name, kernels, links] = evaluate::kPriceChanges[c];
    CHECK(changed_s[c] == step_s(kernels, links));
    const double share = (changed_s[c] / own_s - 1) / (kernels * links - 1);
    CHECK(share > 0);
    CHECK(share < 1);
  }
}

TEST_CASE("a strategy that breaks a pin is infeasible, and one that keeps to it is as ever") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  const Strategy strategy = planning.strategy("gpt_megatron", {{"tensor", std::int64_t{2}}});
  const auto evaluate = [&](std::vector<std::int32_t> dims) {
    ValueId value = 0;
    while (small_gpt_step().op(value).name != "h0.attn.qkv.weight") ++value;
    evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
    evaluator.pin({{value, std::move(dims)}});
    return evaluator.evaluate(strategy);
  };
  const Evaluation kept = evaluate({2});  // its heads
  CHECK(kept.step_s ==
        evaluate::PlanEvaluator(planning.context(), kNoLimit).evaluate(strategy).step_s);
  for (const std::vector<std::int32_t>& dims : {std::vector<std::int32_t>{}, {0}, {0, 2}}) {
    const Evaluation broken = evaluate(dims);
    CHECK_FALSE(broken.feasible);
    CHECK(broken.reason == "'h0.attn.qkv.weight' is not split as it is pinned");
  }
}

TEST_CASE("a strategy that makes no sense is infeasible with the reason") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  Strategy strategy = planning.strategy("data_parallel", {});
  std::string reason;
  SECTION("specs that are missing") {
    strategy.specs.pop_back();
    reason = "values; program";
  }
  SECTION("a device that is not there") {
    strategy.chunks[0].mesh.devices[1] = 2;
    reason = "uses device 2, and topology 'modelled' has 2";
  }
  SECTION("a chunk that is not there") {
    strategy.chunk_of[0] = 7;
    reason = "is in chunk 7 of 1";
  }
  const Evaluation evaluation = evaluator.evaluate(strategy);
  CHECK_FALSE(evaluation.feasible);
  CHECK_THAT(evaluation.reason, Catch::Contains(reason));
}

TEST_CASE("what a searcher asks for that there is not is refused in a sentence") {
  Planning planning(small_gpt_step(), modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), kNoLimit);
  const auto refuses = [](const auto& ask, const char* sentence) {
    CHECK_THROWS_WITH(ask(), Contains(sentence));
  };
  const ValueId end = small_gpt_step().size();
  for (const ValueId value : {-1, end}) {
    refuses([&] { evaluator.splits(value, 2); }, "there is no value");
    refuses([&] { evaluator.kernel_s(value, {}, 2); }, "there is no value");
  }
  for (const std::int64_t parts : {-1, 0, 5}) {
    refuses([&] { evaluator.splits(0, parts); }, "parts, of 4 devices");
    refuses([&] { evaluator.kernel_s(0, {}, parts); }, "parts, of 4 devices");
  }
  ValueId dot = 0;
  while (small_gpt_step().op(dot).kind != OpKind::dot) ++dot;
  CHECK(evaluator.kernel_s(dot, {}, 1) == evaluator.kernel_s(dot, OpSplit{}, 4));
  OpSplit beyond;
  beyond.operand_dim = {9, -1};
  refuses([&] { evaluator.kernel_s(dot, beyond, 2); }, "dim 9 of");
  const double inf = std::numeric_limits<double>::infinity();
  refuses([&] { evaluator.collective_s(OpKind::dot, 8, 2, 1); }, "no collective");
  for (const double bytes : {-1.0, inf, inf - inf})
    refuses([&] { evaluator.collective_s(OpKind::all_reduce, bytes, 2, 1); }, "bytes");
  for (const auto& [devices, stride] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {5, 1}, {2, 4}, {2, 0}, {4, 2}})
    refuses([&] { evaluator.collective_s(OpKind::all_reduce, 8, devices, stride); }, "of 4");
  CHECK(evaluator.collective_s(OpKind::all_reduce, 8, 2, 3) > 0);

  const Strategy strategy = planning.strategy("data_parallel", {}, 2);
  for (const double bound_s : {-1.0, inf, inf - inf, 1e9}) {
    refuses([&] { evaluator.offer(strategy, bound_s); }, "a lower bound of");
    CHECK(evaluator.bound_s() == 0);
  }
  evaluator.offer(strategy, 1e-9);
  CHECK(evaluator.bound_s() == 1e-9);
  const std::unique_ptr<Trial> trial = evaluator.try_out(strategy);
  refuses([&] { trial->set(-1, {}); }, "there is no value");
  refuses([&] { trial->set(end, {}); }, "there is no value");
  // Without what is said of micro-batches.
  int num_refused = 0;
  for (ValueId id = 0; id < end; ++id) {
    ShardingSpec spec = strategy.specs[at(id)];
    for (DimSharding& dim : spec.dims)
      std::erase_if(dim.splits, [](const AxisSplit& split) { return split.axis == kMicroAxis; });
    std::erase_if(spec.partial, [](const Partial& term) { return term.axis == kMicroAxis; });
    if (spec == strategy.specs[at(id)]) continue;
    ++num_refused;
    refuses([&] { trial->set(id, spec); }, "how micro-batches cut it");
  }
  CHECK(num_refused > 10);
  CHECK(trial->strategy() == strategy);
  CHECK(trial->price().step_s == evaluator.estimate(strategy).step_s);
}

}  // namespace rhino::test
