// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// What is worth a simulation: estimated, and small enough by its estimate, or nearly. What is far
/// too large is spare: it is simulated where nothing else fits.
class Shortlist {
 public:
  /// Up to how much above the candidate that it is of what is written is of use, and above the
  /// quickest what is written with another number of micro-batches.
  struct Near {
    double written = std::numeric_limits<double>::infinity(), recounted = written;
  };

  /// Both are borrowed. `zero`: states and gradients may be cut like the batch.
  Shortlist(const SearchProblem& problem, Strategies& strategies, bool zero, const Near& near)
      : problem_(problem), strategies_(strategies), zero_(zero), near_(near) {}

  std::vector<Candidate>& all() { return all_; }
  std::size_t size() const { return all_.size(); }
  /// The smallest first.
  const std::vector<Candidate>& spare() const { return spare_; }

  /// The least step of those that fit by their estimate; infinite: none does.
  double least_s() const {
    double least_s = std::numeric_limits<double>::infinity();
    for (const Candidate& one : all_)
      if (is_small(problem_, one.estimate)) least_s = std::min(least_s, one.step_s());
    return least_s;
  }

  /// An estimated one.
  void add(Candidate candidate) {
    if (!keeps_pins(problem_, candidate.strategy)) return;
    std::optional<Candidate>& quickest =
        is_small(problem_, candidate.estimate) ? quickest_small_ : quickest_large_;
    if (!quickest || candidate.step_s() < quickest->step_s()) quickest = candidate;
    if (is_small(problem_, candidate.estimate, nearness())) {
      all_.push_back(std::move(candidate));
      return;
    }
    spare_.push_back(std::move(candidate));
    std::ranges::stable_sort(spare_, {},
                             [](const Candidate& one) { return one.estimate.peak_bytes; });
    if (spare_.size() > kMostSpare) spare_.pop_back();
  }

  /// A candidate as a person would write it: with states whole; cut like the batch; gradients too;
  /// parameters too. Estimates and simulations may find what tables do not. What takes more than
  /// `most_s` with nothing made anew is left out. True: one of them fits.
  bool add_written(Candidate& candidate, double most_s = std::numeric_limits<double>::infinity()) {
    if (candidate.writing == nullptr)
      candidate.writing =
          std::make_shared<Writing>(problem_.program, strategies_, candidate.strategy, zero_);
    bool fits = false;
    for (std::size_t way = 0; way < candidate.writing->num_ways(); ++way) {
      if (candidate.writing->least_s(way) > near_.written * std::min(most_s, candidate.step_s()))
        continue;
      if (is_worth_choosing(*candidate.writing, way)) candidate.writing->choose_scattered(way);
      // Where what is cut the most is too large, all are.
      for (int zero = candidate.writing->most_zero(way); zero >= 0; --zero)
        if (!add_written(candidate, {way, zero}, most_s, fits)) break;
    }
    return fits;
  }

  /// Of what was added since the last call the quickest that fits, with more and with fewer
  /// micro-batches as long as it takes less, or nearly (tables know nothing of what overlaps), and
  /// the quickest that is too large, with as many as it takes to fit.
  void recount() {
    const std::optional<Candidate> quickest = quickest_small_;
    for (const int direction : {-1, 1}) {
      double last_s = 0;
      for (std::optional<Candidate> one = quickest; one; one = recounted(*one, direction)) {
        if (one->configuration != quickest->configuration) {
          if (!is_small(problem_, one->estimate) || one->step_s() > last_s) break;
          all_.push_back(*one);
          // Each count is written anew.
          if (one->step_s() < near_.recounted * least_s()) add_written(*one);
        }
        last_s = kNearlyAsQuick * one->step_s();
      }
    }
    std::optional<Candidate> one = quickest_large_;
    while (one && !is_small(problem_, one->estimate)) one = recounted(*one, 1);
    if (one) all_.push_back(std::move(*one));
    quickest_small_.reset(), quickest_large_.reset();
  }

  void sort(std::size_t first = 0) {
    std::ranges::stable_sort(all_.begin() + static_cast<std::ptrdiff_t>(first), all_.end(), {},
                             &Candidate::step_s);
  }

 private:
  static constexpr double kMemoryNear = 1.1, kNearlyAsQuick = 1.1;
  static constexpr std::size_t kMostSpare = 16;
  /// Of so many ops at the most it is chosen what to scatter of what may be the quickest, or of
  /// all.
  static constexpr std::int32_t kMostChosen = 20000, kMostUnhurried = 8000;
  static constexpr double kNearWritten = 1.02;

  /// Estimates of bytes are a little off, and of toys more.
  double nearness() const { return problem_.program.size() < kFewOps ? 2 : kMemoryNear; }

  bool is_worth_choosing(Writing& writing, std::size_t way) const {
    if (problem_.program.size() <= kMostUnhurried) return true;
    return problem_.program.size() <= kMostChosen &&
           writing.least_s(way) <= kNearWritten * writing.least_s();
  }

  /// False: it cannot be made, or is far too large.
  bool add_written(const Candidate& candidate, std::pair<std::size_t, int> way_and_zero,
                   double most_s, bool& fits) {
    const auto [way, zero] = way_and_zero;
    const Writing::Written* const known = candidate.writing->of(way, zero);
    if (known == nullptr) return false;
    if (known->estimate.step_s > most_s) return true;
    Candidate made{candidate.configuration, known->strategy};
    made.strategy.name = candidate.configuration.name() + ", propagated";
    made.estimate = known->estimate;
    made.form = 1 + 4 * static_cast<int>(way) + zero;
    const Recompute recompute = candidate.configuration.recompute;
    if (recompute != Recompute::nothing) {
      set_recompute(made.strategy, problem_.program, recompute);
      made.estimate = strategies_.estimate(made.strategy);
    }
    fits |= is_small(problem_, made.estimate);
    const bool is_near = is_small(problem_, made.estimate, nearness());
    const auto is_known = [&](const Candidate& one) {
      return is_same(one.strategy, made.strategy);
    };
    if (std::ranges::none_of(all_, is_known)) add(std::move(made));
    return is_near;
  }

  std::optional<Candidate> recounted(const Candidate& candidate, int direction) {
    return common::recounted(problem_, strategies_, candidate, direction);
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  bool zero_;
  Near near_;
  std::vector<Candidate> all_, spare_;
  std::optional<Candidate> quickest_small_, quickest_large_;  ///< since the last recount
};

}  // namespace rhino::common
