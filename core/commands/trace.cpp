// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "commands/commands.hpp"
#include "measure/chrome_trace.hpp"
#include "rhino/error.hpp"
#include "store/run_folder.hpp"

namespace rhino::commands {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(path + ": cannot be read");
  return text;
}

}  // namespace

int trace_command(const CommandLine& line) {
  const std::string& run = line.arguments.front();
  std::vector<std::string> names, texts;
  for (const store::Record& record : store::read_records(run)) {
    const auto trace = record.artifacts.find("trace");
    if (trace == record.artifacts.end() || !matches(line.filter, record.label)) continue;
    names.push_back(record.label);
    texts.push_back(read_file(run + "/" + trace->second));
    fmt::print("{}: {}/{}\n", record.label, run, trace->second);
  }
  if (names.empty()) {
    fmt::print(stderr, "rhino-bench: no cell of {} that matches has a trace\n", run);
    return kExitNothingMatched;
  }
  const std::string path = line.out.empty() ? run + "/trace.json" : line.out;
  std::ofstream stream(path);
  stream << measure::merge_chrome_traces(names, texts);
  stream.close();
  if (!stream) throw Error(path + ": cannot be written");
  fmt::print("all of them: {} (open it in ui.perfetto.dev or chrome://tracing)\n", path);
  return kExitOk;
}

}  // namespace rhino::commands
