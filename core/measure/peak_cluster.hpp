// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/cost.hpp"
#include "rhino/cluster.hpp"

namespace rhino::measure {

/// The cluster with links as fast as they ever were while it was calibrated: what a bound that
/// judges measurements may rely on. Without a calibration nothing is measured: as it is.
Cluster cluster_at_peak(Cluster cluster, const cost::Calibration* calibration);

}  // namespace rhino::measure
