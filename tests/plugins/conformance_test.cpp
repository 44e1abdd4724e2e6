// SPDX-License-Identifier: Apache-2.0
// Every plugin of the build over the grids of core/conformance: a new one is covered as it stands.
#include "conformance/conformance.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "conformance/deliveries.hpp"
#include "conformance/pipelines.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using Catch::Matchers::Contains;

namespace {

const plugin::Registry& plugins() {
  static const plugin::Registry kPlugins({RHINO_TEST_PLUGINS});
  return kPlugins;
}

conformance::ConformanceReport check_faulty(const std::string& fault, double deadline_s = 20) {
  const plugin::Registry faulty({RHINO_TEST_FAULTY_PLUGINS});
  return conformance::check_plugin(faulty.find("resharding/" + fault), plugins(), {}, deadline_s);
}

/// A tensor of four elements, whole on device 0, to be halved over devices 1 and 2.
ReshardProblem halving() {
  ReshardProblem problem;
  problem.cluster.host_of = {0, 0, 0};
  problem.tensors.push_back({{DType::f32, {4}},
                             {{{"x", 1}}, {0}},
                             {{{}}, {}},
                             {{{{{"x", 2}}, {1, 2}}, {{{{{0, 4}}}}, {}}}}});
  return problem;
}

TransferOp copy(DeviceId from, DeviceId to, std::int64_t start, std::int64_t size) {
  return {0, Copy{from, to, {{start}, {size}}}, {}};
}

PipelineProblem two_stages() {
  PipelineProblem problem;
  problem.chunks = {{.mesh = 0}, {.mesh = 1}};
  problem.edges = {{{Pass::forward, 0}, {Pass::forward, 1}},
                   {{Pass::backward, 1}, {Pass::backward, 0}}};
  problem.num_meshes = 2;
  return problem;
}

Action forward(std::int32_t chunk) { return {ActionKind::forward, chunk, 0}; }
Action backward(std::int32_t chunk) { return {ActionKind::backward_weight, chunk, 0}; }

}  // namespace

/// Options without which a plugin has no answer - a file for schedule/csv, 1F1B of two ranks -, or
/// takes minutes for one: searchers are raced with all of their work elsewhere.
Options conformance_options(const plugin::PluginInfo& info) {
  if (info.id == "search/rhino" || info.id == "search/exhaustive")
    return Options({{"evaluations", std::int64_t{4}}});
  if (info.id != "schedule/csv") return {};
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("rhino_conformance_" + std::to_string(getpid()) + ".csv"))
                               .string();
  std::ofstream(path) << "0F0,0F1,0B0,0F2,0B1,0B2\n1F0,1B0,1F1,1B1,1F2,1B2\n";
  return Options({{"file", path}});
}

TEST_CASE("every registered plugin conforms") {
  REQUIRE_FALSE(plugins().plugins().empty());
  for (const plugin::PluginInfo& info : plugins().plugins()) {
    INFO(info.id);
    const Options options = conformance_options(info);
    const conformance::ConformanceReport report =
        conformance::check_plugin(info, plugins(), options);
    if (options.values().contains("file"))
      std::filesystem::remove(std::get<std::string>(options.values().at("file")));
    CHECK(report.num_problems > 0);
    CHECK(report.faults == std::vector<std::string>{});
  }
}

TEST_CASE("no two schedules are the same of 4 stages and 12 micro-batches") {
  std::map<std::pair<std::vector<std::int32_t>, std::string>, std::string> known;
  for (const plugin::PluginInfo& info : plugins().plugins()) {
    if (!info.id.starts_with("schedule/") || info.id == "schedule/csv") continue;
    const auto schedule = plugin::make_schedule(info, {});
    const Placement placement = schedule->placement(4);
    PipelineProblem problem = conformance::pipeline_problem(placement, 4, 12);
    for (ChunkCost& chunk : problem.chunks)
      std::tie(chunk.forward_s, chunk.backward_s, chunk.weight_s, chunk.backward_weight_s) =
          std::tuple(1, 1, 1, 2);
    for (PipelineEdge& edge : problem.edges) edge.seconds = 0;
    std::string text;
    for (const std::vector<Action>& order : schedule->schedule(problem).order) {
      for (const Action& action : order)
        text += std::to_string(static_cast<int>(action.kind)) + "," + std::to_string(action.chunk) +
                "," + std::to_string(action.micro_batch) + " ";
    }
    const auto [same, is_new] = known.insert({{placement.mesh_of_chunk, text}, info.id});
    INFO(info.id << " orders as " << same->second << " does");
    // auto begins where zero_bubble ends, and these stages leave it nothing to change.
    const bool is_said = info.id == "schedule/zero_bubble" && same->second == "schedule/auto";
    CHECK((is_new || is_said));
  }
}

TEST_CASE("a schedule that refuses every pipeline does not conform, though it places chunks") {
  class Refuses : public Schedule {
    Placement placement(int num_meshes) override {
      Placement placement;
      for (std::int32_t mesh = 0; mesh < num_meshes; ++mesh)
        placement.mesh_of_chunk.push_back(mesh);
      return placement;
    }
    PipelineSchedule schedule(const PipelineProblem&) override { throw Error("not today"); }
  } refuses;
  const conformance::ConformanceReport report =
      conformance::check_schedule(refuses, [](const std::string&) {});
  REQUIRE_FALSE(report.ok());
  CHECK_THAT(report.faults.front(), Contains("every problem is refused") && Contains("not today"));
}

