// SPDX-License-Identifier: Apache-2.0
#include "measure/cell_run.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "calibrate/network.hpp"
#include "evaluate/bound.hpp"
#include "ir/flops.hpp"
#include "measure/chrome_trace.hpp"
#include "measure/reference_run.hpp"
#include "measure/statistics.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"
#include "topology/discover.hpp"

namespace rhino::measure {
namespace {

/// Warm-up ends when two windows of steps agree, and at this many steps at the latest.
constexpr std::int64_t kWindow = 1, kMaxWarmupSteps = 8;
constexpr double kWarmTolerance = 0.05;

/// Floating-point operations of all dots that one step of a plan runs, on all devices.
double hardware_flops(const plan::ExecutionPlan& plan) {
  std::vector<double> of_program;
  for (const Program& program : plan.programs) {
    double flops = 0;
    for (ValueId id = 0; id < program.size(); ++id) {
      if (program.op(id).kind == OpKind::dot || program.op(id).kind == OpKind::convolution)
        flops += ir::op_flops(program, id);
    }
    of_program.push_back(flops);
  }
  double sum = 0;
  for (const plan::Role& role : plan.roles) {
    double flops = 0;
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run)
        flops += of_program[static_cast<std::size_t>(instruction.index)];
    }
    sum += flops * static_cast<double>(role.mesh.devices.size());
  }
  return sum;
}

/// Clusters that the same emulated hosts serve.
std::string emulation_key(const Cluster& cluster) {
  return cluster.name + "/" + std::to_string(cluster.hosts.size()) + "/" +
         std::to_string(cluster.num_devices()) + "/" +
         std::to_string(cluster.emulated.rate_bits_per_s) + "/" +
         std::to_string(cluster.emulated.burst_bytes);
}

}  // namespace

calibrate::WorkerSetup worker_setup(const RunContext& context, const config::CellSpec& cell,
                                    std::int32_t num_ranks) {
  const std::int32_t cores = topology::discover_machine().num_cores;
  return {.worker = context.worker,
          .device = cell.device,
          .num_ranks = num_ranks,
          .num_threads = std::max(1, cores / num_ranks),
          .log_dir = context.folder.path("logs"),
          .is_interrupted = context.is_interrupted};
}

std::map<std::string, std::string> run_environment(const calibrate::WorkerSetup& setup) {
  const topology::Machine machine = topology::discover_machine();
  utsname system{};
  uname(&system);
  return {{"engine", RHINO_VERSION},
          {"processor", machine.processor},
          {"num_cores", std::to_string(machine.num_cores)},
          {"memory_bytes", std::to_string(machine.total_memory_bytes)},
          {"kernel", std::string(system.sysname) + " " + system.release},
          {"compiler", __VERSION__},
          {"num_ranks", std::to_string(setup.num_ranks)},
          {"threads_per_rank", std::to_string(setup.num_threads)}};
}

const cost::Calibration& RunContext::machine(const calibrate::WorkerSetup& setup) {
  const std::string fingerprint = calibrate::calibration_fingerprint(setup);
  const auto found = calibrations_.find(fingerprint);
  if (found != calibrations_.end()) return found->second;
  progress("calibrating " + std::to_string(setup.num_ranks) + " x " +
           std::to_string(setup.num_threads) + " threads");
  return calibrations_[fingerprint] = calibrate::calibration_for(setup);
}

const cost::Calibration& RunContext::network(const calibrate::WorkerSetup& setup,
                                             const Cluster& cluster) {
  const std::string key = emulation_key(cluster);
  const auto found = calibrations_.find(key);
  if (found != calibrations_.end()) return found->second;
  const cost::Calibration& base = machine(setup);
  progress("calibrating the network of " + cluster.name);
  const cost::Calibration& calibration = calibrations_[key] =
      calibrate::calibrate_network(base, setup, cluster, hosts(cluster));
  const calibrate::NetworkFinding finding = calibrate::judge_network(calibration, cluster);
  if (finding.deviates) progress(cluster.name + ": " + finding.sentence);
  return calibration;
}

