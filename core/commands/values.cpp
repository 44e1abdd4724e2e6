// SPDX-License-Identifier: Apache-2.0
// What patterns of a strategy file can match in the models of an experiment.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "commands/commands.hpp"
#include "config/value_pattern.hpp"
#include "measure/named_cells.hpp"
#include "planning/cell_inputs.hpp"
#include "report/table_parts.hpp"

namespace rhino::commands {
namespace {

const char* input_kind_name(InputKind kind) {
  constexpr const char* kNames[] = {"parameter", "optimizer state", "batch", "scalar"};
  return kNames[static_cast<int>(kind)];
}

const char* phase_name(Phase phase) {
  constexpr const char* kNames[] = {"forward", "backward", "update"};
  return kNames[static_cast<int>(phase)];
}

/// Values that differ in the first number of their name alone.
struct Alike {
  report::Row cells;  ///< list of the file, pattern, what it is, shape, dims
  std::int64_t count = 0;
};

report::Row describe(const Program& program, ValueId value, const Input* input) {
  const Op& op = program.producer(value);
  const std::vector<std::string> globs = config::general_globs(op.name);
  std::string dims;
  for (std::size_t d = 0; d < op.shape.dims.size(); ++d) {
    const bool is_named = input != nullptr && d < input->dim_names.size();
    dims += (d > 0 ? " " : "") + (is_named ? input->dim_names[d] : std::to_string(d));
  }
  const bool in_shard = input != nullptr && input->kind != InputKind::optimizer_state;
  return {in_shard ? "shard" : "values", globs.empty() ? op.name : globs.back(),
          input != nullptr ? input_kind_name(input->kind) : phase_name(op.phase),
          to_string(op.shape), dims};
}

std::vector<Alike> alike_values(const Program& program) {
  std::map<ValueId, const Input*> inputs;
  for (const Input& input : program.inputs) inputs[input.value] = &input;
  std::vector<Alike> all;
  for (ValueId value = 0; value < program.size(); ++value) {
    if (program.producer(value).name.empty()) continue;
    const auto input = inputs.find(value);
    const report::Row cells =
        describe(program, value, input == inputs.end() ? nullptr : input->second);
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Alike& other) { return other.cells == cells; });
    if (same == all.end()) all.push_back({cells, 1});
    else ++same->count;
  }
  return all;
}

void print(const Program& program) {
  std::vector<report::Row> rows{{"list", "match", "number", "what", "shape", "dims"}};
  std::int64_t num_named = 0;
  for (const Alike& one : alike_values(program)) {
    rows.push_back(one.cells);
    rows.back().insert(rows.back().begin() + 2, std::to_string(one.count));
    num_named += one.count;
  }
  fmt::print(
      "{}{} further values have no name: a rule of `values` matches the one of number N as "
      "\"%N\"\n",
      report::aligned(rows), program.size() - num_named);
}

}  // namespace

int list_values(const CommandLine& line) {
  std::set<std::string> seen;
  for (const measure::NamedCell& named :
       measure::name_cells(config::read_experiment(line.arguments[1], line.set))) {
    const config::CellSpec& cell = named.cell;
    if (cell.is_communication() || !matches(line.filter, named.name)) continue;
    if (!seen.insert(planning::model_key(cell)).second) continue;
    fmt::print("{}{}, global batch {}, {}\n", seen.size() > 1 ? "\n" : "",
               config::to_string(cell.model), cell.global_batch, config::to_string(cell.optimizer));
    print(planning::build_model(cell).step);
  }
  return seen.empty() ? kExitNothingMatched : kExitOk;
}

}  // namespace rhino::commands
