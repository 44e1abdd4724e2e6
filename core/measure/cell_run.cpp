// SPDX-License-Identifier: Apache-2.0
#include "measure/cell_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "calibrate/network.hpp"
#include "measure/chrome_trace.hpp"
#include "measure/machine_load.hpp"
#include "measure/statistics.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning/plan_fit.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"

namespace rhino::measure {

CellRun::CellRun(RunContext& context, const config::CellSpec& cell, const std::string& label)
    : context_(context),
      cell_(cell),
      simulated_(cell.backend == "simulate"),
      has_emulated_devices_(cell.device == "emulated" && !cell.is_communication()),
      subject_(cell.pipeline             ? pipeline_subject(context, cell)
               : cell.is_communication() ? communication_subject(context, cell)
                                         : training_subject(context, cell)) {
  record_.run_id = std::filesystem::path(context.folder.path()).filename();
  record_.cell_id = config::cell_id(cell);
  record_.label = label;
  record_.case_index = cell.case_index;
  record_.baseline_of = cell.baselines;
  record_.independent = {{"topology", config::to_string(cell.topology)},
                         {"backend", cell.backend},
                         {"device", config::device_text(cell)}};
  record_.seed = context.experiment.seed;
  if (cell.published) {
    record_.published_step_s = cell.published->step_s;
    record_.published_source = cell.published->source;
    record_.published_lacks = cell.published->lacks;
  }
  record_.check_kind = "none";
  subject_->introduce(record_);
}

/// What `work` throws ends the cell; a verdict that was reached before stays.
template <class Work>
void CellRun::attempt(Work&& work) {
  try {
    work();
  } catch (const runtime::OutOfMemory& error) {
    fail(store::Status::oom, error.what());
  } catch (const Error& error) {
    fail(store::Status::failed, error.what());
  }
}

void CellRun::fail(store::Status status, const std::string& message) {
  if (record_.status == store::Status::ok) record_.status = status;
  record_.message = message;
  session_.reset();
}

void CellRun::prepare(const store::Record* before) {
  attempt([&] {
    const bool planned = before != nullptr && before->artifacts.contains("plan");
    if (!plan(planned ? context_.folder.path(before->artifacts.at("plan")) : context_.plan_file))
      return;
    if (planned) record_ = *before;
    signature_ = std::to_string(planned_.plan_bytes.size()) + "/" +
                 std::to_string(std::hash<std::string>()(planned_.plan_bytes)) + "/" +
                 config::device_text(cell_) + "/" + cell_.backend + "/" + cell_.check;
  });
}

bool CellRun::plan(const std::string& file) {
  cluster_ = planning::cell_cluster(cell_, context_.folders);
  const bool needs_gpus = planning::is_of_local_gpus(cell_) && !simulated_;
  if (needs_gpus && !topology::discover_gpus().missing.empty())
    throw Error(topology::discover_gpus().missing);
  record_.num_devices = cluster_.num_devices();
  calibrate();
  const cost::CostModel cost = cost_model();
  context_.progress("planning " + record_.label);
  planned_ =
      file.empty() ? subject_->plan(cost) : subject_->plan_as(planning::read_plan(file), cost);
  record_.num_devices = subject_->num_ranks(planned_.plan, cluster_);
  record_.oversubscribed =
      !simulated_ && subject_->needs_cores() &&
      is_oversubscribed(machine_loads(cell_, cluster_, planned_.plan, record_.num_devices));
  record_.search_s = planned_.search_s;
  record_.num_evaluated = planned_.num_evaluated;
  record_.search_bound_s = planned_.bound_s;
  record_.search_gap = planned_.gap;
  record_.rejected = planned_.rejected;
  record_.status = planned_.status;
  record_.message = planned_.message;
  if (planned_.status != store::Status::ok) return false;
  describe(gpu_calibration_ != nullptr ? cost::CostModel(cluster_) : cost);
  predict(cost);
  return true;
}

/// What workers reach on this machine, or on hosts emulated here, then stands in the cluster; other
/// clusters are as their topology describes them. Of emulated devices the links alone are real.
void CellRun::calibrate() {
  record_.calibration = "topology";
  const bool is_emulated = cluster_.is_emulated() && !simulated_;
  const bool has_real_links = is_emulated || (has_emulated_devices_ && !simulated_);
  if (!planning::is_found(cell_) && !has_real_links) return;
  if (planning::is_of_local_gpus(cell_)) return calibrate_gpus();
  calibrate::WorkerSetup setup = calibrated_workers();
  const bool has_agents = planning::is_of_found_hosts(cell_) && cluster_.hosts.size() > 1;
  if (is_emulated || has_agents) context_.place(cell_, cluster_, setup.session);
  calibration_ = is_emulated  ? &context_.calibrations.network(setup, cluster_, context_.progress)
                 : has_agents ? &context_.calibrations.hosts(setup, cluster_, context_.progress)
                              : &context_.calibrations.machine(setup, context_.progress);
  const std::vector<DeviceModel> models = cluster_.models;
  cost::apply(*calibration_, cluster_);
  if (has_emulated_devices_) cluster_.models = models;
  record_.calibration = calibration_->fingerprint;
  note_machine();
}

/// How quick the machine was when it was calibrated, for rounds to be held against.
void CellRun::note_machine() {
  const std::int64_t look = context_.calibrations.num_looks();
  if (std::exchange(context_.probed_look, look) != look) context_.probe = typical_probe();
  if (has_emulated_devices_) return;  // whose speed is no machine's
  record_.calibrated_probe_dot_s = context_.probe.dot_s;
  record_.calibrated_probe_stream_s = context_.probe.stream_s;
}

/// What they reach prices kernels and messages; peaks, and so bounds and MFU, stay those of data
/// sheets.
void CellRun::calibrate_gpus() {
  if (simulated_ || topology::discover_gpus().gpus.empty()) return;
  const auto num_gpus = static_cast<std::int32_t>(topology::discover_gpus().gpus.size());
  const cost::Calibration& found = context_.calibrations.machine(
      context_.workers(cell_, std::min(cluster_.num_devices(), num_gpus)), context_.progress);
  record_.calibration = found.fingerprint;
  if (!calibrate::is_fake(found)) gpu_calibration_ = &found;
}

cost::CostModel CellRun::cost_model() const {
  if (gpu_calibration_ != nullptr) {
    Cluster reached = cluster_;
    if (gpu_calibration_->intra_host.bytes_per_s > 0)
      reached.intra_host = gpu_calibration_->intra_host;
    return cost::CostModel(reached, gpu_calibration_);
  }
  return cost::CostModel(cluster_, has_emulated_devices_ ? nullptr : calibration_);
}

/// As many ranks as are on this machine. More ranks than cores: the rates of as many ranks as there
/// are cores.
calibrate::WorkerSetup CellRun::calibrated_workers() const {
  calibrate::WorkerSetup setup = context_.workers(
      cell_, std::min(num_devices_here(cell_, cluster_), topology::discover_machine().num_cores));
  if (has_emulated_devices_) setup.session.device = "cpu";
  return setup;
}

/// Where a time is below a bound, the machine may be quicker than when it was calibrated: its peaks
/// are measured again, once per cell. What is below the bound then cannot be.
void CellRun::doubt_bounds(const std::vector<double>& samples_s) {
  if (calibration_ == nullptr || cluster_.is_emulated() || has_emulated_devices_ || doubted_)
    return;
  store::Record record = record_;
  record.summary.median_s = median(samples_s);
  if (subject_->add_figures(record).empty()) return;
  doubted_ = true;
  calibration_ = &context_.calibrations.raise_peaks(calibrated_workers(), context_.progress);
  cost::apply(*calibration_, cluster_);
  subject_->describe(planned_.plan, cost::CostModel(cluster_, calibration_), calibration_, record_);
}

void CellRun::describe(const cost::CostModel& cost) {
  record_.predicted_peak_bytes = static_cast<double>(plan::peak_bytes(planned_.plan));
  record_.environment =
      run_environment(context_.workers(cell_, static_cast<std::int32_t>(record_.num_devices)));
  keep("plan", plan::encode(planned_.plan));
  if (has_emulated_devices_ && !simulated_)
    record_.environment["check"] = "none: emulated devices compute nothing";
  subject_->describe(planned_.plan, cost, has_emulated_devices_ ? nullptr : calibration_, record_);
}

void CellRun::predict(const cost::CostModel& cost) {
  const bool back_to_back = subject_->num_steps(0) > 0;
  const plan::StepTrace predicted = simulate::simulate(
      planned_.plan, cost, {.num_steps = back_to_back ? 3 : 1, .keep_events = simulated_});
  const double seconds = std::max(back_to_back ? predicted.step_s : predicted.makespan_s,
                                  record_.communication.predicted_cpu_s);
  if (!record_.oversubscribed) record_.predicted_step_s = seconds;
  for (const plan::DeviceTrace& device : predicted.devices)
    record_.predicted_exposed_s =
        std::max(record_.predicted_exposed_s, device.exposed_communication_s);
  record_.num_walked = std::ssize(predicted.devices);
  if (!simulated_) return;
  record_.samples_s = {seconds};
  note_trace(predicted);
  keep("trace", chrome_trace(planned_.plan, predicted));
}

/// `node1 node1 node2 node2`, per device.
std::string CellRun::host_names() const {
  std::string names;
  for (const std::int32_t host : cluster_.host_of)
    names += (names.empty() ? "" : " ") + cluster_.hosts[static_cast<std::size_t>(host)].name;
  return names;
}

void CellRun::start() {
  const std::vector<MachineLoad> machines =
      machine_loads(cell_, cluster_, planned_.plan, record_.num_devices);
  refuse_too_large(machines);
  subject_->get_ready(record_);
  const std::string logs = "logs/" + record_.cell_id;
  std::error_code error;  // without the folder, no worker has a log, and says so
  std::filesystem::create_directories(context_.folder.path(logs), error);
  record_.artifacts["log"] = logs;
  context_.progress("starting " + record_.label);
  runtime::SessionOptions options = context_.workers(cell_, most_ranks(machines)).session;
  options.run_dir = context_.folder.path(logs);
  options.oversubscribed = is_oversubscribed(machines);
  options.seed = context_.experiment.seed;
  context_.place(cell_, cluster_, options);
  options.plan_bytes = planned_.plan_bytes;
  session_ = runtime::start_session(planned_.plan, options);
  if (calibration_ != nullptr && cluster_.is_emulated())
    record_.environment["network"] = calibrate::judge_network(*calibration_, cluster_).sentence;
  record_.environment["transport"] = session_->transport();
  record_.environment["cores"] = session_->binding();
  if (!options.agents.empty()) record_.environment["hosts"] = host_names();
  if (!session_->dots().empty()) record_.environment["dots"] = session_->dots();
  if (!session_->convolutions().empty())
    record_.environment["convolutions"] = session_->convolutions();
  if (cell_.device == "cuda") record_.environment["device"] = session_->device();
  if (session_->shares_devices()) record_.environment["shared_device"] = "true";
  if (!session_->slow_ops().empty()) record_.environment["slow_ops"] = session_->slow_ops();
}

bool CellRun::is_warm() const {
  const bool first = record_.rounds.empty();  // the rounds after it are spared the check
  const std::int64_t least = context_.experiment.measure.min_warmup_steps;
  return first ? subject_->is_warm(warm_up_s_, record_.oversubscribed)
               : std::ssize(warm_up_s_) >= std::max<std::int64_t>(1, least);
}

void CellRun::warm_up() {
  warm_up_s_.clear();
  while (!is_warm()) {
    context_.progress("warming up " + record_.label);
    warm_up_s_.push_back(session_->run_steps(1, false).makespan_s);
    verify();
  }
}

void CellRun::verify() {
  const std::string wrong = subject_->verify(*session_, record_);
  if (wrong.empty()) return;
  record_.status = store::Status::wrong;
  throw Error(wrong);
}

std::vector<double> CellRun::measure() {
  const std::int64_t wanted = takes_rounds() ? context_.experiment.measure.repetitions : 1;
  std::vector<double> samples;
  attempt([&] {
    start();
    warm_up();
    while (std::ssize(samples) < wanted) samples.push_back(sample());
    record_.measured_peak_bytes =
        std::max(record_.measured_peak_bytes, static_cast<double>(session_->peak_memory_bytes()));
    record_.small_page_bytes =
        std::max(record_.small_page_bytes, static_cast<double>(session_->small_page_bytes()));
  });
  session_.reset();
  if (record_.status != store::Status::ok) samples.clear();
  if (takes_rounds() && !samples.empty()) attempt([&] { doubt_bounds(samples); });
  return samples;
}

double CellRun::sample() {
  context_.progress("measuring " + record_.label);
  const std::int64_t back_to_back =
      record_.oversubscribed ? 0 : subject_->num_steps(warm_up_s_.back());
  const double before = crossed_bytes();
  // One more step: the first only marks where the period begins.
  const int num_steps = static_cast<int>(back_to_back) + 1;
  const plan::StepTrace trace = session_->run_steps(num_steps, true);
  record_.communication.measured_bytes_between_hosts = (crossed_bytes() - before) / num_steps;
  note_trace(trace);
  if (trace.clock_error_s > 0)
    record_.environment["clocks"] =
        fmt::format("of hosts agree to {:.0f} us", trace.clock_error_s * 1e6);
  verify();
  if (record_.rounds.empty()) keep("trace", chrome_trace(planned_.plan, trace));
  return back_to_back > 0 ? trace.step_s : trace.makespan_s;
}

/// What a communication has sent through the interfaces of emulated hosts so far.
double CellRun::crossed_bytes() const {
  return cell_.is_communication() ? context_.emulated.crossed_bytes(cluster_) : 0;
}

void CellRun::note_trace(const plan::StepTrace& trace) {
  record_.summary.makespan_s = trace.makespan_s;
  record_.breakdown.clear();
  for (const plan::DeviceTrace& device : trace.devices) {
    record_.breakdown.push_back({device.device, device.compute_s, device.communication_s,
                                 device.exposed_communication_s, device.bubble_s,
                                 device.staged_bytes, device.alike});
  }
}

/// An artifact that finds no room is missing; the measurement is kept.
void CellRun::keep(const std::string& kind, const std::string& text) {
  try {
    record_.artifacts[kind] = context_.folder.write(kind + "s/" + record_.cell_id + ".json", text);
  } catch (const Error& error) {
    record_.message = error.what();
  }
}

store::Record CellRun::result() const {
  store::Record record = record_;
  if (!record.rounds.empty()) record.samples_s.clear();
  for (const store::Round& round : record.rounds) record.samples_s.push_back(round.seconds);
  if (!store::is_timed(record)) return record;
  const double makespan_s = record.summary.makespan_s;
  record.summary = summarize(record.samples_s, context_.experiment.measure.max_noise, simulated_);
  record.summary.makespan_s = makespan_s;
  if (record.predicted_step_s > 0 && record.summary.median_s > 0)
    record.prediction_error = record.predicted_step_s / record.summary.median_s - 1;
  const std::string impossible = subject_->add_figures(record);
  if (impossible.empty()) return record;
  record.message = impossible;
  // A calibration that other work slowed down proves nothing.
  if (calibration_ == nullptr || !calibrate::is_disturbed(*calibration_))
    record.status = store::Status::invalid;
  else record.message += ", of a disturbed calibration";
  return record;
}

void take_measurement(const store::Record& same, store::Record& record) {
  record.status = same.status;
  record.message = "the same plan as " + same.label + ", measured once";
  record.rounds = same.rounds;
  record.summary.makespan_s = same.summary.makespan_s;
  record.breakdown = same.breakdown;
  record.measured_peak_bytes = same.measured_peak_bytes;
  record.small_page_bytes = same.small_page_bytes;
  record.check_kind = same.check_kind;
  record.check_max_error = same.check_max_error;
  record.check_tolerance = same.check_tolerance;
  record.communication.measured_bytes_between_hosts =
      same.communication.measured_bytes_between_hosts;
  record.environment = same.environment;
  for (const char* artifact : {"trace", "log"}) {
    const auto found = same.artifacts.find(artifact);
    if (found != same.artifacts.end()) record.artifacts[artifact] = found->second;
  }
}

}  // namespace rhino::measure
