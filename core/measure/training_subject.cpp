// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "evaluate/bound.hpp"
#include "ir/flops.hpp"
#include "measure/statistics.hpp"
#include "measure/subject.hpp"
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

double needed_flops(const Program& step, const Cluster& cluster) {
  double sum = 0;
  for (const auto& [dtype, flops] : evaluate::needed_flops(step, lower::kernels_of(cluster)))
    sum += flops;
  return sum;
}

/// 0: arithmetic is free there.
double sum_or_none(double sum) { return std::isfinite(sum) ? sum : 0; }

/// Rates of all devices of a cell together.
double peak_flops(const Cluster& cluster, DType dtype) {
  double sum = 0;
  for (DeviceId device = 0; device < cluster.num_devices(); ++device)
    sum += evaluate::peak_flops(cluster.device(device), dtype);
  return sum_or_none(sum);
}

/// Of those that a plan uses.
double peak_flops(const plan::ExecutionPlan& plan, const Cluster& cluster, DType dtype) {
  double sum = 0;
  for (const plan::Role& role : plan.roles) {
    for (const DeviceId device : role.mesh.devices)
      sum += evaluate::peak_flops(cluster.device(device), dtype);
  }
  return sum_or_none(sum);
}

/// A training step of a model. A sample is the steady period of steps back to back; the first
/// steps are compared with those of a single device.
class TrainingSubject final : public Subject {
 public:
  TrainingSubject(RunContext& context, const config::CellSpec& cell)
      : context_(context),
        cell_(cell),
        model_(context.models.of(cell)),
        checked_steps_(measure::checked_steps(model_.step)) {}

  void introduce(store::Record& record) const override {
    std::string allowed;
    for (const std::int64_t count : cell_.micro_batches)
      allowed += (allowed.empty() ? "" : " ") + std::to_string(count);
    record.independent.merge(
        std::map<std::string, std::string>{{"model", config::to_string(cell_.model)},
                                           {"search", config::to_string(cell_.search)},
                                           {"resharding", config::to_string(cell_.resharding)},
                                           {"schedule", config::to_string(cell_.schedule)},
                                           {"optimizer", planning::optimizer_text(cell_, model_)},
                                           {"micro_batches", allowed},
                                           {"check", cell_.check},
                                           {"dtype", dtype_name(model_.dtype)}});
    record.global_batch = cell_.global_batch;
  }

  planning::PlannedCell plan(const cost::CostModel& cost) override {
    return planning::plan_cell(
        {.cell = cell_,
         .model = model_,
         .cost = cost,
         .registry = context_.registry,
         .folders = context_.folders,
         .seed = context_.experiment.seed,
         .limits = planning::planning_limits(context_.experiment, context_.is_interrupted)});
  }

  std::int64_t num_ranks(const plan::ExecutionPlan&, const Cluster& cluster) const override {
    return cluster.num_devices();
  }
  bool needs_cores() const override { return cell_.device != "emulated"; }

  void describe(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                const cost::Calibration* calibration, store::Record& record) override {
    to_check_ = cell_.check == "numerics" && cell_.device != "emulated" && !plan.incomplete;
    record.strategy = plan.name;
    record.num_micro_batches = plan.num_micro_batches;
    record.throughput.model_flops = model_.model_flops;
    record.throughput.hardware_flops = hardware_flops(plan);
    record.throughput.flops_formula = model_.flops_formula;
    record.throughput.peak_flops = peak_flops(cost.cluster(), model_.dtype);
    needed_flops_ = std::min(model_.model_flops, needed_flops(model_.step, cost.cluster()));
    used_flops_per_s_ = peak_flops(plan, cost.cluster(), model_.dtype);
    Cluster cluster = cost.cluster();
    for (DeviceModel& model : cluster.models)
      if (calibration) model.memory_bytes_per_s = calibration->peak_bytes_per_s;
    const bool is_modelled = std::ranges::all_of(cluster.models, [](const DeviceModel& model) {
      return model.kind == DeviceKind::modelled;
    });
    const evaluate::Bound bound = evaluate::cell_bound(
        model_.step, cluster, is_modelled ? 0 : topology::discover_machine().cache_bytes);
    record.bound_s = bound.seconds;
    record.bound_kind = bound.kind;
    const evaluate::Bound own = evaluate::step_bound(plan, cost);
    const evaluate::Bound& of_plan = own.seconds > bound.seconds ? own : bound;
    record.plan_bound_s = of_plan.seconds;
    record.plan_bound_kind = of_plan.kind;
  }

  std::int64_t num_steps(double) const override { return context_.experiment.measure.steps; }

