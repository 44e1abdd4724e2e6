// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "measure/subject.hpp"

namespace rhino::measure {

/// One cell from its plan to its record, whatever it is of. Repetitions are asked for from outside
/// (by the benchmark driver). Faults end in the record, not in exceptions.
class CellRun {
 public:
  CellRun(RunContext& context, const config::CellSpec& cell, const std::string& label);

  /// Plans, starts workers, checks, warms up. [first]
  void prepare();
  /// Seconds per step of one more repetition. [as long as failure() is empty]
  double repetition();
  /// Why there is nothing, or nothing more, to measure; empty: there is.
  const std::string& failure() const { return failure_; }
  /// One repetition is all that is wanted: a check with more ranks than cores, or a simulation.
  bool single_sample() const { return simulated_ || record_.oversubscribed; }
  /// The record, not yet compared with baselines. [last]
  store::Record finish();

 private:
  template <class Work>
  void attempt(Work&& work);
  void fail(store::Status status, const std::string& message);
  bool plan();
  void calibrate();
  void describe(const cost::CostModel& cost);
  void predict(const cost::CostModel& cost);
  bool reuse();
  void start();
  void warm_up();
  void verify();
  double sample();
  double crossed_bytes() const;
  void note_trace(const plan::StepTrace& trace);
  void keep_trace();
  void add_figures();

  RunContext& context_;
  const config::CellSpec& cell_;
  const bool simulated_;
  std::unique_ptr<Subject> subject_;
  store::Record record_;
  std::string failure_;
  Cluster cluster_;
  const cost::Calibration* calibration_ = nullptr;
  planning::PlannedCell planned_;
  std::unique_ptr<runtime::Session> session_;
  std::vector<double> warm_up_s_;  ///< steps before the first repetition
  std::string signature_;          ///< of the plan in context_.equal_plans
  bool known_ = false;             ///< samples are those of a simulation, or of an equal plan
  std::size_t num_given_ = 0;      ///< known samples that were handed out
  plan::StepTrace last_trace_;
};

}  // namespace rhino::measure
