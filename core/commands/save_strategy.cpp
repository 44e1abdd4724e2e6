// SPDX-License-Identifier: Apache-2.0
#include "commands/save_strategy.hpp"

#include <fmt/core.h>

#include <cctype>
#include <filesystem>

#include "codec/text_file.hpp"
#include "config/describe_strategy.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

/// A cell's name as that of a file.
std::string file_name(const std::string& cell) {
  std::string name;
  for (const char c : cell) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    if (plain) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  return name + ".yaml";
}

/// Where a strategy comes from, for those who read its file.
std::string origin(const config::CellSpec& cell, const plan::ExecutionPlan& plan,
                   const Cluster& cluster) {
  const plan::StepTrace trace =
      simulate::simulate(plan, cost::CostModel(cluster), {.num_steps = 3, .keep_events = false});
  return fmt::format(
      "Found by {} for {}, global batch {}, on {}:\n{:.4g} s a step predicted with {} and {}.",
      config::to_string(cell.search), config::to_string(cell.model), cell.global_batch,
      config::to_string(cell.topology), trace.step_s, config::to_string(cell.schedule),
      config::to_string(cell.resharding));
}

}  // namespace

StrategySaver::StrategySaver(std::string target, bool overwrite, const Plan& plan)
    : target_(std::move(target)), overwrite_(overwrite), plan_(plan) {
  if (is_file()) refuse_present(target_);
}

void StrategySaver::refuse_present(const std::string& path) const {
  std::error_code error;
  if (!overwrite_ && fs::exists(path, error))
    throw Error(path + " is there already: --overwrite replaces it");
}

std::string StrategySaver::save(const measure::NamedCell& named,
                                const planning::PlannedCell& planned,
                                const Cluster& cluster) const {
  const std::string path =
      is_file() ? target_ : (fs::path(target_) / file_name(named.name)).string();
  refuse_present(path);
  const config::StrategyFile file =
      config::describe_strategy(planning::build_model(named.cell).step, planned.strategy);
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  const std::string unproved = path + ".unproved.yaml";
  codec::write_file(unproved,
                    config::strategy_text(file, origin(named.cell, planned.plan, cluster)));
  try {
    prove(named, planned, unproved);
  } catch (...) {
    fs::remove(unproved, error);
    throw;
  }
  fs::rename(unproved, path);
  return path;
}

void StrategySaver::prove(const measure::NamedCell& named, const planning::PlannedCell& planned,
                          const std::string& path) const {
  config::CellSpec cell = named.cell;
  cell.search = {path, {}, cell.search.place};
  planning::PlannedCell again = plan_(cell);
  again.plan.search = planned.plan.search;
  again.plan.cluster = planned.plan.cluster;  // of a local one the free memory has changed
  if (again.status == store::Status::ok && again.strategy == planned.strategy &&
      again.plan == planned.plan)
    return;
  throw Error("strategy '" + planned.strategy.name + "' of " + named.name +
              " cannot be saved: read back it gives another " +
              (again.strategy == planned.strategy ? "plan " : "strategy ") + again.message);
}

}  // namespace rhino::commands
