// SPDX-License-Identifier: Apache-2.0
/// What lives at a time while a pass is played.
#include <algorithm>
#include <numeric>

#include "evaluate/cut_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

CutWalk::Memory CutWalk::memory() {
  // What lives within one run, by run and order.
  first_made_.assign(at(event_) + 2, 0);
  const auto is_run = [&](std::int32_t u) {
    return made_[at(u)] >= 0 && pass_.unit(u).collective < 0;
  };
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    if (is_run(u)) ++first_made_[at(made_[at(u)])];
  }
  std::partial_sum(first_made_.begin(), first_made_.end(), first_made_.begin());
  by_run_.resize(at(first_made_.back()));
  for (auto u = pass_.size(); u-- > 0;) {
    if (is_run(u)) by_run_[at(--first_made_[at(made_[at(u)])])] = u;
  }
  num_readers_.assign(at(pass_.size()), 0);
  Memory memory{most_between(), 0};
  for (std::size_t event = 0; event + 1 < first_made_.size(); ++event) {
    const auto first = at(first_made_[event]), last = at(first_made_[event + 1]);
    memory.within =
        std::max(memory.within, most_within(std::span(by_run_).subspan(first, last - first)));
  }
  return memory;
}

/// The unit in whose memory an all-reduce leaves its result: that which it alone sends, and that
/// nothing reads from then on (plan/block_layout.cpp). -1: none.
std::int32_t CutWalk::made_in_place(std::int32_t unit) const {
  if (pass_.unit(unit).collective < 0 || pass_.collective(unit).kind != OpKind::all_reduce ||
      pass_.needs(unit).empty())
    return -1;
  const std::int32_t sent = pass_.base(pass_.needs(unit).front());
  const bool is_last = made_[at(sent)] >= 0 && pass_.unit(sent).bytes > 0 &&
                       used_[at(sent)] < made_[at(unit)] && num_sent_[at(sent)] == 1;
  return is_last ? sent : -1;
}

double CutWalk::most_between() {
  num_sent_.assign(at(pass_.size()), 0);
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    if (pass_.unit(u).collective < 0) continue;
    for (const std::int32_t need : pass_.needs(u)) ++num_sent_[at(pass_.base(need))];
  }
  // Memory in which two results are made in turn counts with the later one.
  std::vector<std::int32_t> first = made_;
  std::vector<bool> is_shared(at(pass_.size()));
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    const std::int32_t sent = made_in_place(u);
    if (sent < 0) continue;
    first[at(u)] = first[at(sent)];
    is_shared[at(sent)] = true;
  }
  std::vector<double> change(at(event_) + 2);
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    const std::int32_t made = made_[at(u)], used = std::max(used_[at(u)], sent_until_[at(u)]);
    if (made < 0 || used <= made || is_shared[at(u)]) continue;
    change[at(first[at(u)])] += pass_.unit(u).bytes;
    change[at(used) + 1] -= pass_.unit(u).bytes;
  }
  double now = 0, most = 0;
  for (const double bytes : change) most = std::max(most, now += bytes);
  return most;
}

/// Of units of one run. Results that their own loop alone reads are never in memory.
double CutWalk::most_within(std::span<const std::int32_t> ran) {
  double now = 0, most = 0;
  const auto is_read_from_memory = [&](std::int32_t need, std::int32_t reader) {
    const CutUnits::Unit& unit = pass_.unit(need);
    return made_[at(need)] == made_[at(reader)] && used_[at(need)] == made_[at(need)] &&
           sent_until_[at(need)] < 0 && unit.bytes > 0 &&
           (unit.launch < 0 || unit.launch != pass_.unit(reader).launch);
  };
  const auto for_each_read = [&](std::int32_t reader, const auto& visit) {
    for (const std::int32_t need : pass_.needs(reader)) {
      const std::int32_t read = pass_.base(need);
      if (is_read_from_memory(read, reader)) visit(read);
    }
  };
  for (const std::int32_t unit : ran)
    for_each_read(unit, [&](std::int32_t read) { ++num_readers_[at(read)]; });
  for (const std::int32_t unit : ran) {
    if (num_readers_[at(unit)] > 0) now += pass_.unit(unit).bytes;
    most = std::max(most, now);
    for_each_read(unit, [&](std::int32_t read) {
      if (--num_readers_[at(read)] == 0) now -= pass_.unit(read).bytes;
    });
  }
  return most;
}

}  // namespace rhino::evaluate
