// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "common/candidate.hpp"

namespace rhino::common {

/// What needed more bytes than was expected, and by how much.
class Misled {
 public:
  /// `problem`: with the memory that candidates were to fit into.
  void note(const SearchProblem& problem, const Candidate& candidate,
            const Evaluation& evaluation) {
    if (evaluation.peak_bytes <= candidate.estimate.peak_bytes) return;
    const double share = candidate.estimate.peak_bytes / evaluation.peak_bytes;
    least_share_ = std::min(least_share_, share);
    if (!is_small(problem, candidate.estimate) || candidate.step_s() >= quickest_.step_s) return;
    quickest_ = {candidate.configuration, candidate.step_s(), share};
  }

  struct Quickest {
    Configuration configuration;
    double step_s = std::numeric_limits<double>::infinity();  ///< nothing was misleading
    double share = 1;
  };
  /// Of what fitted by its estimate and does not.
  const Quickest& quickest() const { return quickest_; }
  /// The least that was expected of the bytes that there turned out to be; 1: nothing was too
  /// large.
  double least_share() const { return least_share_; }

 private:
  double least_share_ = 1;
  Quickest quickest_;
};

}  // namespace rhino::common
