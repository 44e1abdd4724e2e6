// SPDX-License-Identifier: Apache-2.0
#include "config/strategy_file.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>

#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"

namespace rhino::config {
namespace {

void read_mesh(const YamlReader& node, const Options& sizes, StrategyFile& file) {
  for (const std::string& axis : node.keys()) {
    const std::int64_t size = sizes.get<std::int64_t>(axis, node.at(axis).integer());
    if (size < 1) node.at(axis).fail("an axis has at least one device");
    if (axis == "stage") file.num_stages = static_cast<std::int32_t>(size);
    else file.axes.push_back({axis, size});
  }
}

StrategyFile::Rule read_rule(const YamlReader& node, const StrategyFile& file) {
  StrategyFile::Rule rule{node.at("match").string(), {}, node.place()};
  const YamlReader dims = node.at("dims");
  for (const std::string& dim : dims.keys()) {
    const std::string axis = dims.at(dim).string();
    std::vector<std::string> known;
    for (const MeshAxis& other : file.axes) known.push_back(other.name);
    if (std::find(known.begin(), known.end(), axis) == known.end()) {
      dims.at(dim).fail("unknown mesh axis '" + axis + "'" + plugin::suggestion(axis, known));
    }
    rule.dims[dim] = axis;
  }
  node.finish();
  return rule;
}

AxisId axis_id(const StrategyFile& file, const std::string& name) {
  const auto found = std::find_if(file.axes.begin(), file.axes.end(),
                                  [&](const MeshAxis& axis) { return axis.name == name; });
  return static_cast<AxisId>(found - file.axes.begin());
}

/// Number of the dim that a rule names; -1: no such dim.
std::int32_t dim_number(const Program& program, ValueId value, const std::string& dim) {
  for (const Input& input : program.inputs) {
    if (input.value != value) continue;
    const auto found = std::find(input.dim_names.begin(), input.dim_names.end(), dim);
    if (found != input.dim_names.end())
      return static_cast<std::int32_t>(found - input.dim_names.begin());
  }
  std::int32_t number = -1;
  const auto rank = static_cast<std::int32_t>(program.shape(value).dims.size());
  std::from_chars(dim.data(), dim.data() + dim.size(), number);
  return number < rank ? number : -1;
}

Annotation annotate(const StrategyFile& file, const StrategyFile::Rule& rule,
                    const Program& program, ValueId value) {
  const Op& op = program.producer(value);
  Annotation annotation{value, std::vector<std::vector<AxisId>>(op.shape.dims.size())};
  for (const auto& [dim, axis] : rule.dims) {
    const std::int32_t number = dim_number(program, value, dim);
    if (number < 0)
      throw Error(rule.place + ": '" + op.name + "' " + to_string(op.shape) + " has no dim '" +
                  dim + "'");
    annotation.dims[static_cast<std::size_t>(number)].push_back(axis_id(file, axis));
  }
  return annotation;
}

}  // namespace

StrategyFile read_strategy_file(const std::string& path, const Options& sizes) {
  const YamlReader root = YamlReader::file(path);
  StrategyFile file;
  file.path = path;
  file.name = root.at("name").string();
  file.description = root.string("description", "");
  read_mesh(root.at("mesh"), sizes, file);
  file.zero_stage =
      static_cast<std::int32_t>(sizes.get<std::int64_t>("zero", root.integer("zero", 0)));
  if (file.zero_stage < 0 || file.zero_stage > 3) throw Error(path + ": zero must be 0, 1, 2 or 3");
  file.recompute = sizes.get<bool>("recompute", root.boolean("recompute", false));
  if (root.has("shard")) {
    for (const YamlReader& rule : root.at("shard").items())
      file.rules.push_back(read_rule(rule, file));
  }
  root.finish();
  const std::vector<std::string> unread = sizes.unread();
  if (!unread.empty()) {
    throw Error(path + ": no mesh axis or option '" + unread.front() + "'" +
                plugin::suggestion(unread.front(), {sizes.asked().begin(), sizes.asked().end()}));
  }
  return file;
}

StrategyDraft draft_of(const StrategyFile& file, const Program& program,
                       const std::vector<Chunk>& chunks, std::int64_t num_micro_batches) {
  StrategyDraft draft{.name = file.name,
                      .num_micro_batches = num_micro_batches,
                      .chunks = chunks,
                      .zero_stage = file.zero_stage};
  for (Chunk& chunk : draft.chunks) chunk.recompute = file.recompute;
  for (const StrategyFile::Rule& rule : file.rules) {
    bool matched = false;
    for (const Input& input : program.inputs) {
      if (fnmatch(rule.match.c_str(), program.producer(input.value).name.c_str(), 0) != 0 ||
          input.kind == InputKind::optimizer_state)
        continue;
      draft.annotations.push_back(annotate(file, rule, program, input.value));
      matched = true;
    }
    if (!matched)
      throw Error(rule.place + ": pattern '" + rule.match + "' matches no input of the program");
  }
  const AxisId data = axis_id(file, "data");
  if (data < static_cast<AxisId>(file.axes.size())) draft.batch_axis = data;
  return draft;
}

}  // namespace rhino::config
