// SPDX-License-Identifier: Apache-2.0
#include "ir/dead_ops.hpp"

#include <utility>
#include <vector>

#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

std::vector<bool> live_values(const Program& program, Unused inputs) {
  std::vector<bool> live(program.ops.size());
  for (const Output& output : program.outputs) {
    live[at(output.value)] = true;
    if (output.input >= 0) live[at(program.inputs[at(output.input)].value)] = true;
  }
  if (inputs == Unused::kept) {
    for (const Input& input : program.inputs) live[at(input.value)] = true;
  }
  for (ValueId id = program.size(); id-- > 0;) {
    if (!live[at(id)]) continue;
    for (const ValueId operand : program.op(id).operands) live[at(operand)] = true;
  }
  return live;
}

}  // namespace

Program without_dead_ops(const Program& program, Unused unused) {
  const std::vector<bool> live = live_values(program, unused);
  Program result;
  result.name = program.name;
  std::vector<ValueId> values(program.ops.size(), kNoValue);
  for (ValueId id = 0; id < program.size(); ++id) {
    if (!live[at(id)]) continue;
    values[at(id)] = result.size();
    result.ops.push_back(program.op(id));
    for (ValueId& operand : result.ops.back().operands) operand = values[at(operand)];
  }
  for (Op& op : result.ops) {
    if (op.origin != kNoValue) op.origin = values[at(op.origin)];
  }
  std::vector<std::int32_t> inputs(program.inputs.size(), -1);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Input input = program.inputs[i];
    if (!live[at(input.value)]) continue;
    input.value = values[at(input.value)];
    inputs[i] = static_cast<std::int32_t>(result.inputs.size());
    result.inputs.push_back(std::move(input));
  }
  for (Input& input : result.inputs) {
    if (input.state_of >= 0) input.state_of = inputs[at(input.state_of)];
  }
  for (Output output : program.outputs) {
    output.value = values[at(output.value)];
    if (output.input >= 0) output.input = inputs[at(output.input)];
    result.outputs.push_back(output);
  }
  return result;
}

}  // namespace rhino::ir
