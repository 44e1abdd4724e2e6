// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "evaluate/evaluator.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// Per chunk of a plan, micro-batches from the begin of their forward to their last pass.
std::map<std::int32_t, double> kept_by_plan(const plan::ExecutionPlan& plan) {
  std::map<std::int32_t, double> most;
  for (const plan::Role& role : plan.roles) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> last;
    std::map<std::int32_t, std::set<std::int32_t>> kept;
    const auto is_pass = [](const plan::Instruction& run) {
      return run.kind == plan::InstructionKind::run && run.instance >= 0 &&
             run.phase != plan::InstructionPhase::update;
    };
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      const plan::Instruction& run = role.instructions[i];
      if (is_pass(run)) last[{run.chunk, run.instance}] = i;
    }
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      const plan::Instruction& run = role.instructions[i];
      if (!is_pass(run)) continue;
      kept[run.chunk].insert(run.instance);
      most[run.chunk] = std::max(most[run.chunk], static_cast<double>(kept[run.chunk].size()));
      if (last[{run.chunk, run.instance}] == i) kept[run.chunk].erase(run.instance);
    }
  }
  return most;
}

/// Two hosts of four devices, each with an interface of 1 GB/s.
Cluster two_hosts() {
  Cluster cluster = modelled_cluster(8);
  cluster.inter_host = {1e9, 1e-6};
  cluster.hosts = {{"a", {0, 1, 2, 3}}, {"b", {4, 5, 6, 7}}};
  cluster.host_of = {0, 0, 0, 0, 1, 1, 1, 1};
  return cluster;
}

ChunkFlow flow(const Cluster& cluster, const std::string& schedule, const std::string& resharding,
               std::int32_t num_meshes, std::int64_t num_micro_batches) {
  Planning planning(small_gpt_step(), cluster, schedule, resharding);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const std::int64_t per_mesh = cluster.num_devices() / num_meshes;
  return evaluator.flow(
      evaluator.complete({.name = "uncut",
                          .num_micro_batches = num_micro_batches,
                          .chunks = planning.chunks(num_meshes, {{"devices", per_mesh}})}));
}

}  // namespace

TEST_CASE("chunks keep as many micro-batches as their plan, whatever the schedule") {
  const std::string schedule =
      GENERATE("gpipe", "1f1b", "eager_1f1b", "zb_h1", "interleaved_1f1b", "breadth_first");
  const auto num_meshes = GENERATE(1, 2, 4);
  CAPTURE(schedule, num_meshes);
  Planning planning(small_gpt_step(), modelled_cluster(num_meshes), "schedule/" + schedule);
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const Strategy strategy =
      evaluator.complete({.name = "uncut",
                          .num_micro_batches = 8,
                          .chunks = planning.chunks(num_meshes, {{"devices", 1}})});
  const ChunkFlow flow = evaluator.flow(strategy);
  std::map<std::int32_t, double> most;
  for (ValueId id = 0; id < small_gpt_step().size(); ++id) {
    const std::int32_t chunk = strategy.chunk_of[at(id)];
    const bool is_read_elsewhere = std::ranges::any_of(small_gpt_step().ops, [&](const Op& op) {
      const auto reader = at(&op - small_gpt_step().ops.data());
      return std::ranges::count(op.operands, id) > 0 && strategy.chunk_of[reader] != chunk;
    });
    if (!is_read_elsewhere) most[chunk] = std::max(most[chunk], flow.in_flight[at(id)]);
  }
  const auto expected = kept_by_plan(evaluate::make_plan(planning.context(), strategy));
  std::size_t num_empty = 0;  // chunks so small that they keep nothing of their own
  for (const auto& [chunk, count] : expected) {
    CAPTURE(chunk);
    if (most[chunk] == 0) ++num_empty;
    else CHECK(most[chunk] == count);
  }
  CHECK(num_empty <= (expected.size() > 4 ? 1 : 0));
}

