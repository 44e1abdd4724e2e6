// SPDX-License-Identifier: Apache-2.0
// Whether search/rhino finds what fits where hardly anything does.
#include <catch2/catch.hpp>

#include "models/vgg.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

Program gpt_of_race(std::int64_t batch) {
  return ir::training_step(models::gpt_forward({.preset = "toy",
                                                .num_layers = 1,
                                                .hidden = 48,
                                                .num_heads = 12,
                                                .vocabulary = 96,
                                                .sequence = 24},
                                               batch),
                           {});
}

}  // namespace

// Round 706 of search_race: tiles are smaller than what memory is handed out in, and all that was
// expected to fit took 16 % more than there is.
TEST_CASE("of a toy what fits is found where estimates of memory say nothing") {
  const auto level = GENERATE(std::int64_t{2}, std::int64_t{3});
  CAPTURE(level);
  const Program step = ir::training_step(models::random_forward(706, 2, 9), {});
  const Cluster cluster = slow_cluster(6, false);
  Toy toy(plugins(), step, cluster);
  const double memory_bytes = toy.run("search/grid", {}, 1e12).peak_bytes;
  const Answer grid = toy.run("search/grid", {}, memory_bytes),
               found = toy.run("search/rhino", {{"level", level}}, memory_bytes);
  REQUIRE(grid.ok());
  INFO(grid.strategy.name << ": " << grid.step_s << " s, rhino: " << found.reason);
  REQUIRE(found.ok());
  CHECK(found.step_s <= grid.step_s * (1 + 1e-9));
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

// Round 5013 of search_race: its vocabulary is cut as no table says that it should be, and all that
// follows from it with it.
TEST_CASE("of a toy weights are cut as well as grid cuts them") {
  const auto level = GENERATE(std::int64_t{2}, std::int64_t{3});
  CAPTURE(level);
  const Program step = gpt_of_race(2);
  const Cluster cluster = slow_cluster(2, true);
  Toy toy(plugins(), step, cluster);
  const Answer grid = toy.run("search/grid", {}, 1e12),
               found = toy.run("search/rhino", {{"level", level}}, 1e12);
  REQUIRE(grid.ok());
  REQUIRE(found.ok());
  CAPTURE(grid.strategy.name, found.strategy.name);
  CHECK(found.step_s <= grid.step_s * (1 + 1e-9));
}

// Round 41037 of search_race. With 15 graphs solved for each room in place of 60 both levels ended
// at 0.566 s, and a race of one against the other showed nothing.
TEST_CASE("of a GPT whose memory binds a room is worth many graphs") {
  const Program step = gpt_of_race(24);
  const Cluster cluster = slow_cluster(8, false);
  Toy toy(plugins(), step, cluster);
  const Answer found = toy.run("search/rhino", {}, 528000);
  REQUIRE(found.ok());
  CHECK(found.step_s < 0.55);
}

// Rounds 41009 and 41066 of search_race: what is cut as grid cuts it was estimated to be slower
// than what was simulated.
TEST_CASE("of a toy that hardly fits no cut of grid is quicker") {
  const Cluster cluster = slow_cluster(2, true);
  for (const auto& [seed, memory_bytes] :
       {std::pair{41009, 15000.0}, {41009, 15200.0}, {41066, 8000.0}, {41066, 7500.0}}) {
    CAPTURE(seed, memory_bytes);
    const Program step =
        ir::training_step(models::random_forward(static_cast<std::uint64_t>(seed), 24, 3), {});
    Toy toy(plugins(), step, cluster);
    const Answer grid = toy.run("search/grid", {}, memory_bytes),
                 found = toy.run("search/rhino", {}, memory_bytes);
    REQUIRE(grid.ok());
    REQUIRE(found.ok());
    CHECK(found.step_s <= grid.step_s * (1 + 1e-9));
  }
}

// The program of round 41051 of search_race. What is expected to fit into 4550 bytes and to be the
// quickest needs more; the best of what is left was 3.5 % slower than what fits into 4400.
TEST_CASE("of a toy what misleads about its room leads to what less room would have led to") {
  const std::map<std::string, OptionValue> quick{{"level", std::int64_t{2}}};
  const Program step = ir::training_step(models::random_forward(41051, 24, 7), {});
  const Cluster cluster = slow_cluster(8, true);
  Toy toy(plugins(), step, cluster);
  const Answer less = toy.run("search/rhino", quick, 4400),
               found = toy.run("search/rhino", quick, 4550);
  REQUIRE(less.ok());
  REQUIRE(found.ok());
  CAPTURE(less.strategy.name, found.strategy.name);
  CHECK(found.peak_bytes <= 4550);
  CHECK(found.step_s <= less.step_s * (1 + 1e-9));
}

// Seed 2015 of drawn_cases: latencies are most of it, the quickest cut of each mesh is whole over
// it and has no room, and the samples alone over one of two axes have it. Data parallelism was 10 %
// slower.
TEST_CASE("of a mesh whose quickest cut has no room samples alone over an axis are looked at") {
  Cluster cluster = slow_cluster(6, false);
  cluster.models.front().memory_bytes_per_s = 2e12;
  cluster.models.front().kernel_latency_s = 3e-6;
  cluster.models.front().peak_flops = {{DType::f32, 2e13}};
  cluster.intra_host = {2e11, 1.2e-5};
  const Program step = ir::training_step(models::vgg_forward(models::vgg_preset("tiny"), 6), {});
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1};
  constexpr std::int64_t kOne = 1, kTwo = 2, kThree = 3;
  const std::map<std::string, OptionValue> quick{{"level", kTwo}, {"stages", kOne}};
  const double memory_bytes =
      1.01 * toy.run("search/grid", {{"data", kTwo}, {"tensor", kThree}}, 1e12).peak_bytes;
  const Answer whole = toy.run("search/rhino", quick, 1e12);
  REQUIRE(whole.peak_bytes > memory_bytes);
  const Answer grid = toy.run("search/grid", {{"stage", kOne}}, memory_bytes),
               found = toy.run("search/rhino", quick, memory_bytes);
  REQUIRE(grid.ok());
  REQUIRE(found.ok());
  CAPTURE(grid.strategy.name, found.strategy.name);
  CHECK(found.step_s <= grid.step_s * 1.01);
}

