// SPDX-License-Identifier: Apache-2.0
// What search/rhino finds, and what without some of its ways.
#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "searching.hpp"

namespace rhino::test {
namespace {

const plugin::Registry& plugins() {
  static const plugin::Registry kPlugins({RHINO_TEST_PLUGINS});
  return kPlugins;
}

Program gpt(std::int64_t num_layers, std::int64_t hidden, std::int64_t sequence,
            std::int64_t batch) {
  return ir::training_step(models::gpt_forward({.preset = "toy",
                                                .num_layers = num_layers,
                                                .hidden = hidden,
                                                .num_heads = 4,
                                                .vocabulary = 64,
                                                .sequence = sequence},
                                               batch),
                           {});
}

}  // namespace

TEST_CASE("less is found where cuts are left out") {
  const Program step = ir::training_step(models::branching_forward(12, 24, 1), {});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  const std::map<std::string, OptionValue> quick{{"level", std::int64_t{2}}};
  const Answer all = toy.run("search/rhino", quick, 1e12);
  REQUIRE(all.reason.empty());
  for (const char* option : {"strided", "joint_axes", "zero"}) {
    CAPTURE(option);
    auto less = quick;
    less[option] = false;
    const Answer found = toy.run("search/rhino", less, 1e12);
    REQUIRE(found.reason.empty());
    CHECK(found.step_s >= 0.99 * all.step_s);
  }
}

TEST_CASE("strategies of a gpt and of branches compute what one device does") {
  const std::int32_t num_devices = GENERATE(4, 6);
  const bool is_gpt = GENERATE(false, true);
  CAPTURE(num_devices, is_gpt);
  const Program step =
      is_gpt ? gpt(1, 24, 12, 12) : ir::training_step(models::branching_forward(12, 24, 1), {});
  const Cluster cluster = slow_cluster(num_devices, true);
  Toy toy(plugins(), step, cluster);
  const Answer found = toy.run("search/rhino", {}, 1e12);
  REQUIRE(found.reason.empty());
  INFO(found.strategy.name);
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

}  // namespace rhino::test
