// SPDX-License-Identifier: Apache-2.0
#include "config/experiment.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>

#include "codec/fingerprint.hpp"
#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"

namespace rhino::config {
namespace {

/// `name`, or `{name: {option: value}}`.
/// `besides`: a key that may stand beside the name.
Choice read_choice(const YamlReader& node, const std::string& besides = {}) {
  Choice choice{"", {}, node.place()};
  if (node.is_scalar()) {
    choice.id = node.string();
    return choice;
  }
  std::vector<std::string> keys = node.is_map() ? node.keys() : std::vector<std::string>{};
  std::erase(keys, besides);
  if (keys.size() != 1) node.fail("one name is wanted here, alone or as {name: {option: value}}");
  choice.id = keys.front();
  const YamlReader options = node.at(choice.id);
  for (const std::string& key : options.keys()) choice.options[key] = options.at(key).option();
  return choice;
}

void read_search(CellSpec& cell, const YamlReader& node) {
  cell.search = read_choice(node, "budget");
  cell.budget = {};
  if (!node.is_map() || !node.has("budget")) return;
  const YamlReader budget = node.at("budget");
  cell.budget.num_evaluations = budget.integer("evaluations", 0);
  cell.budget.cpu_s = budget.number("cpu_s", 0);
  budget.finish();
  if (cell.budget.num_evaluations < 0 || !(cell.budget.cpu_s >= 0) || cell.budget == SearchBudget{})
    budget.fail("a budget is a number of evaluations, or cpu_s, above 0");
}

std::string one_of(const YamlReader& node, const std::vector<std::string>& words) {
  const std::string word = node.string();
  if (std::find(words.begin(), words.end(), word) == words.end())
    node.fail("unknown word '" + word + "'" + plugin::suggestion(word, words));
  return word;
}

void read_schedule(CellSpec& cell, const YamlReader& node) {
  const bool is_said = node.is_map() && node.has("transfers");
  cell.schedule = {read_choice(node, "transfers"),
                   is_said && one_of(node.at("transfers"), {"overlap", "block"}) == "block"};
}

void read_batch(const YamlReader& node, CellSpec& cell) {
  cell.global_batch = node.at("global").integer();
  if (cell.global_batch < 1) node.at("global").fail("the global batch must be at least 1");
  cell.micro_batches.clear();
  if (!node.has("micro_batches")) cell.micro_batches = {1};
  else {
    for (const YamlReader& item : node.at("micro_batches").items()) {
      const std::int64_t count = item.integer();
      if (count < 1) item.fail("a micro-batch count must be at least 1");
      if (cell.global_batch % count != 0) {
        item.fail("a global batch of " + std::to_string(cell.global_batch) +
                  " does not divide into " + std::to_string(count) + " micro-batches");
      }
      cell.micro_batches.push_back(count);
    }
  }
  node.finish();
}

using Setter = std::function<void(CellSpec&, const YamlReader&)>;

/// What a case, the matrix and a baseline may set.
const std::vector<std::pair<std::string, Setter>>& settings() {
  static const std::vector<std::pair<std::string, Setter>> kSettings = {
      {"topology",
       [](CellSpec& cell, const YamlReader& node) { cell.topology = read_choice(node); }},
      {"model", [](CellSpec& cell, const YamlReader& node) { cell.model = read_choice(node); }},
      {"batch", [](CellSpec& cell, const YamlReader& node) { read_batch(node, cell); }},
      {"search", read_search},
      {"resharding",
       [](CellSpec& cell, const YamlReader& node) { cell.resharding = read_choice(node); }},
      {"schedule", read_schedule},
      {"optimizer",
       [](CellSpec& cell, const YamlReader& node) { cell.optimizer = read_choice(node); }},
      {"backend",
       [](CellSpec& cell, const YamlReader& node) {
         cell.backend = one_of(node, {"ucx", "nccl", "simulate"});
       }},
      {"device",
       [](CellSpec& cell, const YamlReader& node) {
         cell.device = one_of(node, {"cpu", "reference", "emulated", "cuda"});
       }},
      {"check",
       [](CellSpec& cell, const YamlReader& node) {
         cell.check = one_of(node, {"numerics", "none"});
       }},
  };
  return kSettings;
}

constexpr std::size_t kMaxCells = 4096;

/// Cells with `key` set to each of its values. In a case, `batch` and `model` are single; search
/// and the like may be lists everywhere.
void multiply(std::vector<CellSpec>& cells, const Setter& set, const YamlReader& node) {
  std::vector<CellSpec> product;
  for (const CellSpec& cell : cells) {
    for (const YamlReader& value : node.items()) {
      if (product.size() == kMaxCells) value.fail("the lists of this file make too many cells");
      product.push_back(cell);
      set(product.back(), value);
    }
  }
  cells = std::move(product);
}

void apply_map(std::vector<CellSpec>& cells, const YamlReader& map) {
  for (const auto& [key, set] : settings()) {
    if (map.has(key)) multiply(cells, set, map.at(key));
  }
  map.has("baselines");
  map.has("published");
  map.finish();
}

/// What the matrix says once holds for baselines, too; they are compared with what it lists.
void apply_single_values(std::vector<CellSpec>& cells, const YamlReader& matrix) {
  for (const auto& [key, set] : settings()) {
    if (matrix.has(key) && matrix.at(key).items().size() == 1) multiply(cells, set, matrix.at(key));
  }
}

/// Without a topology stages are joined by links of their own, in the simulator alone.
void check_pipeline(const CellSpec& cell, const YamlReader& origin) {
  const bool has_topology = !cell.topology.id.empty();
  if (!has_topology && cell.backend != "simulate")
    origin.fail("without a topology a pipeline is simulated, and backend " + cell.backend +
                " runs workers");
  if (has_topology && cell.pipeline->transfer_bytes.empty() && cell.pipeline->num_stages > 1)
    origin.fail("on a topology a pipeline says transfer_bytes: what they take, its links say");
  if (!has_topology && !cell.pipeline->transfer_bytes.empty())
    origin.fail("transfer_bytes cross the links of a topology, and none is given");
  if (cell.device != "emulated")
    origin.fail("stages have seconds and no kernels: device " + cell.device + " cannot run them");
}

void check_cell(const CellSpec& cell, const YamlReader& origin) {
  if (cell.pipeline) return check_pipeline(cell, origin);
  if (cell.topology.id.empty()) origin.fail("no topology is given");
  if (cell.is_communication()) return;
  if (cell.model.id.empty()) origin.fail("no model is given");
  if (cell.global_batch == 0) origin.fail("no batch is given");
  if (cell.search.id.empty()) origin.fail("no search is given, neither here nor in the matrix");
}

/// `--set key=value` as YAML text of its own.
void apply_overrides(std::vector<CellSpec>& cells,
                     const std::map<std::string, std::string>& overrides) {
  for (const auto& [key, value] : overrides) {
    std::vector<std::string> known;
    const Setter* set = nullptr;
    for (const auto& [name, setter] : settings()) {
      known.push_back(name);
      if (name == key) set = &setter;
    }
    if (set == nullptr)
      throw Error("--set: unknown key '" + key + "'" + plugin::suggestion(key, known));
    multiply(cells, *set, YamlReader::text(value, "--set " + key));
  }
}

struct BaselineSpec {
  std::string name;
  YamlReader map;
};

std::vector<BaselineSpec> read_baselines(const YamlReader& root) {
  std::vector<BaselineSpec> baselines;
  if (!root.has("baselines")) return baselines;
  const YamlReader map = root.at("baselines");
  for (const std::string& name : map.keys()) baselines.push_back({name, map.at(name)});
  return baselines;
}

/// A step time of others each, `cells` as they say that they ran it.
std::vector<CellSpec> read_published(const YamlReader& node, const std::vector<CellSpec>& cells) {
  std::vector<CellSpec> product;
  const std::string source = node.at("source").string();
  for (const YamlReader& row : node.at("steps").items()) {
    const Published published{row.at("step_s").number(), source};
    if (!(published.step_s > 0)) row.at("step_s").fail("a step takes more than 0 s");
    std::vector<CellSpec> measured = cells;
    for (CellSpec& cell : measured) cell.published = published;
    apply_map(measured, row);
    product.insert(product.end(), measured.begin(), measured.end());
  }
  node.finish();
  return product;
}

/// Adds `cell` unless an equal one is there; names of baselines are joined.
void add_merged(std::vector<CellSpec>& cells, const CellSpec& cell) {
  for (CellSpec& other : cells) {
    if (other.case_index != cell.case_index || canonical(other) != canonical(cell)) continue;
    if (!other.published) other.published = cell.published;
    other.baselines.insert(other.baselines.end(), cell.baselines.begin(), cell.baselines.end());
    return;
  }
  cells.push_back(cell);
}

/// One per number of stages and of micro-batches; pipelines of unlike numbers are not compared.
std::vector<CellSpec> pipelines(const YamlReader& node, const CellSpec& plain) {
  std::vector<CellSpec> cells;
  for (const PipelineChoice& choice : read_pipelines(node.at("pipeline"))) {
    CellSpec& cell = cells.emplace_back(plain);
    cell.case_index = plain.case_index + static_cast<std::int32_t>(cells.size()) - 1;
    cell.pipeline = choice;
    cell.backend = "simulate";
    cell.device = "emulated";
  }
  for (const char* key :
       {"model", "batch", "search", "resharding", "optimizer", "check", "published"}) {
    if (node.has(key)) node.at(key).fail("a case of abstract stages has none");
  }
  return cells;
}

/// What a case is of, without its settings: a model, one reshard, one collective per size, or
/// pipelines. `index`: of the first.
std::vector<CellSpec> subjects(const YamlReader& node, std::int32_t index) {
  CellSpec plain;
  plain.place = node.place();
  plain.case_index = index;
  if (node.has("reshard")) plain.reshard = read_reshard(node.at("reshard"));
  std::vector<CellSpec> cells{plain};
  if (node.has("collective")) {
    if (plain.reshard) node.at("collective").fail("a case is of one communication");
    cells.clear();
    for (const CollectiveChoice& choice : read_collective(node.at("collective"))) {
      cells.push_back(plain);
      cells.back().collective = choice;
    }
  }
  if (node.has("pipeline")) {
    if (cells.front().is_communication())
      node.at("pipeline").fail("a case is of one communication, or of stages");
    return pipelines(node, plain);
  }
  if (cells.front().has_model()) return cells;
  for (const char* key :
       {"model", "batch", "search", "schedule", "optimizer", "check", "published"}) {
    if (node.has(key)) node.at(key).fail("a case of one communication has none");
  }
  return cells;
}

/// The cells of one subject of a case: with its settings, the matrix, and the baselines.
void add_cells(const YamlReader& node, const CellSpec& plain, const YamlReader& root,
               const std::vector<BaselineSpec>& baselines,
               const std::map<std::string, std::string>& overrides, std::vector<CellSpec>& all) {
  std::vector<CellSpec> cells{plain};
  // What the case says wins over the matrix.
  if (root.has("matrix")) apply_map(cells, root.at("matrix"));
  std::vector<CellSpec> crossed;
  for (const CellSpec& cell : cells) {
    std::vector<CellSpec> one{cell};
    apply_map(one, node);
    crossed.insert(crossed.end(), one.begin(), one.end());
  }
  if (node.has("published")) crossed = read_published(node.at("published"), crossed);
  apply_overrides(crossed, overrides);
  std::vector<CellSpec> base{plain};
  if (root.has("matrix")) apply_single_values(base, root.at("matrix"));
  apply_map(base, node);
  apply_overrides(base, overrides);
  // A case may have baselines of its own instead.
  for (const BaselineSpec& baseline : node.has("baselines") ? read_baselines(node) : baselines) {
    std::vector<CellSpec> one{base.front()};
    apply_map(one, baseline.map);
    one.front().baselines = {baseline.name};
    check_cell(one.front(), node);
    add_merged(all, one.front());
  }
  for (const CellSpec& cell : crossed) {
    check_cell(cell, node);
    add_merged(all, cell);
  }
}

/// `index`: of the case; moved behind it.
void read_case(const YamlReader& node, std::int32_t& index, const YamlReader& root,
               const std::vector<BaselineSpec>& baselines,
               const std::map<std::string, std::string>& overrides, std::vector<CellSpec>& all) {
  for (const CellSpec& plain : subjects(node, index)) {
    add_cells(node, plain, root, baselines, overrides, all);
    index = std::max(index, plain.case_index + 1);
  }
}

MeasureSpec read_measure(const YamlReader& node) {
  constexpr std::int64_t kMostRounds = 24;
  MeasureSpec measure;
  const auto read = [&](const char* key, std::int64_t& value, std::int64_t most) {
    value = node.integer(key, value);
    if (value < 1 || value > most)
      node.at(key).fail("a number from 1 to " + std::to_string(most) + " is wanted here");
  };
  measure.min_warmup_steps = node.integer("min_warmup_steps", measure.min_warmup_steps);
  read("steps", measure.steps, 1'000'000'000);
  read("repetitions", measure.repetitions, 100'000);
  read("rounds", measure.rounds, kMostRounds);
  constexpr std::int64_t kLeastForVerdicts = 5;
  if (measure.rounds < kLeastForVerdicts) measure.max_rounds = measure.rounds;
  measure.max_rounds = std::max(measure.rounds, measure.max_rounds);
  read("max_rounds", measure.max_rounds, kMostRounds);
  if (measure.max_rounds < measure.rounds)
    node.at("max_rounds").fail("fewer than the " + std::to_string(measure.rounds) + " rounds");
  measure.max_noise = node.number("max_noise", measure.max_noise);
  node.finish();
  return measure;
}

std::string to_text(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", std::get<double>(value));
  return buffer;
}

}  // namespace

std::string to_string(const Choice& choice) {
  if (choice.options.empty()) return choice.id;
  std::string text = choice.id + "(";
  for (const auto& [key, value] : choice.options)
    text += (text.back() == '(' ? "" : ", ") + key + "=" + to_text(value);
  return text + ")";
}

std::string to_string(const ScheduleChoice& choice) {
  return to_string(static_cast<const Choice&>(choice)) +
         (choice.is_blocking ? ", transfers block" : "");
}

std::string to_string(const SearchBudget& budget) {
  std::string text;
  if (budget.num_evaluations > 0) text = std::to_string(budget.num_evaluations) + " evaluations";
  char seconds[48] = "";
  if (budget.cpu_s > 0) std::snprintf(seconds, sizeof seconds, "%g s of a processor", budget.cpu_s);
  return text + (text.empty() || budget.cpu_s <= 0 ? "" : ", ") + seconds;
}

/// Without what does not count for one communication alone.
static std::string canonical_communication(const CellSpec& cell) {
  const std::string what = cell.reshard
                               ? to_string(*cell.reshard) + "\n" + to_string(cell.resharding)
                               : to_string(*cell.collective);
  return to_string(cell.topology) + "\n" + what + "\n" + cell.backend + "\n" + cell.device + "\n";
}

std::string canonical(const CellSpec& cell) {
  if (cell.is_communication()) return canonical_communication(cell);
  if (cell.pipeline)  // of stages the rest does not count
    return to_string(cell.topology) + "\n" + to_string(*cell.pipeline) + "\n" +
           to_string(cell.schedule) + "\n" + cell.backend + "\n";
  std::string text;
  for (const Choice* choice : {&cell.topology, &cell.model, &cell.search, &cell.resharding})
    text += to_string(*choice) + "\n";
  text += to_string(cell.schedule) + "\n" + to_string(cell.optimizer) + "\n";
  if (cell.budget != SearchBudget{}) text += to_string(cell.budget) + "\n";
  text += std::to_string(cell.global_batch) + "\n";
  for (const std::int64_t count : cell.micro_batches) text += std::to_string(count) + " ";
  return text + "\n" + cell.backend + "\n" + cell.device + "\n" + cell.check + "\n";
}

std::string cell_id(const CellSpec& cell) {
  return codec::fingerprint(canonical(cell)).substr(0, 12);
}

Experiment read_experiment(const std::string& path,
                           const std::map<std::string, std::string>& overrides) {
  const YamlReader root = YamlReader::file(path);
  Experiment experiment;
  experiment.file = path;
  experiment.name = root.at("name").string();
  experiment.question = root.string("question", "");
  const std::int64_t seed = root.integer("seed", 0);
  if (seed < 0) root.at("seed").fail("a seed is no less than 0");
  experiment.seed = static_cast<std::uint64_t>(seed);
  experiment.deadline_s = root.number("deadline_s", 0);
  if (!(experiment.deadline_s >= 0)) root.at("deadline_s").fail("a deadline is no less than 0");
  experiment.planning_deadline_s =
      root.number("planning_deadline_s", experiment.planning_deadline_s);
  if (root.has("measure")) experiment.measure = read_measure(root.at("measure"));
  const std::vector<BaselineSpec> baselines = read_baselines(root);
  const YamlReader cases = root.at("cases");
  root.has("matrix");
  root.finish();
  std::int32_t index = 0;
  for (const YamlReader& node : cases.items())
    read_case(node, index, root, baselines, overrides, experiment.cells);
  return experiment;
}

}  // namespace rhino::config
