// SPDX-License-Identifier: Apache-2.0
/// What lives at a time while a pass is played.
#include <algorithm>
#include <numeric>

#include "evaluate/cut_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

double most_of(std::span<const double> changes) {
  double now = 0, most = 0;
  for (const double bytes : changes) most = std::max(most, now += bytes);
  return most;
}

}  // namespace

CutWalk::Memory CutWalk::memory(std::span<const Ending> endings) {
  Memory memory = this->memory();
  note_freed(endings, memory);
  return memory;
}

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
  first_within_.assign(at(pass_.size()), 0);
  Memory memory;
  note_between(memory);
  find_copied();
  next_of_launch_.assign(at(pass_.size()), -1);
  last_of_launch_.clear();
  for (std::size_t event = 0; event + 1 < first_made_.size(); ++event) {
    const auto first = at(first_made_[event]), last = at(first_made_[event + 1]);
    look_within(std::span(by_run_).subspan(first, last - first), memory);
  }
  return memory;
}

/// The unit in whose memory an all-reduce leaves its result: that which it alone sends, and that
/// nothing reads from then on (plan/block_layout.cpp). -1: none.
std::int32_t CutWalk::made_in_place(std::int32_t unit) const {
  if (pass_.collective(unit).kind != OpKind::all_reduce || pass_.needs(unit).empty()) return -1;
  const std::int32_t sent = pass_.base(pass_.needs(unit).front());
  const bool is_last = made_[at(sent)] >= 0 && pass_.unit(sent).bytes > 0 &&
                       used_[at(sent)] < made_[at(unit)] && num_sent_[at(sent)] == 1;
  return is_last ? sent : -1;
}

/// When the unit reads no more of what was there before it.
std::int32_t CutWalk::end_of(std::int32_t unit) const {
  const bool is_in_place = pass_.unit(unit).collective >= 0 && pass_.unit(unit).bytes == 0;
  const std::int32_t ended = is_in_place ? used_[at(unit)] : ended_[at(unit)];
  return std::max(made_[at(unit)], ended);
}

void CutWalk::note_between(Memory& memory) {
  num_sent_.assign(at(pass_.size()), 0);
  for (const std::int32_t u : pass_.collectives()) {
    for (const std::int32_t need : pass_.needs(u)) ++num_sent_[at(pass_.base(need))];
  }
  // Memory in which two results are made in turn counts with the later one.
  std::vector<std::int32_t> first = made_;
  Flags is_shared(at(pass_.size()));
  for (const std::int32_t u : pass_.collectives()) {
    const std::int32_t sent = made_in_place(u);
    if (sent < 0) continue;
    first[at(u)] = first[at(sent)];
    is_shared[at(sent)] = true;
  }
  change_.assign(at(event_) + 2, 0);
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    const std::int32_t made = made_[at(u)], used = std::max(used_[at(u)], sent_until_[at(u)]);
    if (made < 0 || used <= made || is_shared[at(u)]) continue;
    change_[at(first[at(u)])] += pass_.unit(u).bytes;
    change_[at(used) + 1] -= pass_.unit(u).bytes;
  }
  memory.between = most_of(change_);
}

void CutWalk::note_freed(std::span<const Ending> endings, Memory& memory) const {
  std::vector<double> change = change_;
  double all = memory.between;
  for (const Ending& ending : endings) {
    std::int32_t last = -1;
    for (const std::int32_t unit : ending.units) last = std::max(last, end_of(unit));
    change.front() += ending.bytes;
    if (last >= 0) change[at(last) + 1] -= ending.bytes;
    all += ending.bytes;
  }
  const auto leave = [&](bool is_sum) {
    for (std::int32_t u = 0; u < pass_.size(); ++u) {
      const CutUnits::Unit& unit = pass_.unit(u);
      if (unit.left_bytes == 0 || unit.is_sum != is_sum) continue;
      change[at(std::max(made_[at(u)], 0))] += unit.left_bytes;
      all += unit.left_bytes;
    }
    return all - most_of(change);
  };
  memory.freed_again = leave(false);
  memory.freed = leave(true);
}

