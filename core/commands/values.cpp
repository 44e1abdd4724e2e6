// SPDX-License-Identifier: Apache-2.0
// What patterns of a strategy file can match in the models of an experiment.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "commands/commands.hpp"
#include "commands/import_words.hpp"
#include "config/value_pattern.hpp"
#include "ir/flops.hpp"
#include "measure/named_cells.hpp"
#include "models/imported_file.hpp"
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

/// Values alike that differ in the first number of their names alone.
struct Alike {
  bool in_shard = false;  ///< the list of the file that matches them; else `values`
  std::string general;    ///< a glob of all of them, and perhaps of others
  report::Row what;       ///< what they are, shape, dims
  std::vector<std::string> names = {};

  bool is_like(const Alike& other) const {
    return in_shard == other.in_shard && general == other.general && what == other.what;
  }
};

Alike describe(const Program& program, ValueId value, const Input* input) {
  const Op& op = program.producer(value);
  const std::vector<std::string> globs = config::general_globs(op.name);
  std::string dims;
  for (std::size_t d = 0; d < op.shape.dims.size(); ++d) {
    const bool is_named = input != nullptr && d < input->dim_names.size();
    dims += (d > 0 ? " " : "") + (is_named ? input->dim_names[d] : std::to_string(d));
  }
  return {.in_shard = input != nullptr && input->kind != InputKind::optimizer_state,
          .general = globs.empty() ? config::escaped_glob(op.name) : globs.back(),
          .what = {input != nullptr ? input_kind_name(input->kind) : phase_name(op.phase),
                   to_string(op.shape), dims}};
}

std::vector<Alike> alike_values(const Program& program) {
  std::map<ValueId, const Input*> inputs;
  for (const Input& input : program.inputs) inputs[input.value] = &input;
  std::vector<Alike> all;
  for (ValueId value = 0; value < program.size(); ++value) {
    const std::string& name = program.producer(value).name;
    if (name.empty()) continue;
    const Alike one = describe(program, value, inputs.contains(value) ? inputs[value] : nullptr);
    auto same = std::find_if(all.begin(), all.end(),
                             [&](const Alike& other) { return other.is_like(one); });
    if (same == all.end()) same = all.insert(all.end(), one);
    same->names.push_back(name);
  }
  return all;
}

/// The first number of a name as so many `?`.
std::string with_question_marks(std::string name) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto begin = std::find_if(name.begin(), name.end(), is_digit);
  std::fill(begin, std::find_if_not(begin, name.end(), is_digit), '?');
  return name;
}

/// Globs that match these values and no others.
std::string globs_of(const Program& program, const Alike& alike) {
  const auto matched = config::matching_values(program, alike.general, alike.in_shard);
  if (matched.size() == alike.names.size()) return alike.general;
  std::set<std::string> globs;
  for (const std::string& name : alike.names) globs.insert(with_question_marks(name));
  std::string text;
  for (const std::string& glob : globs) text += (text.empty() ? "" : ",") + glob;
  return text;
}

void print(const Program& program) {
  std::vector<report::Row> rows{{"list", "match", "number", "what", "shape", "dims"}};
  std::size_t num_named = 0;
  for (const Alike& alike : alike_values(program)) {
    rows.push_back({alike.in_shard ? "shard" : "values", globs_of(program, alike),
                    std::to_string(alike.names.size())});
    rows.back().insert(rows.back().end(), alike.what.begin(), alike.what.end());
    num_named += alike.names.size();
  }
  fmt::print(
      "{}{} further values have no name: a rule of `values` matches the one of number N as "
      "\"%N\"\n",
      report::aligned(rows), program.ops.size() - num_named);
}

/// In words; see check::compare_steps.
std::string what_is_checked(const Program& step) {
  const auto has = [&](OutputKind kind) {
    return std::ranges::any_of(step.outputs, [&](const Output& out) { return out.kind == kind; });
  };
  std::string text = has(OutputKind::loss) ? "loss, " : "";
  if (has(OutputKind::gradient)) return text + "gradients, updates";
  if (has(OutputKind::value)) text += "values, ";
  if (has(OutputKind::updated_state)) text += "states as they are left, ";
  return text + "no gradients";
}

/// What shares of the work of dots is in which dtype, where there are several.
std::string dtypes_text(const Program& step) {
  std::map<DType, double> flops;
  double all = 0;
  for (ValueId id = 0; id < step.size(); ++id) {
    if (step.op(id).kind != OpKind::dot) continue;
    const double work = ir::op_flops(step, id);
    flops[step.shape(step.op(id).operands[0]).dtype] += work;
    all += work;
  }
  if (flops.size() < 2) return "";
  std::string text;
  for (const auto& [dtype, work] : flops)
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", dtype_name(dtype), 100 * work / all);
  return "work of dots: " + text + "\n";
}

}  // namespace

int list_values(const CommandLine& line) {
  std::set<std::string> seen;
  for (const measure::NamedCell& named :
       measure::name_cells(config::read_experiment(line.arguments[1], line.set))) {
    const config::CellSpec& cell = named.cell;
    if (!cell.has_model() || !matches(line.filter, named.name)) continue;
    if (!seen.insert(planning::model_key(cell)).second) continue;
    const planning::CellModel model = planning::build_model(cell);
    fmt::print("{}{}, global batch {}, {}; checked: {}\n", seen.size() > 1 ? "\n" : "",
               config::to_string(cell.model), cell.global_batch,
               planning::optimizer_text(cell, model), what_is_checked(model.step));
    if (models::is_imported(cell.model.id)) {
      const Options options(cell.model.options);
      fmt::print("{}{}", outputs_text(models::imported_reading(cell.model.id, options)),
                 dtypes_text(model.step));
    }
    print(model.step);
  }
  if (!seen.empty()) return kExitOk;
  fmt::print(stderr, "rhino-bench: no model of {} matches\n", line.arguments[1]);
  return kExitNothingMatched;
}

}  // namespace rhino::commands
