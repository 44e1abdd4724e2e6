// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace rhino::evaluate {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// What a collective takes, alone: after a latency seconds of links inside hosts, and of links
/// between them, which it uses at once.
struct LinkUse {
  double latency_s = 0;
  std::array<double, 2> busy_s = {};  ///< inside, between
  double longest_s() const { return std::max(busy_s[0], busy_s[1]); }
  double alone_s() const { return latency_s + longest_s(); }
};

/// Collectives of one device under way together: those over the same axes follow each other, others
/// share links evenly, as they do in simulations.
class SharedLinks {
 public:
  void clear();
  /// Returns its number. `now_s` must not be before that of an earlier call.
  std::int32_t start(std::uint32_t axes, const LinkUse& use, double now_s);
  /// When it ends, if none is started before; now is then, or later.
  double end_s(std::int32_t flow);

 private:
  struct Flow {
    std::uint32_t axes = 0;
    LinkUse use;
    double begin_s = 0;  ///< to use links; infinity: behind one over the same axes
    double left = 1;     ///< part of it that has not passed
    double rate_per_s = 0, ends_s = kNever;  ///< as things stand
    double end_s = -1;                       ///< below 0: it has not ended
  };
  void advance(double until_s, std::int32_t until_over = -1);
  double share();
  void end(std::size_t place);

  std::vector<Flow> flows_;
  std::vector<std::int32_t> open_;  ///< that have not ended, in the order of their starts
  double now_s_ = 0;
};

}  // namespace rhino::evaluate
