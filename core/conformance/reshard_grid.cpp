// SPDX-License-Identifier: Apache-2.0
#include "conformance/conformance.hpp"
#include "conformance/deliveries.hpp"
#include "conformance/grid.hpp"
#include "conformance/random_reshard.hpp"

namespace rhino::conformance {
namespace {

constexpr int kNumProblems = 400;
const RandomReshard kLimits{.devices_per_host = {1, 8}, .tensors = {1, 3}, .extent = {1, 24}};

}  // namespace

ConformanceReport check_resharding(Resharding& plugin, const OnProblem& on_problem) {
  Grid grid(on_problem);
  for (std::uint32_t seed = 0; seed < kNumProblems; ++seed) {
    std::mt19937 random(seed);
    const ReshardProblem problem = random_reshard(kLimits, random);
    grid.put(
        "problem " + std::to_string(seed) + " (" + describe(problem) + ")",
        [&] { return plugin.plan(problem); },
        [&](const TransferPlan& plan) { return delivery_fault(problem, plan); });
  }
  return grid.take();
}

}  // namespace rhino::conformance