TEST_CASE("what is made anew is kept by no micro-batch") {
  Planning planning(small_gpt_step(), modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  StrategyDraft draft{.name = "recomputing",
                      .num_micro_batches = 4,
                      .chunks = planning.chunks(2, {{"devices", 1}})};
  const ChunkFlow kept = evaluator.flow(evaluator.complete(draft));
  for (Chunk& chunk : draft.chunks) chunk.recompute = true;
  const Strategy strategy = evaluator.complete(draft);
  const ChunkFlow anew = evaluator.flow(strategy);
  std::int64_t num_kept = 0;
  for (ValueId id = 0; id < small_gpt_step().size(); ++id) {
    if (small_gpt_step().op(id).phase != Phase::forward || anew.in_flight[at(id)] == 0) continue;
    ++num_kept;  // what the second chunk gets of the first, which lasts there
    CHECK(strategy.chunk_of[at(id)] == 0);
    CHECK(anew.in_flight[at(id)] == 1);
  }
  CHECK(num_kept > 0);
  CHECK(std::ranges::count_if(kept.in_flight, [](double count) { return count > 0; }) >
        10 * num_kept);
}

TEST_CASE("crossings take what the network lets through, as the resharding algorithm uses it") {
  const auto rates = [](const std::string& resharding) {
    const ChunkFlow flow = test::flow(two_hosts(), "schedule/1f1b", resharding, 2, 8);
    const auto crossing = std::ranges::find_if(
        flow.crossings, [](const auto& each) { return each.from == 0 && each.to == 1; });
    REQUIRE(crossing != flow.crossings.end());
    REQUIRE(crossing->num_devices == 4);
    return *crossing;
  };
  // Four devices of a host share its interface; of a whole tensor one copy has to enter.
  const ChunkFlow::Crossing own = rates("resharding/send_recv"),
                            shared = rates("resharding/local_allgather");
  CHECK(own.split_s_per_byte == Approx(4e-9).epsilon(0.01));
  CHECK(own.whole_s_per_byte == Approx(4e-9).epsilon(0.01));
  CHECK(shared.split_s_per_byte == Approx(4e-9).epsilon(0.01));
  CHECK(shared.whole_s_per_byte == Approx(1e-9).epsilon(0.05));
  const ChunkFlow flow{.kept = {}, .in_flight = {}, .crossings = {shared}, .exposed = 0.5};
  CHECK(flow.crossing_s(0, 1, 1e6, 1e6) == Approx(0.5e6 * shared.whole_s_per_byte));
  CHECK(flow.crossing_s(0, 1, 1e6, 4e6) == Approx(0.5e6 * shared.split_s_per_byte));
  CHECK(flow.crossing_s(0, 1, 1e6, 2e6) ==
        Approx(0.5e6 * std::sqrt(shared.whole_s_per_byte * shared.split_s_per_byte)));
  CHECK(flow.crossing_s(1, 0, 1e6, 1e6) == 0);
}

TEST_CASE("crossings count by as much as passes of the schedule wait for them") {
  const auto exposed = [](const std::string& schedule, std::int32_t num_meshes,
                          std::int64_t count) {
    return flow(modelled_cluster(num_meshes), "schedule/" + schedule, "resharding/send_recv",
                num_meshes, count)
        .exposed;
  };
  CHECK(exposed("1f1b", 1, 8) == 0);
  for (const std::int32_t meshes : {2, 4}) {
    for (const std::int64_t count : {2, 8}) {
      CAPTURE(meshes, count);
      // Only those of the first micro-batch there and of the last one back are waited for.
      const double p = meshes, m = static_cast<double>(count);
      CHECK(exposed("gpipe", meshes, count) == Approx(p / (m + p - 1)));
    }
  }
  // All of them, in 1F1B, but for one way back.
  CHECK(exposed("1f1b", 2, 8) == Approx(1).epsilon(0.15));
  CHECK(exposed("eager_1f1b", 2, 8) < 0.3);
}

}  // namespace rhino::test
