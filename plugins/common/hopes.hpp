// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "common/candidate.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// What simulations found as against estimates, and so what of a large program may still fit and be
/// the quickest. Of the same mesh and form that tells much; others tell only how much less than its
/// estimate something may take: what one form hides behind kernels another may not send.
class Hopes {
 public:
  struct Options {
    bool is_quick = false;  ///< level 2
    bool is_long = false;   ///< each plan takes long
  };

  Hopes() = default;
  explicit Hopes(const Options& options) : options_(options) {}

  void add(const Candidate& candidate, const Evaluation& found) {
    known_.push_back({candidate.configuration, candidate.form, found.step_s / candidate.step_s(),
                      found.peak_bytes / candidate.estimate.peak_bytes});
  }

  /// Where `best_s` was simulated.
  bool is_hopeful(const SearchProblem& problem, const Candidate& candidate, double best_s) const {
    double least = 1, least_of_form = kAnything, least_bytes = kAnything;
    for (const Found& one : known_) {
      const bool is_like =
          one.configuration.is_of_mesh(candidate.configuration) && one.form == candidate.form;
      if (is_like && one.bytes > 0) least_bytes = std::min(least_bytes, one.bytes);
      if (one.step <= 0) continue;  // it does not fit
      least = std::min(least, one.step);
      if (is_like) least_of_form = std::min(least_of_form, one.step);
    }
    if (!may_fit(problem, candidate, least_bytes)) return false;
    // Where estimates were too low so far, others are hardly far too high.
    const bool is_low = options_.is_long && known_.size() >= kEnough && least >= 1;
    const Hope hope = !options_.is_quick ? Hope{} : is_low ? kOfLow : kOfQuick;
    const double ratio =
        least_of_form < kAnything ? least_of_form : std::min(hope.of_others, least);
    return ratio * candidate.step_s() < hope.near_best * best_s;
  }

 private:
  /// 0: it does not tell.
  struct Found {
    Configuration configuration;
    int form = 0;
    double step = 0, bytes = 0;
  };

  /// The least that a form takes of its estimate which was not simulated, and how far above the
  /// best what is expected may be.
  struct Hope {
    double of_others = 0.95, near_best = 1.015;
  };

  /// `least`: of its bytes, by what is like it; infinite: nothing is.
  bool may_fit(const SearchProblem& problem, const Candidate& candidate, double least) const {
    if (least == kAnything) return !options_.is_quick || is_small(problem, candidate.estimate);
    return is_small(problem, candidate.estimate, (options_.is_quick ? 1 : kBytesNear) / least);
  }

  static constexpr double kAnything = std::numeric_limits<double>::infinity();
  static constexpr double kBytesNear = 1.02;  ///< of as much less of its bytes something may need
  static constexpr Hope kOfQuick{0.97, 1}, kOfLow{0.98, 1};
  static constexpr std::size_t kEnough = 2;

  Options options_;
  std::vector<Found> known_;
};

}  // namespace rhino::common
