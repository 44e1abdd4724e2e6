// SPDX-License-Identifier: Apache-2.0
#include "models/imported_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>

#include "ir/autodiff.hpp"
#include "ir/canonical.hpp"
#include "ir/hlo_text.hpp"
#include "ir/output_names.hpp"
#include "models/imported_parts.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

constexpr char kBetween = ';';

std::vector<std::string> entries_of(const Options& options, const std::string& key) {
  std::vector<std::string> entries;
  const auto given = options.values().find(key);
  if (given == options.values().end()) return entries;
  if (const auto* number = std::get_if<std::int64_t>(&given->second)) {
    options.get<std::int64_t>(key, 0);
    return {std::to_string(*number)};
  }
  const std::string text = options.get<std::string>(key, "");
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.size(), text.find(kBetween, begin));
    entries.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return entries;
}

/// Entries `key=value`; names may hold `=`, values not.
std::map<std::string, std::string> pairs_of(const Options& options, const std::string& key) {
  std::map<std::string, std::string> pairs;
  for (const std::string& entry : entries_of(options, key)) {
    const std::size_t equals = entry.rfind('=');
    if (equals == std::string::npos) throw Error(key + " is a map: {NAME: VALUE}");
    pairs[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return pairs;
}

ImportedInterface read_interface(const Options& options) {
  ImportedInterface interface;
  const std::int64_t loss = options.get<std::int64_t>("loss", -1);
  if (loss >= 0) interface.loss = loss;
  interface.batch = entries_of(options, "batch");
  interface.batch_dimension = options.get<std::int64_t>("batch_dimension", 0);
  if (interface.batch_dimension < 0) throw Error("batch_dimension must be at least 0");
  interface.scalars = entries_of(options, "scalars");
  interface.states = pairs_of(options, "states");
  for (const auto& [name, text] : pairs_of(options, "initial")) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw Error("initial: '" + text + "' is no number");
    }
    interface.initial[name] = number;
  }
  return interface;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw Error("the file '" + path + "' cannot be read");
  return text;
}

struct File {
  std::string path, text;
  ImportedInterface interface;
  Program program;  ///< in canonical form where it does not say what it is
};

File read_file(const std::string& format, const Options& options) {
  File file{.path = options.get<std::string>("file", "")};
  options.get<std::string>("content", "");
  file.interface = read_interface(options);
  ir::ImportOptions import;
  import.custom_calls = pairs_of(options, "custom_calls");
  import.max_unrolled_ops = options.get<std::int64_t>("max_unrolled_ops", import.max_unrolled_ops);
  if (import.max_unrolled_ops < 1) throw Error("max_unrolled_ops must be at least 1");
  file.text = read_text(file.path);
  const auto parse = format == "hlo" ? ir::parse_hlo : ir::parse_stablehlo;
  file.program = parse(file.text, file.path, import);
  if (is_told(file.program)) return file;
  file.program = ir::canonical(file.program);
  imported::swap_dots(file.program);
  return file;
}

}  // namespace

bool is_imported(const std::string& model) { return model == "hlo" || model == "stablehlo"; }

std::string join_entries(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) {
    if (entry.find(kBetween) != std::string::npos) {
      throw Error("'" + entry + "' has a ';': call the input by its number");
    }
    text += (text.empty() ? "" : std::string(1, kBetween)) + entry;
  }
  return text;
}

Program imported_model(const std::string& format, const Options& options) {
  const File file = read_file(format, options);
  if (is_told(file.program)) return file.program;
  const Program step = ir::recompute_cheap(imported_step(file.program, file.interface));
  return imported::in_order_of_gradients(step);
}

ImportReading imported_reading(const std::string& format, const Options& options) {
  const File file = read_file(format, options);
  ImportReading reading = read_outputs(file.program, file.interface);
  const std::vector<std::string> names = format == "hlo"
                                             ? ir::hlo_output_names(file.text, file.path)
                                             : ir::stablehlo_output_names(file.text);
  for (std::size_t o = 0; o < std::min(names.size(), reading.outputs.size()); ++o)
    reading.outputs[o].name = names[o];
  return reading;
}

}  // namespace rhino::models
