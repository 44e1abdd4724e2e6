// SPDX-License-Identifier: Apache-2.0
/// Every strategy that search/rhino returns runs: of random DAGs and small GPTs, and of a llama, a
/// mixture of experts and a U-Transformer, at both levels, with memory and without, on 4 devices
/// and on 2 hosts of 3. Its plan is valid, reference devices compute what one does, and so do
/// workers. RHINO_SEED=SEED RHINO_PROGRAMS=COUNT goes on elsewhere.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "../multirank/session_fixture.hpp"
#include "../plugins/toys.hpp"
#include "measure/reference_run.hpp"
#include "models/llama.hpp"
#include "models/moe.hpp"
#include "models/u_transformer.hpp"
#include "topology/discover.hpp"

namespace rhino::test {
namespace {

runtime::SessionOptions cpu_options(const RunDir& dir) {
  runtime::SessionOptions options = quick_options(dir);
  options.device = "cpu";
  options.start_deadline_s = options.step_deadline_s = 60;
  return options;
}

constexpr std::int64_t kBatch = 12;  ///< 1 and 3 micro-batches on 4 and 6 devices

Program forward(std::uint64_t seed) {
  Random random(seed);
  if (draw(random, 3) > 0) return models::random_forward(seed, kBatch, 4 + draw(random, 10));
  return models::gpt_forward({.preset = "toy",
                              .num_layers = 1,
                              .hidden = 24,
                              .num_heads = 12,
                              .vocabulary = draw(random, 2) == 0 ? 24 : 240,
                              .sequence = 12,
                              .fused_qkv = draw(random, 2) == 0},
                             kBatch);
}

/// A program, one device's values of it, and what has run of it.
class Runs {
 public:
  explicit Runs(const Program& forward) : step_(ir::training_step(forward, {})) {
    const RunDir dir;
    reference_ = measure::reference_values(step_, cpu_options(dir));
  }

  /// All that is found, without a limit of memory and with 70 % of what the quickest needs.
  void run(std::int32_t num_devices) {
    const Cluster cluster = slow_cluster(num_devices, num_devices == 6);
    Toy toy(plugins(), step_, cluster);
    toy.micro_batch_counts = {1, 3};
    double memory_bytes = 1e12;
    for (const bool binds : {false, true}) {
      double peak_bytes = 0;
      for (const std::int64_t level : {2, 3}) {
        CAPTURE(num_devices, level, binds);
        peak_bytes = std::max(peak_bytes, run(toy, level, memory_bytes));
      }
      memory_bytes = 0.7 * peak_bytes;
    }
  }

  int num_run() const { return static_cast<int>(run_.size()); }

 private:
  /// Bytes of the quickest; 0: nothing fits.
  double run(Toy& toy, std::int64_t level, double memory_bytes) {
    double peak_bytes = 0;
    toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
      const auto search =
          plugin::make_search(plugins().find("search/rhino"), Options({{"level", level}}));
      for (const Strategy& strategy : search->search(problem, strategies)) {
        INFO(strategy.name);
        const Evaluation priced = strategies.evaluate(strategy);
        INFO(priced.reason);
        REQUIRE(priced.feasible);
        CHECK(priced.peak_bytes <= memory_bytes);
        if (peak_bytes == 0) peak_bytes = priced.peak_bytes;
        if (std::ranges::count(run_, strategy) > 0) continue;
        run_.push_back(strategy);
        CHECK(toy.error_of(strategy) < 1e-9);
        check_workers(strategy, problem.cluster.num_devices());
      }
    });
    return peak_bytes;
  }

  void check_workers(const Strategy& strategy, std::int32_t num_devices) const {
    const cost::CostModel cost(topology::discover_local(num_devices));
    const auto resharding =
        plugin::make_resharding(plugins().find("resharding/broadcast"), Options());
    const auto schedule = plugin::make_schedule(plugins().find("schedule/1f1b"), Options());
    const plan::ExecutionPlan plan =
        evaluate::make_plan({step_, cost, *resharding, *schedule}, strategy);
    const RunDir dir;
    const runtime::SessionOptions options = cpu_options(dir);
    const auto session = runtime::start_session(plan, options);
    session->run_steps(1, false);
    const check::CheckResult checked =
        measure::check_step(*session, {step_, DType::f32, options.seed, 1}, reference_.front());
    INFO(checked.message);
    CHECK(checked.ok);
  }

  Program step_;
  std::vector<check::StepValues> reference_;
  std::vector<Strategy> run_;
};

}  // namespace

TEST_CASE("every strategy that is found runs, and computes what one device does") {
  const std::uint64_t first = from_environment("RHINO_SEED", 1);
  const std::uint64_t count = from_environment("RHINO_PROGRAMS", 16);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Runs runs(forward(seed));
    for (const std::int32_t num_devices : {4, 6}) runs.run(num_devices);
    fmt::print("seed {}: {} strategies\n", seed, runs.num_run());
    std::fflush(stdout);
    CHECK(runs.num_run() > 0);
  }
}

TEST_CASE("every strategy that is found of the models runs") {
  struct Model {
    const char* name;
    Program forward;
  };
  // Heads, experts and widths that 2, 3, 4 and 6 divide, and rows that they do not.
  const Model models[] = {
      {"llama", models::llama_forward({.num_layers = 2,
                                       .hidden = 24,
                                       .num_heads = 12,
                                       .num_kv_heads = 6,
                                       .ffn = 36,
                                       .vocabulary = 48,
                                       .sequence = 10},
                                      kBatch)},
      {"moe", models::moe_forward({.num_layers = 2,
                                   .hidden = 24,
                                   .num_heads = 6,
                                   .vocabulary = 48,
                                   .sequence = 12,
                                   .ffn = 48,
                                   .experts = 6,
                                   .group = 12,
                                   .capacity = 4},
                                  kBatch)},
      {"u_transformer",
       models::u_transformer_forward(
           {.channels = 12, .heads = 6, .norm_groups = 6, .widths = {1, 2}}, kBatch)},
  };
  for (const auto& [name, forward] : models) {
    CAPTURE(name);
    Runs runs(forward);
    for (const std::int32_t num_devices : {4, 6}) runs.run(num_devices);
    fmt::print("{}: {} strategies\n", name, runs.num_run());
    std::fflush(stdout);
    CHECK(runs.num_run() > 0);
  }
}

}  // namespace rhino::test
