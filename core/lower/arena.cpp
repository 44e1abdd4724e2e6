// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "lower/lower.hpp"

namespace rhino::lower {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Disjoint half-open ranges of bytes in increasing order; adjacent ones are merged.
class Ranges {
 public:
  void add(std::int64_t begin, std::int64_t end) {
    auto first = std::lower_bound(
        ranges_.begin(), ranges_.end(), begin,
        [](const auto& range, std::int64_t value) { return range.second < value; });
    auto last = first;
    for (; last != ranges_.end() && last->first <= end; ++last) {
      begin = std::min(begin, last->first);
      end = std::max(end, last->second);
    }
    if (first == last) {
      ranges_.insert(first, {begin, end});
    } else {
      *first = {begin, end};
      ranges_.erase(first + 1, last);
    }
  }

  bool is_empty() const { return ranges_.empty(); }

  /// Walks once through the ranges, for offsets that only grow.
  class Search {
   public:
    explicit Search(const Ranges& ranges)
        : next_(ranges.ranges_.data()), end_(next_ + ranges.ranges_.size()) {}

    /// The lowest place >= `offset` that a block of `bytes` could have if this set were the only
    /// one.
    std::int64_t next_gap(std::int64_t offset, std::int64_t bytes) {
      while (next_ != end_ && next_->second <= offset) ++next_;
      for (; next_ != end_ && next_->first < offset + bytes; ++next_) offset = next_->second;
      return offset;
    }

   private:
    const std::pair<std::int64_t, std::int64_t>*next_, *end_;
  };

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
};

/// A segment tree over time. A node knows what is occupied at some time of its span (`any`) and
/// what is occupied all through it by blocks that end here (`whole`).
class Timeline {
 public:
  explicit Timeline(std::size_t num_times) {
    while (size_ < num_times) size_ *= 2;
    any_.resize(2 * size_);
    whole_.resize(2 * size_);
  }

  /// The lowest offset that is free from `first` to `last`.
  std::int64_t find(std::size_t first, std::size_t last, std::int64_t bytes) {
    relevant_.clear();
    collect(1, 0, size_ - 1, first, last);
    std::int64_t offset = 0;
    for (std::size_t agreeing = 0, i = 0; agreeing < relevant_.size();) {
      const std::int64_t next = relevant_[i].next_gap(offset, bytes);
      agreeing = next == offset ? agreeing + 1 : 1;
      offset = next;
      i = i + 1 == relevant_.size() ? 0 : i + 1;
    }
    return offset;
  }

  void occupy(std::size_t first, std::size_t last, std::int64_t begin, std::int64_t end) {
    mark({first, last, begin, end}, 1, 0, size_ - 1);
  }

 private:
  struct Block {
    std::size_t first, last;
    std::int64_t begin, end;
  };

  void collect(std::size_t node, std::size_t low, std::size_t high, std::size_t first,
               std::size_t last) {
    if (last < low || high < first) return;
    if (first <= low && high <= last) {
      consider(any_[node]);
      return;
    }
    consider(whole_[node]);
    const std::size_t middle = (low + high) / 2;
    collect(2 * node, low, middle, first, last);
    collect(2 * node + 1, middle + 1, high, first, last);
  }

  void consider(const Ranges& ranges) {
    if (!ranges.is_empty()) relevant_.emplace_back(ranges);
  }

  void mark(const Block& block, std::size_t node, std::size_t low, std::size_t high) {
    if (block.last < low || high < block.first) return;
    any_[node].add(block.begin, block.end);
    if (block.first <= low && high <= block.last) {
      whole_[node].add(block.begin, block.end);
      return;
    }
    const std::size_t middle = (low + high) / 2;
    mark(block, 2 * node, low, middle);
    mark(block, 2 * node + 1, middle + 1, high);
  }

  std::size_t size_ = 1;
  std::vector<Ranges> any_, whole_;
  std::vector<Ranges::Search> relevant_;
};

/// The distinct times of `lifetimes`, in order: the tree need not be larger.
std::vector<std::int64_t> times_of(const std::vector<Lifetime>& lifetimes) {
  std::vector<std::int64_t> times;
  times.reserve(2 * lifetimes.size());
  for (const Lifetime& lifetime : lifetimes) {
    times.push_back(lifetime.first);
    times.push_back(lifetime.last);
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

Arena allocate(const std::vector<Lifetime>& lifetimes) {
  const std::vector<std::int64_t> times = times_of(lifetimes);
  const auto index_of = [&](std::int64_t time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(times, time) - times.begin());
  };
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const Lifetime &left = lifetimes[a], &right = lifetimes[b];
    if (left.bytes != right.bytes) return left.bytes > right.bytes;
    return left.first < right.first;
  });

  Arena arena;
  arena.offsets.resize(lifetimes.size());
  Timeline timeline(std::max<std::size_t>(times.size(), 1));
  for (std::size_t i : order) {
    const std::int64_t bytes = aligned(lifetimes[i].bytes);
    if (bytes == 0) continue;
    const std::size_t first = index_of(lifetimes[i].first), last = index_of(lifetimes[i].last);
    const std::int64_t offset = timeline.find(first, last, bytes);
    timeline.occupy(first, last, offset, offset + bytes);
    arena.offsets[i] = offset;
    arena.bytes = std::max(arena.bytes, offset + bytes);
  }
  return arena;
}

}  // namespace rhino::lower
