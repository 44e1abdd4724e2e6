// SPDX-License-Identifier: Apache-2.0
// Schedules that place chunks forth and back, or in two directions, against their formulas and the
// numbers that others published, by direct execution of their lists.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>

#include "list_execution.hpp"
#include "plan/pass_order.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/options.hpp"

using namespace rhino;

namespace {

/// Of a chunk.
struct ChunkTimes {
  double forward_s = 10, backward_s = 10, weight_s = 10;
};

/// Equal chunks as they are placed, in chains, transfers free.
PipelineProblem placed_chain(const Placement& placement, std::int64_t num_micro_batches,
                             const ChunkTimes& times) {
  PipelineProblem problem;
  problem.num_micro_batches = num_micro_batches;
  problem.num_replicas = placement.num_replicas;
  const auto each =
      static_cast<std::int32_t>(placement.mesh_of_chunk.size()) / placement.num_replicas;
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    const auto chunk = static_cast<std::int32_t>(problem.chunks.size());
    problem.num_meshes = std::max(problem.num_meshes, mesh + 1);
    problem.chunks.push_back({.mesh = mesh,
                              .forward_s = times.forward_s,
                              .backward_s = times.backward_s,
                              .weight_s = times.weight_s,
                              .backward_weight_s = times.backward_s + times.weight_s});
    if (chunk % each == 0) continue;
    problem.edges.push_back({{Pass::forward, chunk - 1}, {Pass::forward, chunk}});
    problem.edges.push_back({{Pass::backward, chunk}, {Pass::backward, chunk - 1}});
  }
  problem.activation_limit_bytes.resize(at(problem.num_meshes));
  return problem;
}

/// A schedule of equal chunks.
struct Placed {
  Placed(const std::string& name, std::int32_t stages, std::int64_t num_micro_batches,
         const ChunkTimes& times = {}, const Options& options = Options())
      : schedule(plugin::make_schedule(registry().find("schedule/" + name), options)),
        problem(placed_chain(schedule->placement(stages), num_micro_batches, times)),
        answer(schedule->schedule(problem)),
        order(plan::pass_order(problem, answer)) {}

  static const plugin::Registry& registry() {
    static const plugin::Registry registry({RHINO_TEST_PLUGINS});
    return registry;
  }

  /// All passes of a mesh, which are as many on each.
  double work_s() const {
    const ChunkCost& chunk = problem.chunks.front();
    return (chunk.forward_s + chunk.backward_weight_s) *
           static_cast<double>(problem.num_micro_batches * std::ssize(problem.chunks)) /
           problem.num_meshes / problem.num_replicas;
  }
  double makespan_s() const {
    double last_s = 0;
    for (const std::vector<double>& ends_s : test::list_ends_s(problem, order))
      last_s = std::max(last_s, ends_s.back());
    return last_s;
  }
  /// Of steps back to back.
  double period_s() const {
    double longest_s = 0;
    for (const std::vector<double>& ends_s : test::list_ends_s(problem, order, {.num_steps = 3}))
      longest_s = std::max(longest_s, (ends_s.back() - ends_s.front()) / 2);
    return longest_s;
  }
  /// Chunks of micro-batches that a mesh keeps at most, from F to the last pass.
  std::int64_t kept(std::size_t mesh) const {
    std::int64_t kept = 0, most = 0;
    for (const plan::PassStep& step : order.steps[mesh]) {
      const Pass last = order.is_cut[at(step.chunk)] ? Pass::weight : Pass::backward;
      kept += step.pass == Pass::forward ? 1 : step.pass == last ? -1 : 0;
      most = std::max(most, kept);
    }
    return most;
  }
  std::int64_t most_kept() const {
    std::int64_t most = 0;
    for (std::size_t mesh = 0; mesh < order.steps.size(); ++mesh) most = std::max(most, kept(mesh));
    return most;
  }

  std::unique_ptr<Schedule> schedule;
  PipelineProblem problem;
  PipelineSchedule answer;
  plan::PassOrder order;
};

