// SPDX-License-Identifier: Apache-2.0
// What is known of a Program once all of it is made: origins, inputs, outputs.
#include <algorithm>
#include <tuple>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {

// Origins may come later in the text.
void Importer::set_origins(Program& program) {
  const Body& entry = body_of(entry_);
  for (const Origin& origin : origins_) {
    const std::size_t i = entry.find(origin.name.substr(1, origin.name.size() - 2));
    if (i == entry.size() || entry_items_[i].kind != Item::Kind::array) {
      throw Error(place(origin.line) + "origin " + std::string(origin.name) + " is no op");
    }
    program.ops[at(origin.op)].origin = entry_items_[i].index;
  }
}

void Importer::set_inputs(Program& program) {
  std::ranges::stable_sort(inputs_, [](const NamedInput& a, const NamedInput& b) {
    return std::tie(a.number, a.path) < std::tie(b.number, b.path);
  });
  std::int64_t number = -1;
  for (const NamedInput& input : inputs_) {
    if (input.number > number + 1 || (input.number == number && input.path.empty()) ||
        input.number < 0) {
      throw Error(place(entry_.line) + "parameter " + std::to_string(number + 1) +
                  " is missing or there are two");
    }
    number = input.number;
    program.inputs.push_back(input.input);
  }
}

std::int32_t Importer::input_at(std::int64_t parameter, const Path& path) const {
  const auto input = std::ranges::find_if(inputs_, [&](const NamedInput& held) {
    return held.number == parameter && held.path == path;
  });
  return input == inputs_.end() ? -1 : static_cast<std::int32_t>(input - inputs_.begin());
}

void Importer::set_outputs(Program& program) {
  const Instruction& root = body_of(entry_).instruction(body_of(entry_).root());
  try {
    for (const auto& [path, value] : leaves_) {
      program.outputs.push_back({value, OutputKind::value, -1});
    }
    for (const Alias& alias : read_aliases(module_)) {
      const auto leaf =
          std::ranges::find(leaves_, alias.output, [](const auto& output) { return output.first; });
      if (leaf == leaves_.end()) throw Error("input_output_alias names no output");
      const std::int32_t input = input_at(alias.parameter, alias.in_parameter);
      if (input < 0) throw Error("input_output_alias names no parameter");
      Output& output = program.outputs[at(leaf - leaves_.begin())];
      output.kind = OutputKind::updated_state;
      output.input = input;
    }
    // Which output is to take its memory is left open: the first of its shape.
    for (const Donor& donor : read_donors(module_)) {
      const std::int32_t input = input_at(donor.parameter, donor.in_parameter);
      if (input < 0) throw Error("buffer_donor names no parameter");
      const Shape& shape = program.shape(program.inputs[at(input)].value);
      const auto output = std::ranges::find_if(program.outputs, [&](const Output& one) {
        return one.kind == OutputKind::value && program.shape(one.value) == shape;
      });
      if (output == program.outputs.end()) continue;
      output->kind = OutputKind::updated_state;
      output->input = input;
    }
    read_output_kinds(root, program.outputs);
  } catch (const Error& error) {
    throw Error(hlo::place(file_, root) + error.what());
  }
}

}  // namespace rhino::ir::hlo
