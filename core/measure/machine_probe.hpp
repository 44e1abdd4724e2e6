// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "store/record.hpp"

namespace rhino::measure {

/// What a few milliseconds of work take: a product of matrices in cache and a pass over memory, on
/// all cores at once; the slowest core counts.
struct ProbeTimes {
  double dot_s = 0, stream_s = 0;
};
ProbeTimes probe_machine();

/// Processor time that all processes took on the cores of this one, and what its own children took
/// of it, once they were waited for.
struct CpuTimes {
  double all_s = 0, own_s = 0, wall_s = 0;
};
CpuTimes cpu_times();

/// Tells rounds that other work disturbed. Its measure is the quickest that probes of the run were.
class MachineWatch {
 public:
  MachineWatch();

  /// Before a round, and once its workers have ended: notes in it what it felt meanwhile.
  void begin();
  void end(store::Round& round);
  /// A round of an earlier session of the same run.
  void learn(const store::Round& round);
  /// 0: nothing was felt; 1: as much as makes a round disturbed.
  double disturbance(const store::Round& round) const;

 private:
  ProbeTimes quickest_, before_;
  CpuTimes cpu_before_;
};

}  // namespace rhino::measure
