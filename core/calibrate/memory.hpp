// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "calibrate/probe_plan.hpp"
#include "calibrate/probes.hpp"
#include "cost/cost.hpp"

namespace rhino::calibrate {

/// Probes of what lies near and far: loops that come back to memory after some bytes, and dots
/// whose operands were in the caches or were not. None where sizes have no reuse.
class MemoryProbes {
 public:
  /// Adds them to the plan.
  MemoryProbes(const Sizes& sizes, ProbePlan& plan);

  /// Sets `reach`, and the shares of dots, and raises `peak_bytes_per_s`; its latency is
  /// known.
  void read(const std::function<ProbeSeconds(std::size_t)>& seconds,
            cost::Calibration& result) const;

 private:
  /// Of loops: x = x + x, x = x + y and z = x + x, over so many bytes in all.
  struct Loops {
    double bytes = 0;
    std::size_t update = 0, sum = 0, copy = 0;
  };
  /// Of so many weights, of so many bytes in all.
  struct Products {
    double bytes = 0, count = 1;
    std::size_t near = 0, far = 0;
  };
  std::vector<Loops> loops_;
  std::vector<Products> products_;  ///< row-major, and of a transposed right operand
};

}  // namespace rhino::calibrate
