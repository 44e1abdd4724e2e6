// SPDX-License-Identifier: Apache-2.0
// Commands that run nothing: list, check, search, explain.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "codec/text_file.hpp"
#include "commands/candidates.hpp"
#include "commands/commands.hpp"
#include "commands/save_strategy.hpp"
#include "commands/strategy_words.hpp"
#include "config/strategy_file.hpp"
#include "config/topology_file.hpp"
#include "config/yaml_reader.hpp"
#include "measure/named_cells.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning/choices.hpp"
#include "planning/communication_plan.hpp"
#include "planning/pipeline_plan.hpp"
#include "report/pipeline_table.hpp"
#include "report/table.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"
#include "store/run_folder.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

int list_plugins(const CommandLine& line) {
  const plugin::Registry registry(plugin::plugin_folders(line.plugin_dirs, line.executable));
  for (const plugin::PluginInfo& info : registry.plugins())
    fmt::print("{:<28} {}  ({})\n", info.id, info.description, info.path);
  for (const std::string& sentence : registry.unreadable())
    fmt::print(stderr, "rhino-bench: {}\n", sentence);
  return kExitOk;
}

/// What a file of each folder says of itself.
const std::map<std::string, std::string> kAbout = {
    {"topologies", "source"}, {"strategies", "description"}, {"experiments", "question"}};

int list_files(const CommandLine& line, const std::string& kind) {
  if (kind == "topologies") {
    fmt::print("{:<28} this machine: a CPU device per core; of `device: cuda` its GPUs\n", "local");
    fmt::print("{:<28} the hosts that a launcher started rhino-bench on\n", "cluster");
  }
  for (const std::string& folder : data_folders(line, "")) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / kind, error)) {
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      std::string about;
      try {
        about = config::YamlReader::file(path.string()).string(kAbout.at(kind), "");
      } catch (const Error& unreadable) {
        about = unreadable.what();
      }
      fmt::print("{:<28} {}\n", kind == "topologies" ? path.stem().string() : path.string(), about);
    }
  }
  return kExitOk;
}

int nothing_matched(const std::string& file) {
  fmt::print(stderr, "rhino-bench: no cell of {} matches\n", file);
  return kExitNothingMatched;
}

int list_cells(const CommandLine& line) {
  std::vector<measure::NamedCell> cells =
      measure::name_cells(config::read_experiment(line.arguments[1], line.set));
  std::erase_if(cells,
                [&](const measure::NamedCell& cell) { return !matches(line.filter, cell.name); });
  if (cells.empty()) return nothing_matched(line.arguments[1]);
  for (const measure::NamedCell& cell : cells) fmt::print("{}\n", cell.name);
  return kExitOk;
}

int list_devices() {
  const topology::Machine machine = topology::discover_machine();
  fmt::print("cpu: {} ({} cores, {} available)\n", machine.processor, machine.num_cores,
             report::format_bytes(static_cast<double>(machine.memory_bytes)));
  const topology::GpuInventory& found = topology::discover_gpus();
  for (std::size_t i = 0; i < found.gpus.size(); ++i)
    fmt::print("cuda {}: {}\n", i, topology::describe(found.gpus[i]));
  if (!found.missing.empty()) fmt::print("cuda: none: {}\n", found.missing);
  if (!found.nvml_missing.empty())
    fmt::print("cuda: links and clocks are not known: {}\n", found.nvml_missing);
  for (const topology::Nic& nic : topology::discover_nics("/sys"))
    fmt::print("network {}: {:.0f} Gbit/s\n", nic.name, nic.bytes_per_s * 8e-9);
  return kExitOk;
}

/// Two steps, the second of which counts.
plan::StepTrace simulated(const planning::PlannedCell& planned, const Cluster& cluster) {
  return simulate::simulate(planned.plan, cost::CostModel(cluster),
                            {.num_steps = 2, .keep_events = false});
}

/// All that was priced, or what ran without a rival; the bound; what the strategy is.
std::string found_text(const planning::PlannedCell& planned, const Program& step,
                       const Cluster& cluster) {
  const plan::StepTrace trace = simulated(planned, cluster);
  std::vector<evaluate::Candidate> candidates = planned.candidates;
  if (candidates.empty())
    candidates = {evaluate::candidate(planned.strategy.name, planned.plan, trace)};
  std::string text = candidate_table(candidates);
  if (planned.bound_s > 0)
    text += fmt::format(
        "  nothing that was searched takes less than {}: {:.1f} % below what was found\n",
        report::format_seconds(planned.bound_s), 100 * (1 - 1 / (1 + planned.gap)));
  return text + stages_text(planned.plan, trace) + idle_axes_text(planned.strategy) +
         cuts_text(step, planned.strategy);
}