/// Makespan and, of the mesh that idles longest, its idle time, where a pair is one action that
/// takes so long and sends at its end, as does a BW.
std::pair<double, double> with_pairs(const Placed& of, double pair_s) {
  const ChunkCost& cost = of.problem.chunks.front();
  const auto seconds = [&](ActionKind kind) {
    return std::array{cost.forward_s, cost.backward_s, cost.weight_s, cost.backward_weight_s,
                      pair_s}[static_cast<std::size_t>(kind)];
  };
  std::map<std::tuple<Pass, std::int32_t, std::int32_t>, double> ends_s;
  const auto sources = [&](const Action& action) {
    std::vector<std::tuple<Pass, std::int32_t, std::int32_t>> list;
    const bool is_pair = action.kind == ActionKind::forward_backward;
    const auto add = [&](const ChunkPass& to, std::int32_t micro_batch) {
      for (const PipelineEdge& edge : of.problem.edges)
        if (edge.to == to) list.emplace_back(edge.from.pass, edge.from.chunk, micro_batch);
    };
    if (is_pair || action.kind == ActionKind::forward)
      add({Pass::forward, action.chunk}, action.micro_batch);
    if (is_pair) add({Pass::backward, action.other_chunk}, action.other_micro_batch);
    if (action.kind == ActionKind::backward || action.kind == ActionKind::backward_weight)
      add({Pass::backward, action.chunk}, action.micro_batch);
    return list;
  };
  std::vector<std::size_t> next(of.answer.order.size());
  std::vector<double> now_s(next.size()), work_s(next.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t mesh = 0; mesh < next.size(); ++mesh) {
      if (next[mesh] == of.answer.order[mesh].size()) continue;
      const Action& action = of.answer.order[mesh][next[mesh]];
      double begin_s = now_s[mesh];
      bool is_ready = true;
      for (const auto& source : sources(action)) {
        is_ready = is_ready && ends_s.contains(source);
        if (is_ready) begin_s = std::max(begin_s, ends_s.at(source));
      }
      if (!is_ready) continue;
      moved = true;
      ++next[mesh];
      now_s[mesh] = begin_s + seconds(action.kind);
      work_s[mesh] += seconds(action.kind);
      if (action.kind == ActionKind::forward || action.kind == ActionKind::forward_backward)
        ends_s[{Pass::forward, action.chunk, action.micro_batch}] = now_s[mesh];
      else if (action.kind != ActionKind::weight)
        ends_s[{Pass::backward, action.chunk, action.micro_batch}] = now_s[mesh];
      if (action.kind == ActionKind::forward_backward)
        ends_s[{Pass::backward, action.other_chunk, action.other_micro_batch}] = now_s[mesh];
    }
  }
  const double makespan_s = *std::ranges::max_element(now_s);
  return {makespan_s, makespan_s - *std::ranges::min_element(work_s)};
}

}  // namespace

TEST_CASE("dualpipe_v takes what was published of it, and dualpipe what its formula says") {
  const Placed four("dualpipe_v", 4, 10);
  CHECK(with_pairs(four, 30) == std::pair(660., 60.));
  CHECK(with_pairs(four, 25) == std::pair(590., 45.));
  CHECK(with_pairs(four, 20) == std::pair(520., 30.));
  CHECK(with_pairs(Placed("dualpipe_v", 4, 10, {12, 13, 10}), 35) == std::pair(781., 81.));
  for (std::size_t mesh = 0; mesh < 4; ++mesh) CHECK(four.kept(mesh) == 9);
  for (const auto& [stages, micro_batches] : {std::pair(2, 4), {4, 8}, {4, 12}, {8, 24}}) {
    CAPTURE(stages, micro_batches);
    const Placed of("dualpipe", stages, micro_batches);
    for (const double pair_s : {30., 20.}) {
      const double bubble_s = (stages / 2 - 1) * (pair_s + 20 - 30);
      CHECK(with_pairs(of, pair_s).second == Approx(bubble_s).margin(1e-9));
    }
    // The engine's pairs send what F makes in front of BW.
    CHECK(of.makespan_s() - of.work_s() == Approx((stages / 2 - 1) * 10));
    CHECK(of.schedule->bubble_s(of.problem).value() == (stages / 2 - 1) * 10.);
    const Placed forth_and_back("dualpipe_v", stages, micro_batches);
    CHECK(forth_and_back.makespan_s() - forth_and_back.work_s() == Approx((stages - 1) * 10));
    CHECK(forth_and_back.schedule->bubble_s(forth_and_back.problem).value() == (stages - 1) * 10.);
    for (std::size_t mesh = 0; mesh < at(stages); ++mesh) CHECK(of.kept(mesh) == stages + 1);
  }
  CHECK_THROWS_WITH(Placed("dualpipe", 4, 7), Catch::Contains("7 micro-batches are odd in number"));
  CHECK_THROWS_WITH(Placed("dualpipe_v", 4, 7), Catch::Contains("fewer than twice the 4 stages"));
  CHECK_THROWS_WITH(Placed("dualpipe", 3, 12), Catch::Contains("an even number of stages, not 3"));
}

