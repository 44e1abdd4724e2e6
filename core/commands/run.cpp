// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <set>

#include "codec/text_file.hpp"
#include "commands/commands.hpp"
#include "commands/launched.hpp"
#include "commands/progress.hpp"
#include "commands/run_end.hpp"
#include "commands/shard.hpp"
#include "measure/benchmark_report.hpp"
#include "measure/case_run.hpp"
#include "planning/cell_inputs.hpp"
#include "planning/choices.hpp"
#include "planning/communication_plan.hpp"
#include "planning/plan_fit.hpp"
#include "report/table.hpp"
#include "rhino/error.hpp"
#include "store/run_description.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

/// Makes results/<experiment>-<time>, and which shard it is, in the current folder, -2 and so on
/// behind it where that is taken.
std::string default_run_folder(const config::Experiment& experiment, measure::Shard shard) {
  const std::time_t now = std::time(nullptr);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", std::localtime(&now));
  std::string path = "results/" + experiment.name + "-" + stamp;
  if (shard.count > 1)
    path += "-shard" + std::to_string(shard.index) + "of" + std::to_string(shard.count);
  std::error_code error;
  fs::create_directories("results", error);
  for (int attempt = 1;; ++attempt) {
    const std::string one = attempt == 1 ? path : path + "-" + std::to_string(attempt);
    // What cannot be made at all is RunFolder's to say.
    if (fs::create_directory(one, error) || error) return one;
  }
}

std::vector<measure::NamedCell> matching(std::vector<measure::NamedCell> cells,
                                         const std::string& pattern) {
  std::erase_if(cells,
                [&](const measure::NamedCell& cell) { return !matches(pattern, cell.name); });
  return cells;
}

/// The value of a word of Google Benchmark that is understood here; empty where it is not given.
std::string take_flag(std::vector<std::string>& flags, const std::string& name) {
  const std::string prefix = "--benchmark_" + name + "=";
  std::string value;
  std::erase_if(flags, [&](const std::string& flag) {
    if (flag.rfind(prefix, 0) != 0) return false;
    value = flag.substr(prefix.size());
    return true;
  });
  return value;
}

/// A repetition of Google Benchmark is a round.
void set_rounds(const std::string& repetitions, config::MeasureSpec& measure) {
  if (repetitions.empty()) return;
  std::from_chars(repetitions.data(), repetitions.data() + repetitions.size(), measure.rounds);
  measure.max_rounds = measure.rounds;
}

int exit_code(const std::vector<store::Record>& records) {
  bool wrong = false, failed = false;
  std::size_t infeasible = 0;
  for (const store::Record& record : records) {
    wrong |= record.status == store::Status::wrong || record.status == store::Status::invalid;
    failed |= record.status == store::Status::failed || record.status == store::Status::oom ||
              record.status == store::Status::timeout;
    infeasible += record.status == store::Status::infeasible ? 1 : 0;
  }
  if (wrong) return kExitWrong;
  if (failed || (!records.empty() && infeasible == records.size())) return kExitCellsFailed;
  return kExitOk;
}

/// Why a plugin that these cells name is refused before anything runs; empty where none is.
std::string refusal(const std::vector<measure::NamedCell>& cells,
                    const plugin::Registry& registry) {
  for (const measure::NamedCell& named : cells) {
    std::vector<const config::Choice*> choices;
    if (!named.cell.collective) choices.push_back(&named.cell.resharding);
    if (!named.cell.is_communication()) choices.push_back(&named.cell.schedule);
    if (named.cell.has_model()) choices.push_back(&named.cell.search);
    for (const config::Choice* choice : choices) {
      if (planning::is_strategy_file(*choice)) continue;
      const std::string reason = plugin::abi_refusal(registry.find(choice->id));
      if (!reason.empty()) return planning::placed(choice->place, reason);
    }
  }
  return "";
}

/// Results of another seed are none of this run's. Throws Error.
void check_seed(const store::Record& record, std::uint64_t seed) {
  if (record.seed == seed) return;
  throw Error(
      fmt::format("{}: was recorded with seed {}, and this run's is {}: --seed {} goes on "
                  "with it, another --out begins anew",
                  record.run_id, record.seed, seed, record.seed));
}

/// Throws Error where a cell cannot be what its files say; nothing has run by then.
void check_cells(const std::vector<measure::NamedCell>& cells,
                 const std::vector<std::string>& folders) {
  for (const measure::NamedCell& cell : cells) {
    const Cluster cluster = planning::cell_cluster(cell.cell, folders);
    planning::check_backend(cell.cell, cluster);
    if (cell.cell.is_communication()) planning::communication_problem(cell.cell, cluster);
  }
}

/// Builds the training steps, and reads strategy files against them.
planning::Models build_models(const std::vector<measure::NamedCell>& cells,
                              const std::vector<std::string>& folders) {
  planning::Models models;
  for (const measure::NamedCell& cell : cells) {
    if (cell.cell.has_model())
      planning::check_strategy(cell.cell, models.of(cell.cell).step, folders);
  }
  return models;
}