/// Per unit, whether it is sent as a copy, made in the run that has made it: then it lives no
/// longer than that.
void CutWalk::find_copied() {
  is_copied_.assign(at(pass_.size()), false);
  for (const std::int32_t u : pass_.collectives()) {
    if (pass_.unit(u).copied_bytes == 0) continue;
    for (const std::int32_t need : pass_.needs(u))
      is_copied_[at(pass_.base(need))] = made_[at(pass_.base(need))] + 1 == made_[at(u)];
  }
}

/// Of units of one run, of which those of a launch are made at once. Results that their own loop
/// alone reads are never in memory; a loop may write over what it is the last to read.
void CutWalk::look_within(std::span<const std::int32_t> ran, Memory& memory) {
  double now = 0;
  const auto is_read_from_memory = [&](std::int32_t need, std::int32_t reader) {
    const CutUnits::Unit& unit = pass_.unit(need);
    return made_[at(need)] == made_[at(reader)] && used_[at(need)] == made_[at(need)] &&
           sent_until_[at(need)] < 0 && unit.bytes > 0 &&
           (unit.launch < 0 || unit.launch != pass_.unit(reader).launch);
  };
  // Of each unit, and -1 behind them.
  within_.assign(1, -1);
  const auto list_reads = [&](std::int32_t reader) {
    first_within_[at(reader)] = 0;
    if (pass_.unit(reader).shows >= 0) return;
    const std::size_t first = within_.size();
    for (const std::int32_t need : pass_.needs(reader)) {
      const std::int32_t read = pass_.base(need);
      if (!is_read_from_memory(read, reader)) continue;
      within_.push_back(read);
      ++num_readers_[at(read)];
    }
    if (within_.size() == first) return;
    first_within_[at(reader)] = static_cast<std::int32_t>(first);
    within_.push_back(-1);
  };
  const auto for_each_read = [&](std::int32_t reader, const auto& visit) {
    for (std::int32_t i = first_within_[at(reader)]; within_[at(i)] >= 0; ++i)
      visit(within_[at(i)]);
  };
  heads_.clear();
  for (const std::int32_t unit : ran) {
    list_reads(unit);
    const std::int32_t launch = pass_.unit(unit).launch;
    if (launch >= 0) {
      last_of_launch_.resize(std::max(last_of_launch_.size(), at(launch) + 1), {-1, -1});
      auto& [event, last] = last_of_launch_[at(launch)];
      if (event == made_[at(unit)]) {
        next_of_launch_[at(std::exchange(last, unit))] = unit;
        continue;
      }
      event = made_[at(unit)], last = unit;
    }
    heads_.push_back(unit);
  }
  for (const std::int32_t head : heads_) {
    double copied = 0, made = 0;
    for (std::int32_t u = head; u >= 0; u = next_of_launch_[at(u)]) {
      const CutUnits::Unit& unit = pass_.unit(u);
      copied += unit.copied_bytes;
      if (num_readers_[at(u)] == 0) {
        now += is_copied_[at(u)] ? unit.bytes : 0;
        continue;
      }
      now += unit.bytes;
      made += unit.bytes;
      if (unit.launch < 0) continue;
      bool is_over = false;  // another value that it reads
      for_each_read(u, [&](std::int32_t read) {
        const bool is_last = num_readers_[at(read)] == 1 && pass_.unit(read).bytes == unit.bytes;
        if (is_over || !is_last) return;
        is_over = true;
        num_readers_[at(read)] = 0;
        now -= unit.bytes;
      });
    }
    memory.within = std::max(memory.within, now + copied);
    memory.at_once = std::max(memory.at_once, made + copied);
    for (std::int32_t u = head; u >= 0; u = next_of_launch_[at(u)]) {
      for_each_read(u, [&](std::int32_t read) {
        if (num_readers_[at(read)] > 0 && --num_readers_[at(read)] == 0)
          now -= pass_.unit(read).bytes;
      });
    }
  }
}

}  // namespace rhino::evaluate
