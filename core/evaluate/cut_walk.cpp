// SPDX-License-Identifier: Apache-2.0
#include "evaluate/cut_walk.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plan/cut.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

void CutWalk::clear(std::int32_t num_departures, std::int32_t late_arrival) {
  units_.clear();
  collectives_.clear();
  needs_.clear();
  first_need_.assign(1, 0);
  departing_.clear();
  drains_.clear();
  reads_.clear();
  num_memory_ = 0;
  num_departures_ = num_departures;
  late_arrival_ = late_arrival;
  is_prepared_ = false;
}

std::int32_t CutWalk::add(const Unit& unit, std::span<const std::int32_t> needs) {
  is_prepared_ = false;
  units_.push_back(unit);
  for (const std::int32_t need : needs) {
    if (need >= 0) needs_.push_back(need);
  }
  first_need_.push_back(static_cast<std::int32_t>(needs_.size()));
  return static_cast<std::int32_t>(units_.size()) - 1;
}

std::int32_t CutWalk::add(const Collective& collective, Unit unit, std::int32_t need) {
  unit.collective = static_cast<std::int32_t>(collectives_.size());
  collectives_.push_back(collective);
  return add(unit, std::span(&need, 1));
}

void CutWalk::read(std::int32_t unit, std::int32_t memory, double seconds) {
  Unit& reader = units_[at(unit)];
  if (reader.num_reads++ == 0) reader.first_read = static_cast<std::int32_t>(reads_.size());
  reads_.push_back({memory, seconds});
  num_memory_ = std::max(num_memory_, memory + 1);
}

void CutWalk::depart(std::size_t departure, std::int32_t unit) {
  is_prepared_ = false;
  if (unit >= 0) departing_.emplace_back(unit, static_cast<std::int32_t>(departure));
}

std::span<const std::int32_t> CutWalk::needs(std::int32_t unit) const {
  const auto first = at(first_need_[at(unit)]), last = at(first_need_[at(unit) + 1]);
  return std::span(needs_).subspan(first, last - first);
}

template <class F>
void CutWalk::for_each_before(std::int32_t unit, F&& visit) const {
  for (const std::int32_t need : needs(unit)) visit(need);
  if (units_[at(unit)].not_before >= 0) visit(units_[at(unit)].not_before);
}

/// What is the same whenever it is played.
void CutWalk::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  find_users();
  arriving_.clear();
  missing_at_first_.assign(units_.size(), 0);
  for (std::int32_t u = 0; at(u) < units_.size(); ++u) {
    std::int32_t& missing = missing_at_first_[at(u)];
    for_each_before(u, [&](std::int32_t before) {
      missing += missing_at_first_[at(before)] > 0 || units_[at(before)].collective >= 0;
    });
    if (units_[at(u)].arrival < 0) continue;
    ++missing;
    arriving_.emplace_back(units_[at(u)].arrival, u);
  }
  std::ranges::sort(arriving_);
  departs_.assign(units_.size(), false);
  for (const auto& [unit, departure] : departing_) departs_[at(unit)] = true;
}

void CutWalk::find_users() {
  first_user_.assign(units_.size() + 1, 0);
  for (std::int32_t u = 0; at(u) < units_.size(); ++u)
    for_each_before(u, [&](std::int32_t before) { ++first_user_[at(before)]; });
  std::partial_sum(first_user_.begin(), first_user_.end(), first_user_.begin());
  users_.resize(at(first_user_.back()));
  // From their ends to their beginnings.
  for (auto u = static_cast<std::int32_t>(units_.size()); u-- > 0;)
    for_each_before(u, [&](std::int32_t before) { users_[at(--first_user_[at(before)])] = u; });
}

CutWalk::Result CutWalk::run(double arrival_s, const Costs& costs, const Price& seconds) {
  now_s_ = host_s_ = issued_s_ = 0;
  arrival_s_ = arrival_s;
  costs_ = costs;
  price_ = &seconds;
  result_ = {.departs_s = std::vector<double>(at(num_departures_))};
  if (items_ != nullptr) items_->clear();
  prepare();
  begin();
  while (true) {
    const bool is_idle =
        under_way_.empty() && next_arriving_ == arriving_.size() && draining_.empty();
    if (!depart_next() && !start_next() && !start_results() && !run_worth(is_idle) && !wait_next())
      break;
  }
  result_.end_s = now_s_;
  return std::move(result_);
}

CutWalk::Result CutWalk::run_sure(double arrival_s, const Price& seconds) {
  is_sure_ = true;
  Result result = run(arrival_s, {}, seconds);
  is_sure_ = false;
  return result;
}