  bool is_warm(const std::vector<double>& step_s, bool oversubscribed) const override {
    const std::int64_t num_checked = to_check_ ? std::ssize(checked_steps_) : 0;
    if (std::ssize(step_s) < num_checked || oversubscribed)
      return std::ssize(step_s) >= num_checked;
    const std::int64_t warming = std::ssize(step_s) - (to_check_ ? 1 : 0);
    return warming >= kMaxWarmupSteps || (warming >= context_.experiment.measure.min_warmup_steps &&
                                          measure::is_warm(step_s, kWindow, kWarmTolerance));
  }

  void get_ready(const store::Record& record) override {
    if (is_to_check(record)) reference();
  }

  std::string verify(runtime::Session& session, store::Record& record) override {
    if (!is_to_check(record)) return "";
    const std::vector<check::StepValues>& expected = reference();
    if (std::ranges::none_of(expected, check::is_finite))
      return cell_.optimizer.options.contains("loss_scale")
                 ? "gradients overflow on one device in every checked step, so that nothing could "
                   "be compared: the loss scale is too large"
                 : "what one device computes is not finite in any checked step, so that nothing "
                   "could be compared";
    context_.progress("checking " + record.label);
    const std::uint64_t seed = context_.experiment.seed;
    const CheckedStep checked{.step = model_.step,
                              .dtype = model_.dtype,
                              .seed = seed + num_checked_,
                              .number = checked_steps_[num_checked_],
                              .uses_tf32 = cell_.gpu.uses_tf32};
    check::CheckResult result = check_step(session, checked, expected[num_checked_]);
    if (!result.ok && (is_narrow(model_.dtype) || cell_.gpu.uses_tf32))
      result = check_step(session, checked, expected[num_checked_], rounded_otherwise());
    record.check_kind = result.kind;
    record.check_max_error = std::max(record.check_max_error, result.max_error);
    record.check_tolerance = result.tolerance;
    record.check_num_wrong = result.num_wrong;
    if (!result.ok) return result.message;
    if (++num_checked_ < checked_steps_.size())
      session.reset(seed + num_checked_, checked_steps_[num_checked_]);
    return "";
  }

  std::string add_figures(store::Record& record) const override {
    const double step_s = record.summary.median_s;
    store::Throughput& throughput = record.throughput;
    throughput.samples_per_s = static_cast<double>(cell_.global_batch) / step_s;
    throughput.tokens_per_s =
        throughput.samples_per_s * static_cast<double>(model_.tokens_per_sample);
    if (throughput.peak_flops > 0)
      throughput.mfu = throughput.model_flops / step_s / throughput.peak_flops;
    record.bound_efficiency = record.bound_s / step_s;
    if (used_flops_per_s_ > 0 && needed_flops_ / step_s > used_flops_per_s_)
      return "the measured rate exceeds the peak of the devices";
    return record.bound_efficiency > kMostEfficiency
               ? "the measured step is faster than its lower bound"
               : "";
  }

 private:
  bool is_to_check(const store::Record& record) const {
    const bool was_checked = num_checked_ == 0 && record.check_kind != "none";  // of a run resumed
    return to_check_ && !was_checked && num_checked_ < checked_steps_.size();
  }

  const std::vector<check::StepValues>& reference() {
    context_.progress("single-device reference of " + config::to_string(cell_.model));
    return context_.references.of(planning::model_key(cell_), model_.reference(), one_worker());
  }

  /// The checked step of a model of 16 bits, or of tf32; of one that is to overflow there may be
  /// none.
  std::vector<const check::StepValues*> rounded_otherwise() {
    context_.progress("single-device references of other roundings of " +
                      config::to_string(cell_.model));
    std::vector<const check::StepValues*> steps;
    for (const auto* values : context_.references.otherwise(planning::model_key(cell_),
                                                            model_.reference(), one_worker())) {
      if (num_checked_ < values->size()) steps.push_back(&(*values)[num_checked_]);
    }
    return steps;
  }

  runtime::SessionOptions one_worker() {
    runtime::SessionOptions options = context_.workers(cell_, 1).session;
    options.seed = context_.experiment.seed;
    return options;
  }

  RunContext& context_;
  const config::CellSpec& cell_;
  const planning::CellModel& model_;
  bool to_check_ = false;
  double needed_flops_ = 0;      ///< of model_flops, those of which none can be left out
  double used_flops_per_s_ = 0;  ///< peak of the devices that the plan uses
  std::vector<std::int64_t> checked_steps_;
  std::size_t num_checked_ = 0;  ///< of them
};

}  // namespace

std::unique_ptr<Subject> training_subject(RunContext& context, const config::CellSpec& cell) {
  return std::make_unique<TrainingSubject>(context, cell);
}

}  // namespace rhino::measure
