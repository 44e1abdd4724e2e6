// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "common/candidate.hpp"

namespace rhino::common {

/// First looks at one mesh, most micro-batches first: whether fewer are worth one.
class FirstLooks {
 public:
  /// `most_s`: what takes longer in dots alone than the quickest by so much, and than the quickest
  /// of the mesh, is not.
  bool may_be_quickest(double dots_s, double most_s) const {
    return dots_s <= std::min(most_s, kNear * best_dots_s_);
  }

  /// Whether fewer are likely to be worth one once `look` is known, by how much of a step stages
  /// wait; of several axes the second look is mostly the last.
  bool is_likely_to_go_on(const Configuration& look) const {
    const bool is_first = best_fill_ == std::numeric_limits<double>::infinity();
    return is_first || (look.axes.size() == 1 && look.fill() <= kNearlyAsCheap * best_fill_);
  }

  /// False: this one takes so much longer than one before that fewer will, too. `dots_s`: of it, in
  /// dots alone.
  bool add(const Candidate& look, double dots_s) {
    best_bound_s_ = std::min(best_bound_s_, look.table_bound_s);
    // Of one axis looks take little, and may end far above their bounds.
    const bool may_be_less = look.configuration.axes.size() == 1 &&
                             look.table_s > kFar * look.table_bound_s &&
                             look.table_bound_s <= kNearlyAsCheap * best_bound_s_;
    if (look.table_s > kNearlyAsCheap * best_s_ && !may_be_less) return false;
    if (look.table_s < best_s_) {
      best_s_ = look.table_s;
      best_dots_s_ = dots_s;
      best_fill_ = look.configuration.fill();
    }
    return true;
  }

  double best_s() const { return best_s_; }

  static constexpr double kNear = 1.25, kFar = 1.02;

 private:
  static constexpr double kNearlyAsCheap = 1.1;

  double best_s_ = std::numeric_limits<double>::infinity(), best_dots_s_ = best_s_,
         best_bound_s_ = best_s_, best_fill_ = best_s_;
};

/// Op by op a second look may end, of what is dear, at a worse cut than a first one of ops that are
/// cut alike.
inline void take_better(Candidate& first, Candidate second) {
  if (second.table_s <= first.table_s) first = std::move(second);
}

}  // namespace rhino::common
