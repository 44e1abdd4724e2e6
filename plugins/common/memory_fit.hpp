// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "common/choice/limited.hpp"
#include "common/cut_choice.hpp"

namespace rhino::common {

/// Cuts of a configuration that fit into memory. Tables say roughly how many bytes a choice has;
/// how many a strategy needs by its estimate corrects the room that choices get.
class MemoryFit {
 public:
  struct Found {
    Strategy strategy;
    Estimate estimate;
  };

  /// How much work a room is worth, which is a guess itself: so many graphs are solved, until a
  /// choice is within the share `near` of the cheapest that has room. Steps that promise to take
  /// more than `most_s` are of no use. `smallest`: where nothing fits what has the fewest bytes,
  /// which takes far longer, is looked at.
  struct Work {
    int most_solved = 60;
    double near = 0;
    double most_s = std::numeric_limits<double>::infinity();
    bool smallest = true;
  };

  /// All are borrowed.
  MemoryFit(const SearchProblem& problem, Strategies& strategies, const CutChoice& choice,
            const choice::Effort& effort, const Work& work, choice::KnownSolutions& solutions)
      : problem_(problem),
        strategies_(strategies),
        choice_(choice),
        limited_(choice.graph(), effort, solutions),
        work_(work) {}

  /// All that is looked at on the way. True: the cheapest cut fits; to make more anew
  /// does not help.
  bool run(std::vector<Found>& found) {
    double room = room_of(limited_.cheapest(), found);
    if (fits_) return true;
    const double most_cost = found.empty() ? std::numeric_limits<double>::infinity()
                                           : work_.most_s / found.back().estimate.step_s *
                                                 choice::cost(choice_.graph(), limited_.cheapest());
    for (int attempt = 0; attempt < kMostAttempts && !fits_; ++attempt) {
      const choice::Labels labels =
          limited_.run(room, work_.most_solved, work_.near, most_cost).labels;
      if (labels.empty()) break;
      room = std::min(room, room_of(labels, found));
    }
    if (!fits_ && work_.smallest) room_of(limited_.smallest(), found);
    return false;
  }

  /// Adds the cheapest with bytes at many prices: estimates of toys say little of what fits.
  void run_prices(std::vector<Found>& found) {
    const choice::Labels cheapest = limited_.cheapest();
    const double unit =
        choice::cost(choice_.graph(), cheapest) / choice::bytes(choice_.graph(), cheapest);
    for (double times = kHighestPrice; times > 1.0 / kHighestPrice; times /= 2.5)
      room_of(limited_.at_price(times * unit), found);
  }

 private:
  static constexpr int kMostAttempts = 6;
  static constexpr double kHighestPrice = 256;
  static constexpr double kMargin = 0.99;

  /// Bytes of a choice by tables that as much memory as there is makes of these. Little work may
  /// end with a choice that must not be.
  double room_of(const choice::Labels& labels, std::vector<Found>& found) {
    if (choice::cost(choice_.graph(), labels) >= choice::kForbidden)
      return kMargin * choice_.bytes(problem_.memory_limit_bytes);
    Found made{choice_.strategy(labels), {}};
    made.estimate = strategies_.estimate(made.strategy);
    const double needed = made.estimate.peak_bytes, limit = problem_.memory_limit_bytes;
    fits_ = needed <= limit;
    found.push_back(std::move(made));
    return kMargin * choice::bytes(choice_.graph(), labels) * limit / needed;
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  const CutChoice& choice_;
  choice::Limited limited_;
  Work work_;
  bool fits_ = false;
};

}  // namespace rhino::common
