// SPDX-License-Identifier: Apache-2.0
#include "config/imported_model.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "codec/fingerprint.hpp"
#include "config/micro_batches.hpp"
#include "models/imported.hpp"
#include "models/imported_file.hpp"
#include "rhino/error.hpp"
#include "rhino/strategy.hpp"

namespace rhino::config {
namespace {

namespace fs = std::filesystem;

std::string format_of(const YamlReader& node) {
  if (!node.is_map()) return "";
  for (const char* format : {"hlo", "stablehlo", "hf_config"}) {
    if (node.has(format)) return format;
  }
  return "";
}

}  // namespace

std::string find_beside(const YamlReader& node) {
  const std::string file = node.string();
  std::error_code error;
  const std::string path = node.beside(file);
  if (fs::is_regular_file(path, error)) return path;
  node.fail("there is no file '" + file + "', neither here nor beside the experiment");
}

namespace {

std::string content_of(const YamlReader& node, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) node.fail("the file '" + path + "' cannot be read");
  return codec::fingerprint(text);
}

std::string joined(const YamlReader& node, const std::vector<std::string>& entries) {
  try {
    return models::join_entries(entries);
  } catch (const Error& error) {
    node.fail(error.what());
  }
}

std::string list_text(const YamlReader& node) {
  std::vector<std::string> entries;
  for (const YamlReader& item : node.items()) entries.push_back(item.string());
  return joined(node, entries);
}

std::string map_text(const YamlReader& node) {
  if (!node.is_map()) node.fail("a map is wanted here, {NAME: VALUE}");
  std::vector<std::string> entries;
  for (const std::string& key : node.keys()) entries.push_back(key + "=" + node.at(key).string());
  return joined(node, entries);
}

}  // namespace

bool names_import(const YamlReader& node) { return !format_of(node).empty(); }

Choice read_imported_model(const YamlReader& node) {
  Choice choice{format_of(node), {}, node.place()};
  const std::string path = find_beside(node.at(choice.id));
  choice.options["file"] = path;
  choice.options[kContent] = content_of(node, path);
  if (!models::is_imported(choice.id)) {
    for (const std::string& key : node.keys())
      if (key != choice.id) choice.options[key] = node.at(key).option();
    return choice;
  }
  for (const char* key : {"batch", "scalars"}) {
    if (node.has(key)) choice.options[key] = list_text(node.at(key));
  }
  for (const char* key : {"states", "initial", "custom_calls"}) {
    if (node.has(key)) choice.options[key] = map_text(node.at(key));
  }
  for (const char* key : {"loss", "batch_dimension", "max_unrolled_ops"}) {
    if (node.has(key)) choice.options[key] = node.at(key).integer();
  }
  if (node.has(models::kRepeatOps))
    choice.options[models::kRepeatOps] = node.at(models::kRepeatOps).boolean();
  node.finish();
  return choice;
}

void complete_import(CellSpec& cell) {
  if (!models::is_imported(cell.model.id)) return;
  if (cell.micro_batches.empty()) cell.micro_batches = {1};
  const auto fail = [&](const std::string& sentence) {
    throw Error(cell.model.place + ": " + cell.model.id + ": " + sentence);
  };
  std::int64_t batch = 0;
  try {
    batch = models::batch_of(models::imported_model(cell.model.id, Options(cell.model.options)));
  } catch (const Error& error) {
    fail(error.what());
  }
  batch = std::max<std::int64_t>(1, batch);  // what has no batch is one sample
  if (cell.global_batch == 0) cell.global_batch = batch;
  if (cell.global_batch != batch) {
    fail("the program has a global batch of " + std::to_string(batch) + ", not " +
         std::to_string(cell.global_batch));
  }
  if (cell.micro_batches.front() == kAnyMicroBatches) cell.micro_batches = any_micro_batches(batch);
  for (const std::int64_t count : cell.micro_batches) {
    if (batch % count != 0) {
      fail("a global batch of " + std::to_string(batch) + " does not divide into " +
           micro_batches_text(count));
    }
  }
}

}  // namespace rhino::config
