// SPDX-License-Identifier: Apache-2.0
// How near the room that choices get comes to the memory that there is.
#include "common/memory_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "common/cutting.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

using common::Configuration;
using common::Cutting;
using common::MemoryFit;
using common::Recompute;

/// With as much memory, the least step of all that fit; infinite: none does.
double best_of(Toy& toy, const Configuration& configuration, double memory_bytes, int most_anew) {
  double best_s = std::numeric_limits<double>::infinity();
  toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {});
    const common::CutChoice choice = cutting.choice(configuration, Cutting::first_look);
    std::vector<MemoryFit::Found> found;
    MemoryFit(problem, strategies, choice, common::choice::kLight, common::choice::kQuick,
              {.most_solved = 4, .most_anew = most_anew}, cutting.solutions())
        .run(found);
    for (const MemoryFit::Found& one : found) {
      CHECK(one.estimate == strategies.estimate(one.strategy));
      if (one.estimate.peak_bytes <= memory_bytes) best_s = std::min(best_s, one.estimate.step_s);
    }
  });
  return best_s;
}

}  // namespace

// Tables and estimates count bytes otherwise: a room that the cheapest cut alone tells, which needs
// far too much, leaves memory unused.
TEST_CASE("once a cut fits another guess of its room may find a quicker one, and none is lost") {
  const Program step = ir::training_step(models::gpt_forward({.preset = "toy",
                                                              .num_layers = 2,
                                                              .hidden = 64,
                                                              .num_heads = 4,
                                                              .vocabulary = 128,
                                                              .sequence = 32},
                                                             16),
                                         {});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  int num_fitting = 0, num_quicker = 0;
  for (const Configuration& configuration : {Configuration{2, {2}, 8}, {1, {2, 2}, 8}}) {
    double most_bytes = 0;
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      Cutting cutting(problem, strategies, {});
      most_bytes =
          strategies.estimate(cutting.cheapest(configuration, Cutting::first_look).strategy)
              .peak_bytes;
    });
    for (double share = 0.98; share > 0.7; share -= 0.03) {
      CAPTURE(configuration.name(), share);
      const double once_s = best_of(toy, configuration, share * most_bytes, 0),
                   anew_s = best_of(toy, configuration, share * most_bytes, 2);
      CHECK(anew_s <= once_s);
      num_fitting += anew_s < 1e9 ? 1 : 0;
      num_quicker += anew_s < once_s ? 1 : 0;
    }
  }
  CAPTURE(num_fitting, num_quicker);
  CHECK(num_fitting > 8);
  CHECK(num_quicker > 3);
}

}  // namespace rhino::test
