// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rhino::runtime {
class Agents;
}

namespace rhino::commands {

/// Exit codes (core/README.md, section 8).
enum ExitCode : int {
  kExitOk = 0,
  kExitUsage = 2,
  kExitInvalidInput = 3,
  kExitPluginRefused = 4,
  kExitCellsFailed = 5,
  kExitRegression = 6,
  kExitWrong = 7,
  kExitNothingMatched = 8,
  kExitInconclusive = 9,
  kExitOutput = 10,
  kExitDeadline = 124,
  kExitSignal = 128,  ///< plus the signal's number
};

/// What was said on the command line.
struct CommandLine {
  std::string executable;  ///< path of the running binary
  std::vector<std::string> plugin_dirs;
  std::vector<std::string> arguments;  ///< positional ones of the subcommand
  // run
  std::string filter, out, plan, shard;
  std::string keep;  ///< store merge: first or last
  std::map<std::string, std::string> set;
  std::vector<std::string> benchmark_flags;
  bool resume = false, dry_run = false, json = false;
  double deadline_s = 0;
  std::int64_t seed = -1;
  // search
  std::string save;
  bool overwrite = false;
  // plugin new
  std::string kind;
  // run, doctor: where a launcher started it
  std::string launcher = "auto", interface;
  std::string place;                  ///< for people: `6 ranks of Slurm`; empty: by hand
  runtime::Agents* agents = nullptr;  ///< of the other ranks
  // doctor
  bool gpu = false;
  std::string model;
};

/// Runs an experiment: search, plan, validate, run, check, record, compare, print.
int run_command(const CommandLine& line);
/// Schema, plugins, plans and predicted memory of an experiment (or the schema of a topology or
/// strategy); runs nothing.
int check_command(const CommandLine& line);
/// Strategies of an experiment's cells with what they are predicted to cost; --save writes the
/// best of each as a strategy file that runs again.
int search_command(const CommandLine& line);
/// plugins | cells FILE | values FILE | topologies | strategies | devices
int list_command(const CommandLine& line);
/// Names, shapes and dims of the values of an experiment's models, as strategy files match them.
int list_values(const CommandLine& line);
int explain_command(const CommandLine& line);
/// Two run folders, the earlier first, cell by cell: a regression, or noise too large to tell, has
/// its exit code.
int compare_command(const CommandLine& line);
/// Names the traces of a run's cells and merges them into one file (--out, else RUN/trace.json).
int trace_command(const CommandLine& line);
/// Draws a step of a run's cells (--out, else RUN/timeline.svg).
int timeline_command(const CommandLine& line);
/// merge OUT RUN... (--keep) | show RUN
int store_command(const CommandLine& line);
/// What this machine offers to experiments.
int doctor_command(const CommandLine& line);
/// Whether its GPUs do what experiments ask of them, as --gpu wants to know.
int doctor_gpu(const CommandLine& line);
/// new NAME --kind KIND | check FILE.so
int plugin_command(const CommandLine& line);

/// Whether `name` holds a match of the regular expression; an empty one matches all. Throws Error.
bool matches(const std::string& pattern, const std::string& name);
/// Folders that hold topologies/, strategies/ and experiments/: beside the experiment, the current
/// one, the source tree of the build, and share/rhino-bench of an installation.
std::vector<std::string> data_folders(const CommandLine& line, const std::string& experiment);

}  // namespace rhino::commands
