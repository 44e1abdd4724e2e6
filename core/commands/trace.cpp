// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "codec/text_file.hpp"
#include "commands/commands.hpp"
#include "measure/chrome_trace.hpp"
#include "rhino/error.hpp"
#include "store/run_folder.hpp"

namespace rhino::commands {

int trace_command(const CommandLine& line) {
  const std::string& run = line.arguments.front();
  std::vector<std::string> names, texts;
  for (const store::Record& record : store::read_records(run)) {
    const auto trace = record.artifacts.find("trace");
    if (trace == record.artifacts.end() || !matches(line.filter, record.label)) continue;
    names.push_back(record.label);
    texts.push_back(codec::read_file(run + "/" + trace->second));
    fmt::print("{}: {}/{}\n", record.label, run, trace->second);
  }
  if (names.empty()) {
    fmt::print(stderr, "rhino-bench: no cell of {} that matches has a trace\n", run);
    return kExitNothingMatched;
  }
  const std::string path = line.out.empty() ? run + "/trace.json" : line.out;
  codec::write_file(path, measure::merge_chrome_traces(names, texts));
  fmt::print("all of them: {} (open it in ui.perfetto.dev or chrome://tracing)\n", path);
  return kExitOk;
}

}  // namespace rhino::commands
