// SPDX-License-Identifier: Apache-2.0
// Whole plugins in the simulator, against what the strategies take by hand (AlpaComm, section 3).
#include <catch2/catch.hpp>

#include "common/arrangement.hpp"
#include "common/crossings.hpp"
#include "cost/reshard_bound.hpp"
#include "plan/single_communication.hpp"
#include "plan/validate.hpp"
#include "plugin/registry.hpp"
#include "reshard_cases.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;
using namespace rhino::common;

namespace {

using Values = std::map<std::string, OptionValue>;

const plugin::Registry& plugins() {
  static const plugin::Registry kPlugins({RHINO_TEST_PLUGINS});
  return kPlugins;
}

double simulated_s(const ReshardProblem& problem, const std::string& name, Values values = {}) {
  const Options options(std::move(values));
  const auto plugin = plugin::make_resharding(plugins().find("resharding/" + name), options);
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, plugin->plan(problem));
  plan::validate(plan);
  return simulate::simulate(plan, cost::CostModel(problem.cluster), {.keep_events = false})
      .makespan_s;
}

/// Whether a dim is cut evenly or into contiguous parts alone, as execution wants it.
bool can_run(std::int64_t extent, const DimSharding& sharding, const Mesh& mesh) {
  bool divides = true, contiguous = true;
  for (const AxisSplit& split : sharding.splits) {
    const std::int64_t size = mesh.axes[static_cast<std::size_t>(split.axis)].size;
    divides = divides && extent % split.period == 0 && split.period % size == 0;
    contiguous = contiguous && split.period == extent;
    extent = (split.period + size - 1) / size;
  }
  return divides || contiguous;
}

bool can_run(const ReshardProblem& problem) {
  for (const ReshardTensor& tensor : problem.tensors) {
    for (std::size_t d = 0; d < tensor.shape.dims.size(); ++d) {
      const std::int64_t extent = tensor.shape.dims[d];
      if (!can_run(extent, tensor.source_spec.dims[d], tensor.source_mesh)) return false;
      for (const ReshardTarget& target : tensor.targets)
        if (!can_run(extent, target.spec.dims[d], target.mesh)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("a broadcast takes in the simulator what the model of interfaces says") {
  for (const NamedProblem& one : many_to_many_cases()) {
    INFO(one.name);
    const std::vector<HostTask> tasks = crossings(one.problem).tasks;
    for (const char* order : {"naive", "load_balance", "ensemble"}) {
      INFO(order);
      const HostSchedule schedule = arrange(tasks, {.order = order_named(order)});
      const double model_s = static_cast<double>(makespan(tasks, schedule)) / 1.25e9;
      const double serial_s =
          simulated_s(one.problem, "broadcast", {{"order", std::string(order)}});
      CHECK(serial_s >= model_s);
      CHECK(serial_s <= 1.02 * model_s);
    }
  }
}

TEST_CASE("one sender takes by each strategy what its formula says") {
  const std::int64_t bytes = 1 << 30;
  const double slice_s = static_cast<double>(bytes) / 1.25e9;
  const std::vector<std::pair<double, double>> sizes = {{1, 1}, {1, 2}, {1, 3}, {1, 4},
                                                        {2, 2}, {3, 2}, {4, 2}};
  const std::vector<NamedProblem> cases = one_to_many_cases(bytes);
  REQUIRE(cases.size() == sizes.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].name);
    const auto [hosts, per_host] = sizes[i];
    const double receivers = hosts * per_host;
    const auto slices = [&](const std::string& name, Values values = {}) {
      return simulated_s(cases[i].problem, name, std::move(values)) / slice_s;
    };
    CHECK(slices("send_recv") == Approx(receivers).epsilon(.001));
    CHECK(slices("local_allgather", {{"fallback", std::string("none")}}) ==
          Approx(hosts).epsilon(.01));
    const bool falls_back = hosts > 1 || per_host == 3;
    CHECK(slices("local_allgather") == Approx(falls_back ? receivers : 1).epsilon(.01));
    const double ring = hosts > 1 ? (receivers - 1) / receivers : 0;  // over the network
    CHECK(slices("global_allgather") == Approx(1 + ring).epsilon(.01));
    CHECK(slices("broadcast") == Approx(1).epsilon(.015));
  }
}

TEST_CASE("no plugin is faster in the simulator than the bound") {
  int num_run = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const ReshardProblem problem = conformance::random_reshard({.extent = {1, 40}}, random);
    INFO(conformance::describe(problem));
    if (!can_run(problem)) continue;
    ++num_run;
    const double bound_s = cost::reshard_bound(problem).seconds;
    for (const plugin::PluginInfo& info : plugins().plugins()) {
      const std::string kind = "resharding/";
      if (info.id.rfind(kind, 0) != 0 || info.id == "resharding/signal") continue;
      INFO(info.id);
      CHECK(simulated_s(problem, info.id.substr(kind.size())) >= bound_s * (1 - 1e-9));
    }
  }
  CHECK(num_run > 120);
}