const cost::Calibration* RunContext::calibrate(const config::CellSpec& cell, Cluster& cluster,
                                               store::Record& record) {
  record.calibration = "topology";
  const bool is_emulated = cluster.is_emulated() && cell.backend != "simulate";
  if (cell.topology.id != "local" && !is_emulated) return nullptr;
  // More ranks than cores: the rates of as many ranks as there are cores.
  const calibrate::WorkerSetup setup = worker_setup(
      *this, cell, std::min(cluster.num_devices(), topology::discover_machine().num_cores));
  const cost::Calibration& calibration = is_emulated ? network(setup, cluster) : machine(setup);
  cost::apply(calibration, cluster);
  record.calibration = calibration.fingerprint;
  return &calibration;
}

std::vector<topology::HostNamespaces> RunContext::hosts(const Cluster& cluster) {
  if (!cluster.is_emulated()) return {};
  std::unique_ptr<topology::EmulatedHosts>& made = hosts_[emulation_key(cluster)];
  if (!made) {
    progress("setting up the hosts of " + cluster.name);
    made = std::make_unique<topology::EmulatedHosts>(cluster);
  }
  return made->namespaces();
}

double RunContext::crossed_bytes(const Cluster& cluster) {
  const auto found = hosts_.find(emulation_key(cluster));
  double bytes = 0;
  if (found == hosts_.end()) return bytes;
  for (const topology::HostTraffic& host : found->second->traffic())
    bytes += static_cast<double>(host.out_bytes);
  return bytes;
}

const check::StepValues& RunContext::reference(const config::CellSpec& cell) {
  const std::string key = planning::model_key(cell) + "/" + cell.device;
  const auto found = references_.find(key);
  if (found != references_.end()) return found->second;
  progress("single-device reference of " + config::to_string(cell.model));
  return references_[key] =
             reference_values(model(cell).step, worker_setup(*this, cell, 1), experiment.seed);
}

CellRun::CellRun(RunContext& context, const config::CellSpec& cell, const std::string& label)
    : context_(context), cell_(cell) {
  record_.run_id = std::filesystem::path(context.folder.path()).filename();
  record_.cell_id = config::cell_id(cell);
  record_.label = label;
  record_.case_index = cell.case_index;
  record_.baseline_of = cell.baselines;
  record_.independent = {{"model", config::to_string(cell.model)},
                         {"topology", config::to_string(cell.topology)},
                         {"search", config::to_string(cell.search)},
                         {"resharding", config::to_string(cell.resharding)},
                         {"schedule", config::to_string(cell.schedule)},
                         {"backend", cell.backend},
                         {"device", cell.device},
                         {"optimizer", config::to_string(cell.optimizer)}};
  record_.global_batch = cell.global_batch;
  record_.seed = context.experiment.seed;
  record_.check_kind = "none";
  simulated_ = cell.backend == "simulate";
}

CellRun::~CellRun() = default;

void CellRun::fail(const std::string& message) {
  record_.status = store::Status::failed;
  record_.message = message;
  session_.reset();
}

bool CellRun::prepare() {
  try {
    return plan() && (simulated_ || reuse() || (start() && check()));
  } catch (const Error& error) {
    fail(error.what());
    return false;
  }
}

bool CellRun::plan() {
  model_ = &context_.model(cell_);
  record_.independent["dtype"] = dtype_name(model_->dtype);
  cluster_ = planning::resolve_topology(cell_.topology, context_.folders);
  if (cell_.backend == "nccl") throw Error("backend nccl: this build has no CUDA devices");
  record_.num_devices = cluster_.num_devices();
  const std::int32_t cores = topology::discover_machine().num_cores;
  record_.oversubscribed = !simulated_ && cluster_.num_devices() > cores;
  calibration_ = context_.calibrate(cell_, cluster_, record_);
  const cost::CostModel cost(cluster_, calibration_);
  context_.progress("planning " + record_.label);
  planned_ = context_.plan_file.empty()
                 ? planning::plan_cell({.cell = cell_,
                                        .model = *model_,
                                        .cost = cost,
                                        .registry = context_.registry,
                                        .folders = context_.folders,
                                        .deadline_s = context_.experiment.planning_deadline_s,
                                        .seed = context_.experiment.seed,
                                        .is_interrupted = context_.is_interrupted})
                 : planning::planned_from_file(context_.plan_file);
  record_.search_s = planned_.search_s;
  record_.num_evaluated = planned_.num_evaluated;
  record_.rejected = planned_.rejected;
  record_.status = planned_.status;
  record_.message = planned_.message;
  if (planned_.status != store::Status::ok) return false;
  describe();
  const evaluate::Bound bound = evaluate::step_bound(planned_.plan, cost);
  record_.bound_s = bound.seconds;
  record_.bound_kind = bound.kind;
  const plan::StepTrace predicted =
      simulate::simulate(planned_.plan, cost, {.num_steps = 3, .keep_events = simulated_});
  if (!record_.oversubscribed) record_.predicted_step_s = predicted.step_s;
  if (simulated_) {
    simulated_s_ = predicted.step_s;
    record_.summary.makespan_s = predicted.makespan_s;
    note_trace(predicted);
  }
  return true;
}

