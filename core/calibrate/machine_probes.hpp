// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "calibrate/machine.hpp"
#include "calibrate/memory.hpp"
#include "calibrate/probe_plan.hpp"
#include "calibrate/probes.hpp"
#include "cost/attention_price.hpp"

namespace rhino::calibrate {

/// As they are where the largest of them, which is the last, takes `hot_s`; never quicker.
cost::Calibration::NarrowDots heated(cost::Calibration::NarrowDots dots, double hot_s);

/// All that a calibration measures, as one plan, and what its steps tell.
class MachineProbes {
 public:
  explicit MachineProbes(const WorkerSetup& setup);

  const plan::ExecutionPlan& finish() { return probes_.finish(); }
  /// Of all steps together; without a fingerprint, nor what others kept busy.
  CalibrationRun read(const std::vector<plan::StepTrace>& steps) const;

 private:
  struct Attention {
    std::size_t forward = 0, backward = 0;
    cost::AttentionDots dots;
  };
  /// Collectives of one kind: elements of an operand, and the number of the probe.
  struct Kind {
    OpKind kind;
    std::vector<std::pair<std::int64_t, std::size_t>> probes;
  };
  class Readings;

  void add_dots();
  void add_convolutions();
  void add_attentions();
  void add_loops();
  void add_transposed_dot(const cost::Calibration::Dot& dot);
  void add_links();
  Kind collectives(OpKind kind, plan::CommunicationKind runs,
                   const std::vector<std::int64_t>& elements, std::int64_t parts);

  void read_dots(const Readings& of, cost::Calibration& result) const;
  void read_convolutions(const Readings& of, cost::Calibration& result) const;
  void read_attentions(const Readings& of, cost::Calibration& result) const;
  void read_loops(const Readings& of, cost::Calibration& result) const;
  void read_links(const Readings& of, cost::Calibration& result) const;
  CollectiveShare share_of(OpKind kind, double bytes, double seconds, const Link& link) const;

  const WorkerSetup& setup_;
  const Sizes& sizes_;
  ProbePlan probes_;
  std::vector<std::size_t> dots_;
  std::map<DType, std::vector<std::size_t>> narrow_dots_;
  std::map<DType, std::size_t> hot_dots_;
  std::map<DType, std::vector<std::pair<cost::DotExtents, std::size_t>>> convolutions_;
  std::array<std::vector<std::size_t>, 2> transposed_;  ///< columns and rows; as transposed_grid()
  std::vector<cost::Calibration::Attention> attended_;  ///< without rates
  std::vector<Attention> attentions_;                   ///< of those
  std::map<OpKind, std::size_t> steps_of_, terms_of_;
  std::size_t multiples_ = 0, one_ = 0, one_folded_ = 0, columns_ = 0, turned_ = 0, tiny_ = 0,
              stream_ = 0;
  std::vector<std::size_t> folds_;
  MemoryProbes memory_;
  std::size_t small_ = 0, large_ = 0, reduced_ = 0;
  std::vector<Kind> kinds_;
};

}  // namespace rhino::calibrate
