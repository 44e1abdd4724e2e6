// SPDX-License-Identifier: Apache-2.0
#include "cost/recent_memory.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::cost {

RecentMemory::RecentMemory(std::int64_t num_bytes, std::size_t num_turns)
    : tree_(num_turns + 1), end_s_(num_turns + 1) {
  constexpr std::int64_t kLeastPage = 64, kMostPages = 8192;
  page_bytes_ = std::max(kLeastPage, num_bytes / kMostPages + 1);
  turn_of_.assign(at(num_bytes / page_bytes_ + 1), 0);
}

template <class Work>
void RecentMemory::each_run(const Part& part, Work work) const {
  if (part.offset < 0 || part.bytes == 0) return;
  const std::size_t end = at((part.offset + part.bytes - 1) / page_bytes_) + 1;
  for (std::size_t first = at(part.offset / page_bytes_), last = first; first < end; first = last) {
    while (last < end && turn_of_[last] == turn_of_[first]) ++last;
    work(Run{first, last});
  }
}

void RecentMemory::add(std::size_t turn, std::int64_t pages) {
  for (; turn < tree_.size(); turn += turn & -turn) tree_[turn] += pages;
}

std::int64_t RecentMemory::touched_by(std::size_t turn) const {
  std::int64_t pages = 0;
  for (; turn > 0; turn -= turn & -turn) pages += tree_[turn];
  return pages;
}

RecentMemory::Distance RecentMemory::since(const Part& part) const {
  std::int64_t sum = 0, pages = 0;
  double sum_s = 0;
  each_run(part, [&](const Run& run) {
    const std::size_t turn = turn_of_[run.first];
    sum += run.length() * (num_touched_ - (turn == 0 ? 0 : touched_by(turn - 1)));
    sum_s += static_cast<double>(run.length()) * (clock_s_ - end_s_[turn]);
    pages += run.length();
  });
  if (pages == 0) return {};
  const auto count = static_cast<double>(pages);
  return {static_cast<double>(page_bytes_) * static_cast<double>(sum) / count, sum_s / count};
}

void RecentMemory::touch(const Part& part) {
  each_run(part, [&](const Run& run) {
    const std::size_t before = turn_of_[run.first];
    if (before == now_) return;
    if (before > 0) add(before, -run.length());
    else num_touched_ += run.length();
    add(now_, run.length());
    std::fill(turn_of_.begin() + static_cast<std::ptrdiff_t>(run.first),
              turn_of_.begin() + static_cast<std::ptrdiff_t>(run.last), now_);
  });
}

}  // namespace rhino::cost
