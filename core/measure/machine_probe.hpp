// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace rhino::measure {

/// What a few milliseconds of work take: a product of matrices in cache, a pass over memory, a load
/// that awaits the one before it, and a cache line that goes to the neighbouring core and back, on
/// all cores at once; the slowest counts. A virtual machine's cores may come to lie apart, in
/// caches of their own: the last one takes 50 ns, then 300.
struct ProbeTimes {
  double dot_s = 0, stream_s = 0, latency_s = 0, handover_s = 0;
};
ProbeTimes probe_machine();
/// As rounds do, of several pairs some way apart, each time that of the middle one.
ProbeTimes typical_probe();

/// Each time the quicker one.
ProbeTimes quicker(const ProbeTimes& a, const ProbeTimes& b);
/// Each time that which so large a share of these is no longer than; of at least one.
ProbeTimes quantile(std::vector<ProbeTimes> probes, double share);

}  // namespace rhino::measure
