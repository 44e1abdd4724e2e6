// SPDX-License-Identifier: Apache-2.0
// Cells of abstract stages, from their YAML to the simulated plan, against direct list execution.
#include "planning/pipeline_plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "list_execution.hpp"
#include "plan/in_flight.hpp"
#include "planning/pipeline_stages.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::planning {
namespace {

const plugin::Registry& registry() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

config::CellSpec cell_of(const std::string& yaml, const std::string& schedule) {
  config::CellSpec cell;
  cell.pipeline = config::read_pipelines(config::YamlReader::text(yaml, "x.yaml")).front();
  cell.schedule.id = "schedule/" + schedule;
  return cell;
}

PlannedCell plan(const config::CellSpec& cell) {
  const cost::CostModel cost(pipeline_cluster(*cell.pipeline, std::nullopt));
  return plan_pipeline(cell, cost, registry(), {.deadline_s = 60});
}

plan::StepTrace simulated(const PlannedCell& planned) {
  REQUIRE(planned.message == "");
  return simulate::simulate(planned.plan, cost::CostModel(planned.plan.cluster), {.num_steps = 3});
}

double bound_s_of(const config::CellSpec& cell) {
  const PlannedCell planned = plan(cell);
  return pipeline_bound_s(*cell.pipeline, planned.plan, planned.plan.cluster);
}

struct Times {
  double makespan_s = 0, step_s = 0;
};

Times listed(const config::CellSpec& cell) {
  const auto schedule = plugin::make_schedule(registry().find(cell.schedule.id), Options());
  const Cluster cluster = pipeline_cluster(*cell.pipeline, std::nullopt);
  const PipelineProblem problem = pipeline_problem(
      *cell.pipeline, schedule->placement(static_cast<int>(cell.pipeline->num_stages)), cluster);
  Times times;
  for (const std::vector<double>& ends_s :
       test::list_ends_s(problem, plan::pass_order(problem, schedule->schedule(problem)),
                         {.num_steps = 3, .is_gradient_early = cell.pipeline->is_gradient_early})) {
    times.makespan_s = std::max(times.makespan_s, ends_s.front());
    times.step_s = std::max(times.step_s, (ends_s.back() - ends_s.front()) / 2);
  }
  return times;
}

std::string equal_stages(int stages, int micro_batches, const std::string& rest) {
  return "{stages: " + std::to_string(stages) +
         ", micro_batches: " + std::to_string(micro_batches) + ", " + rest + "}";
}

/// Transfers with anything between their Start and their Wait, on any device.
std::int64_t num_beside_others(const plan::ExecutionPlan& plan) {
  std::int64_t count = 0;
  for (const plan::Role& role : plan.roles) {
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      const plan::Instruction& start = role.instructions[i];
      if (start.kind != plan::InstructionKind::start) continue;
      const plan::Instruction& next = role.instructions.at(i + 1);
      const bool is_own = next.kind == plan::InstructionKind::wait && next.index == start.index &&
                          next.instance == start.instance;
      count += is_own ? 0 : 1;
    }
  }
  return count;
}

/// `[1.5, 2]`
template <class Draw>
std::string list_of(std::int64_t size, Draw&& draw) {
  std::string text;
  for (std::int64_t i = 0; i < size; ++i) text += (i > 0 ? ", " : "") + std::to_string(draw());
  return "[" + text + "]";
}

}  // namespace

TEST_CASE("equal stages take what the golden numbers say") {
  const std::string even = "forward_s: 10, backward_s: 10, weight_s: 10";
  // Bubbles of the public zero-bubble scheduler at a limit of p micro-batches.
  for (const auto& [stages, micro_batches, bubble_s] :
       {std::tuple(4, 12, 30.), {8, 24, 70.}, {8, 64, 70.}, {16, 48, 150.}}) {
    CAPTURE(stages, micro_batches);
    const PlannedCell zb_h1 = plan(cell_of(
        equal_stages(stages, micro_batches, even + ", activation_limit: " + std::to_string(stages)),
        "zb_h1"));
    CHECK(simulated(zb_h1).makespan_s == Approx(30. * micro_batches + bubble_s).epsilon(1e-12));
    CHECK(simulated(zb_h1).step_s == Approx(30. * micro_batches + bubble_s).epsilon(1e-12));
    CHECK(zb_h1.formula_s == Approx(30. * micro_batches + bubble_s).epsilon(1e-12));
    for (const char* name : {"gpipe", "1f1b", "eager_1f1b"}) {
      const double expected_s = 30. * (micro_batches + stages - 1);
      const PlannedCell planned = plan(cell_of(equal_stages(stages, micro_batches, even), name));
      CHECK(simulated(planned).makespan_s == Approx(expected_s).epsilon(1e-12));
      CHECK(planned.formula_s == Approx(expected_s).epsilon(1e-12));
    }
  }
}

