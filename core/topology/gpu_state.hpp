// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/members.hpp"

namespace rhino::topology {

/// What NVML tells of a GPU at one moment; 0 what it does not tell.
struct GpuState {
  double clock_hz = 0, memory_clock_hz = 0;  ///< of the multiprocessors, of memory
  double power_w = 0, power_cap_w = 0;
  double celsius = 0;
  bool is_power_capped = false;  ///< clocks are lower because of the cap
  bool is_hot = false;           ///< clocks are lower because of the temperature
  bool is_slowed = false;        ///< by the hardware: power brake, or its own slowdown
  std::int64_t num_corrected = 0, num_uncorrected = 0;  ///< errors of memory since the driver began
  bool operator==(const GpuState&) const = default;
};

constexpr auto members(const GpuState*) {
  using codec::named;
  using S = GpuState;
  return std::tuple(named("clock_hz", &S::clock_hz), named("memory_clock_hz", &S::memory_clock_hz),
                    named("power_w", &S::power_w), named("power_cap_w", &S::power_cap_w),
                    named("celsius", &S::celsius), named("is_power_capped", &S::is_power_capped),
                    named("is_hot", &S::is_hot), named("is_slowed", &S::is_slowed),
                    named("num_corrected", &S::num_corrected),
                    named("num_uncorrected", &S::num_uncorrected));
}

}  // namespace rhino::topology