/// Throws Error where the plan of --plan is of another cell than one of these.
void check_plan(const std::string& path, const std::vector<measure::NamedCell>& cells,
                planning::Models& models, const std::vector<std::string>& folders) {
  const plan::ExecutionPlan plan = planning::read_plan(path);
  for (const measure::NamedCell& named : cells) {
    const config::CellSpec& cell = named.cell;
    try {
      planning::check_fit(plan, cell, cell.has_model() ? &models.of(cell) : nullptr,
                          planning::cell_cluster(cell, folders));
    } catch (const Error& error) {
      throw Error(path + ": not a plan of cell '" + named.name + "': " + error.what());
    }
  }
}

/// Tables and verdicts of a folder are of one experiment, with its cases in one order. Throws
/// Error.
void check_experiment(const store::RunFolder& folder, const config::Experiment& experiment) {
  std::set<std::pair<std::string, std::int32_t>> cells;
  for (const config::CellSpec& cell : experiment.cells)
    cells.emplace(config::cell_id(cell), cell.case_index);
  for (const store::Record& record : folder.finished()) {
    if (cells.contains({record.cell_id, record.case_index})) continue;
    throw Error(
        fmt::format("{}: holds a cell that {} lacks in case {}, '{}': --resume goes on with the "
                    "experiment that it began",
                    folder.path(), experiment.file, record.case_index, record.label));
  }
}

/// What the folder is a run of, so that parts of one run can be told from others.
void describe_run(store::RunFolder& folder, const config::Experiment& experiment) {
  const config::MeasureSpec& spec = experiment.measure;
  store::RunDescription description{
      .experiment = experiment.name,
      .engine = RHINO_VERSION,
      .measure = fmt::format("{} to {} rounds of {} x {} steps, {} to warm up", spec.rounds,
                             spec.max_rounds, spec.repetitions, spec.steps, spec.min_warmup_steps),
      .seed = experiment.seed};
  for (const measure::NamedCell& named : measure::name_cells(experiment))
    description.cells.push_back(
        fmt::format("{} {} {}", named.cell.case_index, config::cell_id(named.cell), named.name));
  const std::string text = store::encode(description);
  const std::string file = folder.path(store::kDescription);
  if (fs::exists(file) && codec::read_file(file) == text) return;
  std::error_code error;  // whole, or not at all: a torn one would be of no run
  fs::rename(folder.path(folder.write(store::kDescription + std::string(".new"), text)), file,
             error);
  if (error) throw codec::OutputError(file + ": cannot be written: " + error.message());
}

/// Cells that a run has recorded already, by id and case: another case has its own, equal or not.
void leave_out_finished(std::vector<measure::NamedCell>& cells, const store::RunFolder& folder,
                        std::uint64_t seed) {
  std::set<std::pair<std::string, std::int32_t>> finished;
  for (const store::Record& record : folder.finished()) {
    check_seed(record, seed);
    finished.emplace(record.cell_id, record.case_index);
  }
  std::erase_if(cells, [&](const measure::NamedCell& cell) {
    const std::string id = config::cell_id(cell.cell);
    const store::Record* begun = folder.journalled(id, cell.cell.case_index);
    if (begun != nullptr) check_seed(*begun, seed);
    return finished.contains({id, cell.cell.case_index});
  });
}

/// The cells of the first one's case.
std::vector<measure::NamedCell> take_case(std::vector<measure::NamedCell>& cells) {
  const auto end = std::find_if(cells.begin(), cells.end(), [&](const measure::NamedCell& cell) {
    return cell.cell.case_index != cells.front().cell.case_index;
  });
  std::vector<measure::NamedCell> taken(cells.begin(), end);
  cells.erase(cells.begin(), end);
  return taken;
}

std::vector<store::Record> recorded_of(const measure::NamedCell& cell,
                                       std::vector<store::Record> records) {
  std::erase_if(records, [&](const store::Record& record) {
    return record.case_index != cell.cell.case_index;
  });
  return records;
}

bool lists_only(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag == "--benchmark_list_tests" || flag == "--benchmark_list_tests=true";
  });
}

int list_cells(const std::vector<measure::NamedCell>& cells) {
  for (const measure::NamedCell& cell : cells) fmt::print("{}\n", cell.name);
  return kExitOk;
}

/// The hosts that a launcher started this run on, and which of their devices the cells use.
std::string hosts_text(const CommandLine& line, const std::vector<measure::NamedCell>& cells,
                       const std::vector<std::string>& folders) {
  const std::vector<topology::FoundHost>& hosts = line.agents->hosts();
  std::string text =
      fmt::format("{} on {} host{}\n", line.place, hosts.size(), hosts.size() == 1 ? "" : "s");
  for (const topology::FoundHost& host : hosts) text += "  " + runtime::describe(host) + "\n";
  std::set<std::string> told;
  for (const measure::NamedCell& named : cells) {
    if (!planning::is_of_found_hosts(named.cell)) continue;
    const std::string topology = config::to_string(named.cell.topology);
    if (told.insert(topology).second)
      text += "  " + topology + ": " +
              describe_devices(planning::cell_cluster(named.cell, folders)) + "\n";
  }
  if (told.empty() && hosts.size() > 1)
    text += "  no cell is for these hosts: `topology: cluster` is, or --set topology=cluster\n";
  return text;
}

}  // namespace

