// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "codec/members.hpp"
#include "rhino/members.hpp"
#include "rhino/program.hpp"
#include "runtime/device/gpu_modes.hpp"

namespace rhino::runtime {

/// A program, what it is given and what it must come to, elements row-major: what a device is
/// checked with in a process of its own.
struct DeviceCase {
  std::string name;
  Program program;
  std::vector<std::vector<double>> inputs, expected;
  /// Of the largest difference over the largest element of an output; integers are exact.
  double tolerance = 0;
  /// How the GPU is driven. With graphs it runs once without, then twice as one.
  GpuModes gpu = {};
};
constexpr auto members(const DeviceCase*) {
  using C = DeviceCase;
  return std::tuple(&C::name, &C::program, &C::inputs, &C::expected, &C::tolerance, &C::gpu);
}

struct DeviceCases {
  std::vector<DeviceCase> cases;
};
constexpr auto members(const DeviceCases*) { return std::tuple(&DeviceCases::cases); }

struct DeviceCaseResult {
  std::string failure;    ///< a sentence; empty: all is as it must be
  bool is_wrong = false;  ///< it ran, and came to other numbers
  double error = 0;       ///< see DeviceCase::tolerance
  double seconds = 0;     ///< of a run, the median of some; 0: not timed
};
constexpr auto members(const DeviceCaseResult*) {
  using codec::named;
  using R = DeviceCaseResult;
  return std::tuple(named("failure", &R::failure), named("is_wrong", &R::is_wrong),
                    named("error", &R::error), named("seconds", &R::seconds));
}

}  // namespace rhino::runtime
