// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/communication_choice.hpp"
#include "config/pins.hpp"
#include "config/pipeline_choice.hpp"
#include "plan/blocking.hpp"
#include "rhino/options.hpp"
#include "runtime/device/gpu_modes.hpp"

namespace rhino::config {

/// An algorithm, a strategy file or a model as an experiment names it, with its options:
/// `search/grid`, `{gpt: {preset: 15m}}`.
struct Choice {
  std::string id;
  std::map<std::string, OptionValue> options;
  std::string place;  ///< file:line
  bool operator==(const Choice& other) const { return id == other.id && options == other.options; }
};

/// Text form of a choice: `gpt(preset=15m)`.
std::string to_string(const Choice& choice);

/// `schedule:`, a plugin, and what its passes stop for: `{schedule/1f1b: {}, transfers: block}`.
struct ScheduleChoice : Choice {
  plan::Blocking blocking = {};
  bool operator==(const ScheduleChoice&) const = default;
};
/// `schedule/1f1b, transfers block, collectives block`
std::string to_string(const ScheduleChoice& choice);

struct CellSpec;
/// `cuda, dot simple`
std::string device_text(const CellSpec& cell);

/// What others measured a cell to take: that it is simulated as they ran it, the experiment says.
struct Published {
  double step_s = 0;
  std::string source;
  std::vector<std::string> lacks = {};  ///< what the model lacks of it, as somebody estimated
  bool operator==(const Published&) const = default;
};

/// What a search may use, besides its deadline; 0: no limit. Where evaluations alone are limited
/// equal searches find the same.
struct SearchBudget {
  std::int64_t num_evaluations = 0;
  double cpu_s = 0;
  bool operator==(const SearchBudget&) const = default;
};

/// `20 evaluations`, `8 s of a processor`, or both; empty: no limit.
std::string to_string(const SearchBudget& budget);

/// One point of an experiment, everything resolved but the strategy.
struct CellSpec {
  std::string place;            ///< of its case
  std::int32_t case_index = 0;  ///< cells of one case are compared with each other
  Choice topology;              ///< option `devices` of `local`
  // What runs: a model; or one communication alone, for which nothing counts but the topology, the
  // resharding (of a reshard), the backend and the device; or a pipeline of abstract stages, for
  // which nothing counts but the topology, if there is one, the schedule and the backend.
  Choice model;
  std::optional<ReshardChoice> reshard;
  std::optional<CollectiveChoice> collective;
  std::optional<PipelineChoice> pipeline;
  std::int64_t global_batch = 0;
  std::vector<std::int64_t> micro_batches;  ///< allowed counts; see micro_batches.hpp
  Choice search;                            ///< plugin id, or the path of a strategy file
  SearchBudget budget = {};                 ///< of the search
  std::vector<PinRule> pins = {};           ///< of what it finds
  Choice resharding{"resharding/send_recv", {}, ""};
  ScheduleChoice schedule{{"schedule/1f1b", {}, ""}};
  Choice optimizer{"adam", {}, ""};
  std::string backend = "ucx";         ///< ucx | nccl | nccl_broadcast | simulate
  std::string device = "cpu";          ///< cpu | reference | emulated | cuda
  runtime::GpuModes gpu = {};          ///< of device cuda
  std::string check = "numerics";      ///< numerics | none
  std::vector<std::string> baselines;  ///< names of the baselines that this cell is
  std::optional<Published> published;  ///< decides nothing
  bool operator==(const CellSpec&) const = default;

  bool is_communication() const { return reshard || collective; }
  bool has_model() const { return !is_communication() && !pipeline; }
};

/// How cells are measured.
struct MeasureSpec {
  std::int64_t rounds = 5;       ///< in which a case's cells take turns, workers started anew
  std::int64_t max_rounds = 12;  ///< while a verdict is open; `rounds`, where that is below 5
  std::int64_t min_warmup_steps = 2;
  std::int64_t steps = 5;        ///< per repetition
  std::int64_t repetitions = 1;  ///< per round
  double max_noise = 0.05;       ///< mad / median above it is flagged
  bool operator==(const MeasureSpec&) const = default;
};

struct Experiment {
  std::string name, question, file;
  std::vector<CellSpec> cells;  ///< in file order, duplicates merged
  MeasureSpec measure;
  double deadline_s = 0;  ///< of the whole run; 0: none
  double planning_deadline_s = 60;
  std::uint64_t seed = 0;
};

/// Reads an experiment. `overrides` are `--set key=value` pairs that replace a key of every case
/// and matrix. Throws Error `file:line: ...`.
Experiment read_experiment(const std::string& path,
                           const std::map<std::string, std::string>& overrides = {});

/// Everything of a cell that decides its result, as canonical text; its hash is the cell id.
std::string canonical(const CellSpec& cell);
std::string cell_id(const CellSpec& cell);

}  // namespace rhino::config