TEST_CASE("transfers as long as a forward take what the golden numbers say") {
  const auto time = [](const char* schedule, const std::string& leaves) {
    const std::string times = "forward_s: 12, backward_s: 13, weight_s: 10, transfer_s: 12";
    return simulated(
               plan(cell_of(equal_stages(4, 12, times + ", gradient_leaves: " + leaves), schedule)))
        .makespan_s;
  };
  CHECK(time("1f1b", "end") == Approx(789).epsilon(1e-12));
  CHECK(time("eager_1f1b", "end") == Approx(597).epsilon(1e-12));
  CHECK(time("1f1b", "early") == Approx(679).epsilon(1e-12));
  CHECK(time("eager_1f1b", "early") == Approx(567).epsilon(1e-12));
  CHECK(time("zb_h1", "end") == Approx(679).epsilon(1e-12));
}

TEST_CASE("stages of any times, with any transfers, take the time of direct list execution") {
  constexpr std::array kSchedules{"gpipe",       "1f1b",    "eager_1f1b", "zb_h1",
                                  "zero_bubble", "zb_v",    "hanayo",     "interleaved_1f1b",
                                  "dualpipe_v",  "chimera", "dualpipe",   "breadth_first",
                                  "auto"};
  for (unsigned seed = 0; seed < 130; ++seed) {
    std::mt19937 random(seed);
    const std::string schedule = kSchedules[seed % kSchedules.size()];
    const bool is_both_ways = schedule == "chimera" || schedule == "dualpipe";
    const bool is_dual = schedule.starts_with("dualpipe");
    const auto draw = [&](int least, int most) {
      return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
    };
    const int stages = is_both_ways ? 2 * draw(1, 3) : draw(1, 6);
    const int micro_batches = is_dual ? 2 * stages * draw(1, 2) : stages * draw(1, 4);
    // Whole and broken numbers, zeros among them.
    const double unit = seed % 2 == 0 ? 1 : 0.137;
    const auto times = [&](int least) {
      return list_of(stages, [&] { return unit * draw(least, 6); });
    };
    const std::string forward = times(1), backward = times(seed % 5 == 0 ? 0 : 1),
                      weight = times(0),
                      transfer = list_of(stages - 1, [&] { return unit * draw(0, 8); });
    const std::string yaml =
        equal_stages(stages, micro_batches,
                     "forward_s: " + forward + ", backward_s: " + backward +
                         ", weight_s: " + weight + ", transfer_s: " + transfer +
                         ", gradient_leaves: " + (draw(0, 1) > 0 ? "early" : "end"));
    const config::CellSpec cell = cell_of(yaml, schedule);
    CAPTURE(seed, yaml, cell.schedule.id);
    const PlannedCell planned = plan(cell);
    const plan::StepTrace trace = simulated(planned);
    const Times expected = listed(cell);
    CHECK(trace.makespan_s == Approx(expected.makespan_s).epsilon(1e-9));
    // A role that is first of one direction and last of another waits for what it sends at the end
    // of a step, in place of beginning the next.
    const double late_s = is_both_ways ? 8 * unit : 0;
    CHECK(trace.step_s >= expected.step_s * (1 - 1e-9));
    CHECK(trace.step_s <= expected.step_s * (1 + 1e-9) + late_s);
    CHECK(pipeline_bound_s(*cell.pipeline, planned.plan, planned.plan.cluster) <=
          expected.step_s * (1 + 1e-9));
  }
}

TEST_CASE("transfers that block stop both ends, whatever the schedule") {
  std::int64_t num_beside = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int least, int most) {
      return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
    };
    const int stages = draw(2, 6), micro_batches = stages * draw(1, 4);
    const auto times = [&] { return list_of(stages, [&] { return draw(0, 1) + draw(0, 5); }); };
    const std::string forward = list_of(stages, [&] { return draw(1, 6); }), backward = times(),
                      weight = times(), transfer = list_of(stages - 1, [&] { return draw(1, 8); });
    config::CellSpec cell =
        cell_of(equal_stages(stages, micro_batches,
                             "forward_s: " + forward + ", backward_s: " + backward +
                                 ", weight_s: " + weight + ", transfer_s: " + transfer),
                std::array{"gpipe", "1f1b", "eager_1f1b", "zb_h1", "interleaved_1f1b"}[seed % 5]);
    CAPTURE(seed, forward, backward, weight, transfer, cell.schedule.id);
    const PlannedCell overlapping = plan(cell);
    cell.schedule.blocking.transfers = true;
    const PlannedCell blocking = plan(cell);
    CHECK(simulated(blocking).makespan_s >= simulated(overlapping).makespan_s * (1 - 1e-9));
    CHECK(num_beside_others(blocking.plan) == 0);
    num_beside += num_beside_others(overlapping.plan);
  }
  CHECK(num_beside > 0);
}

