// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "codec/text_file.hpp"
#include "commands/commands.hpp"
#include "measure/chrome_trace.hpp"
#include "report/timeline.hpp"
#include "rhino/error.hpp"
#include "store/run_folder.hpp"

namespace rhino::commands {
namespace {

struct TracedCell {
  store::Record record;
  std::string file, text;
};

/// The cells of the run on the command line that match and have a trace; none is said.
std::vector<TracedCell> traced_cells(const CommandLine& line) {
  const std::string& run = line.arguments.front();
  std::vector<TracedCell> cells;
  for (store::Record& record : store::read_records(run)) {
    const auto trace = record.artifacts.find("trace");
    if (trace == record.artifacts.end() || !matches(line.filter, record.label)) continue;
    const std::string file = run + "/" + trace->second;
    cells.push_back({std::move(record), file, codec::read_file(file)});
  }
  if (cells.empty()) {
    fmt::print(stderr, "rhino-bench: no cell of {} that matches has a trace\n", run);
  }
  return cells;
}

std::string output(const CommandLine& line, const char* name) {
  return line.out.empty() ? line.arguments.front() + "/" + name : line.out;
}

}  // namespace

int trace_command(const CommandLine& line) {
  std::vector<std::string> names, texts;
  for (const TracedCell& cell : traced_cells(line)) {
    names.push_back(cell.record.label);
    texts.push_back(cell.text);
    fmt::print("{}: {}\n", cell.record.label, cell.file);
  }
  if (names.empty()) return kExitNothingMatched;
  const std::string path = output(line, "trace.json");
  codec::write_file(path, measure::merge_chrome_traces(names, texts));
  fmt::print("all of them: {} (open it in ui.perfetto.dev or chrome://tracing)\n", path);
  return kExitOk;
}

int timeline_command(const CommandLine& line) {
  std::vector<report::Timeline> timelines;
  for (const TracedCell& cell : traced_cells(line))
    timelines.push_back(report::read_timeline(cell.record, cell.text));
  if (timelines.empty()) return kExitNothingMatched;
  const std::string path = output(line, "timeline.svg");
  codec::write_file(path, report::timeline_picture(timelines));
  fmt::print("{}: {} cell{}\n", path, timelines.size(), timelines.size() == 1 ? "" : "s");
  return kExitOk;
}

}  // namespace rhino::commands
