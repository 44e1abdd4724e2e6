// SPDX-License-Identifier: Apache-2.0
#include "config/exact_values.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "config/value_pattern.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/rule.hpp"

namespace rhino::config {
namespace {

using Exact = StrategyFile::Exact;

constexpr std::array kReductions{std::pair{Reduction::sum, "sum"}, std::pair{Reduction::max, "max"},
                                 std::pair{Reduction::min, "min"}};

std::string axis_word(const StrategyFile& file, AxisId axis) {
  return axis == kMicroAxis ? kMicroWord : file.axes[at(axis)].name;
}

AxisId read_axis(const YamlReader& node, const std::string& word, const StrategyFile& file) {
  std::vector<std::string> known{kMicroWord};
  if (word == kMicroWord) return kMicroAxis;
  for (std::size_t axis = 0; axis < file.axes.size(); ++axis) {
    if (file.axes[axis].name == word) return static_cast<AxisId>(axis);
    known.push_back(file.axes[axis].name);
  }
  node.fail("unknown mesh axis '" + word + "'" + plugin::suggestion(word, known));
}

Reduction read_reduction(const YamlReader& node) {
  const std::string word = node.string();
  for (const auto& [reduction, name] : kReductions)
    if (word == name) return reduction;
  node.fail("terms are of a sum, max or min, not '" + word + "'");
}

std::int32_t read_number(const YamlReader& node, const std::string& word, std::int64_t most) {
  const bool is_number = !word.empty() && word.size() < 9 &&
                         std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c); });
  if (!is_number || std::stol(word) > most)
    node.fail("'" + word + "' is no number up to " + std::to_string(most));
  return static_cast<std::int32_t>(std::stol(word));
}

std::int32_t read_chunk(const YamlReader& node) {
  const std::int64_t chunk = node.integer();
  if (chunk < -1 || chunk > std::numeric_limits<std::int32_t>::max())
    node.fail("there is no chunk " + std::to_string(chunk));
  return static_cast<std::int32_t>(chunk);
}

Exact read_value(const YamlReader& node, const StrategyFile& file) {
  constexpr std::int64_t kMostDims = 64;
  Exact exact{.place = node.place()};
  for (const YamlReader& value : node.at("values").items()) exact.values.push_back(value.string());
  if (node.has("chunk")) exact.chunk = read_chunk(node.at("chunk"));
  if (node.has("dims")) {
    const YamlReader dims = node.at("dims");
    for (const std::string& dim : dims.keys()) {
      DimSharding& sharding = exact.dims[read_number(dims, dim, kMostDims)];
      const YamlReader splits = dims.at(dim);
      for (const std::string& axis : splits.keys())
        sharding.splits.push_back({read_axis(splits, axis, file), splits.at(axis).integer()});
    }
  }
  if (node.has("partial")) {
    const YamlReader terms = node.at("partial");
    for (const std::string& axis : terms.keys())
      exact.partial.push_back({read_axis(terms, axis, file), read_reduction(terms.at(axis))});
    std::ranges::sort(exact.partial, {}, &Partial::axis);
  }
  node.finish();
  return exact;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

std::string splits_text(const StrategyFile& file, const DimSharding& dim) {
  std::string text;
  for (const AxisSplit& split : dim.splits)
    text += (text.empty() ? "" : ", ") + quoted(axis_word(file, split.axis)) + ": " +
            std::to_string(split.period);
  return "{" + text + "}";
}

std::string value_text(const StrategyFile& file, const Exact& exact) {
  std::string values, dims, terms;
  for (const std::string& value : exact.values)
    values += (values.empty() ? "" : ", ") + quoted(value);
  for (const auto& [number, dim] : exact.dims)
    dims += (dims.empty() ? "" : ", ") + std::to_string(number) + ": " + splits_text(file, dim);
  for (const Partial& partial : exact.partial) {
    const auto word = std::ranges::find(kReductions, partial.reduction,
                                        &std::pair<Reduction, const char*>::first);
    terms +=
        (terms.empty() ? "" : ", ") + quoted(axis_word(file, partial.axis)) + ": " + word->second;
  }
  std::string text = "  - {values: [" + values + "]";
  if (exact.chunk != Exact::kAsCompleted) text += ", chunk: " + std::to_string(exact.chunk);
  if (!dims.empty()) text += ", dims: {" + dims + "}";
  if (!terms.empty()) text += ", partial: {" + terms + "}";
  return text + "}\n";
}

/// Per name the only value that has it.
std::map<std::string, ValueId> values_by_name(const Program& program) {
  std::map<std::string, ValueId> values;
  for (ValueId id = 0; id < program.size(); ++id) {
    const std::string& name = program.op(id).name;
    if (name.empty() || name.starts_with("%")) continue;
    if (!values.emplace(name, id).second) values[name] = kNoValue;
  }
  return values;
}

/// Those that are meant. Throws Error where the program lacks one.
std::vector<ValueId> values_of(const Exact& exact, const Program& program,
                               const std::map<std::string, ValueId>& by_name) {
  std::vector<ValueId> values;
  for (const std::string& value : exact.values) {
    const auto named = by_name.find(value);
    values.push_back(named == by_name.end() ? value_number(value) : named->second);
    if (values.back() < 0 || values.back() >= program.size())
      throw Error(exact.place + ": the program has no value '" + value + "', or several");
  }
  return values;
}

ShardingSpec spec_of(const Exact& exact, const Op& op) {
  ShardingSpec spec{.dims = std::vector<DimSharding>(op.shape.dims.size()),
                    .partial = exact.partial};
  for (const auto& [number, dim] : exact.dims) {
    if (at(number) >= spec.dims.size())
      throw Error(exact.place + ": '" + op.name + "' " + to_string(op.shape) + " has no dim " +
                  std::to_string(number));
    spec.dims[at(number)] = dim;
  }
  return spec;
}

void set(const Exact& exact, const Program& program, ValueId id, Strategy& strategy) {
  strategy.specs[at(id)] = spec_of(exact, program.op(id));
  if (exact.chunk == Exact::kAsCompleted) return;
  if (exact.chunk >= std::ssize(strategy.chunks))
    throw Error(exact.place + ": there is no chunk " + std::to_string(exact.chunk));
  strategy.chunk_of[at(id)] = exact.chunk;
}

}  // namespace

