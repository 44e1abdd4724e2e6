// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "measure/machine_probe.hpp"
#include "store/record.hpp"
#include "topology/other_work.hpp"

namespace rhino::measure {

/// A probe that takes so much longer than those of a calm machine tells of other work.
inline constexpr double kMostSlowdown = 1.2;

/// Whether a step of this round would feel that its handovers took longer than `quickest_s`: cores
/// of an idle virtual machine too lie together now and apart then, which a step of a second does
/// not feel.
bool feels_handovers(const store::Round& round, double quickest_s);

/// Tells rounds that other work disturbed, or in which a GPU was throttled. Its measure is what the
/// quickest quarter of all probes so far took at most: the quickest of all may have had what the
/// machine shares with neighbours to itself.
class MachineWatch {
 public:
  MachineWatch();
  /// Of a machine that was probed before: at least once.
  explicit MachineWatch(std::vector<ProbeTimes> probes) : probes_(std::move(probes)) {}

  /// Before a round, and once its workers have ended: notes in it what it felt meanwhile, of GPUs
  /// too where their PCI ids are given.
  void begin(const std::vector<std::string>& gpus = {});
  void end(store::Round& round);
  /// 0: nothing was felt; 1: as much as makes a round disturbed. As is known by now: quicker
  /// probes may tell it of earlier rounds.
  double disturbance(const store::Round& round) const;

 private:
  ProbeTimes before_;
  std::vector<ProbeTimes> probes_;
  std::optional<topology::OtherWork> others_;
  std::optional<topology::GpuWatch> gpus_;
};

}  // namespace rhino::measure
