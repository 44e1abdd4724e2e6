// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/choice/cost_graph.hpp"

namespace rhino::common::choice {

/// When the work is to end with what there is.
struct Deadline {
  virtual ~Deadline() = default;
  virtual bool is_over() const = 0;
};

struct Effort {
  double most_work = 1 << 26;     ///< sums of an exact elimination
  std::int32_t num_sweeps = 100;  ///< of messages, each time that labels are dropped
  bool drops_dominated = true;
  double improvement_work = 1 << 20;  ///< sums for nodes that are chosen anew together; 0: none are
  /// Choices that cost more are of no use: where a bound is above, the work ends.
  double most_cost = std::numeric_limits<double>::infinity();
  bool repairs_dear = true;  ///< where it does, the choice is still none of what is forbidden
  double near = 0;  ///< of a choice that costs as much more than its bound the work ends, too
  std::int32_t most_branched = 0;  ///< parts that are solved where bounds rule out no more labels
  const Deadline* deadline = nullptr;  ///< looked at between passes over the graph; null: none

  bool is_over() const { return deadline != nullptr && deadline->is_over(); }
};

/// For a first look; for one of many; for few labels or equal layers; for all ops of many layers;
/// for all that programs of some layers are; for several axes of these, where hundreds of parts
/// hardly move the bound.
inline constexpr Effort kQuick{.most_work = 1 << 21,
                               .num_sweeps = 10,
                               .drops_dominated = false,
                               .improvement_work = 0,
                               .near = 0.005};
inline constexpr Effort kLight{
    .most_work = 1 << 21, .num_sweeps = 30, .improvement_work = 0, .near = 0.003};
inline constexpr Effort kThorough{
    .most_work = 1 << 21, .num_sweeps = 30, .improvement_work = 1 << 16};
/// And for programs that take little.
inline constexpr Effort kCareful{.most_work = 1e7, .improvement_work = 1 << 18};
inline constexpr Effort kSettled{.num_sweeps = 30, .improvement_work = 0, .near = 0.002};
inline constexpr Effort kExact{.most_work = 1e8, .most_branched = 200};
inline constexpr Effort kUnbranched{.most_work = 1e8};

/// A choice, and what none costs less than; equal where it is proved to be the best.
struct Solution {
  Labels labels;
  double cost = 0, bound = 0;

  /// Of a choice of what is forbidden: there is no other one, rather than that none was found.
  bool is_forced() const { return bound >= kForbidden; }
};

namespace detail {

/// A little more than rounding: labels that bounds are not above of by that much stay.
inline double slack(double cost) { return 1e-7 * std::max(cost, 1e-9); }

inline bool is_proved(const Solution& found) {
  return found.cost - found.bound <= slack(found.cost);
}
inline bool is_near(double cost, double bound, const Effort& effort) {
  return cost - bound <= std::max(effort.near * cost, slack(cost));
}

}  // namespace detail
}  // namespace rhino::common::choice
