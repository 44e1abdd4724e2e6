// SPDX-License-Identifier: Apache-2.0
// The schedules against their formulas, by direct execution of their lists: no plan, no simulator.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <tuple>

#include "chains.hpp"
#include "evaluate/pipeline_bound.hpp"
#include "list_execution.hpp"
#include "plan/pass_order.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/options.hpp"

using namespace rhino;
using Case = test::ChainCase;
using test::chain, test::kept;

namespace {

/// The same with as many chunks as they are placed, each an equal part of its stage.
PipelineProblem looped_chain(const Case& of, const Placement& placement) {
  const auto parts = static_cast<double>(placement.mesh_of_chunk.size()) / of.stages;
  PipelineProblem problem =
      chain({static_cast<std::int32_t>(placement.mesh_of_chunk.size()), of.micro_batches,
             of.forward_s / parts, of.backward_s / parts, of.weight_s / parts});
  problem.num_meshes = of.stages;
  for (std::size_t c = 0; c < problem.chunks.size(); ++c)
    problem.chunks[c].mesh = placement.mesh_of_chunk[c];
  return problem;
}

const plugin::Registry& registry() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

PipelineSchedule answer(const std::string& name, const PipelineProblem& problem) {
  return plugin::make_schedule(registry().find("schedule/" + name), Options())->schedule(problem);
}

/// Of each stage, what a step takes longer than its own work. Gradients leave at the end of their
/// pass, as the formulas of papers have it.
double bubble_s(const std::string& name, const Case& of) {
  const PipelineProblem problem = chain(of);
  const double work_s =
      static_cast<double>(of.micro_batches) * (of.forward_s + of.backward_s + of.weight_s);
  double makespan_s = 0;
  for (const std::vector<double>& ends_s :
       test::list_ends_s(problem, plan::pass_order(problem, answer(name, problem))))
    makespan_s = std::max(makespan_s, ends_s.back());
  return makespan_s - work_s;
}

/// What the plugin's own formula says of it.
double formula_s(const std::string& name, const Case& of) {
  return plugin::make_schedule(registry().find("schedule/" + name), Options())
      ->bubble_s(chain(of))
      .value();
}

/// Micro-batches of which a stage keeps activations at most: from F to its last pass.
std::int64_t peak(const std::string& name, const Case& of, std::size_t stage) {
  const PipelineProblem problem = chain(of);
  return kept(plan::pass_order(problem, answer(name, problem)), stage);
}

std::string text(const std::vector<Action>& order) {
  std::string words;
  for (const Action& action : order) {
    const char* names[] = {"F", "B", "W", "BW", "FB"};
    words += (words.empty() ? "" : " ") + std::string(names[static_cast<int>(action.kind)]) +
             std::to_string(action.micro_batch);
  }
  return words;
}

}  // namespace

TEST_CASE("bubbles and activations of the schedules that run backward passes whole") {
  const Case of = GENERATE(Case{1, 4}, Case{2, 4}, Case{4, 12, 10, 12, 8}, Case{8, 24, 1, 2, 3});
  const double formula = (of.stages - 1) * (of.forward_s + of.backward_s + of.weight_s);
  for (const char* name : {"gpipe", "1f1b", "eager_1f1b"}) {
    CAPTURE(name, of.stages, of.micro_batches);
    CHECK(bubble_s(name, of) == Approx(formula).margin(1e-9));
    CHECK(formula_s(name, of) == Approx(formula).margin(1e-9));
  }
  for (std::int32_t stage = 0; stage < of.stages; ++stage) {
    const auto behind = std::int64_t{of.stages - stage};
    CHECK(peak("gpipe", of, at(stage)) == of.micro_batches);
    CHECK(peak("1f1b", of, at(stage)) == std::min(of.micro_batches, behind));
    CHECK(peak("eager_1f1b", of, at(stage)) == std::min(of.micro_batches, 2 * behind - 1));
  }
}