/// The cells of an experiment that match, and what plans them; runs nothing.
struct Inspection {
  Inspection(const CommandLine& line, bool with_changed_prices)
      : experiment(config::read_experiment(line.arguments.front(), line.set)),
        folders(data_folders(line, line.arguments.front())),
        registry(plugin::plugin_folders(line.plugin_dirs, line.executable)),
        cells(measure::name_cells(experiment)),
        changes_prices(with_changed_prices) {
    std::erase_if(
        cells, [&](const measure::NamedCell& named) { return !matches(line.filter, named.name); });
  }

  config::Experiment experiment;
  std::vector<std::string> folders;
  plugin::Registry registry;
  std::vector<measure::NamedCell> cells;
  bool changes_prices;

  planning::PlannedCell planned(const config::CellSpec& cell) const;
};

planning::PlannedCell Inspection::planned(const config::CellSpec& cell) const {
  const Cluster cluster = planning::cell_cluster(cell, folders);
  if (cell.is_communication()) {
    return planning::plan_communication(cell, planning::communication_problem(cell, cluster),
                                        registry, planning::planning_limits(experiment));
  }
  if (cell.pipeline) {
    return planning::plan_pipeline(cell, cost::CostModel(cluster), registry,
                                   planning::planning_limits(experiment));
  }
  const planning::CellModel model = planning::build_model(cell);
  planning::check_strategy(cell, model.step, folders);
  const cost::CostModel cost(cluster);
  return planning::plan_cell({.cell = cell,
                              .model = model,
                              .cost = cost,
                              .registry = registry,
                              .folders = folders,
                              .seed = experiment.seed,
                              .limits = planning::planning_limits(experiment),
                              .changes_prices = changes_prices});
}

template <class Use>
int plan_all(const Inspection& inspection, Use&& use) {
  std::size_t failed = 0, infeasible = 0;
  for (const measure::NamedCell& named : inspection.cells) {
    planning::check_choices(named.cell, inspection.registry, inspection.folders);
    const planning::PlannedCell planned = inspection.planned(named.cell);
    use(named, planned);
    failed +=
        planned.status == store::Status::failed || planned.status == store::Status::timeout ? 1 : 0;
    infeasible += planned.status == store::Status::infeasible ? 1 : 0;
  }
  if (inspection.cells.empty()) return nothing_matched(inspection.experiment.file);
  const bool is_ok = failed == 0 && infeasible < inspection.cells.size();
  return is_ok ? kExitOk : kExitCellsFailed;
}

void print_planned(const measure::NamedCell& named, const planning::PlannedCell& planned) {
  if (planned.status != store::Status::ok) {
    fmt::print("{}: {}: {}\n", named.name, store::status_name(planned.status), planned.message);
    return;
  }
  const auto bytes = static_cast<double>(plan::peak_bytes(planned.plan));
  if (named.cell.is_communication()) {
    fmt::print("{}: ok: {} messages, {} per device, planned in {}\n", named.name,
               planned.plan.communications.front().steps.size(), report::format_bytes(bytes),
               report::format_seconds(planned.search_s));
    return;
  }
  if (named.cell.pipeline) {
    fmt::print("{}: ok: planned in {}\n", named.name, report::format_seconds(planned.search_s));
    return;
  }
  fmt::print("{}: ok: {} ({}), {} per device, planned in {}\n", named.name, planned.strategy.name,
             micro_batches_text(planned.plan.num_micro_batches), report::format_bytes(bytes),
             report::format_seconds(planned.search_s));
  if (!planned.message.empty()) fmt::print("  {}\n", planned.message);
}

}  // namespace

std::vector<std::string> data_folders(const CommandLine& line, const std::string& experiment) {
  std::vector<std::string> folders;
  const fs::path home = fs::path(line.executable).parent_path();
  std::vector<fs::path> candidates = {fs::current_path(), home / ".." / "..",
                                      home / ".." / "share" / "rhino-bench"};
  if (!experiment.empty()) {
    const fs::path beside = fs::absolute(experiment).parent_path();
    candidates.insert(candidates.begin(), {beside, beside / ".."});
  }
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    const std::string path = fs::weakly_canonical(candidate, error).string();
    const bool useful = fs::is_directory(candidate / "topologies", error) ||
                        fs::is_directory(candidate / "strategies", error);
    if (useful && std::find(folders.begin(), folders.end(), path) == folders.end())
      folders.push_back(path);
  }
  return folders;
}

