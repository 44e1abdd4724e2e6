// SPDX-License-Identifier: Apache-2.0
#include "evaluate/cut_units.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::evaluate {

void CutUnits::clear(std::int32_t num_departures) {
  units_.clear();
  collectives_.clear();
  collective_units_.clear();
  needs_.clear();
  first_need_.assign(1, 0);
  departing_.clear();
  drains_.clear();
  first_of_program_.clear();
  reads_.clear();
  num_memory_ = 0;
  num_departures_ = num_departures;
  first_under_way_ = std::numeric_limits<std::int32_t>::max();
  change();
}

std::int32_t CutUnits::add(const Unit& unit, std::span<const std::int32_t> needs) {
  change();
  units_.push_back(unit);
  for (const std::int32_t need : needs) {
    if (need >= 0) needs_.push_back(need);
  }
  first_need_.push_back(static_cast<std::int32_t>(needs_.size()));
  return static_cast<std::int32_t>(units_.size()) - 1;
}

std::int32_t CutUnits::add(const Collective& collective, Unit unit, std::int32_t need) {
  unit.collective = static_cast<std::int32_t>(collectives_.size());
  collectives_.push_back(collective);
  collective_units_.push_back(size());
  return add(unit, std::span(&need, 1));
}

void CutUnits::read(std::int32_t unit, std::int32_t memory, double seconds) {
  change();
  Unit& reader = units_[at(unit)];
  if (reader.num_reads++ == 0) reader.first_read = static_cast<std::int32_t>(reads_.size());
  reads_.push_back({memory, seconds});
  num_memory_ = std::max(num_memory_, memory + 1);
}

void CutUnits::depart(std::size_t departure, std::int32_t unit) {
  change();
  if (unit >= 0) departing_.emplace_back(unit, static_cast<std::int32_t>(departure));
}

template <class F>
void CutUnits::for_each_before(std::int32_t unit, F&& visit) const {
  for (const std::int32_t need : needs(unit)) visit(need);
  if (units_[at(unit)].not_before >= 0) visit(units_[at(unit)].not_before);
}

/// What is the same whenever it is played.
void CutUnits::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  ++stamp_;
  find_users();
  arriving_.clear();
  missing_.assign(units_.size(), 0);
  for (std::int32_t u = 0; at(u) < units_.size(); ++u) {
    std::int32_t& missing = missing_[at(u)];
    for_each_before(u, [&](std::int32_t before) {
      missing += missing_[at(before)] > 0 || units_[at(before)].collective >= 0;
    });
    // Its turn.
    missing += !first_of_program_.empty() && u >= first_of_program_.front();
    if (units_[at(u)].arrival < 0) continue;
    ++missing;
    arriving_.emplace_back(units_[at(u)].arrival, u);
  }
  std::ranges::sort(arriving_, {}, [&](const std::pair<std::int32_t, std::int32_t>& arriving) {
    return std::pair(!is_under_way(arriving.first), arriving);
  });
  departs_.assign(units_.size(), false);
  for (const auto& [unit, departure] : departing_) departs_[at(unit)] = true;
}

void CutUnits::find_users() {
  if (std::exchange(knows_users_, true)) return;
  first_user_.assign(units_.size() + 1, 0);
  for (std::int32_t u = 0; at(u) < units_.size(); ++u)
    for_each_before(u, [&](std::int32_t before) { ++first_user_[at(before)]; });
  std::partial_sum(first_user_.begin(), first_user_.end(), first_user_.begin());
  users_.resize(at(first_user_.back()));
  // From their ends to their beginnings.
  for (auto u = static_cast<std::int32_t>(units_.size()); u-- > 0;)
    for_each_before(u, [&](std::int32_t before) { users_[at(--first_user_[at(before)])] = u; });
}

}  // namespace rhino::evaluate