// What is estimated to fit is held against the device that has the most, and simulation holds each
// against its own.
TEST_CASE("where devices have unlike memory a search finds what fits into all of them") {
  const Program step = gpt({.num_layers = 3});
  Cluster cluster = slow_cluster(2, true);
  const double bytes = Toy(plugins(), step, cluster).run("search/grid", {}, 1e12).peak_bytes;
  cluster.models.push_back(cluster.models.front());
  cluster.models.back().memory_bytes = 0.7 * bytes;
  cluster.model_of = {1, 0};
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1};
  const Answer found = toy.run("search/rhino", {{"level", std::int64_t{2}}}, 1e12);
  INFO(found.reason);
  REQUIRE(found.ok());
  CHECK(found.peak_bytes <= 0.7 * bytes);
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

// With what the first attempt simulates the others had nothing left, and ended at 0.0793 s.
TEST_CASE("what is chosen anew for less room is simulated, however few may be") {
  const Program step = gpt({});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1, 2};
  constexpr double kBytes = 126566;  // 0.6 of what data parallelism needs
  const Answer found = toy.run(
      "search/rhino",
      {{"evaluations", std::int64_t{1}}, {"level", std::int64_t{2}}, {"unequal", false}}, kBytes);
  CAPTURE(found.strategy.name, found.reason);
  REQUIRE(found.ok());
  CHECK(found.step_s < 0.079);
}

}  // namespace rhino::test
