// SPDX-License-Identifier: Apache-2.0
#include "config/experiment.hpp"

#include <algorithm>
#include <set>

#include "config/cell_settings.hpp"
#include "config/imported_model.hpp"
#include "config/yaml_reader.hpp"
#include "topology/gpus.hpp"

namespace rhino::config {
namespace {

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

/// What moves memory of the device, where the file does not say.
void choose_backend(CellSpec& cell) {
  if (cell.backend.empty()) cell.backend = cell.device == "cuda" ? "nccl" : CellSpec{}.backend;
}

void check_cell(const CellSpec& cell, const YamlReader& origin) {
  if (cell.pipeline) return check_pipeline(cell, origin);
  if (cell.topology.id.empty()) origin.fail("no topology is given");
  if (cell.is_communication()) return;
  if (cell.model.id.empty()) origin.fail("no model is given");
  if (cell.global_batch == 0) origin.fail("no batch is given");
  if (cell.search.id.empty() && !cell.baselines.empty())
    origin.fail("baseline '" + cell.baselines.front() +
                "' gives no search: what it does not say it takes from its case, not the matrix");
  if (cell.search.id.empty()) origin.fail("no search is given, neither here nor in the matrix");
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
  std::vector<std::string> lacks;
  if (node.has("lacks")) {
    for (const YamlReader& effect : node.at("lacks").items()) lacks.push_back(effect.string());
  }
  if (node.at("steps").items().empty()) node.at("steps").fail("at least one step is wanted here");
  for (const YamlReader& row : node.at("steps").items()) {
    const Published published{row.at("step_s").number(), source, lacks};
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
  plain.backend.clear();
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

/// Numbers cases. Each subject of a case in the file is one, or several: one for each combination
/// of a model, topology, backend, device and global batch that its cells have.
class CaseNumbers {
 public:
  explicit CaseNumbers(std::int32_t begin) : begin_(begin) {}

  std::int32_t end() const { return begin_ + static_cast<std::int32_t>(numbers_.size()); }

  /// Of a cell whose number is that of its subject. What others measured stays together.
  std::int32_t of(const CellSpec& cell) {
    std::vector<std::string> alike;
    if (!cell.published)
      alike = {to_string(cell.model), to_string(cell.topology), cell.backend, cell.device,
               std::to_string(cell.global_batch)};
    return numbers_.try_emplace({cell.case_index, alike}, end()).first->second;
  }

 private:
  std::int32_t begin_;
  std::map<std::pair<std::int32_t, std::vector<std::string>>, std::int32_t> numbers_;
};

/// `base` as the baselines of the case of `cell` have it.
CellSpec base_beside(const CellSpec& cell, CellSpec base) {
  base.case_index = cell.case_index;
  if (cell.published) return base;
  base.model = cell.model;
  base.topology = cell.topology;
  base.backend = cell.backend;
  base.device = cell.device;
  if (base.global_batch != cell.global_batch) base.micro_batches = cell.micro_batches;
  base.global_batch = cell.global_batch;
  return base;
}

void add_baselines(const YamlReader& node, const CellSpec& base,
                   const std::vector<BaselineSpec>& baselines, std::vector<CellSpec>& all) {
  for (const BaselineSpec& baseline : baselines) {
    std::vector<CellSpec> one{base};
    apply_map(one, baseline.map);
    if (one.size() != 1) baseline.map.fail("a baseline is one cell, and its keys have no lists");
    one.front().baselines = {baseline.name};
    complete_import(one.front());
    choose_backend(one.front());
    check_cell(one.front(), node);
    add_merged(all, one.front());
  }
}

/// What the case says wins over the matrix.
std::vector<CellSpec> cross(const YamlReader& node, const CellSpec& plain, const YamlReader& root,
                            const std::map<std::string, std::string>& overrides) {
  std::vector<CellSpec> cells{plain}, crossed;
  if (root.has("matrix")) apply_map(cells, root.at("matrix"));
  for (const CellSpec& cell : cells) {
    std::vector<CellSpec> one{cell};
    apply_map(one, node);
    crossed.insert(crossed.end(), one.begin(), one.end());
  }
  if (node.has("published")) crossed = read_published(node.at("published"), crossed);
  apply_overrides(crossed, overrides);
  return crossed;
}

/// The cells of one subject of a case: with its settings, the matrix, and the baselines.
void add_cells(const YamlReader& node, const CellSpec& plain, const YamlReader& root,
               const std::vector<BaselineSpec>& baselines,
               const std::map<std::string, std::string>& overrides, CaseNumbers& numbers,
               std::vector<CellSpec>& all) {
  std::vector<CellSpec> base{plain};
  if (root.has("matrix")) apply_single_values(base, root.at("matrix"));
  apply_map(base, node);
  apply_overrides(base, overrides);
  std::set<std::int32_t> begun;
  for (CellSpec& cell : cross(node, plain, root, overrides)) {
    complete_import(cell);
    choose_backend(cell);
    check_cell(cell, node);
    cell.case_index = numbers.of(cell);
    if (begun.insert(cell.case_index).second)
      add_baselines(node, base_beside(cell, base.front()), baselines, all);
    add_merged(all, cell);
  }
}

/// `only_with: gpus`: the case is there where this machine has some.
bool is_left_out(const YamlReader& node) {
  if (!node.has("only_with")) return false;
  if (node.at("only_with").string() != "gpus") node.at("only_with").fail("`gpus` is wanted here");
  return !topology::discover_gpus().missing.empty();
}

/// `index`: of the case; moved behind it.
void read_case(const YamlReader& node, std::int32_t& index, const YamlReader& root,
               const std::vector<BaselineSpec>& baselines,
               const std::map<std::string, std::string>& overrides, std::vector<CellSpec>& all) {
  CaseNumbers numbers(index);
  // A case may have baselines of its own instead.
  const std::vector<BaselineSpec> own = node.has("baselines") ? read_baselines(node) : baselines;
  std::vector<CellSpec> cells;
  for (const CellSpec& plain : subjects(node, index))
    add_cells(node, plain, root, own, overrides, numbers, cells);
  if (is_left_out(node)) return;  // read all the same: its mistakes are found everywhere
  std::ranges::stable_sort(cells, {}, &CellSpec::case_index);
  all.insert(all.end(), cells.begin(), cells.end());
  index = numbers.end();
}

MeasureSpec read_measure(const YamlReader& node) {
  constexpr std::int64_t kMostRounds = 24;
  MeasureSpec measure;
  const auto read = [&](const char* key, std::int64_t& value, std::int64_t most) {
    if (node.has(key)) value = node.at(key).integer_in(1, most);
  };
  measure.min_warmup_steps = node.integer("min_warmup_steps", measure.min_warmup_steps);
  if (measure.min_warmup_steps < 0)
    node.at("min_warmup_steps").fail("no less than 0 is wanted here");
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
  if (measure.max_noise < 0) node.at("max_noise").fail("no less than 0 is wanted here");
  node.finish();
  return measure;
}

/// Runs without --out make results/NAME-TIME.
std::string read_name(const YamlReader& node) {
  const std::string name = node.string();
  const bool is_folder = std::ranges::none_of(name, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte == '/' || byte < 0x20 || byte == 0x7f;
  });
  if (name.empty() || !is_folder)
    node.fail("it names the folder of a run, and holds no '/' and no control character");
  return name;
}

}  // namespace

Experiment read_experiment(const std::string& path,
                           const std::map<std::string, std::string>& overrides) {
  const YamlReader root = YamlReader::file(path);
  Experiment experiment;
  experiment.file = path;
  experiment.name = read_name(root.at("name"));
  experiment.question = root.string("question", "");
  const std::int64_t seed = root.integer("seed", 0);
  if (seed < 0) root.at("seed").fail("a seed is no less than 0");
  experiment.seed = static_cast<std::uint64_t>(seed);
  experiment.deadline_s = root.number("deadline_s", 0);
  if (!(experiment.deadline_s >= 0)) root.at("deadline_s").fail("a deadline is no less than 0");
  experiment.planning_deadline_s =
      root.number("planning_deadline_s", experiment.planning_deadline_s);
  if (!(experiment.planning_deadline_s > 0))
    root.at("planning_deadline_s").fail("a deadline above 0 is wanted here");
  if (root.has("measure")) experiment.measure = read_measure(root.at("measure"));
  const std::vector<BaselineSpec> baselines = read_baselines(root);
  const YamlReader cases = root.at("cases");
  root.has("matrix");
  root.finish();
  std::int32_t index = 0;
  for (const YamlReader& node : cases.items())
    read_case(node, index, root, baselines, overrides, experiment.cells);
  if (experiment.cells.empty()) cases.fail("at least one case is wanted here");
  return experiment;
}

}  // namespace rhino::config
