// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cost/cost.hpp"
#include "lower/lower.hpp"
#include "rhino/cluster.hpp"

namespace rhino::cost {

/// Dots of an attention, of the scores that are seen, by the kernels that its authors make of it:
/// one forward; one backward, which makes the scores again, also where both are one group.
struct AttentionDots {
  struct Pass {
    double flops = 0;
    std::int32_t num_dots = 0;
  };
  DType dtype = DType::f32;
  Pass forward, backward;
};
AttentionDots attention_dots(const Program& program, const lower::Attention& attention);

/// Those of all attentions of a lowered program.
AttentionDots attention_dots(const lower::LoweredProgram& lowered);

/// Arithmetic at the rates that were measured of the nearest depth of such a dtype. `measured` is
/// not empty.
double measured_attention_s(const std::vector<Calibration::Attention>& measured,
                            const lower::Attention& attention, const AttentionDots& dots);

/// Arithmetic of these kernels: at AttentionRates, of what dots take there beside exponentials in
/// proportion to the depth; where nothing is known at that of dots. Blocks of 128 rows, or of
/// columns in the backward pass, go over the multiprocessors in waves (core/cost/README.md).
double attention_arithmetic_s(const DeviceModel& device, const lower::Attention& attention,
                              const AttentionDots& dots);

}  // namespace rhino::cost
