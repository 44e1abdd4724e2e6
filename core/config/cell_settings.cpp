// SPDX-License-Identifier: Apache-2.0
#include "config/cell_settings.hpp"

#include <algorithm>
#include <functional>

#include "config/imported_model.hpp"
#include "config/micro_batches.hpp"
#include "plugin/suggest.hpp"
#include "rhino/index.hpp"
#include "rhino/strategy.hpp"

namespace rhino::config {
namespace {

/// `name`, or `{name: {option: value}}`.
/// `besides`: keys that may stand beside the name.
Choice read_choice(const YamlReader& node, const std::vector<std::string>& besides = {}) {
  Choice choice{"", {}, node.place()};
  if (node.is_scalar()) {
    choice.id = node.string();
    return choice;
  }
  std::vector<std::string> keys = node.is_map() ? node.keys() : std::vector<std::string>{};
  std::erase_if(keys, [&](const std::string& key) { return contains(besides, key); });
  if (keys.size() != 1) {
    std::string beside;
    if (keys.size() > 1)
      for (const std::string& key : besides) beside += (beside.empty() ? "" : ", ") + key;
    node.fail("one name is wanted here, alone or as {name: {option: value}}" +
              (beside.empty() ? "" : "; beside it may stand " + beside));
  }
  choice.id = keys.front();
  const YamlReader options = node.at(choice.id);
  for (const std::string& key : options.keys()) choice.options[key] = options.at(key).option();
  return choice;
}

/// A plugin's. Its option `file` is as written, or beside the experiment.
Choice read_plugin(const YamlReader& node, const std::vector<std::string>& besides = {}) {
  Choice choice = read_choice(node, besides);
  const auto file = choice.options.find("file");
  if (file == choice.options.end()) return choice;
  std::string* const path = std::get_if<std::string>(&file->second);
  if (path != nullptr) *path = node.beside(*path);
  return choice;
}

Choice read_model(const YamlReader& node) {
  return names_import(node) ? read_imported_model(node) : read_choice(node);
}

void read_search(CellSpec& cell, const YamlReader& node) {
  cell.search = read_plugin(node, {"budget", "pin"});
  cell.budget = {};
  cell.pins.clear();
  if (node.is_map() && node.has("pin")) cell.pins = read_pins(node.at("pin"));
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
  const auto blocks = [&](const std::string& key) {
    return node.is_map() && node.has(key) && one_of(node.at(key), {"overlap", "block"}) == "block";
  };
  cell.schedule = {read_plugin(node, {"transfers", "collectives"}),
                   {.transfers = blocks("transfers"), .collectives = blocks("collectives")}};
}

/// `cuda`, or `{cuda: {dot: simple, sync: each, tf32: true, attention: simple}}`.
void read_device(CellSpec& cell, const YamlReader& node) {
  cell.gpu = {};
  if (!node.is_map()) {
    cell.device = one_of(node, {"cpu", "reference", "emulated", "cuda"});
    return;
  }
  if (node.keys() != std::vector<std::string>{"cuda"})
    node.fail("of the devices cuda alone has options: {cuda: {dot: simple}}");
  cell.device = "cuda";
  const YamlReader modes = node.at("cuda");
  const std::vector<std::string> known{"attention", "convolution", "dot", "graphs",
                                       "messages",  "sync",        "tf32"};
  for (const std::string& key : modes.keys()) {
    if (!contains(known, key))
      modes.at(key).fail("device cuda has no option '" + key + "'" +
                         plugin::suggestion(key, known));
  }
  const std::vector<std::string> dots{"library", "timed", "simple"};
  if (modes.has("dot")) {
    const std::string word = one_of(modes.at("dot"), dots);
    cell.gpu.dots =
        static_cast<runtime::GpuModes::Dots>(std::ranges::find(dots, word) - dots.begin());
  }
  if (modes.has("attention"))
    cell.gpu.keeps_scores = one_of(modes.at("attention"), {"tiles", "simple"}) == "simple";
  if (modes.has("convolution"))
    cell.gpu.convolves_simply = one_of(modes.at("convolution"), {"cudnn", "simple"}) == "simple";
  if (modes.has("messages"))
    cell.gpu.stages_messages = one_of(modes.at("messages"), {"direct", "staged"}) == "staged";
  if (modes.has("sync")) cell.gpu.waits_each = one_of(modes.at("sync"), {"end", "each"}) == "each";
  if (modes.has("tf32")) cell.gpu.uses_tf32 = one_of(modes.at("tf32"), {"false", "true"}) == "true";
  if (!modes.has("graphs")) return;
  cell.gpu.uses_graphs = one_of(modes.at("graphs"), {"off", "on"}) == "on";
  if (cell.gpu.uses_graphs && cell.gpu.waits_each)
    modes.at("graphs").fail(
        "nothing can wait for a kernel while a graph is captured: graphs: on and "
        "sync: each exclude each other");
}

bool is_any(const YamlReader& node) { return node.is_scalar() && node.string() == "any"; }

/// An imported program has a batch of its own: see complete_import().
void read_batch(const YamlReader& node, CellSpec& cell) {
  cell.global_batch = node.has("global") ? node.at("global").integer() : 0;
  if (node.has("global") && cell.global_batch < 1)
    node.at("global").fail("the global batch must be at least 1");
  cell.micro_batches.clear();
  if (!node.has("micro_batches")) {
    cell.micro_batches = {1};
  } else if (is_any(node.at("micro_batches"))) {
    cell.micro_batches = cell.global_batch > 0 ? any_micro_batches(cell.global_batch)
                                               : std::vector{kAnyMicroBatches};
  } else {
    for (const YamlReader& item : node.at("micro_batches").items()) {
      const std::int64_t count = item.integer();
      if (count < 1) item.fail("a micro-batch count must be at least 1");
      if (cell.global_batch % count != 0) {
        item.fail("a global batch of " + std::to_string(cell.global_batch) +
                  " does not divide into " + micro_batches_text(count));
      }
      cell.micro_batches.push_back(count);
    }
    if (cell.micro_batches.empty())
      node.at("micro_batches").fail("at least one count is wanted here");
  }
  node.finish();
}

using Setter = std::function<void(CellSpec&, const YamlReader&)>;

/// What a case, the matrix and a baseline may set.
const std::vector<std::pair<std::string, Setter>>& settings() {
  static const std::vector<std::pair<std::string, Setter>> kSettings = {
      {"topology",
       [](CellSpec& cell, const YamlReader& node) { cell.topology = read_choice(node); }},
      {"model", [](CellSpec& cell, const YamlReader& node) { cell.model = read_model(node); }},
      {"batch", [](CellSpec& cell, const YamlReader& node) { read_batch(node, cell); }},
      {"search", read_search},
      {"resharding",
       [](CellSpec& cell, const YamlReader& node) { cell.resharding = read_plugin(node); }},
      {"schedule", read_schedule},
      {"optimizer",
       [](CellSpec& cell, const YamlReader& node) { cell.optimizer = read_choice(node); }},
      {"backend",
       [](CellSpec& cell, const YamlReader& node) {
         cell.backend = one_of(node, {"ucx", "nccl", "nccl_broadcast", "simulate"});
       }},
      {"device", read_device},
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
  const std::vector<YamlReader> values = node.items();
  if (values.empty()) node.fail("at least one is wanted here");
  std::vector<CellSpec> product;
  for (const CellSpec& cell : cells) {
    for (const YamlReader& value : values) {
      if (product.size() == kMaxCells) value.fail("the lists of this file make too many cells");
      product.push_back(cell);
      set(product.back(), value);
    }
  }
  cells = std::move(product);
}

}  // namespace

void apply_map(std::vector<CellSpec>& cells, const YamlReader& map) {
  for (const auto& [key, set] : settings()) {
    if (map.has(key)) multiply(cells, set, map.at(key));
  }
  map.has("baselines");
  map.has("published");
  map.has("only_with");
  map.finish();
}

void apply_single_values(std::vector<CellSpec>& cells, const YamlReader& matrix) {
  for (const auto& [key, set] : settings()) {
    if (matrix.has(key) && matrix.at(key).items().size() == 1) multiply(cells, set, matrix.at(key));
  }
}

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

}  // namespace rhino::config
