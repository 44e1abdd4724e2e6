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

/// What a dot touches and finds farther than after itself, which is as far as all that it touches:
/// seconds to read it, behind no arithmetic, and those that a loop takes longer to write it.
struct Farther {
  double read_s = 0, write_s = 0;
};
Farther farther_of_dot(const Calibration& calibration, const std::vector<Touch>& touches,
                       bool has_rhs_rows);
/// Of a dot that takes `near_s` after itself. What it reads is hidden behind its arithmetic by
/// parts, as a loop's bytes are; nothing of what it writes is.
double far_dot_s(double near_s, const Farther& farther);
/// The inverse: what is read behind no arithmetic, where it takes `far_s`.
double read_s_of_dot(double near_s, double far_s);

}  // namespace rhino::cost
