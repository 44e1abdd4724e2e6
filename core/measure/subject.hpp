// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "measure/run_context.hpp"
#include "planning/plan_cell.hpp"
#include "runtime/session.hpp"

namespace rhino::measure {

/// What a cell is of, in its own words: a training step, one communication alone, abstract stages.
/// CellRun asks, in this order, and does all that cells have in common. Throws Error where the cell
/// cannot go on.
class Subject {
 public:
  virtual ~Subject() = default;

  /// Says in the record what the cell asks for. [first]
  virtual void introduce(store::Record& record) const = 0;
  /// Plans on the cluster of `cost`. [once]
  virtual planning::PlannedCell plan(const cost::CostModel& cost) = 0;
  /// Takes a plan that is given instead. [once]
  virtual planning::PlannedCell plan_as(const plan::ExecutionPlan& given,
                                        const cost::CostModel& cost) {
    return planning::planned_as(given, cost.cluster());
  }
  /// Ranks that count, of a plan that may be empty.
  virtual std::int64_t num_ranks(const plan::ExecutionPlan& plan, const Cluster& cluster) const = 0;
  /// Ranks need a core each; ones that wait for an emulated network leave theirs to others.
  virtual bool needs_cores() const = 0;
  /// Before workers start: what takes long, and would leave them alone. [described]
  virtual void get_ready(const store::Record&) {}
  /// Says in the record what is known of the plan before it runs, its lower bound included.
  /// `calibration`: what `cost` relies on; nullptr: the topology. [once, of a plan that is ok]
  virtual void describe(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                        const cost::Calibration* calibration, store::Record& record) = 0;
  /// Steps of a repetition that run back to back, so that their period counts, where one takes
  /// about `step_s`; 0: one step alone, all of which counts.
  virtual std::int64_t num_steps(double step_s) const = 0;
  /// Warm-up has come to its end with these steps.
  virtual bool is_warm(const std::vector<double>& step_s, bool oversubscribed) const = 0;
  /// Compares what the last step left with what it must be, and counts in the record. Returns what
  /// is wrong; empty: nothing. [after each warm-up step and each repetition]
  virtual std::string verify(runtime::Session& session, store::Record& record) = 0;
  /// Rates, from the summary of the samples. Returns why they are impossible; empty: they are not.
  /// [last]
  virtual std::string add_figures(store::Record& record) const = 0;
};

/// Nothing runs faster than physics: a bound over a time above it says so, rounding left aside.
inline constexpr double kMostEfficiency = 1.0001;

/// `context` and `cell` are borrowed as long as the subject lives.
std::unique_ptr<Subject> training_subject(RunContext& context, const config::CellSpec& cell);
std::unique_ptr<Subject> communication_subject(RunContext& context, const config::CellSpec& cell);
std::unique_ptr<Subject> pipeline_subject(RunContext& context, const config::CellSpec& cell);

}  // namespace rhino::measure
