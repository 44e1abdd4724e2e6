// SPDX-License-Identifier: Apache-2.0
#include "measure/communication_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "calibrate/network.hpp"
#include "measure/chrome_trace.hpp"
#include "measure/reference_run.hpp"
#include "measure/statistics.hpp"
#include "plan/plan_file.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"
#include "topology/discover.hpp"

namespace rhino::measure {
namespace {

/// A repetition of a small collective lasts about this long.
constexpr double kRepetition_s = 0.02;
constexpr int kMostSteps = 1000;

/// The cluster as fast as it ever was: what a bound may rely on.
Cluster at_peak(Cluster cluster, const cost::Calibration& calibration) {
  cluster.intra_host.bytes_per_s =
      std::max({calibration.intra_host.bytes_per_s, calibration.peak_link_bytes_per_s,
                calibration.copy_bytes_per_s});
  cluster.intra_host.latency_s = 0;
  if (cluster.is_emulated())
    cluster.inter_host = {topology::goodput_bytes_per_s(cluster.emulated), 0,
                          cluster.emulated.burst_bytes};
  return cluster;
}

}  // namespace

CommunicationRun::CommunicationRun(RunContext& context, const config::CellSpec& cell,
                                   const std::string& label)
    : context_(context), cell_(cell) {
  record_.run_id = std::filesystem::path(context.folder.path()).filename();
  record_.cell_id = config::cell_id(cell);
  record_.label = label;
  record_.case_index = cell.case_index;
  record_.baseline_of = cell.baselines;
  record_.independent = {{"topology", config::to_string(cell.topology)},
                         {"backend", cell.backend},
                         {"device", cell.device}};
  if (cell.reshard) {
    record_.communication.kind = "reshard";
    record_.independent["reshard"] = config::to_string(*cell.reshard);
    record_.independent["name"] = cell.reshard->name;
    record_.independent["resharding"] = config::to_string(cell.resharding);
    record_.independent["dtype"] = dtype_name(cell.reshard->tensors.front().shape.dtype);
  } else {
    record_.communication.kind = "collective";
    record_.independent["collective"] = cell.collective->kind;
    record_.independent["dtype"] = dtype_name(cell.collective->dtype);
  }
  record_.seed = context.experiment.seed;
  record_.check_kind = "none";
  simulated_ = cell.backend == "simulate";
}

CommunicationRun::~CommunicationRun() = default;

void CommunicationRun::fail(const std::string& message) {
  if (record_.status == store::Status::ok) record_.status = store::Status::failed;
  record_.message = message;
  session_.reset();
}

bool CommunicationRun::prepare() {
  try {
    return plan() && (simulated_ || reuse() || start());
  } catch (const Error& error) {
    fail(error.what());
    return false;
  }
}

bool CommunicationRun::plan() {
  if (cell_.backend == "nccl") throw Error("backend nccl: this build has no CUDA devices");
  cluster_ = planning::resolve_topology(cell_.topology, context_.folders);
  const std::int32_t cores = topology::discover_machine().num_cores;
  const bool local = cell_.topology.id == "local";
  calibration_ = context_.calibrate(cell_, cluster_, record_);
  problem_ = planning::communication_problem(cell_, cluster_);
  context_.progress("planning " + record_.label);
  plugin::ChildLimits limits = planning::planning_limits(context_.experiment);
  limits.is_interrupted = context_.is_interrupted;
  planned_ = context_.plan_file.empty()
                 ? planning::plan_communication(cell_, problem_, context_.registry, limits)
                 : planning::planned_from_file(context_.plan_file);
  record_.search_s = planned_.search_s;
  record_.status = planned_.status;
  record_.message = planned_.message;
  if (planned_.status != store::Status::ok) return false;
  for (const plan::Role& role : planned_.plan.roles)
    record_.num_devices += std::ssize(role.mesh.devices);
  // Workers that wait for an emulated network leave their core to others.
  record_.oversubscribed = !simulated_ && local && record_.num_devices > cores;
  describe();
  predict(cost::CostModel(cluster_, calibration_));
  return true;
}

void CommunicationRun::describe() {
  for (const plan::Role& role : planned_.plan.roles) {
    record_.predicted_peak_bytes =
        std::max(record_.predicted_peak_bytes, static_cast<double>(role.arena_bytes));
  }
  record_.environment = run_environment(
      worker_setup(context_, cell_, static_cast<std::int32_t>(record_.num_devices)));
  record_.artifacts["plan"] =
      context_.folder.write("plans/" + record_.cell_id + ".json", plan::encode(planned_.plan));
  store::CommunicationFigures& figures = record_.communication;
  figures.bytes = problem_.bytes;
  figures.bytes_between_hosts = plan::bytes_between_hosts(planned_.plan);
  figures.num_messages = std::ssize(planned_.plan.communications.front().steps);
  planning::CommunicationProblem bounded = problem_;
  if (calibration_ != nullptr) {
    const Cluster peak = at_peak(cluster_, *calibration_);
    if (bounded.reshard) bounded.reshard->cluster = peak;
    if (bounded.collective) bounded.collective->cluster = peak;
  }
  const evaluate::Bound bound = planning::communication_bound(bounded);
  record_.bound_s = bound.seconds;
  record_.bound_kind = bound.kind;
}

void CommunicationRun::predict(const cost::CostModel& cost) {
  const plan::StepTrace predicted = simulate::simulate(
      planned_.plan, cost, {.num_steps = problem_.collective ? 3 : 1, .keep_events = simulated_});
  const double seconds = problem_.collective ? predicted.step_s : predicted.makespan_s;
  if (!record_.oversubscribed) record_.predicted_step_s = seconds;
  if (!simulated_) return;
  simulated_s_ = seconds;
  record_.summary.makespan_s = predicted.makespan_s;
  note_trace(predicted);
}

/// Cells that come to the same plan are measured once.
bool CommunicationRun::reuse() {
  plan::ExecutionPlan plan = planned_.plan;
  plan.name = plan.resharding = "";
  signature_ = plan::encode(plan) + cell_.device + std::to_string(context_.experiment.seed);
  const store::Record* same = context_.same_plan(signature_);
  if (same == nullptr || same->status != store::Status::ok) return false;
  reused_ = true;
  record_.samples_s = same->samples_s;
  record_.summary.makespan_s = same->summary.makespan_s;
  record_.breakdown = same->breakdown;
  record_.measured_peak_bytes = same->measured_peak_bytes;
  record_.check_kind = same->check_kind;
  record_.communication.measured_bytes_between_hosts =
      same->communication.measured_bytes_between_hosts;
  record_.environment = same->environment;
  record_.artifacts = same->artifacts;
  record_.message = "the same plan as " + same->label + ", measured once";
  return true;
}

bool CommunicationRun::start() {
  const auto num_ranks = static_cast<std::int32_t>(record_.num_devices);
  const calibrate::WorkerSetup setup = worker_setup(context_, cell_, num_ranks);
  const std::string logs = "logs/" + record_.cell_id;
  std::filesystem::create_directories(context_.folder.path(logs));
  record_.artifacts["log"] = logs;
  context_.progress("starting " + record_.label);
  session_ = runtime::start_session(
      planned_.plan, {.worker = setup.worker,
                      .run_dir = context_.folder.path(logs),
                      .device = cell_.device,
                      .num_threads = setup.num_threads,
                      .oversubscribed = num_ranks > topology::discover_machine().num_cores,
                      .seed = context_.experiment.seed,
                      .hosts = context_.hosts(cluster_),
                      .is_interrupted = setup.is_interrupted});
  if (calibration_ != nullptr && cluster_.is_emulated())
    record_.environment["network"] = calibrate::judge_network(*calibration_, cluster_).sentence;
  record_.environment["transport"] = session_->transport();
  return warm_up();
}

bool CommunicationRun::warm_up() {
  const std::int64_t num_warm_ups =
      record_.oversubscribed
          ? 1
          : std::max<std::int64_t>(1, context_.experiment.measure.min_warmup_steps);
  double last_s = 0;
  for (std::int64_t i = 0; i < num_warm_ups; ++i) {
    last_s = session_->run_steps(1, false).makespan_s;
    if (!verify()) return false;
  }
  if (problem_.collective && !record_.oversubscribed) {
    const double wanted = std::ceil(kRepetition_s / std::max(last_s, 1e-6));
    num_steps_ = static_cast<int>(std::clamp<double>(
        wanted, static_cast<double>(context_.experiment.measure.steps), kMostSteps));
  }
  return true;
}

/// Every element that this or an earlier repetition left wrong counts.
bool CommunicationRun::verify() {
  if (planned_.plan.incomplete) return true;
  const runtime::Verification result = session_->verify();
  record_.check_kind = "elements";
  record_.check_num_wrong += result.num_wrong;
  if (result.num_wrong == 0) return true;
  record_.status = store::Status::wrong;
  record_.message = std::to_string(result.num_wrong) + " of " +
                    std::to_string(result.num_elements) + " elements are wrong; " + result.message;
  session_.reset();
  return false;
}

double CommunicationRun::repetition() {
  if (reused_)
    return record_.samples_s.empty() ? record_.summary.makespan_s
                                     : record_.samples_s[num_reused_++ % record_.samples_s.size()];
  if (simulated_) {
    record_.samples_s.push_back(simulated_s_);
    return simulated_s_;
  }
  context_.progress("measuring " + record_.label);
  const double seconds = sample();
  if (!verify()) throw Error(record_.message);
  if (!record_.oversubscribed) record_.samples_s.push_back(seconds);
  return seconds;
}

double CommunicationRun::sample() {
  const bool back_to_back = problem_.collective && !record_.oversubscribed;
  const double before = context_.crossed_bytes(cluster_);
  // One more step: the first only marks where the period begins.
  const plan::StepTrace trace = session_->run_steps(back_to_back ? num_steps_ + 1 : 1, true);
  record_.communication.measured_bytes_between_hosts =
      (context_.crossed_bytes(cluster_) - before) / (back_to_back ? num_steps_ + 1 : 1);
  record_.summary.makespan_s = trace.makespan_s;
  note_trace(trace);
  return back_to_back ? trace.step_s : trace.makespan_s;
}

void CommunicationRun::note_trace(const plan::StepTrace& trace) {
  record_.breakdown.clear();
  for (const plan::DeviceTrace& device : trace.devices) {
    record_.breakdown.push_back({device.device, device.compute_s, device.communication_s,
                                 device.exposed_communication_s, device.bubble_s});
  }
  last_trace_ = trace;
}

store::Record CommunicationRun::finish() {
  if (session_) record_.measured_peak_bytes = static_cast<double>(session_->peak_memory_bytes());
  session_.reset();
  const std::string trace = chrome_trace(planned_.plan, last_trace_);
  if (!trace.empty())
    record_.artifacts["trace"] =
        context_.folder.write("traces/" + record_.cell_id + ".json", trace);
  if (record_.status == store::Status::ok && !reused_ && !signature_.empty())
    context_.remember(signature_, record_);
  if (record_.status == store::Status::ok && !record_.samples_s.empty()) add_rates();
  return record_;
}

void CommunicationRun::add_rates() {
  const double makespan_s = record_.summary.makespan_s;
  record_.summary = summarize(record_.samples_s, context_.experiment.measure.max_noise);
  record_.summary.makespan_s = makespan_s;
  const double seconds = record_.summary.median_s;
  store::CommunicationFigures& figures = record_.communication;
  // A plan that leaves data out has no bandwidth, and may well be faster than the bound.
  if (seconds > 0 && !planned_.plan.incomplete) {
    figures.effective_bytes_per_s = figures.bytes / seconds;
    record_.bound_efficiency = record_.bound_s / seconds;
  }
  if (problem_.collective) {
    figures.bus_bytes_per_s = figures.effective_bytes_per_s *
                              planning::bus_factor(problem_.collective->kind, record_.num_devices);
  }
  if (record_.predicted_step_s > 0 && seconds > 0)
    record_.prediction_error = record_.predicted_step_s / seconds - 1;
  if (record_.bound_efficiency > 1.0001) {
    record_.status = store::Status::invalid;
    record_.message = "the measured time is below its lower bound";
  }
}

std::unique_ptr<MeasuredCell> make_measured_cell(RunContext& context, const config::CellSpec& cell,
                                                 const std::string& label) {
  if (cell.is_communication()) return std::make_unique<CommunicationRun>(context, cell, label);
  return std::make_unique<CellRun>(context, cell, label);
}

}  // namespace rhino::measure
