// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <regex>

#include "codec/text_file.hpp"
#include "commands/commands.hpp"
#include "commands/launched.hpp"
#include "commands/scaffold.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"

namespace commands = rhino::commands;

namespace {

using commands::CommandLine;

/// Words that belong to Google Benchmark are taken out before CLI11 sees the line.
std::vector<std::string> take_benchmark_flags(std::vector<std::string>& words) {
  std::vector<std::string> flags;
  std::erase_if(words, [&](const std::string& word) {
    if (word.rfind("--benchmark_", 0) != 0) return false;
    flags.push_back(word);
    return true;
  });
  return flags;
}

/// Options that several subcommands take.
enum Takes : unsigned {
  kFilter = 1,
  kSet = 2,
  kPlugins = 4,
  kOut = 8,
  kSave = 16,
  kKind = 32,
  kGpu = 64,
  kLauncher = 128,
  kKeep = 256
};
constexpr unsigned kCells = kFilter | kSet | kPlugins;

std::string is_expression(const std::string& word) {
  try {
    std::regex expression(word);
    return "";
  } catch (const std::regex_error&) {
    return "'" + word + "' is no regular expression";
  }
}

std::string is_kind(const std::string& word) {
  const std::vector<std::string> kinds = commands::plugin_kinds();
  if (std::ranges::find(kinds, word) != kinds.end()) return "";
  return "there are no plugins of kind '" + word + "'" + rhino::plugin::suggestion(word, kinds);
}

void add_options(CLI::App& app, unsigned takes, CommandLine& line, std::vector<std::string>& set) {
  if (takes & kFilter)
    app.add_option("--filter", line.filter, "cells whose name matches this regular expression")
        ->check(is_expression);
  if (takes & kSet) {
    app.add_option("--set", set, "key=value: replaces a key of every case")
        ->allow_extra_args(false);
  }
  if (takes & kPlugins) {
    app.add_option("--plugin-dir", line.plugin_dirs, "folder with further plugins")
        ->allow_extra_args(false)
        ->check(CLI::ExistingDirectory);
  }
  if (takes & kOut) app.add_option("--out", line.out, "file or folder that the results go to");
  if (takes & kSave) {
    app.add_option("--save", line.save,
                   "write the best strategy as FILE.yaml, or that of each cell into a folder; a "
                   "case runs it with `search: {FILE.yaml: {}}`");
    app.add_flag("--overwrite", line.overwrite, "replace files that are there");
  }
  if (takes & kGpu) {
    CLI::Option* gpu = app.add_flag("--gpu", line.gpu,
                                    "check GPUs from the bottom up: libraries, memory, ops, "
                                    "kernels, a step, dots, speed, NCCL");
    app.add_option("--model", line.model,
                   "whose step is taken apart for --gpu, as in an experiment: {gpt: {preset: 1m}}")
        ->needs(gpu);
    app.add_flag("--json", line.json, "the report of --gpu as JSON")->needs(gpu);
  }
  if (takes & kLauncher) {
    app.add_option("--launcher", line.launcher,
                   "what started this process on several hosts: auto, local (nothing), pmix or env")
        ->check(CLI::IsMember({"auto", "local", "pmix", "env"}));
    app.add_option("--interface", line.interface,
                   "network interface of this host at which the others reach it");
  }
  if (takes & kKeep) {
    app.add_option("--keep", line.keep,
                   "first or last: whose record of a cell counts where runs have different ones")
        ->check(CLI::IsMember({"first", "last"}));
  }
  if (takes & kKind)
    app.add_option("--kind", line.kind, "search, resharding or schedule")->check(is_kind);
}

/// Checks a word that stands for a number from `least` up; CLI11 takes one that is too large for
/// the largest.
template <class T>
auto is_number(const std::string& what, T least = 0) {
  return [what, least](const std::string& word) {
    T value{};
    const char* end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    const bool good = error == std::errc() && rest == end && value >= least && std::isfinite(value);
    return good ? "" : what + " is wanted, not '" + word + "'";
  };
}

void check_repetitions(const std::vector<std::string>& flags) {
  const std::string name = "--benchmark_repetitions";
  for (const std::string& flag : flags) {
    if (flag.rfind(name + "=", 0) != 0) continue;
    const auto is_count = is_number<std::int32_t>("a whole number from 1 up", 1);
    const std::string wrong = is_count(flag.substr(name.size() + 1));
    if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
  }
}

void read_set(const std::vector<std::string>& set, CommandLine& line) {
  for (const std::string& pair : set) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos)
      throw CLI::ValidationError("--set", "key=value is wanted, not '" + pair + "'");
    line.set[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

/// The subcommands by name, with what they take.
using Command = int (*)(const CommandLine&);
struct Subcommand {
  const char* name;
  const char* about;
  Command run;
  const char* arguments;
  int least_arguments, most_arguments;
  unsigned takes;
};
constexpr Subcommand kSubcommands[] = {
    {"list", "plugins, experiments, cells FILE, values FILE, topologies, strategies or devices",
     commands::list_command, "WHAT", 0, 2, kCells | kLauncher},
    {"check", "an input file: schema, plugins, plans, predicted memory; runs nothing",
     commands::check_command, "FILE", 1, 1, kCells | kLauncher},
    {"search", "strategies of an experiment's cells; runs nothing", commands::search_command,
     "FILE", 1, 1, kCells | kSave | kLauncher},
    {"explain", "a plan for people; --out FILE.csv: its schedule, as PyTorch writes them",
     commands::explain_command, "PLAN", 1, 1, kOut},
    {"compare", "two run folders cell by cell, the earlier first", commands::compare_command, "RUN",
     2, 2, 0},
    {"trace", "timelines of a run's cells, for ui.perfetto.dev", commands::trace_command, "RUN", 1,
     1, kFilter | kOut},
    {"timeline", "a run's cells as a picture: passes, transfers, waits", commands::timeline_command,
     "RUN", 1, 1, kFilter | kOut},
    {"store", "merge OUT RUN...: one run of many shards; show RUN: its table",
     commands::store_command, "WHAT", 2, 1 << 20, kKeep},
    {"plugin",
     "new NAME --kind KIND: one to begin with; check FILE.so: its contract (--set: its options)",
     commands::plugin_command, "WHAT", 2, 2, kPlugins | kKind | kSet},
    {"doctor", "what this machine offers: devices, transports, limits", commands::doctor_command,
     "", 0, 0, kPlugins | kGpu | kLauncher},
};

/// A file opened later must not become standard output by its number: a closed one stays one that
/// cannot be written.
void hold_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int say(const char* sentence, int code) {
  std::fprintf(stderr, "rhino-bench: %s\n", sentence);
  return code;
}

/// What `work` returns, or the exit code of what it throws.
int say_errors(const std::function<int()>& work) {
  try {
    return work();
  } catch (const rhino::codec::OutputError& error) {
    return say(error.what(), commands::kExitOutput);
  } catch (const rhino::Error& error) {
    return say(error.what(), commands::kExitInvalidInput);
  } catch (const std::exception& error) {
    // Printing throws, too, where standard output takes nothing.
    return std::ferror(stdout) ? commands::kExitOk : say(error.what(), 1);
  }
}

int dispatch(std::vector<std::string> words, const std::string& executable) {
  CommandLine line{.executable = executable, .benchmark_flags = take_benchmark_flags(words)};
  std::vector<std::string> set;
  CLI::App app(
      "Runs experiments on parallel plans for training large models.\n  rhino-bench "
      "experiments/gpt3.yaml",
      "rhino-bench");
  app.set_version_flag("--version", RHINO_VERSION);
  std::string experiment;
  app.add_option("experiment", experiment, "YAML file of an experiment to run");
  add_options(app, kCells | kOut | kLauncher, line, set);
  std::string backend;
  app.add_option("--backend", backend, "ucx, nccl, nccl_broadcast or simulate, for every case");
  app.add_option("--shard", line.shard,
                 "2/4: the second of four parts of the cells, by whole cases; in a Slurm array its "
                 "task's, unless given");
  app.add_option("--plan", line.plan, "run this plan.json instead of searching");
  app.add_flag("--resume", line.resume,
               "go on with the run in --out: its recorded cells are left out");
  app.add_option("--deadline", line.deadline_s,
                 "seconds after which the run ends; --resume goes on")
      ->check(is_number<double>("a number of seconds, no less than 0,"));
  app.add_option("--seed", line.seed, "of parameters, batches and searches")
      ->check(is_number<std::int64_t>("a whole number from 0 to 9223372036854775807"));
  app.add_flag("--dry-run", line.dry_run, "name the cells and stop");
  Command chosen = nullptr;
  bool takes_hosts = true;
  for (const Subcommand& subcommand : kSubcommands) {
    CLI::App* sub = app.add_subcommand(subcommand.name, subcommand.about);
    if (subcommand.most_arguments > 0) {
      sub->add_option(subcommand.arguments, line.arguments, "")
          ->required(subcommand.least_arguments > 0)
          ->expected(subcommand.least_arguments, subcommand.most_arguments);
    }
    add_options(*sub, subcommand.takes, line, set);
    sub->callback([&chosen, &takes_hosts, &subcommand] {
      chosen = subcommand.run;
      takes_hosts = (subcommand.takes & kLauncher) != 0;
    });
  }
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
    read_set(set, line);
    check_repetitions(line.benchmark_flags);
    if (line.resume && line.out.empty())
      throw CLI::ValidationError("--resume", "--out FOLDER names the run to go on with");
    if (!backend.empty()) line.set["backend"] = backend;
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? commands::kExitOk : commands::kExitUsage;
  }
  if (chosen == nullptr) {
    if (experiment.empty()) {
      std::fputs(app.help().c_str(), stderr);
      return commands::kExitUsage;
    }
    line.arguments = {experiment};
    chosen = commands::run_command;
  }
  return commands::run_launched(line, takes_hosts && !line.dry_run, chosen, say_errors);
}

int run(int argc, char** argv) {
  return say_errors([&] {
    const std::string executable = std::filesystem::read_symlink("/proc/self/exe").string();
    return dispatch({argv + 1, argv + argc}, executable);
  });
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  const int code = run(argc, argv);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  return say("standard output cannot be written", code == 0 ? commands::kExitOutput : code);
}
