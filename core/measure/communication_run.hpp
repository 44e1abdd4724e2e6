// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "measure/cell_run.hpp"
#include "planning/communication_plan.hpp"

namespace rhino::measure {

/// A cell of one communication alone. A sample is the time of one reshard from the first start to
/// the last end, or of one of many collectives back to back; after each sample every element that
/// arrived is checked.
class CommunicationRun final : public MeasuredCell {
 public:
  CommunicationRun(RunContext& context, const config::CellSpec& cell, const std::string& label);
  ~CommunicationRun() override;

  bool prepare() override;
  double repetition() override;
  store::Record finish() override;
  void fail(const std::string& message) override;
  bool single_sample() const override { return simulated_ || record_.oversubscribed; }

 private:
  bool plan();
  void describe();
  void predict(const cost::CostModel& cost);
  bool reuse();
  bool start();
  bool warm_up();
  double sample();
  bool verify();
  void note_trace(const plan::StepTrace& trace);
  void add_rates();

  RunContext& context_;
  const config::CellSpec& cell_;
  store::Record record_;
  Cluster cluster_;
  planning::CommunicationProblem problem_;
  const cost::Calibration* calibration_ = nullptr;
  planning::PlannedCell planned_;
  std::unique_ptr<runtime::Session> session_;
  bool simulated_ = false;
  double simulated_s_ = 0;
  int num_steps_ = 1;  ///< of a repetition
  std::string signature_;
  bool reused_ = false;
  std::size_t num_reused_ = 0;
  plan::StepTrace last_trace_;
};

/// The run of any cell.
std::unique_ptr<MeasuredCell> make_measured_cell(RunContext& context, const config::CellSpec& cell,
                                                 const std::string& label);

}  // namespace rhino::measure
