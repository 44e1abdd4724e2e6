// SPDX-License-Identifier: Apache-2.0
#include "measure/compare_runs.hpp"

#include <algorithm>

#include "measure/statistics.hpp"

namespace rhino::measure {
namespace {

bool is_timed(const store::Record& record) {
  return record.status == store::Status::ok && !record.samples_s.empty() && !record.oversubscribed;
}

Change judge(const store::BaselineRatio& ratio) {
  const double low = 1 - kTolerance, high = 1 + kTolerance;
  if (ratio.ci95_low >= low && ratio.ci95_high <= high) return Change::same;
  if (ratio.ci95_high < 1 && ratio.ratio < low) return Change::slower;
  if (ratio.ci95_low > 1 && ratio.ratio > high) return Change::faster;
  return Change::inconclusive;
}

/// How good an ending is; infeasible is an answer, if not the one hoped for.
int rank(store::Status status) {
  return status == store::Status::ok ? 2 : status == store::Status::infeasible ? 1 : 0;
}

CellChange compare_cell(const store::Record& before, const store::Record& after) {
  CellChange cell{.label = after.label, .change = Change::untimed};
  if (rank(before.status) != rank(after.status)) {
    cell.change = rank(after.status) < rank(before.status) ? Change::broken : Change::mended;
    cell.message = std::string(store::status_name(before.status)) + " before, now " +
                   store::status_name(after.status) +
                   (after.message.empty() ? "" : ": " + after.message);
    return cell;
  }
  if (!is_timed(before) || !is_timed(after)) return cell;
  cell.before_s = median(before.samples_s);
  cell.after_s = median(after.samples_s);
  cell.ratio = compare_samples("before", before.samples_s, after.samples_s);
  cell.change = judge(cell.ratio);
  return cell;
}

const store::Record* partner(const store::Record& record,
                             const std::vector<store::Record>& others) {
  for (const store::Record& other : others)
    if (other.cell_id == record.cell_id) return &other;
  for (const store::Record& other : others)
    if (other.label == record.label) return &other;
  return nullptr;
}

}  // namespace

const char* change_name(Change change) {
  constexpr const char* kNames[] = {"same",    "faster", "slower", "inconclusive",
                                    "untimed", "broken", "mended"};
  return kNames[static_cast<std::size_t>(change)];
}

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