TEST_CASE("a plugin that misbehaves is found out, with the problem") {
  CHECK_THAT(check_faulty("misses_elements").faults.front(),
             Contains("problem 0 (") && Contains("never reaches device"));
  CHECK_THAT(check_faulty("throws_error").faults.front(),
             Contains("every problem is refused") && Contains("the mesh is too round"));
  CHECK_THAT(check_faulty("segfaults").faults.front(),
             Contains("problem 0 (") && Contains("signal 11"));
  CHECK_THAT(check_faulty("loops", 1).faults.front(),
             Contains("problem 0 (") && Contains("did not end within 1 s"));
  CHECK_THAT(check_faulty("writes_to_stdout").faults.front(), Contains("standard output"));
}

TEST_CASE("a formula that says no time is a fault of a schedule") {
  const plugin::Registry faulty({RHINO_TEST_FAULTY_PLUGINS});
  const auto check = [&](double above, double below) {
    const Options options({{"above", above}, {"below", below}});
    return conformance::check_plugin(faulty.find("schedule/boundless"), plugins(), options).faults;
  };
  CHECK_THAT(check(1, 0).front(), Contains("its formula of the bubble says inf s"));
  CHECK_THAT(check(0, 0).front(), Contains("its formula of the bubble says -nan s") ||
                                      Contains("its formula of the bubble says nan s"));
  CHECK_THAT(check(-1, 1).front(), Contains("its formula of the bubble says -1.000000 s"));
}

TEST_CASE("a library of another ABI is refused before its code runs") {
  CHECK_THAT(check_faulty("foreign").faults.front(), Contains("was built against other headers"));
}

TEST_CASE("a transfer plan must bring every element once from a device that holds it") {
  const ReshardProblem problem = halving();
  const auto fault = [&](std::vector<TransferOp> ops) {
    return conformance::delivery_fault(problem, {std::move(ops)});
  };
  CHECK(fault({copy(0, 1, 0, 2), copy(0, 2, 2, 2)}) == "");
  CHECK_THAT(fault({copy(0, 1, 0, 2), copy(0, 2, 2, 1)}), Contains("element 3 of tensor 0 never"));
  CHECK_THAT(fault({copy(0, 1, 0, 2), copy(0, 1, 1, 1)}), Contains("to device 1 once more"));
  CHECK_THAT(fault({copy(0, 1, 0, 3)}), Contains("to device 1, whose tile lacks it"));
  CHECK_THAT(fault({copy(1, 2, 2, 2)}), Contains("from device 1, which does not hold it"));
  CHECK_THAT(fault({copy(0, 3, 0, 2)}), Contains("device 3, which is on neither side"));
  CHECK_THAT(fault({copy(0, 1, 3, 2)}), Contains("no part of its tensor"));
}

TEST_CASE("what was received may be passed on by what comes after it") {
  ReshardProblem problem = halving();
  problem.tensors[0].targets[0].spec = {{{}}, {}};  // whole on both
  const auto fault = [&](std::vector<std::int32_t> after) {
    TransferOp relay = copy(1, 2, 0, 4);
    relay.after = std::move(after);
    return conformance::delivery_fault(problem, {{copy(0, 1, 0, 4), relay}});
  };
  CHECK(fault({0}) == "");
  CHECK_THAT(fault({}), Contains("does not hold it by then"));
  CHECK(conformance::delivery_fault(problem, {{{0, Multicast{0, {1, 2}, {{0}, {4}}, 2}, {}}}}) ==
        "");
}

TEST_CASE("a schedule must run everything once and never wait in a circle") {
  const PipelineProblem problem = two_stages();
  const auto fault = [&](std::vector<Action> first, std::vector<Action> second) {
    return conformance::schedule_fault(problem, {{std::move(first), std::move(second)}});
  };
  CHECK(fault({forward(0), backward(0)}, {forward(1), backward(1)}) == "");
  CHECK_THAT(fault({backward(0), forward(0)}, {forward(1), backward(1)}),
             Contains("before its forward"));
  CHECK_THAT(fault({forward(0)}, {forward(1), backward(1)}), Contains("lacks backward of chunk 0"));
  CHECK_THAT(fault({forward(0), forward(0), backward(0)}, {forward(1), backward(1)}),
             Contains("forward of chunk 0, micro-batch 0 twice"));
  CHECK_THAT(fault({forward(1)}, {}), Contains("on another mesh than its own"));
  const auto half = [](ActionKind kind) { return Action{kind, 0, 0}; };
  CHECK(fault({forward(0), half(ActionKind::backward), half(ActionKind::weight)},
              {forward(1), backward(1)}) == "");
  CHECK_THAT(fault({forward(0), half(ActionKind::backward)}, {forward(1), backward(1)}),
             Contains("lacks weight of chunk 0"));
  CHECK(conformance::placement_fault({{0, 1}, 1}, 2) == "");
  CHECK(conformance::placement_fault({{0, 1, 1, 0}, 2}, 2) == "");
  CHECK_THAT(conformance::placement_fault({{0, 1, 1}, 2}, 2),
             Contains("places 3 chunks in 2 replicas"));
  CHECK_THAT(conformance::placement_fault({{0, 0}, 1}, 2), Contains("no chunk on mesh 1"));
}