void CellRun::describe() {
  record_.strategy = planned_.strategy.name.empty() ? planned_.plan.name : planned_.strategy.name;
  record_.num_micro_batches = planned_.plan.num_micro_batches;
  for (const plan::Role& role : planned_.plan.roles) {
    record_.predicted_peak_bytes = std::max(
        record_.predicted_peak_bytes, static_cast<double>(role.arena_bytes + role.workspace_bytes));
  }
  record_.environment = run_environment(worker_setup(context_, cell_, cluster_.num_devices()));
  record_.artifacts["plan"] =
      context_.folder.write("plans/" + record_.cell_id + ".json", plan::encode(planned_.plan));
  store::Throughput& throughput = record_.throughput;
  throughput.model_flops = model_->model_flops;
  throughput.hardware_flops = hardware_flops(planned_.plan);
  throughput.flops_formula = model_->flops_formula;
  for (const plan::Role& role : planned_.plan.roles) {
    for (const DeviceId device : role.mesh.devices) {
      const auto peak = cluster_.device(device).peak_flops.find(model_->dtype);
      if (peak != cluster_.device(device).peak_flops.end()) throughput.peak_flops += peak->second;
    }
  }
}

bool CellRun::start() {
  const calibrate::WorkerSetup setup = worker_setup(context_, cell_, cluster_.num_devices());
  const std::string logs = "logs/" + record_.cell_id;
  std::filesystem::create_directories(context_.folder.path(logs));
  record_.artifacts["log"] = logs;
  context_.progress("starting " + record_.label);
  session_ = runtime::start_session(planned_.plan, {.worker = setup.worker,
                                                    .run_dir = context_.folder.path(logs),
                                                    .device = cell_.device,
                                                    .num_threads = setup.num_threads,
                                                    .oversubscribed = record_.oversubscribed,
                                                    .seed = context_.experiment.seed,
                                                    .hosts = context_.hosts(cluster_),
                                                    .is_interrupted = setup.is_interrupted});
  if (calibration_ != nullptr && cluster_.is_emulated())
    record_.environment["network"] = calibrate::judge_network(*calibration_, cluster_).sentence;
  record_.environment["transport"] = session_->transport();
  return true;
}

bool CellRun::check() {
  if (cell_.check == "numerics" && !planned_.plan.incomplete) {
    context_.progress("checking " + record_.label);
    warm_up_s_.push_back(session_->run_steps(1, false).makespan_s);
    const check::CheckResult result =
        check_session(*session_, model_->step, context_.reference(cell_), context_.experiment.seed,
                      check::check_tolerance(model_->dtype));
    record_.check_kind = result.kind;
    record_.check_max_error = result.max_error;
    record_.check_tolerance = result.tolerance;
    record_.check_num_wrong = result.num_wrong;
    if (!result.ok) {
      record_.status = store::Status::wrong;
      record_.message = result.message;
      session_.reset();
      return false;
    }
  }
  if (record_.oversubscribed) return true;
  context_.progress("warming up " + record_.label);
  warm_up();
  return true;
}

void CellRun::warm_up() {
  std::vector<double>& steps = warm_up_s_;
  const std::int64_t least = context_.experiment.measure.min_warmup_steps;
  for (std::int64_t step = 0; step < kMaxWarmupSteps; ++step) {
    if (step >= least && is_warm(steps, kWindow, kWarmTolerance)) break;
    steps.push_back(session_->run_steps(1, false).makespan_s);
  }
}

