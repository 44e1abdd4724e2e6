// SPDX-License-Identifier: Apache-2.0
// Pipelines of abstract stages on emulated devices, against their simulation.
#include <catch2/catch.hpp>
#include <map>

#include "planning/pipeline_plan.hpp"
#include "planning/pipeline_stages.hpp"
#include "rhino/index.hpp"
#include "session_fixture.hpp"
#include "simulate/simulate.hpp"
#include "topology/discover.hpp"

namespace rhino {
namespace {

/// Transfers and passes of a step, each at its beginning and its end, in seconds; by device.
struct Mark {
  bool is_transfer = false;
  double seconds = 0;
};
using Marks = std::map<std::int32_t, std::vector<Mark>>;

Marks marks_of(const plan::ExecutionPlan& plan, const plan::StepTrace& trace) {
  Marks marks;
  double first_s = trace.devices.front().events.front().begin_s;
  for (const plan::DeviceTrace& device : trace.devices)
    first_s = std::min(first_s, device.events.front().begin_s);
  for (const plan::DeviceTrace& device : trace.devices) {
    for (const plan::TraceEvent& event : device.events) {
      const auto kind = plan.roles[at(device.role)].instructions[at(event.instruction)].kind;
      marks[device.device].push_back({kind != plan::InstructionKind::run, event.begin_s - first_s});
      marks[device.device].push_back({kind != plan::InstructionKind::run, event.end_s - first_s});
    }
  }
  return marks;
}

/// Pairs of a transfer's mark and a pass's, on any two devices, that are far apart in the
/// simulation and the other way round in the step that ran.
std::int64_t num_swapped(const Marks& simulated, const Marks& measured, double apart_s) {
  std::int64_t count = 0;
  for (const auto& [a, transfers] : simulated) {
    for (const auto& [b, passes] : simulated) {
      for (std::size_t t = 0; t < transfers.size(); ++t) {
        for (std::size_t p = 0; p < passes.size(); ++p) {
          if (!transfers[t].is_transfer || passes[p].is_transfer) continue;
          const double gap_s = passes[p].seconds - transfers[t].seconds;
          const double real_s = measured.at(b)[p].seconds - measured.at(a)[t].seconds;
          count += std::abs(gap_s) >= apart_s && (gap_s > 0) != (real_s > 0) ? 1 : 0;
        }
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("on emulated devices transfers start and end between the passes that simulation says") {
  const auto [schedule, is_blocking] =
      GENERATE(std::pair("1f1b", false), std::pair("1f1b", true), std::pair("zb_h1", false),
               std::pair("auto", false));
  CAPTURE(schedule, is_blocking);
  config::CellSpec cell;
  cell.schedule.id = std::string("schedule/") + schedule;
  cell.schedule.is_blocking = is_blocking;
  cell.device = "emulated";
  cell.pipeline = config::read_pipelines(config::YamlReader::text(
      "{stages: 4, micro_batches: 4, forward_s: [0.02, 0.03, 0.025, 0.02], backward_s: 0.025, "
      "weight_s: [0.02, 0.03, 0.02, 0.02], transfer_bytes: 40000}",
      "x.yaml"))[0];
  const cost::CostModel cost(
      planning::pipeline_cluster(*cell.pipeline, topology::discover_local(4)));
  const planning::PlannedCell planned =
      planning::plan_pipeline(cell, cost, plugin::Registry({RHINO_TEST_PLUGINS}), {});
  REQUIRE(planned.message == "");
  const plan::StepTrace simulated = simulate::simulate(planned.plan, cost);
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.device = "emulated";
  const auto session = runtime::start_session(planned.plan, options);
  session->run_steps(1, false);
  // Where the machine holds workers up for longer than that, they get another chance.
  constexpr double kApart_s = 0.012;
  std::int64_t swapped = -1;
  for (int attempt = 0; attempt < 5 && swapped != 0; ++attempt) {
    const plan::StepTrace measured = session->run_steps(1, true);
    for (std::size_t d = 0; d < measured.devices.size(); ++d)
      CHECK(measured.devices[d].compute_s >= simulated.devices[d].compute_s * (1 - 1e-9));
    swapped =
        num_swapped(marks_of(planned.plan, simulated), marks_of(planned.plan, measured), kApart_s);
  }
  CHECK(swapped == 0);
}

}  // namespace rhino
