// SPDX-License-Identifier: Apache-2.0
/// What is held back, and when it goes.
#include <algorithm>
#include <utility>

#include "evaluate/cut_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

constexpr double kMostBuckets = 128;

double sum_bytes(std::span<const CutUnits::HeldBack> held) {
  double bytes = 0;
  for (const CutUnits::HeldBack& own : held) bytes += own.bytes;
  return bytes;
}

}  // namespace

void CutUnits::hold_back(std::span<const HeldBack> gathers, std::span<const HeldBack> results,
                         double least_bytes) {
  is_prepared_ = false;
  if (sum_bytes(gathers) <= least_bytes && sum_bytes(results) <= least_bytes) return;
  find_readers();
  std::vector<HeldBack> read(gathers.begin(), gathers.end()),
      unread(results.begin(), results.end());
  std::erase_if(read, [&](const HeldBack& own) { return !feeds_[at(own.unit)]; });
  std::erase_if(unread, [&](const HeldBack& own) { return feeds_[at(own.unit)]; });
  if (sum_bytes(read) > least_bytes) hold_gathers(read, least_bytes);
  if (sum_bytes(unread) > least_bytes) hold_results(unread, least_bytes);
}

void CutUnits::hold_gathers(std::span<const HeldBack> gathers, double least_bytes) {
  const double full = std::max(least_bytes, sum_bytes(gathers) / kMostBuckets);
  std::vector<std::int32_t> used;  // per bucket, the last unit that is the first to read one of it
  double bytes = full;
  for (const HeldBack& gather : gathers) {
    if (bytes >= full) used.push_back(-1), bytes = 0;
    bytes += gather.bytes;
    Unit& unit = units_[at(gather.unit)];
    unit.bucket = static_cast<std::int32_t>(used.size());
    used.back() = std::max(used.back(), first_readers_[at(gather.unit)]);
    const std::int32_t before = used.size() > 2 ? used[used.size() - 3] : -1;
    if (before < 0 || before >= gather.unit) continue;
    unit.not_before = before;
    knows_users_ = false;
  }
}

/// Per unit the first heavy one that reads it, itself or what light ones make of it; -1: none.
void CutUnits::find_readers() {
  find_users();
  first_readers_.assign(units_.size(), -1);
  feeds_.assign(units_.size(), false);
  for (const auto& [unit, departure] : departing_) feeds_[at(unit)] = true;
  for (std::size_t u = units_.size(); u-- > 0;) {
    std::int32_t& first = first_readers_[u];
    for (std::int32_t i = first_user_[u]; i < first_user_[u + 1]; ++i) {
      const std::int32_t user = users_[at(i)];
      const Unit& unit = units_[at(user)];
      const std::int32_t reader = unit.is_heavy ? user : first_readers_[at(user)];
      if (reader >= 0 && (first < 0 || reader < first)) first = reader;
      if (unit.is_heavy || unit.collective >= 0 || feeds_[at(user)]) feeds_[u] = true;
    }
  }
}

void CutUnits::hold_results(std::span<const HeldBack> results, double least_bytes) {
  std::vector<std::int32_t> first;  // of those that are alike
  for (const HeldBack& result : results) {
    const auto alike = std::ranges::find_if(
        first, [&](std::int32_t other) { return are_alike(result.unit, other); });
    const auto number = static_cast<std::size_t>(alike - first.begin());
    if (alike == first.end()) first.push_back(result.unit), drains_.emplace_back();
    drains_[number].full_bytes += result.bytes;
    ++drains_[number].num_units;
    units_[at(result.unit)].drain = static_cast<std::int32_t>(number);
    units_[at(result.unit)].held_bytes = result.bytes;
  }
  for (Drain& drain : drains_)
    drain.full_bytes = std::max(least_bytes, drain.full_bytes / kMostBuckets);
}

/// A bucket of those results that is full, or all that is left of them; else none.
std::vector<std::int32_t> CutWalk::full_bucket(std::size_t drain) const {
  const double full_bytes = pass_.drains()[drain].full_bytes;
  std::vector<std::int32_t> units;
  double bytes = 0;
  for (const std::int32_t unit : drains_[drain].ready) {
    if (bytes >= full_bytes) break;
    bytes += pass_.unit(unit).held_bytes;
    units.push_back(unit);
  }
  if (bytes < full_bytes && units.size() < drains_[drain].num_left) units.clear();
  return units;
}

/// Of such buckets that whose operands are complete first.
bool CutWalk::start_results() {
  const auto last_operand = [&](std::span<const std::int32_t> units) {
    std::int32_t last = -1;
    for (const std::int32_t unit : units) {
      for (const std::int32_t need : pass_.needs(unit)) last = std::max(last, need);
    }
    return last;
  };
  Draining* first = nullptr;
  std::vector<std::int32_t> units;
  for (std::size_t d = 0; d < drains_.size(); ++d) {
    std::vector<std::int32_t> full = full_bucket(d);
    if (full.empty() || (first != nullptr && last_operand(full) > last_operand(units))) continue;
    first = &drains_[d];
    units = std::move(full);
  }
  if (first == nullptr) return false;
  for (const std::int32_t unit : units) first->ready.erase(unit);
  first->num_left -= units.size();
  execute(units);
  std::vector<std::int32_t> complete = drain();
  send(std::move(units), draining_);
  if (!complete.empty()) execute(complete);
  return true;
}

/// Waits for what drains. Returns the results that this completes.
std::vector<std::int32_t> CutWalk::drain() {
  std::vector<std::int32_t> reached, complete;
  for (const Message& message : std::exchange(draining_, {})) {
    wait_for(message);
    reached.insert(reached.end(), message.units.begin(), message.units.end());
  }
  std::set<std::int32_t> seen(reached.begin(), reached.end());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::int32_t own = reached[i];
    if (pass_.unit(own).leaves && !is_done_[at(own)]) complete.push_back(own);
    for (const std::int32_t user : pass_.users(own)) {
      const bool is_blocked = missing_[at(user)] > 0 || pass_.unit(user).collective >= 0;
      if (!is_blocked && seen.insert(user).second) reached.push_back(user);
    }
  }
  return complete;
}

}  // namespace rhino::evaluate
