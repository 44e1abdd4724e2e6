// SPDX-License-Identifier: Apache-2.0
#include "report/table_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "report/table.hpp"
#include "rhino/index.hpp"

namespace rhino::report {

std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string short_seconds(double seconds) {
  const auto [scale, unit] = seconds >= 1      ? std::pair(1.0, "s")
                             : seconds >= 1e-3 ? std::pair(1e3, "ms")
                                               : std::pair(1e6, "us");
  const double value = seconds * scale;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
}

std::string prediction_text(const store::Record& record) {
  const bool is_predicted = !store::is_simulated(record) && record.predicted_step_s > 0;
  return is_predicted ? fmt::format("{:+.1f}%", 100 * record.prediction_error) : "";
}

double middle(std::vector<double> values) {
  const auto half = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

std::string machine_line(const std::vector<store::Record>& records) {
  constexpr double kLeast = 0.05;
  std::vector<double> slowdowns;
  for (const store::Record& record : records) {
    if (record.calibrated_probe_dot_s <= 0 || record.rounds.empty()) continue;
    std::vector<double> dots_s;
    for (const store::Round& round : record.rounds) dots_s.push_back(round.probe_dot_s);
    slowdowns.push_back(middle(dots_s) / record.calibrated_probe_dot_s - 1);
  }
  const double slowdown = slowdowns.empty() ? 0 : middle(slowdowns);
  if (std::abs(slowdown) < kLeast) return "";
  return fmt::format(
      "  the machine was {:.0f} % {} in these rounds than when it was calibrated: "
      "predictions are of then\n",
      100 * std::abs(slowdown), slowdown > 0 ? "slower" : "quicker");
}

std::string setting(const store::Record& record, const std::string& key) {
  const auto found = record.independent.find(key);
  return found == record.independent.end() ? "" : found->second;
}

std::string interval(const store::Record& record) {
  const store::Summary& summary = record.summary;
  if (store::is_simulated(record)) return short_seconds(summary.median_s);
  if (summary.ci95_low_s <= 0) return format_seconds(summary.median_s);  // a single round
  const double spread =
      std::max(summary.ci95_high_s - summary.median_s, summary.median_s - summary.ci95_low_s);
  const double percent = 100 * spread / summary.median_s;
  return fmt::format("{} +-{}%{}", format_seconds(summary.median_s),
                     percent < 100 ? fmt::format("{:.1f}", percent) : ">99",
                     summary.noisy ? "!" : "");
}

std::string check_text(const store::Record& record) {
  if (record.check_kind == "none")
    return record.environment.contains("check") ? "none (emulated)" : "none";
  if (record.check_kind == "elements")
    return record.check_num_wrong == 0 ? "ok" : fmt::format("{} WRONG", record.check_num_wrong);
  return fmt::format("{} {:.0e}{}", record.check_num_wrong == 0 ? "ok" : "WRONG",
                     record.check_max_error, record.check_kind == "outputs" ? " (outputs)" : "");
}

std::string status_text(const store::Record& record) {
  if (record.status != store::Status::ok) return store::status_name(record.status);
  if (record.oversubscribed) return "ok, oversubscribed";
  if (store::is_fake(record)) return "ok, fake";
  if (store::shares_devices(record)) return "ok, shared device";
  const auto disturbed = std::count_if(record.rounds.begin(), record.rounds.end(),
                                       [](const store::Round& round) { return round.disturbed; });
  return disturbed == 0
             ? "ok"
             : fmt::format("ok, {} of {} rounds disturbed", disturbed, record.rounds.size());
}

std::vector<std::string> baseline_names(const std::vector<store::Record>& records) {
  std::vector<std::string> names;
  for (const store::Record& record : records) {
    for (const std::string& name : record.baseline_of) {
      if (!contains(names, name)) names.push_back(name);
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::all_of(
        records, [&](const store::Record& record) { return contains(record.baseline_of, name); });
  });
  return names;
}

std::string ratio_text(const store::Record& record, const std::string& name) {
  if (std::find(record.baseline_of.begin(), record.baseline_of.end(), name) !=
      record.baseline_of.end())
    return "base";
  for (const store::BaselineRatio& ratio : record.baselines) {
    if (ratio.name != name || ratio.verdict == "none") continue;
    const char sign = ratio.verdict == "faster"   ? '+'
                      : ratio.verdict == "slower" ? '-'
                      : ratio.verdict == "same"   ? '='
                                                  : '?';
    return fmt::format("{:.2f}x {}", ratio.ratio, sign);
  }
  return "";
}

std::string failure_line(const std::string& name, const store::Record& record) {
  if (record.status == store::Status::ok) return "";
  return fmt::format("  {}: {}: {}\n", name, store::status_name(record.status), record.message);
}

}  // namespace rhino::report
