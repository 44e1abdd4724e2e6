// SPDX-License-Identifier: Apache-2.0
// What becomes of the outputs of an imported program.
#include <algorithm>
#include <set>
#include <utility>

#include "models/imported_parts.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {
namespace {

using Kind = ImportReading::Kind;

bool is_state(const std::vector<State>& states, ValueId value) {
  return std::ranges::find(states, value, &State::value) != states.end();
}

bool is_input(const Program& program, ValueId value) {
  return program.op(value).kind == OpKind::parameter;
}

bool reads_input(const Program& program, ValueId value) {
  const Marks before = ancestors(program, {value});
  return std::ranges::any_of(program.inputs,
                             [&](const Input& input) { return before[at(input.value)]; });
}

/// Or what the loss is the one element of.
bool is_loss(const Taken& taken, ValueId value) {
  if (taken.loss == kNoValue) return false;
  const Op& loss = taken.program.op(taken.loss);
  return value == taken.loss || (loss.kind == OpKind::reshape && loss.operands[0] == value);
}

std::string why_loss(const Taken& taken) {
  if (taken.is_loss_told) return "`loss` says so";
  const std::size_t num_others = taken.choice.others.size();
  if (num_others == 0) return "the only scalar that may be it";
  return "of " + std::to_string(num_others + 1) + " scalars, see the others";
}

std::string why_left_out(const Taken& taken, ValueId value) {
  if (is_loss(taken, value)) return "the loss again";
  if (is_input(taken.program, value)) {
    const auto& inputs = taken.program.inputs;
    const auto input = std::ranges::find(inputs, value, &Input::value);
    return "input " + std::to_string(input - inputs.begin()) + " as it came";
  }
  const auto other = taken.choice.others.find(value);
  if (other != taken.choice.others.end()) return other->second;
  return reads_input(taken.program, value) ? "" : "made of no input";
}

}  // namespace

std::vector<ValueId> loss_candidates(const Program& program, const std::vector<State>& states) {
  std::vector<ValueId> candidates;
  for (const Output& output : program.outputs) {
    const Shape& shape = program.shape(output.value);
    if (is_floating(shape.dtype) && num_elements(shape) == 1 && !is_input(program, output.value) &&
        !is_state(states, output.value) && reads_input(program, output.value))
      candidates.push_back(output.value);
  }
  return candidates;
}

std::vector<Output> other_values(const Taken& taken) {
  std::vector<Output> others;
  for (const Output& given : taken.given) {
    const Output output{given.value, OutputKind::value, -1};
    const bool is_new = std::ranges::find(others, output) == others.end();
    const bool is_free = !is_input(taken.program, given.value) &&
                         !is_state(taken.states, given.value) && !is_loss(taken, given.value);
    if (is_new && is_free && reads_input(taken.program, given.value)) others.push_back(output);
  }
  return others;
}

std::vector<ImportReading::Output> outputs_read(const Taken& taken, bool trains) {
  std::set<ValueId> values;
  if (!trains) {
    for (const Output& other : other_values(taken)) values.insert(other.value);
  }
  std::vector<State> states = taken.states;
  std::vector<ImportReading::Output> outputs;
  bool has_loss = false;
  for (const Output& given : taken.given) {
    ImportReading::Output& read = outputs.emplace_back();
    read.shape = taken.program.shape(given.value);
    const auto state = std::ranges::find(states, given.value, &State::value);
    if (is_loss(taken, given.value) && !std::exchange(has_loss, true)) {
      read.kind = Kind::loss;
      read.why = why_loss(taken);
    } else if (state != states.end()) {
      read.kind = Kind::state;
      read.input = state->input;
      read.why = taken.states_by;
      states.erase(state);
    } else if (values.erase(given.value) > 0) {
      read.kind = Kind::value;
      if (given.value == taken.choice.loss && taken.loss == kNoValue)
        read.why = "the loss, once `batch: [NAMES]` tells what is the batch";
    } else {
      read.why = why_left_out(taken, given.value);
    }
  }
  return outputs;
}

}  // namespace rhino::models::imported
