// SPDX-License-Identifier: Apache-2.0
// Pipelines of abstract stages on emulated devices, against their simulation.
#include <catch2/catch.hpp>
#include <map>
#include <set>

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

/// Chunks of micro-batches between F and last pass at most, of passes in their order.
std::int64_t most_kept(const std::vector<std::pair<std::int32_t, std::int32_t>>& passes) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> last;
  for (std::size_t i = 0; i < passes.size(); ++i) last[passes[i]] = i;
  std::set<std::pair<std::int32_t, std::int32_t>> kept;
  std::size_t most = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    kept.insert(passes[i]);
    most = std::max(most, kept.size());
    if (last[passes[i]] == i) kept.erase(passes[i]);
  }
  return static_cast<std::int64_t>(most);
}

/// (chunk, micro-batch) of what a device ran, in that order.
std::vector<std::pair<std::int32_t, std::int32_t>> passes_of(const plan::ExecutionPlan& plan,
                                                             const plan::DeviceTrace& device) {
  std::vector<std::pair<double, std::pair<std::int32_t, std::int32_t>>> timed;
  for (const plan::TraceEvent& event : device.events) {
    const plan::Instruction& run = plan.roles[at(device.role)].instructions[at(event.instruction)];
    if (run.kind == plan::InstructionKind::run && run.instance >= 0)
      timed.push_back({event.begin_s, {run.chunk, run.instance}});
  }
  std::ranges::stable_sort(timed, {}, [](const auto& run) { return run.first; });
  std::vector<std::pair<std::int32_t, std::int32_t>> passes;
  for (const auto& [begin_s, pass] : timed) passes.push_back(pass);
  return passes;
}

/// The same as the schedule lists them, per device.
std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> listed(const config::CellSpec& cell,
                                                                       const Cluster& cluster) {
  const auto schedule = plugin::make_schedule(
      plugin::Registry({RHINO_TEST_PLUGINS}).find(cell.schedule.id), Options());
  const PipelineProblem problem = planning::pipeline_problem(
      *cell.pipeline, schedule->placement(static_cast<int>(cell.pipeline->num_stages)), cluster);
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> lists;
  for (const std::vector<Action>& order : schedule->schedule(problem).order) {
    auto& list = lists.emplace_back();
    for (const Action& action : order) {
      list.push_back({action.chunk, action.micro_batch});
      if (action.kind == ActionKind::forward_backward)
        list.push_back({action.other_chunk, action.other_micro_batch});
    }
  }
  return lists;
}

/// Pipelines of so many stages and micro-batches, stages of unlike times.
void check_order(const std::string& schedule, bool is_blocking, std::int64_t num_stages,
                 std::int64_t num_micro_batches) {
  CAPTURE(schedule, is_blocking, num_stages, num_micro_batches);
  config::CellSpec cell;
  cell.schedule.id = "schedule/" + schedule;
  cell.schedule.blocking.transfers = is_blocking;
  cell.device = "emulated";
  std::string forward_s = "0.02", weight_s = "0.02";
  for (std::int64_t stage = 1; stage < num_stages; ++stage) {
    forward_s += stage % 4 == 1 ? ", 0.03" : stage % 4 == 2 ? ", 0.025" : ", 0.02";
    weight_s += stage % 4 == 1 ? ", 0.03" : ", 0.02";
  }
  cell.pipeline = config::read_pipelines(config::YamlReader::text(
      "{stages: " + std::to_string(num_stages) +
          ", micro_batches: " + std::to_string(num_micro_batches) + ", forward_s: [" + forward_s +
          "], backward_s: 0.025, weight_s: [" + weight_s + "], transfer_bytes: 40000}",
      "x.yaml"))[0];
  const cost::CostModel cost(planning::pipeline_cluster(
      *cell.pipeline, topology::discover_local(static_cast<std::int32_t>(num_stages))));
  const planning::PlannedCell planned =
      planning::plan_pipeline(cell, cost, plugin::Registry({RHINO_TEST_PLUGINS}), {});
  REQUIRE(planned.message == "");
  const auto lists = listed(cell, cost.cluster());
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
    for (std::size_t d = 0; d < measured.devices.size(); ++d) {
      const plan::DeviceTrace& device = measured.devices[d];
      CHECK(most_kept(passes_of(planned.plan, device)) == most_kept(lists[at(device.device)]));
      CHECK(measured.devices[d].compute_s >= simulated.devices[d].compute_s * (1 - 1e-9));
    }
    swapped =
        num_swapped(marks_of(planned.plan, simulated), marks_of(planned.plan, measured), kApart_s);
  }
  CHECK(swapped == 0);
}

/// All that are shipped but those that a file says.
std::vector<std::string> all_schedules() {
  std::vector<std::string> names;
  const plugin::Registry registry({RHINO_TEST_PLUGINS});
  for (const plugin::PluginInfo& info : registry.plugins()) {
    if (info.id.starts_with("schedule/") && info.id != "schedule/csv")
      names.push_back(info.id.substr(info.id.find('/') + 1));
  }
  return names;
}

}  // namespace

TEST_CASE("on emulated devices transfers start and end between the passes that simulation says") {
  for (const std::string& schedule : all_schedules()) {
    const bool is_deep = schedule == "1f1b" || schedule == "zb_h1" || schedule == "zero_bubble";
    check_order(schedule, false, is_deep ? 4 : 2, 4);
  }
  check_order("1f1b", true, 4, 4);
}

TEST_CASE("so they do with more stages, whatever the schedule", "[.long]") {
  for (const std::string& schedule : all_schedules()) {
    for (const bool is_blocking : {false, true}) {
      check_order(schedule, is_blocking, 4, 8);
      check_order(schedule, is_blocking, 6, 12);
    }
  }
}

}  // namespace rhino
