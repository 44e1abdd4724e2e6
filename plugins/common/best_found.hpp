// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "common/candidate.hpp"

namespace rhino::common {

/// Strategies that were simulated and fit, each once, the quickest first.
class BestFound {
 public:
  bool empty() const { return best_.empty(); }
  void clear() { best_.clear(); }

  /// Infinite: nothing fits yet.
  double step_s() const {
    return empty() ? std::numeric_limits<double>::infinity() : best_.front().first;
  }

  void add(double step_s, const Strategy& strategy) {
    const auto is_known = [&](const auto& one) { return is_same(one.second, strategy); };
    if (std::ranges::any_of(best_, is_known)) return;
    best_.emplace_back(step_s, strategy);
    std::ranges::stable_sort(best_, {}, &std::pair<double, Strategy>::first);
  }

  /// At most so many.
  std::vector<Strategy> strategies(std::size_t most) const {
    std::vector<Strategy> some;
    for (std::size_t i = 0; i < std::min(most, best_.size()); ++i) some.push_back(best_[i].second);
    return some;
  }

 private:
  std::vector<std::pair<double, Strategy>> best_;  ///< with the seconds of their step
};

}  // namespace rhino::common