TEST_CASE("two stages whose transfers block take turns") {
  // Of each micro-batch F, its transfer, FB there, and what comes back: stage 0 has F and B, stage
  // 1 too, and both have both transfers; nothing runs beside a transfer.
  const std::string times = "forward_s: 10, backward_s: 10, transfer_s: 4";
  config::CellSpec cell = cell_of(equal_stages(2, 6, times), "1f1b");
  CHECK(simulated(plan(cell)).makespan_s < 6 * 28 + 10 + 10);
  cell.schedule.blocking.transfers = true;
  CHECK(simulated(plan(cell)).makespan_s == Approx(6 * 28 + 10 + 10));
}

TEST_CASE("stages keep as many micro-batches as their schedule says, and no more than they may") {
  const std::string times = "forward_s: 1, backward_s: 1, weight_s: 1";
  const auto kept = [&](const char* schedule, const std::string& limit) {
    const PlannedCell planned = plan(cell_of(equal_stages(4, 12, times + limit), schedule));
    std::vector<double> most;
    for (const plan::Role& role : planned.plan.roles)
      most.push_back(plan::most_in_flight(planned.plan, role));
    return planned.status == store::Status::ok ? most : std::vector<double>{};
  };
  CHECK(kept("gpipe", "") == std::vector<double>{12, 12, 12, 12});
  CHECK(kept("1f1b", "") == std::vector<double>{4, 3, 2, 1});
  CHECK(kept("eager_1f1b", "") == std::vector<double>{7, 5, 3, 1});
  CHECK(kept("zb_h1", "") == std::vector<double>{4, 4, 4, 4});
  CHECK(kept("zb_v", "") == std::vector<double>{4, 4, 4, 4});
  CHECK(kept("dualpipe_v", "") == std::vector<double>{4.5, 4.5, 4.5, 4.5});
  CHECK(kept("dualpipe", "") == std::vector<double>{5, 5, 5, 5});
  CHECK(kept("chimera", "") == std::vector<double>{4, 5, 5, 4});
  CHECK(kept("1f1b", ", activation_limit: [4, 3, 2, 1]") == std::vector<double>{4, 3, 2, 1});
  const PlannedCell refused =
      plan(cell_of(equal_stages(4, 12, times + ", activation_limit: [7, 4, 3, 1]"), "eager_1f1b"));
  CHECK(refused.status == store::Status::infeasible);
  CHECK(refused.message ==
        "schedule/eager_1f1b keeps activations of 5 micro-batches on stage 1, and 4 are allowed");
}

TEST_CASE("the bound counts the work of the busiest stage, and what it idles for want of memory") {
  const auto bound_s = [](const std::string& yaml) {
    const config::CellSpec cell = cell_of(yaml, "gpipe");
    return bound_s_of(cell);
  };
  CHECK(bound_s("{stages: 1, micro_batches: 3, forward_s: 1, backward_s: 2, weight_s: 4}") ==
        Approx(21));
  // Between steps the gradient goes to stage 0 and an activation comes from there.
  CHECK(bound_s("{stages: 2, micro_batches: 9, forward_s: [1, 2], backward_s: 1}") ==
        Approx(27 + 2));
  // Stage 0 does one forward, then waits for F and B of stage 1 and the transfers: 5 s of 6 are
  // filled by 5 further forwards.
  const std::string pair =
      "{stages: 2, micro_batches: 1, forward_s: 1, backward_s: 2, transfer_s: 1}";
  CHECK(bound_s(pair) == Approx(3 + 5));
  // The golden bubble of p = 4 at a limit of p: only 4 forwards fit in front of the first gradient.
  const config::CellSpec limited = cell_of(
      equal_stages(4, 12, "forward_s: 10, backward_s: 10, weight_s: 10, activation_limit: 4"),
      "1f1b");
  CHECK(bound_s_of(limited) == Approx(12 * 30 + 30));
  // Two places for what is kept 1 + 20 + 10 + 10 + 20 + 1 + 1 s each, and an F and a W at the ends.
  const config::CellSpec narrow =
      cell_of(equal_stages(2, 40,
                           "forward_s: [1, 10], backward_s: [1, 10], weight_s: [1, 0], "
                           "transfer_s: 20, activation_limit: 2"),
              "1f1b");
  CHECK(bound_s_of(narrow) == Approx(40 * 63. / 2 + 1));
}

