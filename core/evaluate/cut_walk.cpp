// SPDX-License-Identifier: Apache-2.0
#include "evaluate/cut_walk.hpp"

#include <algorithm>
#include <utility>

#include "evaluate/frame.hpp"
#include "plan/cut.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

CutWalk::Result CutWalk::run(double arrival_s, const Costs& costs, const Price& seconds) {
  play();
  return timed(arrival_s, costs, seconds, false);
}

CutWalk::Result CutWalk::run_sure(double arrival_s, const Price& seconds) {
  play();
  return timed(arrival_s, {}, seconds, true);
}

/// Finds the order of it all.
void CutWalk::play() {
  units_.prepare();
  if (std::exchange(played_, units_.stamp()) == units_.stamp()) return;
  if (items_ != nullptr) items_->clear();
  begin();
  while (true) {
    const bool is_idle = this->is_idle();
    if (!depart_next() && !start_next() && !start_results() && !run_worth(is_idle) &&
        !begin_program() && !wait_next())
      break;
  }
}

/// There is nothing that this program waits for.
bool CutWalk::is_idle() const {
  const std::span arriving = pass_.arriving();
  const bool arrives =
      next_arriving_ < arriving.size() && arriving[next_arriving_].second < end_of_program();
  return under_way_.empty() && draining_.empty() && !arrives;
}

std::int32_t CutWalk::end_of_program() const {
  const std::span further = pass_.further_programs();
  return program_ < further.size() ? further[program_] : pass_.size();
}

/// The next one, once all of this one has run.
bool CutWalk::begin_program() {
  const std::int32_t first = end_of_program();
  if (num_left_ > 0 || first == pass_.size()) return false;
  ++program_;
  const std::int32_t end = end_of_program();
  num_left_ = end - first;
  for (std::int32_t u = first; u < end; ++u) {
    if (--missing_[at(u)] > 0) continue;
    note_free(u);
    if (pass_.unit(u).collective < 0) release(u);
  }
  return true;
}

/// What nothing blocks from the beginning.
void CutWalk::begin() {
  missing_ = pass_.missing();
  is_done_.assign(at(pass_.size()), false);
  launched_.clear();
  has_left_.assign(at(pass_.num_departures()), false);
  departure_missing_.assign(at(pass_.num_departures()), 0);
  for (const auto& [unit, departure] : pass_.departing()) ++departure_missing_[at(departure)];
  ready_.clear(), worth_.clear(), light_.clear(), under_way_.clear();
  steps_.clear(), messages_.clear();
  next_arriving_ = 0, draining_.clear();
  drains_.assign(pass_.drains().size(), {});
  for (std::size_t d = 0; d < drains_.size(); ++d)
    drains_[d].num_left = pass_.drains()[d].num_units;
  ran_in_.assign(at(pass_.size()), 0);
  read_in_.assign(at(pass_.size()), 0);
  run_ = event_ = 0;
  program_ = 0, num_left_ = end_of_program();
  last_read_.assign(at(pass_.num_memory()), {-1, -1});
  made_.assign(at(pass_.size()), -1);
  used_.assign(at(pass_.size()), -1);
  sent_until_.assign(at(pass_.size()), -1);
  ended_.assign(at(pass_.size()), -1);
  for (std::int32_t u = 0; u < pass_.size(); ++u) {
    if (missing_[at(u)] == 0) note_free(u);
  }
}

/// Nothing blocks the unit any more; of a collective that it may start.
void CutWalk::note_free(std::int32_t unit) {
  if (pass_.unit(unit).collective >= 0) {
    const std::int32_t drain = pass_.unit(unit).drain;
    (drain < 0 ? ready_ : drains_[at(drain)].ready).insert(unit);
    return;
  }
  (pass_.unit(unit).is_worth ? worth_ : light_).push_back(unit);
  complete_departures(unit);
}

/// Of the unit's part in them.
void CutWalk::complete_departures(std::int32_t unit) {
  if (!pass_.departs(unit)) return;
  for (const auto& [departing, departure] : pass_.departing())
    departure_missing_[at(departure)] -= departing == unit;
}

/// What reads a unit finds it, or may make it.
void CutWalk::release(std::int32_t unit) {
  stack_.assign(1, unit);
  while (!stack_.empty()) {
    const std::int32_t own = stack_.back();
    stack_.pop_back();
    for (const std::int32_t user : pass_.users(own)) {
      if (--missing_[at(user)] > 0) continue;
      note_free(user);
      if (pass_.unit(user).collective < 0) stack_.push_back(user);
    }
  }
}

