// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "measure/subject.hpp"

namespace rhino::measure {

/// One cell from its plan to its record, whatever it is of. Rounds are asked for from outside (by
/// CaseRun). Faults end in the record, not in exceptions.
class CellRun {
 public:
  CellRun(RunContext& context, const config::CellSpec& cell, const std::string& label);

  /// Plans, and simulates where that is all. `before`: what an earlier session of the run left; its
  /// plan is taken up, and all that was measured of it. [first]
  void prepare(const store::Record* before = nullptr);
  /// Workers started anew, warm-up, repetitions: the seconds per step of each. The first time they
  /// are checked; where there are more ranks than cores, that is all. Empty: see record().
  std::vector<double> measure();
  /// Measuring counts, and more than once.
  bool takes_rounds() const { return !simulated_ && !record_.oversubscribed; }
  /// Equal where the same plan runs on the same device, driven and connected alike, with the same
  /// check. [prepared]
  const std::string& signature() const { return signature_; }

  /// To add rounds to.
  store::Record& record() { return record_; }
  /// The record with figures of the rounds so far, not yet compared with baselines.
  store::Record result() const;

 private:
  template <class Work>
  void attempt(Work&& work);
  void fail(store::Status status, const std::string& message);
  bool plan(const std::string& file);
  void calibrate();
  void note_machine();
  void calibrate_gpus();
  cost::CostModel cost_model() const;
  calibrate::WorkerSetup calibrated_workers() const;
  std::string host_names() const;
  void doubt_bounds(const std::vector<double>& samples_s);
  void describe(const cost::CostModel& cost);
  void predict(const cost::CostModel& cost);
  void start();
  bool is_warm() const;
  void warm_up();
  void verify();
  double sample();
  double crossed_bytes() const;
  void note_trace(const plan::StepTrace& trace);
  void keep(const std::string& kind, const std::string& text);

  RunContext& context_;
  const config::CellSpec& cell_;
  const bool simulated_;
  /// Kernels last what the topology says of devices; this machine has to do with links alone.
  const bool has_emulated_devices_;
  std::unique_ptr<Subject> subject_;
  store::Record record_;
  Cluster cluster_;
  const cost::Calibration* calibration_ = nullptr;
  const cost::Calibration* gpu_calibration_ = nullptr;  ///< prices alone stand on it
  bool doubted_ = false;  ///< its peaks were measured again for this cell
  planning::PlannedCell planned_;
  std::string signature_;
  std::unique_ptr<runtime::Session> session_;
  std::vector<double> warm_up_s_;  ///< steps before the first repetition of the round
};

/// Gives `record` what the cell of `same`, which runs the same plan, was measured to do.
void take_measurement(const store::Record& same, store::Record& record);

}  // namespace rhino::measure
