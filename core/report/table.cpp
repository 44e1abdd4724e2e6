// SPDX-License-Identifier: Apache-2.0
#include "report/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "plan/bytes_text.hpp"
#include "report/communication_table.hpp"
#include "report/pipeline_table.hpp"
#include "report/published_table.hpp"
#include "report/table_parts.hpp"

namespace rhino::report {
namespace {

/// What all records of a case have in common, and what each adds.
std::string case_title(const store::Record& record) {
  return fmt::format("{} on {}, {}, global batch {}", setting(record, "model"),
                     setting(record, "topology"), setting(record, "backend"), record.global_batch);
}

/// What a cell says beside search, schedule and resharding, and the head of its column's name.
constexpr std::array<std::pair<const char*, const char*>, 2> kFurther = {
    {{"optimizer", "optimizer"}, {"micro_batches", "micro-batches"}}};

/// Of these settings those in which cells of a case differ, without the strategy saying so.
std::vector<std::pair<const char*, const char*>> unlike_settings(
    const std::vector<store::Record>& records) {
  std::vector<std::pair<const char*, const char*>> unlike;
  for (const auto& further : kFurther) {
    const bool differ = std::ranges::any_of(records, [&](const store::Record& record) {
      return setting(record, further.first) != setting(records.front(), further.first);
    });
    if (differ) unlike.push_back(further);
  }
  return unlike;
}

std::string plain_name(const store::Record& record) {
  const auto last = [](const std::string& id) { return id.substr(id.rfind('/') + 1); };
  std::string search = setting(record, "search");
  const std::size_t options = search.find('(');
  const std::size_t slash = search.rfind('/', options);
  if (slash != std::string::npos) search = search.substr(slash + 1);
  const std::size_t suffix = search.find(".yaml");
  if (suffix != std::string::npos) search.erase(suffix, 5);
  else if (!record.strategy.empty()) search += ": " + record.strategy;
  return fmt::format("{} | {} | {}", search, last(setting(record, "schedule")),
                     last(setting(record, "resharding")));
}

/// Of the cell in a table of these records.
std::string cell_name(const store::Record& record, const std::vector<store::Record>& records) {
  std::string name = plain_name(record);
  for (const auto& [key, head] : unlike_settings(records)) name += " | " + setting(record, key);
  return name;
}

/// Where the strategies of a case differ in what their plans allow, that is worth a column.
bool tells_plan_bounds(const std::vector<store::Record>& records) {
  return std::any_of(records.begin(), records.end(), [](const store::Record& record) {
    return is_timed(record) && record.plan_bound_s > 1.01 * record.bound_s;
  });
}

void add_plan_bounds(const std::vector<store::Record>& records, std::vector<Row>& rows) {
  const auto bound = std::find(rows[0].begin(), rows[0].end(), "bound");
  const std::ptrdiff_t column = bound - rows[0].begin() + 1;
  rows[0].insert(rows[0].begin() + column, "plan's bound");
  for (std::size_t i = 0; i < records.size(); ++i) {
    const store::Record& record = records[i];
    rows[i + 1].insert(rows[i + 1].begin() + column,
                       is_timed(record)
                           ? fmt::format("{} {:.0f}%", format_seconds(record.plan_bound_s),
                                         100 * record.plan_bound_s / record.summary.median_s)
                           : "");
  }
}

bool is_published(const std::vector<store::Record>& records) {
  return std::ranges::any_of(
      records, [](const store::Record& record) { return record.published_step_s > 0; });
}

/// What others measured, and what the step is of it.
std::string published_text(const store::Record& record) {
  if (record.published_step_s <= 0) return "";
  if (!is_timed(record)) return format_seconds(record.published_step_s);
  return fmt::format("{} {:.2f}x", format_seconds(record.published_step_s),
                     record.summary.median_s / record.published_step_s);
}

Row row_of(const store::Record& record, const std::string& cell,
           const std::vector<std::string>& names) {
  Row row{cell};
  const bool timed = store::is_timed(record);
  if (timed) {
    row.push_back(interval(record));
    row.push_back(fmt::format("{:.2f}", record.throughput.samples_per_s));
    row.push_back(
        fmt::format("{:.3g}", record.throughput.model_flops / record.summary.median_s / 1e12));
    row.push_back(record.throughput.mfu > 0 ? fmt::format("{:.1f}%", 100 * record.throughput.mfu)
                                            : "");
    row.push_back(
        fmt::format("{} {:.0f}%", format_seconds(record.bound_s), 100 * record.bound_efficiency));
    row.push_back(prediction_text(record));
  } else {
    row.resize(7);
  }
  for (const std::string& name : names) row.push_back(timed ? ratio_text(record, name) : "");
  row.push_back(check_text(record));
  row.push_back(status_text(record));
  return row;
}

std::string case_table(const std::vector<store::Record>& records) {
  if (!records.front().communication.kind.empty()) return communication_table(records);
  if (records.front().pipeline.num_stages > 0) return pipeline_table(records);
  const std::vector<std::string> names = baseline_names(records);
  Row header{"search | schedule | resharding",
             "step",
             "samples/s",
             "TFLOP/s",
             "MFU",
             "bound",
             "predicted"};
  for (const auto& [key, head] : unlike_settings(records)) header[0] += std::string(" | ") + head;
  for (const std::string& name : names) header.push_back("vs " + name);
  header.insert(header.end(), {"check", "status"});
  std::vector<Row> rows{header};
  for (const store::Record& record : records)
    rows.push_back(row_of(record, cell_name(record, records), names));
  if (is_published(records)) {
    rows[0].insert(rows[0].begin() + 2, "published");
    for (std::size_t i = 0; i < records.size(); ++i)
      rows[i + 1].insert(rows[i + 1].begin() + 2, published_text(records[i]));
  }
  if (tells_plan_bounds(records)) add_plan_bounds(records, rows);
  std::string text = case_title(records.front()) + "\n" + aligned(rows);
  for (const store::Record& record : records)
    text += failure_line(cell_name(record, records), record);
  return text + machine_line(records);
}

}  // namespace

std::string format_seconds(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

std::string format_bytes(double bytes) { return plan::bytes_text(bytes); }

std::string result_table(const std::vector<store::Record>& records) {
  std::map<std::int32_t, std::vector<store::Record>> cases;
  for (const store::Record& record : records) cases[record.case_index].push_back(record);
  std::string text;
  for (const auto& [index, of_case] : cases)
    text += (text.empty() ? "" : "\n") + case_table(of_case);
  return text + pipeline_summary(records) + published_table(records);
}

std::string so_far_table(const std::vector<store::Record>& records) {
  return records.empty() ? "" : "\nso far, of a case that has not ended:\n" + result_table(records);
}

std::string result_line(const store::Record& record) {
  std::string text = fmt::format("{}: {}", record.label, status_text(record));
  if (store::is_timed(record))
    text += ", " + std::string(record.communication.kind.empty() ? "step " : "") + interval(record);
  if (record.rounds.size() > 1) text += fmt::format(" in {} rounds", record.rounds.size());
  if (record.check_kind != "none") text += ", check " + check_text(record);
  if (!record.message.empty()) text += ": " + record.message;
  return text;
}

}  // namespace rhino::report
