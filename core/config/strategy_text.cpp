// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "config/exact_values.hpp"

namespace rhino::config {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result + "\"";
}

/// As a person writes it: quoted only where YAML would read something else.
std::string word(const std::string& text) {
  const bool plain = !text.empty() && std::isalnum(static_cast<unsigned char>(text.front())) &&
                     std::all_of(text.begin(), text.end(), [](unsigned char c) {
                       return std::isalnum(c) || c == '_' || c == '.' || c == '-';
                     });
  const bool is_null = text == "null" || text == "Null" || text == "NULL";
  return plain && !is_null ? text : quoted(text);
}

std::string separated(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// One item, or a list of them.
std::string one_or_list(const std::vector<std::string>& items) {
  return items.size() == 1 ? items.front() : "[" + separated(items) + "]";
}

std::string patterns_text(const std::vector<std::string>& globs) {
  std::vector<std::string> patterns;
  for (const std::string& glob : globs) patterns.push_back(quoted(glob));
  return one_or_list(patterns);
}

std::string rule_text(const StrategyFile::Rule& rule) {
  std::vector<std::string> dims;
  for (const auto& [dim, axes] : rule.dims) {
    std::vector<std::string> words;
    for (const std::string& axis : axes) words.push_back(word(axis));
    dims.push_back(word(dim) + ": " + one_or_list(words));
  }
  return "  - {match: " + patterns_text(rule.match) + ", dims: {" + separated(dims) + "}}\n";
}

std::string mesh_text(const StrategyFile& file) {
  std::vector<std::string> sizes{"stage: " + std::to_string(file.num_stages)};
  const std::vector<std::vector<MeshAxis>> meshes = file.meshes();
  for (std::size_t a = 0; a < file.axes.size(); ++a) {
    std::vector<std::string> own;
    for (const std::vector<MeshAxis>& mesh : meshes) own.push_back(std::to_string(mesh[a].size));
    const bool alike = std::equal(own.begin() + 1, own.end(), own.begin());
    sizes.push_back(word(file.axes[a].name) + ": " +
                    (alike ? own.front() : "[" + separated(own) + "]"));
  }
  return "mesh: {" + separated(sizes) + "}\n";
}

std::string recompute_text(const StrategyFile& file) {
  std::string text;
  for (const StrategyFile::Recompute& segment : file.segments) {
    text += "  - {";
    if (!segment.values.empty()) text += "values: " + patterns_text(segment.values) + "}\n";
    else
      text += "from: " + patterns_text(segment.from) + ", to: " + patterns_text(segment.to) + "}\n";
  }
  if (!text.empty()) return "recompute:\n" + text;
  if (file.recompute == std::vector<bool>{false}) return "";
  std::vector<std::string> words;
  for (const bool chunk : file.recompute) words.push_back(chunk ? "true" : "false");
  return "recompute: " + one_or_list(words) + "\n";
}

std::string chunks_text(const StrategyFile& file) {
  if (!file.chunk_ends.empty()) return "chunks: " + patterns_text(file.chunk_ends) + "\n";
  if (file.chunks.empty()) return "";
  std::vector<std::string> runs;
  for (const auto& [last, chunk] : file.chunks)
    runs.push_back(quoted(last) + ": " + std::to_string(chunk));
  return "chunks: {" + separated(runs) + "}\n";
}

std::string rules_text(const std::string& key, const std::vector<StrategyFile::Rule>& rules) {
  std::string text = rules.empty() ? "" : key + ":\n";
  for (const StrategyFile::Rule& rule : rules) text += rule_text(rule);
  return text;
}

std::string commented(const std::string& comment) {
  std::string text = "# ";
  for (const char c : comment) text += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return text + "\n";
}

}  // namespace

std::string strategy_text(const StrategyFile& file, const std::string& comment) {
  std::string text = commented(comment) + "name: " + word(file.name) + "\n";
  if (!file.description.empty()) text += "description: " + quoted(file.description) + "\n";
  text += mesh_text(file);
  if (file.micro_batches > 0) text += "micro_batches: " + std::to_string(file.micro_batches) + "\n";
  if (file.batch != StrategyFile().batch) text += "batch: " + word(file.batch) + "\n";
  if (file.zero_stage > 0) text += "zero: " + std::to_string(file.zero_stage) + "\n";
  const GradientSums& sums = file.gradient_sums;
  if (!sums.overlap) text += "overlap: false\n";
  if (sums.bucket_bytes != GradientSums().bucket_bytes)
    text += "bucket: " + std::to_string(sums.bucket_bytes) + "\n";
  return text + recompute_text(file) + chunks_text(file) + rules_text("shard", file.shard) +
         rules_text("values", file.values) + exact_text(file);
}

}  // namespace rhino::config
