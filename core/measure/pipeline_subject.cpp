// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "measure/peak_cluster.hpp"
#include "measure/subject.hpp"
#include "plan/in_flight.hpp"
#include "planning/pipeline_plan.hpp"
#include "simulate/simulate.hpp"

namespace rhino::measure {
namespace {

double period_s(const plan::ExecutionPlan& plan, const Cluster& cluster) {
  return simulate::simulate(plan, cost::CostModel(cluster), {.num_steps = 3, .keep_events = false})
      .step_s;
}

/// By which transfers lengthen a step: that of the same order has none of what it hides.
double exposed_s(const plan::ExecutionPlan& plan, const Cluster& cluster) {
  constexpr Link kFree{.bytes_per_s = 1e30, .latency_s = 0, .burst_bytes = 0};
  Cluster free = cluster;
  free.own_links.clear();
  free.uplinks.clear();
  free.intra_host = free.inter_host = kFree;
  for (Host& host : free.hosts) host.inside = host.interface = kFree, host.leaf = -1;
  return std::max(0.0, period_s(plan, cluster) - period_s(plan, free));
}

/// A pipeline of abstract stages. A sample is the steady period of steps back to back; there are no
/// numbers to check.
class PipelineSubject final : public Subject {
 public:
  PipelineSubject(RunContext& context, const config::CellSpec& cell)
      : context_(context), cell_(cell) {}

  void introduce(store::Record& record) const override {
    const config::PipelineChoice& choice = *cell_.pipeline;
    record.independent["pipeline"] = config::to_string(choice);
    record.independent["name"] = choice.name;
    record.independent["schedule"] = config::to_string(cell_.schedule);
    record.num_micro_batches = choice.num_micro_batches;
    store::PipelineFigures& figures = record.pipeline;
    figures.num_stages = choice.num_stages;
    for (std::size_t s = 0; s < choice.forward_s.size(); ++s)
      figures.work_s.push_back(static_cast<double>(choice.num_micro_batches) *
                               (choice.forward_s[s] + choice.backward_s[s] + choice.weight_s[s]));
  }

  planning::PlannedCell plan(const cost::CostModel& cost) override {
    return noted(planning::plan_pipeline(cell_, cost, context_.registry, limits()));
  }
  planning::PlannedCell plan_as(const plan::ExecutionPlan& given,
                                const cost::CostModel& cost) override {
    return noted(planning::pipeline_as(given, cell_, cost, context_.registry, limits()));
  }

  std::int64_t num_ranks(const plan::ExecutionPlan&, const Cluster&) const override {
    return cell_.pipeline->num_stages;
  }
  bool needs_cores() const override { return false; }

  void describe(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                const cost::Calibration* calibration, store::Record& record) override {
    for (const plan::Role& role : plan.roles)
      record.pipeline.in_flight.push_back(plan::most_in_flight(plan, role));
    record.pipeline.formula_s = formula_s_;
    record.pipeline.exposed_s = exposed_s(plan, cost.cluster());
    record.bound_s = planning::pipeline_bound_s(*cell_.pipeline, plan,
                                                cluster_at_peak(cost.cluster(), calibration));
    record.bound_kind = "pipeline";
  }

  std::int64_t num_steps(double) const override { return context_.experiment.measure.steps; }

  bool is_warm(const std::vector<double>& step_s, bool) const override {
    return std::ssize(step_s) >= context_.experiment.measure.min_warmup_steps;
  }
  std::string verify(runtime::Session&, store::Record&) override { return ""; }

  std::string add_figures(store::Record& record) const override {
    const double step_s = record.summary.median_s;
    record.pipeline.bubble_s.clear();
    for (const double work_s : record.pipeline.work_s)
      record.pipeline.bubble_s.push_back(std::max(0.0, step_s - work_s));  // but for rounding
    record.bound_efficiency = record.bound_s / step_s;
    return record.bound_efficiency > kMostEfficiency ? "the step is shorter than its lower bound"
                                                     : "";
  }

 private:
  plugin::ChildLimits limits() const {
    return planning::planning_limits(context_.experiment, context_.is_interrupted);
  }
  planning::PlannedCell noted(planning::PlannedCell planned) {
    formula_s_ = planned.formula_s;
    return planned;
  }

  RunContext& context_;
  const config::CellSpec& cell_;
  double formula_s_ = 0;
};

}  // namespace

std::unique_ptr<Subject> pipeline_subject(RunContext& context, const config::CellSpec& cell) {
  return std::make_unique<PipelineSubject>(context, cell);
}

}  // namespace rhino::measure
