// SPDX-License-Identifier: Apache-2.0
#include "report/communication_table.hpp"

#include <fmt/core.h>

#include "report/table.hpp"
#include "report/table_parts.hpp"

namespace rhino::report {
namespace {

bool is_reshard(const store::Record& record) { return record.communication.kind == "reshard"; }

std::string communication_title(const store::Record& record) {
  const std::string where = setting(record, "topology") + ", " + setting(record, "backend");
  if (!is_reshard(record))
    return fmt::format("{} of {} on {}", setting(record, "collective"), setting(record, "dtype"),
                       where);
  const std::string name = setting(record, "name");
  return fmt::format("{}{} on {}", name.empty() ? "" : name + ": ", setting(record, "reshard"),
                     where);
}

/// `8 B`, `64 KiB`: sizes of collectives are round in binary.
std::string size_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

std::string communication_name(const store::Record& record) {
  if (!is_reshard(record)) return size_text(record.communication.bytes);
  const std::string id = setting(record, "resharding");
  return id.substr(id.find('/') + 1);
}

std::string gigabits(double bytes_per_s) {
  return bytes_per_s > 0 ? fmt::format("{:.3g}", bytes_per_s * 8 / 1e9) : "";
}
std::string gigabytes(double bytes_per_s) { return fmt::format("{:.3g}", bytes_per_s / 1e9); }

std::string bound_text(const store::Record& record) {
  if (record.bound_s <= 0) return "";
  if (record.bound_efficiency <= 0) return format_seconds(record.bound_s);
  return fmt::format("{} {:.0f}%", format_seconds(record.bound_s), 100 * record.bound_efficiency);
}

/// `CPU` where that limits, not the network.
std::string predicted_text(const store::Record& record) {
  const std::string text = prediction_text(record);
  const bool by_cpu = record.communication.predicted_cpu_s >= record.predicted_step_s;
  return text.empty() || !by_cpu ? text : text + " CPU";
}

Row header_of(const store::Record& record) {
  if (is_reshard(record))
    return {"resharding", "latency", "effective Gbit/s", "between hosts", "bound", "predicted"};
  return {"size", "time", "algbw GB/s", "busbw GB/s", "bound", "predicted"};
}

Row communication_row(const store::Record& record, const std::vector<std::string>& baselines) {
  Row row{communication_name(record)};
  const store::CommunicationFigures& figures = record.communication;
  const bool timed = store::is_timed(record);
  if (timed) {
    row.push_back(interval(record));
    row.push_back(is_reshard(record) ? gigabits(figures.effective_bytes_per_s)
                                     : gigabytes(figures.effective_bytes_per_s));
    row.push_back(is_reshard(record) ? format_bytes(figures.bytes_between_hosts)
                                     : gigabytes(figures.bus_bytes_per_s));
    row.push_back(bound_text(record));
    row.push_back(predicted_text(record));
  } else {
    row.resize(6);
  }
  for (const std::string& name : baselines) row.push_back(timed ? ratio_text(record, name) : "");
  row.push_back(check_text(record));
  row.push_back(status_text(record));
  return row;
}

}  // namespace

std::string communication_table(const std::vector<store::Record>& records) {
  const std::vector<std::string> baselines = baseline_names(records);
  Row header = header_of(records.front());
  for (const std::string& name : baselines) header.push_back("vs " + name);
  header.insert(header.end(), {"check", "status"});
  std::vector<Row> rows{header};
  for (const store::Record& record : records) rows.push_back(communication_row(record, baselines));
  std::string text = communication_title(records.front()) + "\n" + aligned(rows);
  for (const store::Record& record : records)
    text += failure_line(communication_name(record), record);
  return text;
}

}  // namespace rhino::report
