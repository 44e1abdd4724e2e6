// SPDX-License-Identifier: Apache-2.0
#include "measure/compare_runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "measure/machine_watch.hpp"

namespace rhino::measure {
namespace {

constexpr std::array kChangeNames = {"same",    "faster", "slower", "inconclusive",
                                     "untimed", "broken", "mended"};

Change change_of(const std::string& verdict) {
  const auto found = std::find(kChangeNames.begin(), kChangeNames.end(), verdict);
  return static_cast<Change>(found - kChangeNames.begin());
}

/// How good an ending is; infeasible is an answer, if not the one hoped for.
int rank(store::Status status) {
  return status == store::Status::ok ? 2 : status == store::Status::infeasible ? 1 : 0;
}

std::vector<double> of_rounds(const store::Record& record, double store::Round::*what) {
  std::vector<double> values;
  for (const store::Round& round : record.rounds) values.push_back(round.*what);
  return values;
}

bool any_feels_handovers(const store::Record& record, double quickest_s) {
  return std::any_of(record.rounds.begin(), record.rounds.end(),
                     [&](const store::Round& round) { return feels_handovers(round, quickest_s); });
}

/// Log-ratio of what the probes of two runs took, as far as it is sure (95 %): of the dot, the
/// stream or, where steps feel it, the handover, whichever differs more.
double probe_shift(const store::Record& before, const store::Record& after,
                   double quickest_handover_s) {
  std::vector<double store::Round::*> probes{&store::Round::probe_dot_s,
                                             &store::Round::probe_stream_s};
  if (any_feels_handovers(before, quickest_handover_s) ||
      any_feels_handovers(after, quickest_handover_s))
    probes.push_back(&store::Round::probe_handover_s);
  double shift = 0;
  for (const auto probe : probes) {
    const std::vector<double> then = logarithms(of_rounds(before, probe)),
                              now = logarithms(of_rounds(after, probe));
    if (then.empty() || now.empty()) continue;
    const Estimate change = estimate_difference({now, {}}, {then, {}});
    const double sure = std::abs(change.mean) - half_width(change, 0.05);
    if (sure > std::abs(shift)) shift = std::copysign(sure, change.mean);
  }
  return shift;
}

/// The drift of memory that is shared with neighbours is no change of the cell.
Observations observe(const store::Record& record) {
  if (record.rounds.empty()) return {logarithms({median(record.samples_s)}), {}};
  Observations seen{logarithms(of_rounds(record, &store::Round::seconds)),
                    logarithms(of_rounds(record, &store::Round::probe_latency_s))};
  if (seen.covariate.size() != seen.values.size()) seen.covariate.clear();
  return seen;
}

/// Why a comparison stays open.
std::string advice(const store::BaselineRatio& ratio, double shift) {
  std::string text;
  if (std::abs(shift) > kTolerance)
    text = fmt::format("probes of the machine took {:.0f} % {} in the later run; ",
                       100 * std::abs(std::expm1(shift)), shift > 0 ? "longer" : "less");
  if (ratio.rounds_needed == 0) return text + "no number of rounds would decide";
  if (ratio.num_rounds < 2)
    return text + fmt::format("a verdict takes {} rounds of each or more", ratio.rounds_needed);
  return text + fmt::format("{} rounds of each would decide", ratio.rounds_needed);
}

double quickest_handover_s(const store::Record& record) {
  double seconds = std::numeric_limits<double>::infinity();
  for (const store::Round& round : record.rounds)
    if (round.probe_handover_s > 0) seconds = std::min(seconds, round.probe_handover_s);
  return seconds;
}

/// Disturbed rounds do not count where enough others are left; nor do those that felt that cores
/// lay apart, maybe for the whole of a run.
store::Record calm_part(store::Record record, double quickest_s) {
  std::vector<store::Round> calm;
  std::copy_if(record.rounds.begin(), record.rounds.end(), std::back_inserter(calm),
               [&](const store::Round& round) {
                 return !round.disturbed &&
                        (round.probe_handover_s <= (1 + kMostSlowdown) * quickest_s ||
                         !feels_handovers(round, quickest_s));
               });
  if (std::ssize(calm) >= kLeastRounds) record.rounds = calm;
  return record;
}

/// What was measured took some time.
bool has_time(const store::Record& record) {
  return store::is_timed(record) &&
         (store::is_simulated(record) || !observe(record).values.empty());
}

void compare_times(const store::Record& before, const store::Record& after, CellChange& cell) {
  cell.before_s = median(before.samples_s);
  cell.after_s = median(after.samples_s);
  const double quickest_s = std::min(quickest_handover_s(before), quickest_handover_s(after));
  const store::Record then = calm_part(before, quickest_s), now = calm_part(after, quickest_s);
  const double shift = probe_shift(then, now, quickest_s);
  const double floor =
      std::max(before.summary.noise_floor, after.summary.noise_floor) + std::abs(shift);
  cell.ratio = store::is_simulated(before) && store::is_simulated(after)
                   ? judge_exact(cell.before_s, cell.after_s)
                   : judge_samples(observe(then), observe(now), floor);
  cell.change = change_of(cell.ratio.verdict);
  if (cell.change == Change::inconclusive) cell.message = advice(cell.ratio, shift);
}

CellChange compare_cell(const store::Record& before, const store::Record& after) {
  CellChange cell{.label = after.label, .change = Change::untimed};
  if (rank(before.status) != rank(after.status)) {
    cell.change = rank(after.status) < rank(before.status) ? Change::broken : Change::mended;
    cell.message = std::string(store::status_name(before.status)) + " before, now " +
                   store::status_name(after.status) +
                   (after.message.empty() ? "" : ": " + after.message);
  } else if (has_time(before) && has_time(after)) {
    compare_times(before, after, cell);
  }
  return cell;
}

/// Whatever one of them does not say does not tell them apart.
bool same_fields(const store::Record& a, const store::Record& b) {
  if (a.global_batch != b.global_batch || a.communication.bytes != b.communication.bytes)
    return false;
  return std::all_of(a.independent.begin(), a.independent.end(), [&](const auto& field) {
    const auto other = b.independent.find(field.first);
    return other == b.independent.end() || other->second == field.second;
  });
}

const store::Record* partner(const store::Record& record,
                             const std::vector<store::Record>& others) {
  for (const store::Record& other : others)
    if (other.cell_id == record.cell_id) return &other;
  for (const store::Record& other : others)
    if (same_fields(other, record)) return &other;
  return nullptr;
}

}  // namespace

const char* change_name(Change change) { return kChangeNames[static_cast<std::size_t>(change)]; }

RunComparison compare_runs(const std::vector<store::Record>& before,
                           const std::vector<store::Record>& after) {
  RunComparison comparison;
  for (const store::Record& record : after) {
    const store::Record* earlier = partner(record, before);
    if (earlier != nullptr) comparison.cells.push_back(compare_cell(*earlier, record));
    else comparison.only_after.push_back(record.label);
  }
  for (const store::Record& record : before) {
    if (partner(record, after) == nullptr) comparison.only_before.push_back(record.label);
  }
  return comparison;
}

}  // namespace rhino::measure