TEST_CASE("the bound takes links as they are given, and rate limiters that have been idle") {
  const config::CellSpec cell = cell_of(
      "{stages: 2, micro_batches: 1, forward_s: 1, backward_s: 2, transfer_bytes: 100}", "gpipe");
  Cluster cluster;
  cluster.hosts = {{.name = "a", .devices = {0}}, {.name = "b", .devices = {1}}};
  cluster.host_of = {0, 1};
  cluster.model_of = {0, 0};
  cluster.models = {DeviceModel{}};
  cluster.inter_host = {.bytes_per_s = 10, .latency_s = 0.5};
  const auto bound_s = [&](const Cluster& links) {
    const cost::CostModel cost(pipeline_cluster(*cell.pipeline, cluster));
    return pipeline_bound_s(*cell.pipeline,
                            plan_pipeline(cell, cost, registry(), {.deadline_s = 60}).plan, links);
  };
  // Stage 0 waits for a transfer, F and B of stage 1, and a transfer.
  CHECK(bound_s(cluster) == Approx(3 + 3 + 2 * 10.5));
  Cluster quick = cluster;
  quick.inter_host.bytes_per_s = 20;
  CHECK(bound_s(quick) == Approx(3 + 3 + 2 * 5.5));
  // The first 40 bytes pass at once; where all do, latencies stay.
  quick.inter_host.burst_bytes = 40;
  CHECK(bound_s(quick) == Approx(3 + 3 + 2 * 3.5));
  quick.inter_host.burst_bytes = 400;
  CHECK(bound_s(quick) == Approx(3 + 3 + 2 * 0.5));
}

TEST_CASE("a pipeline that cannot be is refused in one sentence with its place") {
  const auto refusal = [](const std::string& yaml) {
    return [yaml] { config::read_pipelines(config::YamlReader::text(yaml, "x.yaml")); };
  };
  const std::string head = "{stages: 4, micro_batches: 2, forward_s: 1, backward_s: 1";
  for (const auto& [yaml, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"{stages: 0, micro_batches: 2, forward_s: 1, backward_s: 1}",
            "x.yaml:1: 'stages': a number from 1 to 1024 is wanted here"},
           {"{stages: 4, micro_batches: 0, forward_s: 1, backward_s: 1}",
            "x.yaml:1: 'micro_batches': a number from 1 to 65536 is wanted here"},
           {"{stages: 4, micro_batches: 2, forward_s: -1, backward_s: 1}",
            "x.yaml:1: 'forward_s': seconds from 0 to 1e9 are wanted here"},
           {"{stages: 4, micro_batches: 2, forward_s: .nan, backward_s: 1}",
            "x.yaml:1: 'forward_s': a number is wanted here, not '.nan'"},
           {"{stages: 4, micro_batches: 2, forward_s: [1, 1, 1], backward_s: 1}",
            "x.yaml:1: 'forward_s': one number is wanted, or one for each of 4 stages, not 3"},
           {"{stages: 4, micro_batches: 2, forward_s: 0, backward_s: [1, 1, 0, 1]}",
            "x.yaml:1: stage 2 takes no time"},
           {head + ", transfer_s: [1, 1, 1, 1]}",
            "x.yaml:1: 'transfer_s': one number is wanted, or one for each of 3 borders, not 4"},
           {head + ", transfer_s: 1, transfer_bytes: 8}",
            "x.yaml:1: 'transfer_s': transfer_bytes says what crosses"},
           {head + ", activation_limit: 0}",
            "x.yaml:1: 'activation_limit': a number from 1 to 65536 is wanted here"},
           {head + ", gradient_leaves: soon}",
            "x.yaml:1: 'gradient_leaves': unknown word 'soon'; known: end, early"},
           {head + ", forwards_s: 1}",
            "x.yaml:1: unknown key 'forwards_s'; known: activation_limit, gradient_leaves, name, "
            "transfer_bytes, transfer_s, weight_s"}}) {
    CAPTURE(yaml);
    CHECK_THROWS_WITH(refusal(yaml)(), sentence);
  }
  CHECK_THROWS_WITH(
      pipeline_cluster(*cell_of(equal_stages(4, 2, "forward_s: 1, backward_s: 1"), "1f1b").pipeline,
                       Cluster{.name = "small", .host_of = {0, 0}}),
      "x.yaml:1: a pipeline of 4 stages on topology 'small' of 2 devices");
}

}  // namespace rhino::planning
