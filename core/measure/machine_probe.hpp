// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "store/record.hpp"
#include "topology/other_work.hpp"

namespace rhino::measure {

/// What a few milliseconds of work take: a product of matrices in cache, a pass over memory, and a
/// load that awaits the one before it, on all cores at once; the slowest core counts.
struct ProbeTimes {
  double dot_s = 0, stream_s = 0, latency_s = 0;
};
ProbeTimes probe_machine();

/// Tells rounds that other work disturbed. Its measure is the quickest that probes have been so
/// far.
class MachineWatch {
 public:
  MachineWatch();

  /// Before a round, and once its workers have ended: notes in it what it felt meanwhile.
  void begin();
  void end(store::Round& round);
  /// 0: nothing was felt; 1: as much as makes a round disturbed.
  double disturbance(const store::Round& round) const;

 private:
  ProbeTimes quickest_, before_;
  std::optional<topology::OtherWork> others_;
};

}  // namespace rhino::measure
