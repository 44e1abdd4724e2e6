// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "commands/commands.hpp"
#include "measure/compare_runs.hpp"
#include "report/table.hpp"
#include "store/run_folder.hpp"

namespace rhino::commands {
namespace {

std::string times(const measure::CellChange& cell) {
  std::string text = fmt::format("{} -> {}, {:.3f}x", report::format_seconds(cell.before_s),
                                 report::format_seconds(cell.after_s), cell.ratio.ratio);
  if (cell.ratio.ci95_low > 0)
    text += fmt::format(" [{:.3f}, {:.3f}]", cell.ratio.ci95_low, cell.ratio.ci95_high);
  return text;
}

void print(const measure::CellChange& cell) {
  std::string text = fmt::format("{:<12}  {}", measure::change_name(cell.change), cell.label);
  if (cell.before_s > 0) text += ": " + times(cell);
  if (!cell.message.empty()) text += ": " + cell.message;
  fmt::print("{}\n", text);
}

void print_unpaired(const std::vector<std::string>& labels, const std::string& run) {
  for (const std::string& label : labels)
    fmt::print("{:<12}  {}: only in {}\n", "unpaired", label, run);
}

}  // namespace

int compare_command(const CommandLine& line) {
  if (line.arguments.size() != 2) {
    fmt::print(stderr, "rhino-bench: compare takes two run folders, the earlier first\n");
    return kExitUsage;
  }
  const measure::RunComparison comparison = measure::compare_runs(
      store::read_records(line.arguments[0]), store::read_records(line.arguments[1]));
  for (const measure::CellChange& cell : comparison.cells) print(cell);
  print_unpaired(comparison.only_before, line.arguments[0]);
  print_unpaired(comparison.only_after, line.arguments[1]);
  if (comparison.cells.empty()) {
    fmt::print(stderr, "rhino-bench: the two runs have no cell in common\n");
    return kExitNothingMatched;
  }
  const auto any = [&](measure::Change change) {
    return std::any_of(comparison.cells.begin(), comparison.cells.end(),
                       [&](const measure::CellChange& cell) { return cell.change == change; });
  };
  if (any(measure::Change::slower) || any(measure::Change::broken)) return kExitRegression;
  return any(measure::Change::inconclusive) ? kExitInconclusive : kExitOk;
}

}  // namespace rhino::commands
