// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/choice/limited.hpp"
#include "common/cut_choice.hpp"

namespace rhino::common {

/// Cuts of a configuration that fit into memory. Tables say roughly how many bytes a choice has;
/// how many strategies need by their estimates corrects the room that choices get.
class MemoryFit {
 public:
  struct Found {
    Strategy strategy;
    Estimate estimate;
  };

  /// How much work a room is worth, which is a guess itself: so many graphs are solved, until a
  /// choice is within the share `near` of the cheapest that has room. Once a choice fits the room
  /// is guessed anew so many times. Steps that promise to take more than `most_s` are of no use.
  /// `smallest`: where nothing fits what has the fewest bytes, which takes far longer, is looked
  /// at; else only where that may be not much fewer than there is room for.
  struct Work {
    int most_solved = 60;
    double near = 0;
    int most_anew = 0;
    double most_s = std::numeric_limits<double>::infinity();
    bool smallest = true;
  };

  /// All are borrowed; both efforts as of Limited.
  MemoryFit(const SearchProblem& problem, Strategies& strategies, const CutChoice& choice,
            const choice::Effort& effort, const choice::Effort& ends, const Work& work,
            choice::KnownSolutions& solutions)
      : problem_(problem),
        strategies_(strategies),
        choice_(choice),
        limited_(choice.graph(), effort, ends, solutions),
        work_(work) {}

  /// All that is looked at on the way. True: the cheapest cut fits; to make more anew
  /// does not help.
  bool run(std::vector<Found>& found) {
    large_ = look(limited_.cheapest(), found);
    if (large_ && fits(*large_)) return true;
    const double most_cost = large_ ? this->most_cost(found.back().estimate.step_s)
                                    : std::numeric_limits<double>::infinity();
    double room = kMargin * (large_ ? room_by(*large_) : choice_.bytes(limit()));
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      const choice::Labels labels =
          limited_.run(room, work_.most_solved, work_.near, most_cost).labels;
      if (labels.empty() && (small_ || !is_worth_smallest(room))) break;
      if (!take(look(labels.empty() ? limited_.smallest() : labels, found))) break;
      if (!small_ && labels.empty()) return false;
      if (!small_) room = std::min(room, kMargin * room_by(*large_));
      else if (is_near_limit(*small_) || !large_) break;
      else if (!labels.empty() && num_anew_++ == work_.most_anew) break;
      else room = between(*small_, *large_);
    }
    if (!small_ && work_.smallest) look(limited_.smallest(), found);
    return false;
  }

  /// Adds the cheapest with bytes at many prices: estimates of toys say little of what fits.
  void run_prices(std::vector<Found>& found) {
    const choice::Labels cheapest = limited_.cheapest();
    const double unit =
        choice::cost(choice_.graph(), cheapest) / choice::bytes(choice_.graph(), cheapest);
    for (double times = kHighestPrice; times > 1.0 / kHighestPrice; times /= 2.5)
      look(limited_.at_price(times * unit), found);
  }

 private:
  /// Bytes of a choice by tables, and those that its strategy needs.
  struct Point {
    double bytes = 0, needed = 0;
    bool operator==(const Point&) const = default;
  };

  static constexpr int kMostAttempts = 6;
  static constexpr double kHighestPrice = 256;
  static constexpr double kMargin = 0.99, kFull = 0.95;
  static constexpr double kNearlyRoomy = 1.2;  ///< of what needs far too much tables say little

  double limit() const { return problem_.memory_limit_bytes; }
  bool fits(const Point& point) const { return point.needed <= limit(); }
  bool is_near_limit(const Point& point) const { return point.needed > kFull * limit(); }
  bool is_worth_smallest(double room) const {
    return work_.smallest || limited_.least_bytes() <= kNearlyRoomy * room;
  }

  /// Bytes that as much memory as there is makes of these; of two on either side in proportion.
  double room_by(const Point& point) const { return point.bytes * limit() / point.needed; }
  double between(const Point& small, const Point& large) const {
    return small.bytes + (large.bytes - small.bytes) * (kMargin * limit() - small.needed) /
                             (large.needed - small.needed);
  }

  /// False: it is none, or known.
  bool take(const std::optional<Point>& point) {
    if (!point || point == small_ || point == large_) return false;
    (fits(*point) ? small_ : large_) = point;
    return true;
  }

  /// None: it must not be; little work may end so.
  std::optional<Point> look(const choice::Labels& labels, std::vector<Found>& found) {
    if (choice::cost(choice_.graph(), labels) >= choice::kForbidden) return {};
    Found made{choice_.strategy(labels), {}};
    made.estimate = strategies_.estimate(made.strategy);
    const double needed = made.estimate.peak_bytes;
    found.push_back(std::move(made));
    return Point{choice::bytes(choice_.graph(), labels), needed};
  }

  /// Of a step of `most_s`, as the cheapest one takes so long.
  double most_cost(double cheapest_s) {
    return work_.most_s / cheapest_s * choice::cost(choice_.graph(), limited_.cheapest());
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  const CutChoice& choice_;
  choice::Limited limited_;
  Work work_;
  std::optional<Point> small_, large_;  ///< the last ones that fit, and that do not
  int num_anew_ = 0;
};

}  // namespace rhino::common