TEST_CASE("schedules that go round have a v-th of the bubble, and keep what their headers say") {
  const Case of = GENERATE(Case{1, 4}, Case{2, 4}, Case{4, 12, 10, 12, 8}, Case{8, 24, 1, 2, 3});
  const std::int64_t rounds = GENERATE(1, 2, 4);
  CAPTURE(of.stages, of.micro_batches, rounds);
  for (const std::string name : {"interleaved_1f1b", "breadth_first"}) {
    CAPTURE(name);
    const auto schedule = plugin::make_schedule(registry().find("schedule/" + name),
                                                Options({{"chunks", OptionValue(rounds)}}));
    const PipelineProblem problem = looped_chain(of, schedule->placement(of.stages));
    const plan::PassOrder order = plan::pass_order(problem, schedule->schedule(problem));
    double makespan_s = 0;
    for (const std::vector<double>& ends_s : test::list_ends_s(problem, order))
      makespan_s = std::max(makespan_s, ends_s.back());
    const double stage_s = of.forward_s + of.backward_s + of.weight_s;
    const double bubble_s = (of.stages - 1) * stage_s / static_cast<double>(rounds);
    CHECK(makespan_s - static_cast<double>(of.micro_batches) * stage_s ==
          Approx(bubble_s).margin(1e-9));
    CHECK(schedule->bubble_s(problem).value() == Approx(bubble_s).margin(1e-9));
    for (std::int32_t stage = 0; stage < of.stages; ++stage) {
      const std::int64_t all = of.micro_batches * rounds, behind = of.stages - stage - 1;
      const std::int64_t ahead = (rounds > 1 ? 2 : 1) * behind + (rounds - 1) * of.stages + 1;
      CHECK(kept(order, at(stage)) == (name == "breadth_first" ? all : std::min(all, ahead)));
    }
  }
}

TEST_CASE("zb_h1 has the published bubble, the memory of 1F1B's first stage, and its order") {
  // Golden numbers of the public scheduler: F = B = W = 10, at most p micro-batches.
  using Row = std::tuple<std::int32_t, std::int64_t, double>;
  for (const auto& [stages, micro_batches, seconds] :
       {Row{4, 12, 30}, Row{8, 24, 70}, Row{8, 64, 70}, Row{16, 48, 150}})
    CHECK(bubble_s("zb_h1", {stages, micro_batches, 10, 10, 10}) == seconds);
  const std::vector<std::vector<Action>> order =
      answer("zb_h1", chain({.stages = 4, .micro_batches = 6})).order;
  CHECK(text(order[0]) == "F0 F1 F2 F3 B0 W0 F4 B1 W1 F5 B2 W2 B3 W3 B4 W4 B5 W5");
  CHECK(text(order[3]) == "F0 B0 F1 B1 F2 B2 F3 B3 W0 F4 B4 W1 F5 B5 W2 W3 W4 W5");
  for (const std::int32_t stages : {1, 2, 3, 8}) {
    for (const std::int64_t micro_batches : {1, 2, 8, 9, 20}) {
      for (std::size_t stage = 0; stage < at(stages); ++stage)
        CHECK(peak("zb_h1", {stages, micro_batches}, stage) ==
              std::min<std::int64_t>(micro_batches, stages));
      for (const auto& [forward_s, backward_s, weight_s] :
           {std::tuple(10, 12, 8), {12, 10, 8}, {20, 10, 10}, {10, 10, 12}, {10, 12, 11}}) {
        if (micro_batches < stages) continue;
        const Case of{stages, micro_batches, 1. * forward_s, 1. * backward_s, 1. * weight_s};
        const bool is_short = weight_s <= std::min(forward_s, backward_s);
        const int each =
            is_short ? forward_s + backward_s - weight_s : std::max(forward_s, backward_s);
        CAPTURE(stages, micro_batches, forward_s, backward_s, weight_s);
        CHECK(bubble_s("zb_h1", of) == (stages - 1) * each);
        CHECK(formula_s("zb_h1", of) == (stages - 1) * each);
        CHECK(bubble_s("zb_h1", of) <= bubble_s("1f1b", of));
      }
    }
  }
}

namespace {

double period_s(const std::string& name, const PipelineProblem& problem) {
  return test::times(problem, plan::pass_order(problem, answer(name, problem))).period_s;
}

}  // namespace