TEST_CASE("zb_v has the golden bubbles of its limits, and keeps what they allow") {
  const auto with_limit = [](const char* limit, std::int32_t stages, std::int64_t micro_batches) {
    return Placed("zb_v", stages, micro_batches, {}, Options({{"limit", std::string(limit)}}));
  };
  for (const auto& [stages, micro_batches] :
       {std::pair(3, 6), {4, 12}, {5, 10}, {6, 12}, {8, 24}, {16, 48}}) {
    CAPTURE(stages, micro_batches);
    const double work_s = 60. * micro_batches;
    // Of the public scheduler: none in the steady period at 2p chunks, for p = 4, 8, 16.
    const Placed full = with_limit("full", stages, micro_batches);
    CHECK(full.work_s() == work_s);
    CHECK(full.period_s() == work_s);
    CHECK(full.makespan_s() == work_s + 10 * (stages - 1));
    CHECK(full.most_kept() == 2 * stages);
    const Placed half = with_limit("half", stages, micro_batches);
    CHECK(half.period_s() == work_s + 10 * (3 * stages - 4));
    CHECK(half.most_kept() == stages + 2);
    const Placed min = with_limit("min", stages, micro_batches);
    CHECK(min.period_s() == work_s + 10 * (4 * stages - (stages % 3 == 0 ? 3 : 5)));
    CHECK(min.most_kept() <= 2 * stages / 3 + 3);
    for (const Placed* of : {&full, &half, &min})
      CHECK(of->schedule->bubble_s(of->problem).value() == of->period_s() - work_s);
    CHECK(min.period_s() < Placed("1f1b", stages, micro_batches, {20, 20, 20}).period_s());
  }
  CHECK_THROWS_WITH(with_limit("third", 4, 12),
                    Catch::Contains("'limit' is 'third'; it must be full, half or min"));
}

TEST_CASE("hanayo and chimera have the bubbles of their headers, and keep what they say") {
  for (const std::int32_t stages : {2, 4, 6, 8, 16}) {
    CAPTURE(stages);
    const Placed hanayo("hanayo", stages, stages, {10, 10, 10});
    CHECK(hanayo.makespan_s() == hanayo.work_s() + 40 * (stages - 1));
    CHECK(hanayo.schedule->bubble_s(hanayo.problem).value() == 40 * (stages - 1));
    for (const double weight_s : {0., 5., 10.}) {
      const Placed chimera("chimera", stages, stages, {10, 10, weight_s});
      CHECK(chimera.makespan_s() == chimera.work_s() + (stages - 2) * (10 + weight_s));
      CHECK(chimera.schedule->bubble_s(chimera.problem).value() == (stages - 2) * (10 + weight_s));
    }
    for (const std::int64_t micro_batches : {stages, 2 * stages, 5 * stages}) {
      CHECK(Placed("hanayo", stages, micro_batches).most_kept() == 2 * stages);
      const Placed chimera("chimera", stages, micro_batches);
      for (std::int32_t stage = 0; stage < stages; ++stage)
        CHECK(chimera.kept(at(stage)) <= std::min<std::int64_t>(micro_batches / 2, stages - stage) +
                                             std::min<std::int64_t>(micro_batches / 2, stage + 1));
      if (micro_batches <= 2 * stages)
        CHECK(chimera.makespan_s() <= Placed("1f1b", stages, micro_batches).makespan_s());
    }
    const Placed waves("hanayo", stages, stages, {}, Options({{"waves", std::int64_t{2}}}));
    CHECK(waves.makespan_s() - waves.work_s() <= 44 * (stages - 1));
  }
  CHECK_THROWS_WITH(Placed("chimera", 4, 1), Catch::Contains("two micro-batches at least"));
  CHECK_THROWS_WITH(Placed("hanayo", 4, 4, {}, Options({{"waves", std::int64_t{0}}})),
                    Catch::Contains("it must be from 1 to 32"));
}
