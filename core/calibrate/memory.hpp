// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "calibrate/probe_plan.hpp"
#include "calibrate/probes.hpp"
#include "cost/cost.hpp"

namespace rhino::calibrate {

/// Probes of what lies near and far: loops that come back to memory after some bytes, and dots
/// whose operands were in the caches or were not; loops that come back after a while. None where
/// sizes have no reuse.
class MemoryProbes {
 public:
  MemoryProbes() = default;
  /// Adds them to the plan.
  MemoryProbes(const Sizes& sizes, ProbePlan& plan);

  /// Sets `reach`, what is forgotten, and what dots read from afar, and raises `peak_bytes_per_s`;
  /// its latency is known.
  void read(const std::function<ProbeSeconds(std::size_t)>& seconds,
            cost::Calibration& result) const;

 private:
  /// Of loops: x = x + x, x = x + y and z = x + x, over so many bytes in all.
  struct Loops {
    double bytes = 0;
    std::size_t update = 0, sum = 0, copy = 0;
  };
  /// Of weights of so many bytes in all: of row-major dots, and of a transposed right operand, each
  /// with the weights in one place, and apart.
  struct Products {
    explicit Products(double all) : bytes(all) {}
    double bytes = 0;
    std::array<std::array<std::size_t, 2>, 2> probes = {};
  };
  std::vector<Loops> loops_;
  double paused_bytes_ = 0;
  std::vector<Paused> paused_;      ///< of an update of those, ascending by the pause
  std::vector<Products> products_;  ///< ascending
};

}  // namespace rhino::calibrate