int run_command(const CommandLine& line) {
  std::vector<std::string> flags = line.benchmark_flags;
  config::Experiment experiment = config::read_experiment(line.arguments.front(), line.set);
  RunEnd end(line.deadline_s > 0 ? line.deadline_s : experiment.deadline_s);
  if (line.seed >= 0) experiment.seed = static_cast<std::uint64_t>(line.seed);
  const std::vector<std::string> folders = data_folders(line, line.arguments.front());
  const plugin::Registry registry(plugin::plugin_folders(line.plugin_dirs, line.executable));
  for (const config::CellSpec& cell : experiment.cells)
    planning::check_choices(cell, registry, folders);
  measure::merge_equal_cells(experiment, folders);
  std::vector<measure::NamedCell> cells =
      matching(matching(measure::name_cells(experiment), line.filter), take_flag(flags, "filter"));
  set_rounds(take_flag(flags, "repetitions"), experiment.measure);
  if (cells.empty()) {
    fmt::print(stderr, "rhino-bench: no cell of {} matches\n", line.arguments.front());
    return kExitNothingMatched;
  }
  const ChosenShard shard = choose_shard(line.shard, launch::process_environment());
  if (!shard.refusal.empty()) {
    fmt::print(stderr, "rhino-bench: {}\n", shard.refusal);
    return kExitUsage;
  }
  const bool is_listed = line.dry_run || lists_only(flags);
  const std::size_t num_matched = cells.size();
  cells = measure::cells_of(shard.shard, cells, experiment.measure);
  const std::string shard_text = describe(shard, cells.size(), num_matched);
  if (is_listed || cells.empty()) fmt::print(stderr, "{}", shard_text);
  if (cells.empty()) return kExitOk;
  check_cells(cells, folders);
  const std::string refused = refusal(cells, registry);
  if (!refused.empty()) {
    fmt::print(stderr, "rhino-bench: {}\n", refused);
    return kExitPluginRefused;
  }
  if (is_listed) return list_cells(cells);
  const measure::BenchmarkReport benchmark_report(flags);
  if (!benchmark_report.refusal().empty()) {
    fmt::print(stderr, "rhino-bench: {}\n", benchmark_report.refusal());
    return kExitUsage;
  }
  planning::Models models = build_models(cells, folders);
  if (!line.plan.empty()) check_plan(line.plan, cells, models, folders);

  store::RunFolder folder(line.out.empty() ? default_run_folder(experiment, shard.shard) : line.out,
                          line.resume);
  check_experiment(folder, experiment);
  leave_out_finished(cells, folder, experiment.seed);
  describe_run(folder, experiment);
  std::vector<store::Record> records = folder.finished();
  std::FILE* const out = benchmark_report.takes_stdout() ? stderr : stdout;
  Progress progress(out);
  measure::RunContext context{
      .experiment = experiment,
      .registry = registry,
      .folder = folder,
      .worker = (fs::path(line.executable).parent_path() / "rhino-worker").string(),
      .folders = folders,
      .plan_file = line.plan,
      .progress =
          [&](const std::string& what) {
            if (end.has_come()) throw Error("interrupted");
            progress.show(what);
          },
      .is_interrupted =
          [&] {
            if (line.agents != nullptr) line.agents->look_in();
            return end.has_come();
          },
      .models = std::move(models),
      .calibrations = calibrate::Calibrations(folder.path("calibrations")),
      .agents = line.agents};
  if (!experiment.question.empty()) fmt::print(out, "{}\n\n", experiment.question);
  fmt::print(out, "{}", shard_text);
  if (line.agents != nullptr) fmt::print(out, "{}\n", hosts_text(line, cells, folders));
  progress.set_total(std::ssize(cells));
  while (!cells.empty() && !end.has_come()) {
    const std::vector<measure::NamedCell> of_case = take_case(cells);
    std::vector<store::Record> fresh;
    try {
      fresh = measure::CaseRun(context, of_case, recorded_of(of_case.front(), records),
                               [&](const std::vector<store::Record>& all, std::size_t news) {
                                 progress.show_rows(all, news);
                               })
                  .run();
    } catch (const codec::OutputError& error) {
      end.note(error);
    }
    progress.keep_rows(fresh);
    records.insert(records.end(), fresh.begin(), fresh.end());
    if (fresh.empty()) cells.insert(cells.begin(), of_case.begin(), of_case.end());
  }
  benchmark_report.write(records);
  if (!records.empty()) {
    fmt::print(out, "\n{}\nrecords: {}\n", report::result_table(records),
               folder.path("records.jsonl"));
  }
  fmt::print(out, "{}", report::so_far_table(store::read_unfinished(folder.path())));
  return cells.empty() ? exit_code(records) : end.report(cells, folder.path());
}

}  // namespace rhino::commands
