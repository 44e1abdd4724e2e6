// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_time.hpp"

#include <catch2/catch.hpp>

namespace rhino::test {
namespace {

using evaluate::StepParts;
using sharding::ChunkPhase;
using Target = StepParts::Crossing::Target;

/// Two stages: forward passes take a second, all else nothing; forward and back again cross at
/// once, but for what is added.
StepParts two_stages() {
  StepParts parts;
  for (const std::int32_t mesh : {0, 1}) {
    StepParts::Chunk& chunk = parts.chunks.emplace_back();
    chunk.mesh = mesh;
    chunk.passes[0] = {.seconds = 1, .after_s = mesh == 1 ? 1.0 : 0.0, .departures = {}};
  }
  parts.chunks[0].passes[0].departures = {{1, -1}};
  parts.chunks[1].passes[1].departures = {{0, -1}};
  parts.prologue_s = parts.update_s = {0, 0};
  parts.crossings.push_back({.phase = ChunkPhase::forward,
                             .chunk = 0,
                             .targets = {Target{.phase = ChunkPhase::forward, .chunk = 1}},
                             .loads = {}});
  parts.crossings.push_back({.phase = ChunkPhase::backward,
                             .chunk = 1,
                             .targets = {Target{.phase = ChunkPhase::backward, .chunk = 0}},
                             .loads = {}});
  return parts;
}

evaluate::PassSteps all_forward_first(std::int32_t num_micro_batches) {
  evaluate::PassSteps order(2);
  for (std::vector<plan::PassStep>& steps : order) {
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      for (std::int32_t m = 0; m < num_micro_batches; ++m) {
        plan::PassStep& step = steps.emplace_back();
        step.pass = pass;
        step.micro_batch = m;
        step.chunk = static_cast<std::int32_t>(&steps - order.data());
      }
    }
  }
  return order;
}

}  // namespace

TEST_CASE("micro-batches that cross follow each other by less than each of them takes") {
  StepParts parts = two_stages();
  parts.crossings[0].targets[0] = {.phase = ChunkPhase::forward,
                                   .chunk = 1,
                                   .latency_s = 1,
                                   .busy_s = 10,
                                   .first_s = 11,
                                   .period_s = 2};
  // The first leaves after a second, on its way for 11, the others 2 behind each other.
  CHECK(evaluate::expected_step(parts, all_forward_first(4)).step_s == Approx(1 + 11 + 3 * 2 + 1));
  parts.crossings[0].targets[0].period_s = 0.25;  // as they leave
  CHECK(evaluate::expected_step(parts, all_forward_first(4)).step_s == Approx(4 + 11 + 1));
}

/// When the fourth tile has come, one micro-batch is kept; when four are, one tile is left.
TEST_CASE("tiles that come and what is kept count as far as they are there at a time") {
  StepParts parts = two_stages();
  parts.chunks[0].passes[0].seconds = 0.25;
  parts.chunks[0].passes[0].departures = {{0.25, -1}};
  parts.chunks[1].passes[1] = {.seconds = 1, .departures = {{1, -1}}};
  parts.crossings[0].targets[0].bytes = 10;
  std::vector<evaluate::ChunkBytes> bytes(2);
  bytes[1] = {.kept = {.forward_to_backward = 10}, .in_first = {0, 5, 0}, .in_pass = {0, 5, 0}};
  const evaluate::PassSteps order = all_forward_first(4);
  const auto most_bytes = [&] { return evaluate::expected_step(parts, order, bytes).most_bytes; };
  CHECK(most_bytes() == std::vector<double>{0, 4 * 10 + 10});
  bytes[1].kept.forward_to_weight = 7;  // the backward pass is whole
  CHECK(most_bytes() == std::vector<double>{0, 4 * 17 + 10});
  bytes[1].in_first[1] = bytes[1].in_pass[1] = 15;
  CHECK(most_bytes() == std::vector<double>{0, 4 * 17 + 15});
  bytes[1].in_first[1] = 0;
  CHECK(most_bytes() == std::vector<double>{0, 4 * 17 + 10});
  bytes[1].in_first[1] = 15;
  bytes[1].in_last = 60;  // of the last backward pass, beside one micro-batch
  CHECK(most_bytes() == std::vector<double>{0, 17 + 15 + 60});
  CHECK(evaluate::expected_step(parts, order).most_bytes.empty());
}

/// Four buckets of 3 from the end of the last pass on, and an update of 8, a quarter of it per
/// bucket.
TEST_CASE("an update works off sums as they come") {
  StepParts parts = two_stages();
  StepParts::Chunk& chunk = parts.chunks[1];
  chunk.early_s = 12;
  chunk.last_early_s = 3;
  chunk.after_early_s = 2;
  chunk.early_links_s = {12, 0};
  parts.update_s[1] = 8;
  const auto step_s = [&] { return evaluate::expected_step(parts, all_forward_first(1)).step_s; };
  CHECK(step_s() == Approx(1 + 12 + 2));
  parts.update_s[1] = 20;
  CHECK(step_s() == Approx(1 + 3 + 20));
}

/// Reductions begin behind the first tenth of the last pass, which sends nothing, and go on beside
/// the rest of its own collectives, over the same links or others.
TEST_CASE("reductions share links with the collectives of the pass that they begin in") {
  StepParts parts = two_stages();
  StepParts::Chunk& chunk = parts.chunks[0];
  chunk.passes[1].seconds = 10;
  const std::size_t kind = GENERATE(0u, 1u);
  chunk.passes[1].links_s[kind] = 5;
  chunk.early_s = 12;
  chunk.early_links_s = {12, 0};
  const double both_s = 12 + (kind == 0 ? 0.9 * 5 : 0);
  CHECK(evaluate::expected_step(parts, all_forward_first(1)).step_s == Approx(1 + 1 + both_s));
}

