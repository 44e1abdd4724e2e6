// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "measure/peak_cluster.hpp"
#include "measure/subject.hpp"
#include "planning/communication_plan.hpp"
#include "simulate/cpu_load.hpp"
#include "topology/discover.hpp"

namespace rhino::measure {
namespace {

/// A repetition of a small collective lasts about this long.
constexpr double kRepetition_s = 0.02;
constexpr double kMostSteps = 1000;

/// One communication alone. A sample is the time of one reshard from the first start to the last
/// end, or of one of many collectives back to back; every element that arrived is checked.
class CommunicationSubject final : public Subject {
 public:
  CommunicationSubject(RunContext& context, const config::CellSpec& cell)
      : context_(context), cell_(cell) {}

  void introduce(store::Record& record) const override {
    record.communication.kind = cell_.reshard ? "reshard" : "collective";
    if (cell_.collective) record.communication.bytes = static_cast<double>(cell_.collective->bytes);
    if (cell_.reshard) {
      for (const config::TensorChoice& tensor : cell_.reshard->tensors)
        record.communication.bytes += static_cast<double>(num_bytes(tensor.shape));
      record.independent["reshard"] = config::to_string(*cell_.reshard);
      record.independent["name"] = cell_.reshard->name;
      record.independent["resharding"] = config::to_string(cell_.resharding);
      record.independent["dtype"] = dtype_name(cell_.reshard->tensors.front().shape.dtype);
    } else {
      record.independent["collective"] = cell_.collective->kind;
      record.independent["dtype"] = dtype_name(cell_.collective->dtype);
    }
  }

  planning::PlannedCell plan(const cost::CostModel& cost) override {
    return planning::plan_communication(
        cell_, planning::communication_problem(cell_, cost.cluster()), context_.registry,
        planning::planning_limits(context_.experiment, context_.is_interrupted));
  }

  std::int64_t num_ranks(const plan::ExecutionPlan& plan, const Cluster&) const override {
    std::int64_t count = 0;
    for (const plan::Role& role : plan.roles) count += std::ssize(role.mesh.devices);
    return count;
  }
  bool needs_cores() const override { return cell_.topology.id == "local"; }

  void describe(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                const cost::Calibration* calibration, store::Record& record) override {
    to_check_ = !plan.incomplete;
    const planning::CommunicationProblem problem =
        planning::communication_problem(cell_, cluster_at_peak(cost.cluster(), calibration));
    record.communication.bytes_between_hosts = plan::bytes_between_hosts(plan);
    record.communication.num_messages = std::ssize(plan.communications.front().steps);
    if (calibration != nullptr && cost.cluster().is_emulated())
      record.communication.predicted_cpu_s =
          simulate::cpu_s(plan, *calibration, topology::discover_machine().num_cores);
    const evaluate::Bound bound = planning::communication_bound(problem);
    record.bound_s = bound.seconds;
    record.bound_kind = bound.kind;
  }

  std::int64_t num_steps(double step_s) const override {
    if (!cell_.collective) return 0;
    const double wanted = std::ceil(kRepetition_s / std::max(step_s, 1e-6));
    const auto least = static_cast<double>(context_.experiment.measure.steps);
    return static_cast<std::int64_t>(std::clamp(wanted, least, std::max(least, kMostSteps)));
  }

  bool is_warm(const std::vector<double>& step_s, bool oversubscribed) const override {
    const std::int64_t least = oversubscribed ? 1 : context_.experiment.measure.min_warmup_steps;
    return std::ssize(step_s) >= std::max<std::int64_t>(1, least);
  }

  /// Every element that this or an earlier repetition left wrong counts.
  std::string verify(runtime::Session& session, store::Record& record) override {
    if (!to_check_) return "";
    const runtime::Verification result = session.verify();
    record.check_kind = "elements";
    record.check_num_wrong += result.num_wrong;
    if (result.num_wrong == 0) return "";
    return std::to_string(result.num_wrong) + " of " + std::to_string(result.num_elements) +
           " elements are wrong; " + result.message;
  }

  std::string add_figures(store::Record& record) const override {
    const double seconds = record.summary.median_s;
    store::CommunicationFigures& figures = record.communication;
    // A plan that leaves data out has no bandwidth, and may well be faster than the bound.
    if (seconds > 0 && to_check_) {
      figures.effective_bytes_per_s = figures.bytes / seconds;
      record.bound_efficiency = record.bound_s / seconds;
    }
    if (cell_.collective) {
      figures.bus_bytes_per_s = figures.effective_bytes_per_s *
                                planning::bus_factor(*cell_.collective, record.num_devices);
    }
    return record.bound_efficiency > kMostEfficiency ? "the measured time is below its lower bound"
                                                     : "";
  }

 private:
  RunContext& context_;
  const config::CellSpec& cell_;
  bool to_check_ = false;  ///< the plan delivers everything
};

}  // namespace

std::unique_ptr<Subject> communication_subject(RunContext& context, const config::CellSpec& cell) {
  return std::make_unique<CommunicationSubject>(context, cell);
}

}  // namespace rhino::measure