/// What nothing blocks from the beginning.
void CutWalk::begin() {
  missing_ = missing_at_first_;
  is_done_.assign(units_.size(), false);
  launched_in_.clear();
  has_left_.assign(at(num_departures_), false);
  departure_missing_.assign(at(num_departures_), 0);
  for (const auto& [unit, departure] : departing_) ++departure_missing_[at(departure)];
  ready_.clear(), worth_.clear(), light_.clear(), under_way_.clear(), links_.clear();
  next_arriving_ = 0, draining_.clear();
  for (Drain& alike : drains_) alike.num_left = alike.num_units, alike.ready.clear();
  ran_in_.assign(units_.size(), 0);
  read_in_.assign(units_.size(), 0);
  run_ = event_ = 0;
  last_read_.assign(at(num_memory_), {-1, -1});
  made_.assign(units_.size(), -1);
  used_.assign(units_.size(), -1);
  for (std::int32_t u = 0; at(u) < units_.size(); ++u) {
    if (missing_[at(u)] == 0) note_free(u);
  }
}

/// Nothing blocks the unit any more; of a collective that it may start.
void CutWalk::note_free(std::int32_t unit) {
  if (units_[at(unit)].collective >= 0) {
    const std::int32_t drain = units_[at(unit)].drain;
    (drain < 0 ? ready_ : drains_[at(drain)].ready).insert(unit);
    return;
  }
  (units_[at(unit)].is_worth ? worth_ : light_).push_back(unit);
  complete_departures(unit);
}

/// Of the unit's part in them.
void CutWalk::complete_departures(std::int32_t unit) {
  if (!departs_[at(unit)]) return;
  for (const auto& [departing, departure] : departing_)
    departure_missing_[at(departure)] -= departing == unit;
}

/// What reads a unit finds it, or may make it.
void CutWalk::release(std::int32_t unit) {
  stack_.assign(1, unit);
  while (!stack_.empty()) {
    const std::int32_t own = stack_.back();
    stack_.pop_back();
    for (std::int32_t i = first_user_[at(own)]; i < first_user_[at(own) + 1]; ++i) {
      const std::int32_t user = users_[at(i)];
      if (--missing_[at(user)] > 0) continue;
      note_free(user);
      if (units_[at(user)].collective < 0) stack_.push_back(user);
    }
  }
}

bool CutWalk::depart_next() {
  for (std::size_t d = 0; d < has_left_.size(); ++d) {
    if (has_left_[d] || departure_missing_[d] > 0) continue;
    std::vector<std::int32_t> units;
    for (const auto& [unit, departure] : departing_) {
      if (at(departure) == d) units.push_back(unit);
    }
    execute(units);
    note(plan::CutItem::Kind::depart, static_cast<std::int32_t>(d));
    issue(1);
    has_left_[d] = true;
    result_.departs_s[d] = now_s_;
    return true;
  }
  return false;
}

/// Those of one kind that are ready, as one message of some megabytes, or as a bucket of gathers.
bool CutWalk::start_next() {
  if (ready_.empty()) return false;
  const std::int32_t first = *ready_.begin(), bucket = units_[at(first)].bucket;
  std::vector<std::int32_t> units;
  double bytes = 0;
  for (auto next = ready_.begin(); next != ready_.end();) {
    const bool has_room = bucket > 0 || bytes < static_cast<double>(plan::kBucketBytes);
    if (!has_room || units_[at(*next)].bucket != bucket || !is_alike(*next, first)) {
      ++next;
      continue;
    }
    bytes += collectives_[at(units_[at(*next)].collective)].bytes;
    units.push_back(*next);
    next = ready_.erase(next);
  }
  execute(units);
  send(std::move(units), under_way_);
  return true;
}

bool CutWalk::is_alike(std::int32_t unit, std::int32_t other) const {
  return collective(unit).is_like(collective(other));
}

/// One message of all.
void CutWalk::send(std::vector<std::int32_t> units, std::vector<Message>& list) {
  ++result_.num_messages;
  issue(1);
  ++event_;
  Collective sum = collectives_[at(units_[at(units.front())].collective)];
  sum.bytes = sum.forward_bytes = 0;
  for (const std::int32_t unit : units) {
    made_[at(unit)] = used_[at(unit)] = event_;
    sum.join(collectives_[at(units_[at(unit)].collective)]);
  }
  const LinkUse use = (*price_)(sum);
  for (std::size_t kind = 0; kind < 2; ++kind) result_.busy_s[kind] += use.busy_s[kind];
  const std::int32_t flow = links_.start(sum.axes, use, now_s_);
  note(plan::CutItem::Kind::start, flow, units);
  list.push_back({std::move(units), flow});
}