bool CutWalk::depart_next() {
  for (std::size_t d = 0; d < has_left_.size(); ++d) {
    if (has_left_[d] || departure_missing_[d] > 0) continue;
    std::vector<std::int32_t> units;
    for (const auto& [unit, departure] : pass_.departing()) {
      if (at(departure) == d) units.push_back(unit);
    }
    execute(units);
    note(plan::CutItem::Kind::depart, static_cast<std::int32_t>(d));
    steps_.push_back({Step::Kind::depart, static_cast<std::int32_t>(d)});
    has_left_[d] = true;
    return true;
  }
  return false;
}

/// Those of one kind that are ready, as one message of some megabytes, or as a bucket of gathers.
bool CutWalk::start_next() {
  if (ready_.empty()) return false;
  const std::int32_t first = *ready_.begin(), bucket = pass_.unit(first).bucket;
  std::vector<std::int32_t> units;
  double bytes = 0;
  for (auto next = ready_.begin(); next != ready_.end();) {
    const bool has_room = bucket > 0 || bytes < static_cast<double>(plan::kBucketBytes);
    if (!has_room || pass_.unit(*next).bucket != bucket || !pass_.are_alike(*next, first)) {
      ++next;
      continue;
    }
    bytes += pass_.collective(*next).bytes;
    units.push_back(*next);
    next = ready_.erase(next);
  }
  execute(units);
  send(std::move(units), under_way_);
  if (blocks_ && bucket == 0) {
    end(under_way_.back());
    under_way_.back().has_ended = true;
  }
  return true;
}

/// One message of all.
void CutWalk::send(std::vector<std::int32_t> units, std::vector<Message>& list) {
  ++event_;
  Collective sum = pass_.collective(units.front());
  sum.bytes = sum.forward_bytes = 0;
  for (const std::int32_t unit : units) {
    made_[at(unit)] = used_[at(unit)] = event_;
    sum.join(pass_.collective(unit));
  }
  const auto number = static_cast<std::int32_t>(messages_.size());
  messages_.push_back(sum);
  steps_.push_back({Step::Kind::start, number});
  note(plan::CutItem::Kind::start, number, units);
  list.push_back({std::move(units), number});
}

void CutWalk::end(const Message& message) {
  note(plan::CutItem::Kind::wait, message.number, message.units);
  steps_.push_back({Step::Kind::wait, message.number});
  ++event_;
  for (const std::int32_t unit : message.units) {
    use(unit);
    ended_[at(unit)] = event_;
    for (const std::int32_t need : pass_.needs(unit)) sent_until_[at(pass_.base(need))] = event_;
  }
}

void CutWalk::wait_for(const Message& message) {
  if (!message.has_ended) end(message);
  num_left_ -= static_cast<std::int32_t>(message.units.size());
  for (const std::int32_t unit : message.units) {
    complete_departures(unit);
    release(unit);
  }
}

bool CutWalk::run_worth(bool all) {
  if (all) {
    worth_.insert(worth_.end(), light_.begin(), light_.end());
    light_.clear();
  }
  std::erase_if(worth_, [&](std::int32_t unit) { return is_done_[at(unit)]; });
  if (worth_.empty()) return false;
  execute(worth_);
  worth_.clear();
  return true;
}

bool CutWalk::wait_next() {
  const bool arrives = next_arriving_ < pass_.arriving().size();
  if (arrives && pass_.is_under_way(pass_.arriving()[next_arriving_].first)) {
    arrive();
    return true;
  }
  if (!under_way_.empty()) {
    const Message message = std::move(under_way_.front());
    under_way_.erase(under_way_.begin());
    wait_for(message);
    return true;
  }
  if (arrives) {
    arrive();
    return true;
  }
  const bool drains = !draining_.empty();
  std::vector<std::int32_t> complete = drain();
  if (!complete.empty()) execute(complete);
  return drains;
}

/// The next arrival is waited for.
void CutWalk::arrive() {
  const std::int32_t arrival = pass_.arriving()[next_arriving_].first;
  note(plan::CutItem::Kind::arrive, arrival);
  steps_.push_back({Step::Kind::arrive, arrival});
  for (; next_arriving_ < pass_.arriving().size() &&
         pass_.arriving()[next_arriving_].first == arrival;
       ++next_arriving_) {
    const std::int32_t unit = pass_.arriving()[next_arriving_].second;
    if (--missing_[at(unit)] > 0) continue;
    note_free(unit);
    if (pass_.unit(unit).collective < 0) release(unit);
  }
}