std::vector<Exact> read_exact(const YamlReader& root, const StrategyFile& file) {
  std::vector<Exact> exact;
  if (!root.has("exact")) return exact;
  for (const YamlReader& node : root.at("exact").items()) exact.push_back(read_value(node, file));
  if (file.micro_batches == 0)
    root.at("exact").fail("what is exact is of one count of micro_batches, and the file has none");
  return exact;
}

std::string exact_text(const StrategyFile& file) {
  std::string text = file.exact.empty() ? "" : "exact:\n";
  for (const Exact& exact : file.exact) text += value_text(file, exact);
  return text;
}

void check_exact(const StrategyFile& file, const Program& program) {
  const std::map<std::string, ValueId> by_name =
      file.exact.empty() ? std::map<std::string, ValueId>() : values_by_name(program);
  const Mesh mesh{.axes = file.axes};
  for (const Exact& exact : file.exact) {
    for (const ValueId id : values_of(exact, program, by_name)) {
      const Op& op = program.op(id);
      const ShardingSpec spec = spec_of(exact, op);
      if (!file.own_sizes.empty()) continue;  // which mesh it is on, the schedule says
      try {
        sharding::check_spec(op.shape, spec, mesh, file.micro_batches);
      } catch (const Error& error) {
        throw Error(exact.place + ": '" + op.name + "': " + error.what());
      }
    }
  }
}

void set_exact(const StrategyFile& file, const Program& program, Strategy& strategy) {
  if (file.exact.empty()) return;
  const std::map<std::string, ValueId> by_name = values_by_name(program);
  for (const Exact& exact : file.exact) {
    for (const ValueId id : values_of(exact, program, by_name)) set(exact, program, id, strategy);
  }
}

void add_exact(const Program& program, const Strategy& made, const Strategy& strategy,
               StrategyFile& file) {
  if (std::ranges::count(file.axes, std::string(kMicroWord), &MeshAxis::name) > 0)
    throw Error("strategy '" + strategy.name + "' cannot be written as a file: its axis '" +
                kMicroWord + "' has the name of micro-batches");
  const std::map<std::string, ValueId> by_name = values_by_name(program);
  for (ValueId id = 0; id < program.size(); ++id) {
    const ShardingSpec& spec = strategy.specs[at(id)];
    const bool is_moved = made.chunk_of[at(id)] != strategy.chunk_of[at(id)];
    if (!is_moved && made.specs[at(id)] == spec) continue;
    Exact exact{.chunk = is_moved ? strategy.chunk_of[at(id)] : Exact::kAsCompleted,
                .partial = spec.partial};
    for (std::size_t d = 0; d < spec.dims.size(); ++d)
      if (!spec.dims[d].splits.empty()) exact.dims[static_cast<std::int32_t>(d)] = spec.dims[d];
    const auto named = by_name.find(program.op(id).name);
    const bool is_alone = named != by_name.end() && named->second == id;
    const std::string value = is_alone ? named->first : "%" + std::to_string(id);
    const auto alike = std::ranges::find_if(
        file.exact, [&](const Exact& other) { return other.says_same(exact); });
    if (alike == file.exact.end()) exact.values = {value}, file.exact.push_back(std::move(exact));
    else alike->values.push_back(value);
  }
}

}  // namespace rhino::config