int list_command(const CommandLine& line) {
  const std::string what = line.arguments.empty() ? "plugins" : line.arguments.front();
  const bool has_file = line.arguments.size() == 2;
  if (what == "plugins" && !has_file) return list_plugins(line);
  if (kAbout.contains(what) && !has_file) return list_files(line, what);
  if (what == "devices" && !has_file) return list_devices();
  if (what == "cells" && has_file) return list_cells(line);
  if (what == "values" && has_file) return list_values(line);
  fmt::print(stderr,
             "rhino-bench: list what? plugins, experiments, cells FILE, values FILE, topologies, "
             "strategies or devices\n");
  return kExitUsage;
}

int check_command(const CommandLine& line) {
  const std::string& path = line.arguments.front();
  const config::YamlReader root = config::YamlReader::file(path);
  if (root.has("hosts") || root.has("classes")) {
    const Cluster cluster = config::read_topology(path);
    fmt::print("{}: a topology of {} hosts and {} devices\n", path, cluster.hosts.size(),
               cluster.num_devices());
    return kExitOk;
  }
  if (root.has("mesh")) {
    const config::StrategyFile file = config::read_strategy_file(path, {});
    fmt::print("{}: a strategy of {} stages with {} rules\n", path, file.num_stages,
               file.shard.size() + file.values.size());
    return kExitOk;
  }
  const Inspection inspection(line, false);
  for (const measure::NamedCell& named : inspection.cells)
    planning::check_backend(named.cell, planning::cell_cluster(named.cell, inspection.folders));
  return plan_all(inspection, print_planned);
}

/// Whether it was saved. Of a folder's cells the others are, too, where one cannot.
static bool save(const StrategySaver& saver, const measure::NamedCell& named,
                 const planning::PlannedCell& planned, const Cluster& cluster) {
  try {
    fmt::print("  saved to {}\n", saver.save(named, planned, cluster));
    return true;
  } catch (const codec::OutputError&) {
    throw;
  } catch (const Error& error) {
    if (saver.is_file()) throw;
    fmt::print("  not saved: {}\n", error.what());
    return false;
  }
}

int search_command(const CommandLine& line) {
  const Inspection inspection(line, true);
  const StrategySaver::Plan plan = [&](const config::CellSpec& cell) {
    return inspection.planned(cell);
  };
  std::optional<StrategySaver> saver;
  if (!line.save.empty()) saver.emplace(line.save, line.overwrite, plan);
  if (saver && saver->is_file() && inspection.cells.size() > 1) {
    fmt::print(stderr,
               "rhino-bench: {} takes the strategy of one cell, and {} match: narrow --filter, or "
               "give --save a folder\n",
               line.save, inspection.cells.size());
    return kExitUsage;
  }
  bool all_saved = true;
  const auto tell = [&](const auto& named, const planning::PlannedCell& planned) {
    print_planned(named, planned);
    const Cluster cluster = planning::cell_cluster(named.cell, inspection.folders);
    const bool has_strategy = planned.status == store::Status::ok && named.cell.has_model();
    if (has_strategy)
      fmt::print("{}", found_text(planned, planning::build_model(named.cell).step, cluster));
    fmt::print("{}", left_out_text(planned.rejected));
    if (saver && has_strategy) all_saved &= save(*saver, named, planned, cluster);
  };
  const int code = plan_all(inspection, tell);
  return code == kExitOk && !all_saved ? kExitCellsFailed : code;
}

/// Of a plan in a run's folder whose cell is of abstract stages: what the cell came to.
static std::string figures_text(const std::string& path) {
  const fs::path plan = fs::absolute(path).lexically_normal(),
                 folder = plan.parent_path().parent_path();
  if (!fs::exists(folder / "records.jsonl")) return "";
  for (const store::Record& record : store::read_records(folder.string())) {
    const auto found = record.artifacts.find("plan");
    if (record.pipeline.num_stages == 0 || found == record.artifacts.end() ||
        folder / found->second != plan)
      continue;
    return "\n" + report::pipeline_table({record});
  }
  return "";
}

int explain_command(const CommandLine& line) {
  const std::string& path = line.arguments.front();
  const plan::ExecutionPlan plan = plan::decode_plan(codec::read_file(path), path);
  if (line.out.empty()) fmt::print("{}{}", plan::explain(plan), figures_text(path));
  else codec::write_file(line.out, plan::schedule_csv(plan));
  return kExitOk;
}

}  // namespace rhino::commands
