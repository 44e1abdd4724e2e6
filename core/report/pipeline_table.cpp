// SPDX-License-Identifier: Apache-2.0
#include "report/pipeline_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "report/table_parts.hpp"

namespace rhino::report {
namespace {

std::string pipeline_title(const store::Record& record) {
  const std::string name = setting(record, "name"), topology = setting(record, "topology");
  return fmt::format("{}{}{}{}", name.empty() ? "" : name + ": ", setting(record, "pipeline"),
                     topology.empty() ? "" : " on " + topology,
                     store::is_simulated(record) ? "" : ", " + setting(record, "backend"));
}

std::string pipeline_name(const store::Record& record) {
  const std::string id = setting(record, "schedule");
  return id.substr(id.find('/') + 1);
}

double busiest_s(const store::Record& record) {
  const std::vector<double>& work_s = record.pipeline.work_s;
  return work_s.empty() ? 0 : std::ranges::max(work_s);
}

std::string bubble_text(const store::Record& record) {
  if (record.pipeline.bubble_s.empty()) return "";
  const double bubble_s = std::ranges::min(record.pipeline.bubble_s);
  return fmt::format("{} {:.1f}%", short_seconds(bubble_s),
                     100 * bubble_s / record.summary.median_s);
}

std::string formula_text(const store::Record& record) {
  if (record.pipeline.formula_s <= 0) return "";
  return short_seconds(record.pipeline.formula_s - busiest_s(record));
}

/// Nothing where nothing takes time between stages.
std::string exposed_text(const store::Record& record) {
  return record.pipeline.exposed_s > 0 ? short_seconds(record.pipeline.exposed_s) : "";
}

std::string idle_text(const store::Record& record) {
  const std::vector<double>& bubbles_s = record.pipeline.bubble_s;
  if (bubbles_s.empty()) return "";
  const double sum_s = std::accumulate(bubbles_s.begin(), bubbles_s.end(), 0.0);
  return fmt::format("{:.1f}%",
                     100 * sum_s / record.summary.median_s / static_cast<double>(bubbles_s.size()));
}

/// `4 3 2 1`, of many stages `16 15 14 .. 1`, of equal ones `4 each`.
std::string kept_text(const store::Record& record) {
  constexpr std::size_t kMost = 8, kShown = 3;
  const std::vector<double>& kept = record.pipeline.in_flight;
  if (kept.size() > 1 && std::ranges::count(kept, kept.front()) == std::ssize(kept))
    return fmt::format("{:.3g} each", kept.front());
  std::string text;
  for (std::size_t s = 0; s < kept.size(); ++s) {
    const bool is_shown = kept.size() <= kMost || s < kShown || s + 1 == kept.size();
    if (is_shown) text += fmt::format("{}{:.3g}", text.empty() ? "" : " ", kept[s]);
    else if (s == kShown) text += " ..";
  }
  return text;
}

Row pipeline_row(const store::Record& record, const std::vector<std::string>& baselines) {
  Row row{pipeline_name(record)};
  if (store::is_timed(record)) {
    row.insert(
        row.end(),
        {interval(record), short_seconds(record.summary.makespan_s), bubble_text(record),
         formula_text(record), exposed_text(record), idle_text(record),
         fmt::format("{} {:.0f}%", short_seconds(record.bound_s), 100 * record.bound_efficiency),
         kept_text(record), prediction_text(record)});
    for (const std::string& name : baselines) row.push_back(ratio_text(record, name));
  }
  row.resize(10 + baselines.size());
  row.push_back(status_text(record));
  return row;
}

/// Columns that say nothing of any row.
void drop_empty(std::vector<Row>& rows) {
  for (std::size_t column = rows.front().size(); column-- > 0;) {
    const auto is_empty = [&](const Row& row) { return row[column].empty(); };
    if (!std::all_of(rows.begin() + 1, rows.end(), is_empty)) continue;
    for (Row& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

/// Of a baseline against one schedule.
struct Meetings {
  std::int64_t wins = 0, same = 0, losses = 0;
  std::vector<double> speedups;
};

Row pipeline_row(const std::string& schedule, const Meetings& meetings) {
  return {schedule, std::to_string(meetings.wins), std::to_string(meetings.same),
          std::to_string(meetings.losses), fmt::format("{:.2f}x", middle(meetings.speedups))};
}

std::string summary_of(const std::string& baseline, const std::vector<store::Record>& records) {
  std::map<std::string, Meetings> by_schedule;
  for (const store::Record& record : records) {
    for (const store::BaselineRatio& ratio : record.baselines) {
      if (ratio.name != baseline || ratio.verdict == "none" || record.pipeline.num_stages == 0)
        continue;
      Meetings& meetings = by_schedule[pipeline_name(record)];
      meetings.wins += ratio.verdict == "slower" ? 1 : 0;
      meetings.losses += ratio.verdict == "faster" ? 1 : 0;
      meetings.same += ratio.verdict == "same" ? 1 : 0;
      meetings.speedups.push_back(1 / ratio.ratio);
    }
  }
  std::erase_if(by_schedule, [](const auto& entry) { return entry.second.speedups.size() < 2; });
  if (by_schedule.empty()) return "";
  std::vector<Row> rows{{baseline + " against", "faster", "same", "slower", "median"}};
  for (const auto& [schedule, meetings] : by_schedule)
    rows.push_back(pipeline_row(schedule, meetings));
  return "\n" + aligned(rows);
}

}  // namespace

std::string pipeline_summary(const std::vector<store::Record>& records) {
  std::string text;
  for (const std::string& baseline : baseline_names(records)) text += summary_of(baseline, records);
  return text;
}

std::string pipeline_table(const std::vector<store::Record>& records) {
  const std::vector<std::string> baselines = baseline_names(records);
  Row header{"schedule", "step", "makespan", "bubble", "formula",
             "exposed",  "idle", "bound",    "keeps",  "predicted"};
  for (const std::string& name : baselines) header.push_back("vs " + name);
  header.push_back("status");
  std::vector<Row> rows{header};
  for (const store::Record& record : records) rows.push_back(pipeline_row(record, baselines));
  drop_empty(rows);
  std::string text = pipeline_title(records.front()) + "\n" + aligned(rows);
  for (const store::Record& record : records) text += failure_line(pipeline_name(record), record);
  return text;
}

}  // namespace rhino::report