TEST_CASE("what crosses in front of a step keeps micro-batches waiting that take its links") {
  StepParts parts = two_stages();
  parts.crossings[0].loads = {{.link = 0, .seconds = 1}};
  parts.crossings.push_back(
      {.phase = ChunkPhase::prologue,
       .chunk = 0,
       .targets = {Target{.phase = ChunkPhase::backward, .chunk = 1, .busy_s = 10}},
       .loads = {}});
  const std::int32_t link = GENERATE(0, 1);
  parts.crossings.back().loads = {{.link = link, .seconds = 10}};
  // Ten of a weight, a micro-batch, and its pass; or else that of the weight alone.
  CHECK(evaluate::expected_step(parts, all_forward_first(1)).step_s ==
        Approx(link == 0 ? 10 + 1 + 1 : 10));
}

/// One of two devices on an interface sends for 10 seconds, two messages at a time; the other one
/// reduces for 4 meanwhile, which takes a third of the link, and so begins 4 seconds' worth later.
TEST_CASE("devices of a mesh that send nothing reduce while others send, over the same link") {
  StepParts parts = two_stages();
  parts.links = {{0, 1, 4, 5}, {2, 3, 6, 7}};
  parts.crossings[1].loads = {{.link = 2, .seconds = 10, .num_devices = 1, .num_all = 2}};
  parts.crossings[1].targets[0].busy_s = 10;
  parts.update_s[1] = 8;
  parts.chunks[1].update.links_s = {8, 0};
  const auto step_s = [&] { return evaluate::expected_step(parts, all_forward_first(1)).step_s; };
  CHECK(step_s() == Approx(1 + 10 + 8));
  parts.update_s[0] = 9;  // begins 4 seconds later
  CHECK(step_s() == Approx(1 + 1 + 10 + 4 + 9));
  parts.crossings[1].loads[0].num_devices = 2;  // both send: reductions wait
  CHECK(step_s() == Approx(1 + 1 + 10 + 9));
}

/// A pass of 10 seconds whose collectives, 4 of them, nothing hides, begins as 3 are being sent.
TEST_CASE("collectives of a pass and what is sent over their link end later by the shorter") {
  StepParts parts = two_stages();
  parts.links = {{0, 1, 4, 5}, {2, 3, 6, 7}};
  parts.chunks[1].passes[0] = {
      .seconds = 10, .after_s = 10, .departures = {}, .links_s = {4, 0}, .waited_s = 4};
  parts.crossings[0].loads = {{.link = 3, .seconds = 3}};
  parts.crossings[0].targets[0].busy_s = 3;
  const auto step_s = [&](int count) {
    return evaluate::expected_step(parts, all_forward_first(count)).step_s;
  };
  CHECK(step_s(1) == Approx(1 + 3 + 10));
  // The second one is on its way before the pass begins, but for 3 seconds of both.
  CHECK(step_s(2) == Approx(1 + 3 + 10 + 3 + 10));
  parts.chunks[1].passes[0].waited_s = 0;  // hidden
  CHECK(step_s(2) == Approx(1 + 3 + 10 + 10));
}

TEST_CASE("a device that gets a sum sooner sends the next step's weights sooner") {
  StepParts parts = two_stages();
  const auto add = [&](ChunkPhase phase, std::int32_t from, double first_s) {
    parts.crossings.push_back(
        {.phase = phase,
         .chunk = from,
         .targets = {Target{.phase = from == 0 ? ChunkPhase::forward : ChunkPhase::update,
                            .chunk = 1 - from,
                            .busy_s = 4,
                            .first_s = first_s}},
         .loads = {}});
  };
  SECTION("one device after the other") {
    add(ChunkPhase::prologue, 0, 1);
    add(ChunkPhase::update, 1, 1);
    // The first has its sum after a second and its weight, and the others theirs, 4 later.
    CHECK(evaluate::expected_step(parts, all_forward_first(1)).step_s == Approx(1 + 4 + 1));
  }
  SECTION("all at once") {
    add(ChunkPhase::prologue, 0, 4);
    add(ChunkPhase::update, 1, 4);
    CHECK(evaluate::expected_step(parts, all_forward_first(1)).step_s == Approx(4 + 4 + 1));
  }
}

TEST_CASE("a mesh works off prologue, passes, sums and update, or what its host issues") {
  StepParts parts;
  StepParts::Chunk& chunk = parts.chunks.emplace_back();
  chunk.passes[0] = {.seconds = 1, .departures = {}};
  chunk.passes[1] = {.seconds = 2, .adding_s = 0.5, .departures = {}};
  parts.prologue_s = {3};
  parts.update_s = {5};
  evaluate::PassSteps order = all_forward_first(4);
  order.pop_back();
  const auto bound_s = [&] { return evaluate::step_bound_s(parts, order); };
  CHECK(evaluate::work_bound_s(parts, order) == Approx(3 + 4 * (1 + 2) + 3 * 0.5 + 5));
  CHECK(bound_s() == Approx(3 + 4 * (1 + 2) + 3 * 0.5 + 5));
  chunk.early_s = 20;  // they begin no sooner than the last backward pass
  CHECK(evaluate::work_bound_s(parts, order) == Approx(3 + 4 * (1 + 2) + 3 * 0.5 + 20 - 2.5));
  chunk.passes[0].issue_s = 10;
  CHECK(evaluate::work_bound_s(parts, order) == Approx(4 * 10));
}

TEST_CASE("what a host issues behind an arrival comes behind it") {
  StepParts parts = two_stages();
  parts.chunks[1].passes[0].issue_after_s = 7;
  CHECK(evaluate::step_bound_s(parts, all_forward_first(1)) == Approx(1 + 7));
}

}  // namespace rhino::test
