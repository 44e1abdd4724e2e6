// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/cluster.hpp"

namespace rhino::topology {

/// How many times as quick as a topology says, to see what hangs on its numbers.
struct Variation {
  double network = 1;  ///< all links between hosts
  double kernels = 1;  ///< what kernels reach of memory and arithmetic, and their fixed costs
};

/// The cluster with other rates; kernels reach no more than its peaks. Throws Error for factors
/// that are not positive, and for what is measured: emulated hosts' network, kernels of CPU
/// workers.
Cluster varied(Cluster cluster, const Variation& variation);

}  // namespace rhino::topology
