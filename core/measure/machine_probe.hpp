// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "store/record.hpp"
#include "topology/other_work.hpp"

namespace rhino::measure {

/// What a few milliseconds of work take: a product of matrices in cache, a pass over memory, a load
/// that awaits the one before it, and a cache line that goes to the neighbouring core and back, on
/// all cores at once; the slowest counts. A virtual machine's cores may come to lie apart, in
/// caches of their own: the last one takes 50 ns, then 300.
struct ProbeTimes {
  double dot_s = 0, stream_s = 0, latency_s = 0, handover_s = 0;
};
ProbeTimes probe_machine();
/// The quickest of so many.
ProbeTimes probe_machine(int repetitions);
/// As rounds do: of several pairs, each the quicker one, the middle of each time.
ProbeTimes typical_probe();

/// A probe that takes so much longer than the quickest one tells of other work.
inline constexpr double kMostSlowdown = 1.2;

/// Whether a step of this round would feel that its handovers took longer than `quickest_s`: cores
/// of an idle virtual machine too lie together now and apart then, which a step of a second does
/// not feel.
bool feels_handovers(const store::Round& round, double quickest_s);

/// Tells rounds that other work disturbed, or in which a GPU was throttled. Its measure is the
/// quickest that probes have been so far.
class MachineWatch {
 public:
  MachineWatch();

  /// Before a round, and once its workers have ended: notes in it what it felt meanwhile, of GPUs
  /// too where their PCI ids are given.
  void begin(const std::vector<std::string>& gpus = {});
  void end(store::Round& round);
  /// 0: nothing was felt; 1: as much as makes a round disturbed. As is known by now: a quicker
  /// probe may tell it of earlier rounds.
  double disturbance(const store::Round& round) const;

 private:
  ProbeTimes quickest_, before_;
  std::optional<topology::OtherWork> others_;
  std::optional<topology::GpuWatch> gpus_;
};

}  // namespace rhino::measure
