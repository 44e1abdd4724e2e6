// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rhino::cost {

/// A part of a device's memory; offset -1: it lies nowhere.
struct Part {
  std::int64_t offset = -1, bytes = 0;
};

/// How much memory a device has touched since it touched a part of it: the stack distance (Mattson
/// et al., 1970) that tells what a cache still holds, from which what was used longest ago goes
/// first. Memory is counted in pages, thousands of them.
class RecentMemory {
 public:
  /// Of so many bytes, for so many turns.
  RecentMemory(std::int64_t num_bytes, std::size_t num_turns);

  /// What is touched from here on is touched at once.
  void begin_turn() { end_s_[++now_] = clock_s_; }
  /// And the turn takes so long.
  void spend(double seconds) { end_s_[now_] = clock_s_ += seconds; }

  struct Distance {
    double bytes = 0;    ///< touched since the turn that touched it last began, each once
    double seconds = 0;  ///< since that turn ended
  };
  /// In the mean over the pages of `part`; what was never touched is as far as all that was.
  Distance since(const Part& part) const;
  void touch(const Part& part);

 private:
  /// Pages that follow each other and were touched last in the same turn.
  struct Run {
    std::size_t first = 0, last = 0;
    std::int64_t length() const { return static_cast<std::int64_t>(last - first); }
  };
  template <class Work>
  void each_run(const Part& part, Work work) const;
  void add(std::size_t turn, std::int64_t pages);
  std::int64_t touched_by(std::size_t turn) const;

  std::int64_t page_bytes_;
  std::size_t now_ = 0;
  std::int64_t num_touched_ = 0;      ///< pages
  std::vector<std::size_t> turn_of_;  ///< per page the last one; 0: none
  std::vector<std::int64_t> tree_;    ///< Fenwick's, of pages by their last turn
  std::vector<double> end_s_;         ///< per turn
  double clock_s_ = 0;
};

}  // namespace rhino::cost
