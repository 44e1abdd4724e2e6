// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rhino/cluster.hpp"

namespace rhino::cost {

/// A dot as a batch of m x k times k x n.
struct DotExtents {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  double flops() const {
    return 2.0 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) *
           static_cast<double>(k);
  }
};

/// What large kernels reach of a device's memory, bytes per second.
double stream_rate(const DeviceModel& device);

/// Seconds of a dot on a device, were its operands in the last-level cache: the quickest of cuBLAS'
/// tiles and splits of k, in waves over the multiprocessors, then the result to memory
/// (core/cost/README.md). A floating-point dtype that the device lacks works as f32.
double dot_arithmetic_s(const DeviceModel& device, DType dtype, const DotExtents& extents);

}  // namespace rhino::cost