TEST_CASE("zero_bubble has the golden bubbles, and what its limit leaves of them") {
  const auto bubble = [](std::int32_t stages, std::int64_t micro_batches, std::int64_t limit) {
    PipelineProblem problem = chain({stages, micro_batches, 10, 10, 10});
    problem.activation_limit_bytes.assign(at(stages), static_cast<double>(limit));
    for (ChunkCost& chunk : problem.chunks) chunk.forward_to_weight_bytes = 1;
    const double bubble_s =
        period_s("zero_bubble", problem) - 30 * static_cast<double>(micro_batches);
    CHECK(bubble_s ==
          Approx(evaluate::pipeline_bound_s(problem) - 30 * static_cast<double>(micro_batches))
              .margin(1e-9));
    const auto schedule = plugin::make_schedule(registry().find("schedule/zero_bubble"), Options());
    CHECK(schedule->bubble_s(problem).value() == bubble_s);
    return bubble_s;
  };
  CHECK(bubble(4, 12, 4) == 30);
  CHECK(bubble(8, 24, 8) == 70);
  CHECK(bubble(8, 64, 8) == 70);
  CHECK(bubble(16, 48, 16) == 150);
  for (const auto& [stages, micro_batches] : {std::pair(4, 12), {8, 24}, {8, 64}, {16, 48}})
    CHECK(bubble(stages, micro_batches, 2 * stages) == 0);
  for (std::int64_t limit = 4; limit < 8; ++limit) CHECK(bubble(4, 12, limit) == 10. * (7 - limit));
}

TEST_CASE("zero_bubble keeps no more bytes than there is room for, whatever passes keep") {
  std::int64_t num_refused = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    PipelineProblem problem = test::random_chain(random);
    const auto draw = [&](int most) {
      return static_cast<double>(random() % static_cast<unsigned>(most + 1));
    };
    for (std::size_t mesh = 0; mesh < problem.chunks.size(); ++mesh) {
      problem.chunks[mesh].forward_to_backward_bytes = draw(3);
      problem.chunks[mesh].forward_to_weight_bytes = 1 + draw(3);
      problem.chunks[mesh].backward_to_weight_bytes = draw(6);
      problem.activation_limit_bytes[mesh] = 5 + draw(20);
    }
    CAPTURE(seed, problem.num_meshes, problem.num_micro_batches);
    try {
      const plan::PassOrder order = plan::pass_order(problem, answer("zero_bubble", problem));
      CHECK(test::fits(problem, order));
    } catch (const Error& error) {
      ++num_refused;
      CHECK_THAT(error.what(), Catch::Contains("has room for") && Catch::Contains("micro-batch"));
    }
  }
  CHECK(num_refused > 0);
  CHECK(num_refused < 50);
}

TEST_CASE("zero_bubble beats the others on stages and borders of any times, in the same memory") {
  std::vector<double> gaps;
  for (unsigned seed = 0; seed < 80; ++seed) {
    std::mt19937 random(seed);
    const PipelineProblem problem = test::random_chain(random);
    CAPTURE(seed, problem.num_meshes, problem.num_micro_batches);
    const plan::PassOrder order = plan::pass_order(problem, answer("zero_bubble", problem));
    CHECK(test::fits(problem, order));
    const double own_s = period_s("zero_bubble", problem);
    const double bound_s = evaluate::pipeline_bound_s(problem);
    CHECK(own_s >= bound_s * (1 - 1e-9));
    gaps.push_back(own_s / bound_s - 1);
    for (const char* other : {"1f1b", "zb_h1"}) {
      CAPTURE(other, own_s / period_s(other, problem));
      CHECK(own_s <= period_s(other, problem) * 1.01);
    }
  }
  std::ranges::sort(gaps);
  CHECK(gaps[gaps.size() / 2] <= 0.04);
}

TEST_CASE("a CSV of PyTorch's may interleave chunks, and pair two passes") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("rhino_csv_" + std::to_string(getpid()))).string();
  std::ofstream(path) << "0F0,3F0,0F1,(3F1;3B0)OVERLAP_F_B,3I1,3W1,0B0,0B1\n"
                         "1F0,2F0,1F1,2F1,2B0,2B1,1B0,1B1\n";
  const auto csv =
      plugin::make_schedule(registry().find("schedule/csv"), Options({{"file", path}}));
  std::filesystem::remove(path);
  CHECK(csv->placement(2).mesh_of_chunk == std::vector<std::int32_t>{0, 1, 1, 0});
  PipelineProblem problem = chain({.stages = 4, .micro_batches = 2});
  problem.num_meshes = 2;
  const std::vector<Action> order = csv->schedule(problem).order.front();
  using enum ActionKind;
  CHECK(order == std::vector<Action>{{forward, 0, 0},
                                     {forward, 3, 0},
                                     {forward, 0, 1},
                                     {forward_backward, 3, 1, 3, 0},
                                     {backward, 3, 1},
                                     {weight, 3, 1},
                                     {backward_weight, 0, 0},
                                     {backward_weight, 0, 1}});
}
