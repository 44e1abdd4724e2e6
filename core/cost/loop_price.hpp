// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cost/cost.hpp"
#include "cost/touches.hpp"

/// What a calibration says of fused loops, and of memory that is far.
namespace rhino::cost {

/// What a fused loop computes while its data are in cache.
double loop_arithmetic_s(const Calibration& calibration, const Program& program,
                         const lower::KernelGroup& group);

/// Of a loop that computes for `arithmetic_s`, beside `moving_s` of its bytes: parts of each are
/// hidden behind the other, more of what is shorter. One that folds rows waits for each row before
/// it goes over it again.
double loop_s(const lower::KernelGroup& group, double arithmetic_s, double moving_s);

/// Of a loop that does `kind` with memory from there.
double byte_s(const Calibration::Reach& reach, Touch::Kind kind);

/// What a loop takes longer for what a dot touches than were all of it where the dot, after itself,
/// finds it: as far as all that it touches.
double farther_s(const std::vector<Calibration::Reach>& reach, const std::vector<Touch>& touches);

}  // namespace rhino::cost
