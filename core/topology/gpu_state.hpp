// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

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

/// A GPU over the time of a round, of states at moments. Clocks fall where nothing runs, between
/// steps too: what limited them tells of throttling, their height does not.
struct GpuRound {
  std::int64_t num_states = 0;
  double most_clock_hz = 0, mean_clock_hz = 0, most_memory_clock_hz = 0;
  double mean_power_w = 0, most_power_w = 0, power_cap_w = 0;
  double most_celsius = 0;
  /// Shares of the moments at which the power cap, the temperature or the hardware held clocks low.
  double capped = 0, hot = 0, slowed = 0;
  std::int64_t num_corrected = 0, num_uncorrected = 0;  ///< errors of memory meanwhile
  bool operator==(const GpuRound&) const = default;
};
constexpr auto members(const GpuRound*) {
  using codec::named;
  using R = GpuRound;
  return std::tuple(
      named("num_states", &R::num_states), named("most_clock_hz", &R::most_clock_hz),
      named("mean_clock_hz", &R::mean_clock_hz),
      named("most_memory_clock_hz", &R::most_memory_clock_hz),
      named("mean_power_w", &R::mean_power_w), named("most_power_w", &R::most_power_w),
      named("power_cap_w", &R::power_cap_w), named("most_celsius", &R::most_celsius),
      named("capped", &R::capped), named("hot", &R::hot), named("slowed", &R::slowed),
      named("num_corrected", &R::num_corrected), named("num_uncorrected", &R::num_uncorrected));
}
struct GpuRounds {
  std::vector<GpuRound> gpus;
};
constexpr auto members(const GpuRounds*) {
  return std::tuple(codec::named("gpus", &GpuRounds::gpus));
}

GpuRound summary(const std::vector<GpuState>& states);
std::string encode(const GpuRounds& rounds);
/// Throws Error.
GpuRounds decode_rounds(const std::string& text);

/// Heat or hardware held clocks low, or memory lost bits: times of such a round are not the GPU's.
/// The power cap alone is how GPUs are meant to work under load.
bool is_throttled(const GpuRound& round);

/// Watches GPUs from its construction on, by a child that opens NVML and no CUDA.
class GpuWatch {
 public:
  explicit GpuWatch(const std::vector<std::string>& pci_bus_ids);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;
  /// What it saw, in the order of the ids; empty: nothing. Once.
  std::vector<GpuRound> end();

 private:
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

}  // namespace rhino::topology