/// All that units are made of and themselves, as far as it has not run: in one go.
void CutWalk::execute(std::span<const std::int32_t> units) {
  std::vector<std::int32_t> ran;
  ++run_;
  ++event_;
  stack_.assign(units.begin(), units.end());
  while (!stack_.empty()) {
    const std::int32_t own = stack_.back();
    stack_.pop_back();
    if (is_done_[at(own)]) continue;
    is_done_[at(own)] = true;
    ran_in_[at(own)] = run_;
    if (pass_.unit(own).collective < 0) {
      made_[at(own)] = event_;
      --num_left_;
    }
    const CutUnits::Unit& unit = pass_.unit(own);
    if (items_ != nullptr) ran.push_back(own);
    steps_.push_back(
        {Step::Kind::unit, own, unit.is_heavy, unit.seconds, unit.sure_s, unit.num_kernels});
    if (unit.not_before >= 0) stack_.push_back(unit.not_before);
    if (unit.launch >= 0) {
      launched_.resize(std::max(launched_.size(), at(unit.launch) + 1));
      Launched& launched = launched_[at(unit.launch)];
      const bool is_apart = unit.needs_done && is_made_in_this_run(own);
      if (is_apart || launched.run != run_) {
        launched = {run_};
        steps_.push_back({Step::Kind::launch});
      }
      take_more(launched.add(unit.arithmetic_s, unit.stream_s + read_s(own)));
    }
    if (unit.viewed_s > 0 && !is_made_in_this_run(own)) view(unit);
    for (const std::int32_t need : pass_.needs(own)) {
      const CutUnits::Unit& other = pass_.unit(need);
      use(need);
      if (other.collective < 0) stack_.push_back(need);
      const bool is_elsewhere = is_done_[at(need)] && ran_in_[at(need)] != run_;
      if (unit.launch < 0 || other.launch != unit.launch || !is_elsewhere) continue;
      const std::int32_t before = std::exchange(read_in_[at(need)], run_);
      if (before == 0) take_more(other.write_s);
      if (before != run_) take_more(launched_[at(unit.launch)].add(0, other.read_s));
    }
  }
  steps_.push_back({Step::Kind::end});
  if (!ran.empty()) note(plan::CutItem::Kind::run, 0, std::move(ran));
}

/// What lies in memory is copied, by the launch that brings parts of tiles together.
void CutWalk::view(const CutUnits::Unit& unit) {
  launched_.resize(std::max(launched_.size(), at(kGatherLaunch) + 1));
  Launched& launched = launched_[at(kGatherLaunch)];
  if (launched.run != run_) {
    launched = {run_};
    steps_.push_back({Step::Kind::launch});
  }
  take_more(launched.add(0, unit.viewed_s));
}

/// A launch, with what it reads, writes and computes.
void CutWalk::take_more(double seconds) {
  if (seconds != 0) steps_.push_back({Step::Kind::more, 0, false, seconds});
}

void CutWalk::note(plan::CutItem::Kind kind, std::int32_t number, std::vector<std::int32_t> units) {
  if (items_ != nullptr) items_->push_back({kind, number, std::move(units)});
}

/// Of what its launch has not read in this run.
double CutWalk::read_s(std::int32_t unit) {
  const CutUnits::Unit& reader = pass_.unit(unit);
  const std::pair now{reader.launch, run_};
  double seconds = 0;
  for (const CutUnits::Read& read : pass_.reads(unit)) {
    if (std::exchange(last_read_[at(read.memory)], now) != now) seconds += read.seconds;
  }
  return seconds;
}

double CutWalk::Launched::add(double more_arithmetic_s, double more_stream_s) {
  const double before_s = std::max(arithmetic_s, stream_s);
  arithmetic_s += more_arithmetic_s;
  stream_s += more_stream_s;
  return std::max(arithmetic_s, stream_s) - before_s;
}

/// Something that the unit needs.
bool CutWalk::is_made_in_this_run(std::int32_t unit) const {
  return std::ranges::any_of(pass_.needs(unit), [&](std::int32_t need) {
    const std::int32_t made = pass_.base(need);
    return pass_.unit(made).collective < 0 && (!is_done_[at(made)] || ran_in_[at(made)] == run_);
  });
}

/// By what happens now.
void CutWalk::use(std::int32_t unit) {
  unit = pass_.base(unit);
  used_[at(unit)] = std::max(used_[at(unit)], event_);
}

}  // namespace rhino::evaluate
