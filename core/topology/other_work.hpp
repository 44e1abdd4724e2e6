// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace rhino::topology {

/// CPU time since boot, in seconds, to a tick of the system (mostly 10 ms): of everything on this
/// machine (guests of the same host that took ours included), and of the process `root` with all
/// that descends from it, ended children included; of interrupts apart, in which networks work.
/// Zeros where /proc does not tell.
struct CpuTime {
  double all_s = 0, own_s = 0, interrupts_s = 0;
};
CpuTime cpu_time(pid_t root);

/// Measures what everyone else does while this object lives.
class OtherWork {
 public:
  /// Of everyone but `root` and its descendants; 0: this process.
  explicit OtherWork(pid_t root = 0);
  /// Cores that others kept busy since the beginning, in the mean.
  double busy_cores() const;

 private:
  pid_t root_;
  double begin_s_;
  CpuTime begin_;
};

}  // namespace rhino::topology