/// Cells that come to the same plan are measured once.
bool CellRun::reuse() {
  plan::ExecutionPlan plan = planned_.plan;
  plan.name = plan.search = plan.resharding = plan.schedule = "";
  signature_ =
      plan::encode(plan) + cell_.device + cell_.check + std::to_string(context_.experiment.seed);
  const store::Record* same = context_.same_plan(signature_);
  if (same == nullptr || same->status != store::Status::ok) return false;
  reused_ = true;
  record_.samples_s = same->samples_s;
  record_.summary.makespan_s = same->summary.makespan_s;
  record_.breakdown = same->breakdown;
  record_.measured_peak_bytes = same->measured_peak_bytes;
  record_.check_kind = same->check_kind;
  record_.check_max_error = same->check_max_error;
  record_.check_tolerance = same->check_tolerance;
  record_.environment = same->environment;
  record_.artifacts = same->artifacts;
  record_.message = "the same plan as " + same->label + ", measured once";
  return true;
}

const store::Record* RunContext::same_plan(const std::string& signature) const {
  const auto found = done_.find(signature);
  return found == done_.end() ? nullptr : &found->second;
}

double CellRun::repetition() {
  if (reused_)
    return record_.samples_s.empty() ? record_.summary.makespan_s
                                     : record_.samples_s[num_reused_++ % record_.samples_s.size()];
  if (simulated_) {
    record_.samples_s.push_back(simulated_s_);
    return simulated_s_;
  }
  if (record_.oversubscribed) {
    const plan::StepTrace trace = session_->run_steps(1, true);
    record_.summary.makespan_s = trace.makespan_s;
    note_trace(trace);
    return trace.makespan_s;
  }
  context_.progress("measuring " + record_.label);
  // One more step: the first only marks where the period begins.
  const plan::StepTrace trace =
      session_->run_steps(static_cast<int>(context_.experiment.measure.steps) + 1, true);
  record_.samples_s.push_back(trace.step_s);
  record_.summary.makespan_s = trace.makespan_s;
  note_trace(trace);
  return trace.step_s;
}

void CellRun::note_trace(const plan::StepTrace& trace) {
  record_.breakdown.clear();
  for (const plan::DeviceTrace& device : trace.devices) {
    record_.breakdown.push_back({device.device, device.compute_s, device.communication_s,
                                 device.exposed_communication_s, device.bubble_s});
  }
  last_trace_ = trace;
}

/// After the last repetition, so that writing it disturbs none.
void CellRun::keep_trace() {
  const std::string text = chrome_trace(planned_.plan, last_trace_);
  if (text.empty()) return;
  record_.artifacts["trace"] = context_.folder.write("traces/" + record_.cell_id + ".json", text);
}

store::Record CellRun::finish() {
  if (session_) record_.measured_peak_bytes = static_cast<double>(session_->peak_memory_bytes());
  session_.reset();
  keep_trace();
  if (record_.status == store::Status::ok && !reused_ && !signature_.empty())
    context_.remember(signature_, record_);
  if (record_.status != store::Status::ok || record_.samples_s.empty()) return record_;
  const double makespan_s = record_.summary.makespan_s;
  record_.summary = summarize(record_.samples_s, context_.experiment.measure.max_noise);
  record_.summary.makespan_s = makespan_s;
  const double step_s = record_.summary.median_s;
  store::Throughput& throughput = record_.throughput;
  throughput.samples_per_s = static_cast<double>(cell_.global_batch) / step_s;
  throughput.tokens_per_s =
      throughput.samples_per_s * static_cast<double>(model_->tokens_per_sample);
  if (throughput.peak_flops > 0)
    throughput.mfu = throughput.model_flops / step_s / throughput.peak_flops;
  record_.bound_efficiency = record_.bound_s / step_s;
  if (record_.predicted_step_s > 0)
    record_.prediction_error = record_.predicted_step_s / step_s - 1;
  // Nothing runs faster than physics: a number that says so is no measurement.
  if (throughput.mfu > 1 || record_.bound_efficiency > 1.0001) {
    record_.status = store::Status::invalid;
    record_.message = throughput.mfu > 1 ? "the measured rate exceeds the peak of the devices"
                                         : "the measured step is faster than its lower bound";
  }
  return record_;
}

}  // namespace rhino::measure
