// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>

#include "commands/commands.hpp"
#include "report/table.hpp"
#include "store/merge_runs.hpp"
#include "store/run_description.hpp"
#include "store/run_folder.hpp"

namespace rhino::commands {
namespace {

void print_table(const std::vector<store::Record>& records, const std::string& run) {
  if (!records.empty())
    fmt::print("{}\nrecords: {}/records.jsonl\n", report::result_table(records), run);
}

/// The table, and how many cells of the experiment have no record: of a shard, of a run that goes
/// on, or of one that was cut.
int show(const std::string& run) {
  const std::vector<store::Record> unfinished = store::read_unfinished(run);
  std::vector<store::Record> records;
  if (unfinished.empty() || std::filesystem::exists(run + "/records.jsonl"))
    records = store::read_records(run);
  print_table(records, run);
  fmt::print("{}", report::so_far_table(unfinished));
  if (!std::filesystem::exists(run + "/" + store::kDescription)) return kExitOk;
  const std::size_t num_cells = store::read_description(run).cells.size();
  if (records.size() < num_cells)
    fmt::print("{} of {} cells have records\n", records.size(), num_cells);
  return kExitOk;
}

int merge(const CommandLine& line) {
  std::string out = line.arguments[1];
  while (out.size() > 1 && out.back() == '/') out.pop_back();
  const store::Keep keep = line.keep == "first"  ? store::Keep::first
                           : line.keep == "last" ? store::Keep::last
                                                 : store::Keep::neither;
  const store::MergedRun merged =
      store::merge_runs(out, {line.arguments.begin() + 2, line.arguments.end()}, keep);
  for (const std::string& note : merged.notes) fmt::print(stderr, "rhino-bench: {}\n", note);
  print_table(merged.records, out);
  if (merged.records.size() < merged.num_cells)
    fmt::print("{} of {} cells: --resume --out {} runs the rest\n", merged.records.size(),
               merged.num_cells, out);
  return kExitOk;
}

}  // namespace

int store_command(const CommandLine& line) {
  const std::string& what = line.arguments.front();
  if (what == "merge" && line.arguments.size() >= 3) return merge(line);
  if (what == "show" && line.arguments.size() == 2) return show(line.arguments[1]);
  fmt::print(stderr, "rhino-bench: store takes `merge OUT RUN...` or `show RUN`\n");
  return kExitUsage;
}

}  // namespace rhino::commands
