// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/lower.hpp"
#include "rhino/cluster.hpp"

namespace rhino::cost {

/// What a kernel of attention reaches, as its authors published it of a device.
struct AttentionRates {
  const char* device;                ///< how its name begins
  double forward = 0, backward = 0;  ///< parts of the peak, of a depth of 128 and long rows
  double exponentials_per_s = 0;     ///< one for each score, beside which dots wait
};

/// nullptr: nothing is known of it.
const AttentionRates* attention_rates(const DeviceModel& device);

/// Arithmetic of an attention group: at those rates, of what dots take there beside exponentials in
/// proportion to the depth; where nothing is known at that of dots. Blocks of 128 rows, or of
/// columns in the backward pass, go over the multiprocessors in waves (core/cost/README.md).
double attention_arithmetic_s(const DeviceModel& device, const Program& program,
                              const lower::KernelGroup& group);

}  // namespace rhino::cost