void CutWalk::wait_for(const Message& message) {
  note(plan::CutItem::Kind::wait, message.flow, message.units);
  now_s_ = std::max(now_s_, links_.end_s(message.flow));
  ++event_;
  for (const std::int32_t unit : message.units) {
    use(unit);
    for (const std::int32_t need : needs(unit)) use(need);
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
  if (!under_way_.empty()) {
    const Message message = std::move(under_way_.front());
    under_way_.erase(under_way_.begin());
    wait_for(message);
    return true;
  }
  if (next_arriving_ < arriving_.size()) {
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
  const std::int32_t arrival = arriving_[next_arriving_].first;
  note(plan::CutItem::Kind::arrive, arrival);
  if (arrival == late_arrival_) now_s_ = std::max(now_s_, arrival_s_);
  host_s_ = std::max(host_s_, now_s_);
  for (; next_arriving_ < arriving_.size() && arriving_[next_arriving_].first == arrival;
       ++next_arriving_) {
    const std::int32_t unit = arriving_[next_arriving_].second;
    if (--missing_[at(unit)] > 0) continue;
    note_free(unit);
    if (units_[at(unit)].collective < 0) release(unit);
  }
}

void CutWalk::issue(double count) {
  host_s_ += count * costs_.issue_s;
  result_.issued_s += count * costs_.issue_s;
}

/// The device runs the first of them as soon as it is issued, the last one no sooner than that.
void CutWalk::issue_kernels(double count) {
  if (count > 0) now_s_ = std::max(now_s_, host_s_ + costs_.issue_s);
  issue(count);
  if (count > 0) issued_s_ = host_s_;
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
    if (units_[at(own)].collective < 0) made_[at(own)] = event_;
    const Unit& unit = units_[at(own)];
    if (items_ != nullptr) ran.push_back(own);
    issue_kernels(unit.num_kernels);
    now_s_ += is_sure_ ? unit.sure_s : unit.seconds;
    if (unit.not_before >= 0) stack_.push_back(unit.not_before);
    if (unit.launch >= 0 && !is_sure_) {
      launched_in_.resize(std::max(launched_in_.size(), at(unit.launch) + 1));
      const bool is_apart = unit.needs_done && is_made_in_this_run(own);
      if (is_apart || std::exchange(launched_in_[at(unit.launch)], run_) != run_) {
        issue_kernels(costs_.kernels_per_launch);
        now_s_ += costs_.latency_s;
        ++result_.num_launches;
      }
      now_s_ += read_s(own);
    }
    for (const std::int32_t need : needs(own)) {
      const Unit& other = units_[at(need)];
      use(need);
      if (other.collective < 0) stack_.push_back(need);
      const bool is_elsewhere = is_done_[at(need)] && ran_in_[at(need)] != run_;
      if (is_sure_ || unit.launch < 0 || other.launch != unit.launch || !is_elsewhere) continue;
      const std::int32_t before = std::exchange(read_in_[at(need)], run_);
      if (before == 0) now_s_ += other.write_s;
      if (before != run_) now_s_ += other.read_s;
    }
  }
  now_s_ = std::max(now_s_, issued_s_);
  if (!ran.empty()) note(plan::CutItem::Kind::run, 0, std::move(ran));
}

void CutWalk::note(plan::CutItem::Kind kind, std::int32_t number, std::vector<std::int32_t> units) {
  if (items_ != nullptr) items_->push_back({kind, number, std::move(units)});
}

/// Of what its launch has not read in this run.
double CutWalk::read_s(std::int32_t unit) {
  const Unit& reader = units_[at(unit)];
  const std::pair now{reader.launch, run_};
  double seconds = 0;
  for (const Read& read : std::span(reads_).subspan(at(reader.first_read), at(reader.num_reads))) {
    if (std::exchange(last_read_[at(read.memory)], now) != now) seconds += read.seconds;
  }
  return std::max(0.0, seconds - reader.spare_s);
}

/// The unit whose memory it shows.
std::int32_t CutWalk::base(std::int32_t unit) const {
  while (units_[at(unit)].shows >= 0) unit = units_[at(unit)].shows;
  return unit;
}

/// Something that the unit needs.
bool CutWalk::is_made_in_this_run(std::int32_t unit) const {
  return std::ranges::any_of(needs(unit), [&](std::int32_t need) {
    const std::int32_t made = base(need);
    return units_[at(made)].collective < 0 && (!is_done_[at(made)] || ran_in_[at(made)] == run_);
  });
}

/// By what happens now.
void CutWalk::use(std::int32_t unit) {
  unit = base(unit);
  used_[at(unit)] = std::max(used_[at(unit)], event_);
}

}  // namespace rhino::evaluate
