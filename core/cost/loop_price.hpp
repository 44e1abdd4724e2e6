// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "cost/cost.hpp"
#include "cost/touches.hpp"

/// What a calibration says of fused loops, and of memory that is far.
namespace rhino::cost {

/// What a fused loop computes while its data are in cache: by ops that are as quick as memory, and
/// by those that keep an arithmetic unit busy meanwhile.
struct LoopArithmetic {
  double quick_s = 0, long_s = 0;
  double seconds() const { return quick_s + long_s; }
  /// Beside `moving_s` of its bytes. A loop waits for these and for quick ops in turn; behind a
  /// long one most of them are there already.
  double beside_s(double moving_s) const {
    constexpr double kSeen = 0.25;  // of the shorter of both: 0 to 0.6 of div, sqrt, tanh, exp
    return quick_s + std::max(long_s, moving_s) + kSeen * std::min(long_s, moving_s);
  }
};

LoopArithmetic loop_arithmetic(const Calibration& calibration, const Program& program,
                               const lower::KernelGroup& group);

/// Of a loop that does `kind` with memory from there.
double byte_s(const Calibration::Reach& reach, Touch::Kind kind);

/// That a dot, which computes for `near_s`, takes longer where a loop would take `far_s` longer.
double far_s_of_dot(const Calibration::FarDots& far_dots, double near_s, double far_s);

}  // namespace rhino::cost
