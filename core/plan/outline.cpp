// SPDX-License-Identifier: Apache-2.0
#include "plan/outline.hpp"

#include "plan/lives.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

void put(const std::vector<std::int32_t>& buffers, const std::vector<Binding::Own>& own,
         const RoleBindings& role, std::int32_t micro_batch, std::vector<std::int32_t>& bound) {
  bound = buffers;
  for (const auto& [place, resident] : own)
    bound[place] = role.buffer_of[at(role.handles[at(resident)][at(micro_batch + 1)])];
}

void bind(RoleBindings& bindings, Role& role) {
  for (Binding& item : bindings.items) {
    for (std::vector<std::int32_t>* const list : {&item.inputs, &item.outputs})
      for (std::int32_t& handle : *list) handle = bindings.buffer_of[at(handle)];
  }
  for (const auto& [number, index, micro_batch] : bindings.entries) {
    const Binding& item = bindings.items[at(index)];
    Instruction& instruction = role.instructions[at(number)];
    put(item.inputs, item.own_inputs, bindings, micro_batch, instruction.inputs);
    put(item.outputs, item.own_outputs, bindings, micro_batch, instruction.outputs);
  }
  add_frees(role);
}

}  // namespace

void bind(PlanOutline& outline) {
  for (std::size_t role = 0; role < outline.bindings.size(); ++role)
    bind(outline.bindings[role], outline.plan.roles[role]);
  outline.bindings.clear();
}

}  // namespace rhino::plan
