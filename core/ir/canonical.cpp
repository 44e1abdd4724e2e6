// SPDX-License-Identifier: Apache-2.0
#include "ir/canonical.hpp"

#include <utility>
#include <vector>

#include "ir/simplifier.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

/// Copies what outputs need, operands before what reads them, through `add`.
template <typename Add>
Program copied(const Program& program, Simplifier& to, Add add) {
  std::vector<ValueId> values(program.ops.size(), kNoValue);
  const auto copy = [&](ValueId id) {
    Op op = program.op(id);
    op.origin = kNoValue;
    for (ValueId& operand : op.operands) operand = values[at(operand)];
    values[at(id)] = add(std::move(op));
  };
  for (const Input& input : program.inputs) copy(input.value);
  std::vector<ValueId> open;
  for (const Output& output : program.outputs) {
    for (open.push_back(output.value); !open.empty();) {
      const ValueId id = open.back();
      const std::size_t before = open.size();
      if (values[at(id)] == kNoValue) {
        const std::vector<ValueId>& operands = program.op(id).operands;
        for (std::size_t k = operands.size(); k-- > 0;) {
          if (values[at(operands[k])] == kNoValue) open.push_back(operands[k]);
        }
        if (open.size() > before) continue;
        copy(id);
      }
      open.pop_back();
    }
  }
  Program result = std::move(to.program());
  result.name = program.name;
  result.inputs = program.inputs;
  for (Input& input : result.inputs) input.value = values[at(input.value)];
  result.outputs = program.outputs;
  for (Output& output : result.outputs) output.value = values[at(output.value)];
  return result;
}

}  // namespace

Program canonical(const Program& program, Zeros zeros) {
  Simplifier simple(zeros);
  const Program made = copied(program, simple, [&](Op op) { return simple.add(std::move(op)); });
  // Once more as they are: what simplification left unread is dropped.
  Simplifier kept(zeros);
  return copied(made, kept, [&](Op op) {
    kept.program().ops.push_back(std::move(op));
    return kept.program().size() - 1;
  });
}

}  // namespace rhino::ir
