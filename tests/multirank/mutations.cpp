// SPDX-License-Identifier: Apache-2.0
#include "mutations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino {
namespace {

/// Role that yields an output, and the buffer that holds it there.
struct Place {
  std::size_t role;
  std::int32_t buffer;
};
Place place_of(const plan::ExecutionPlan& plan, std::int32_t output) {
  for (std::size_t role = 0; role < plan.roles.size(); ++role) {
    for (const plan::PlanOutput& what : plan.roles[role].outputs) {
      if (what.output == output) return {role, what.buffer};
    }
  }
  throw Error("no role yields output " + std::to_string(output));
}

/// A Run's own copy of its program, to be changed.
Program& own_program(plan::ExecutionPlan& plan, plan::Instruction& run) {
  plan.programs.push_back(plan.programs[at(run.index)]);
  run.index = static_cast<std::int32_t>(plan.programs.size()) - 1;
  return plan.programs.back();
}

/// The Start that reduces `buffer`, and its part there.
struct ReducedPart {
  std::size_t start, part;
};
ReducedPart reduction_of(const plan::ExecutionPlan& plan, const plan::Role& role,
                         std::int32_t buffer) {
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    const plan::Instruction& start = role.instructions[i];
    if (start.kind != plan::InstructionKind::start ||
        plan.communications[at(start.index)].kind != plan::CommunicationKind::all_reduce)
      continue;
    const auto part = std::find(start.outputs.begin(), start.outputs.end(), buffer);
    if (part != start.outputs.end())
      return {i, static_cast<std::size_t>(part - start.outputs.begin())};
  }
  throw Error("nothing reduces buffer " + std::to_string(buffer));
}

}  // namespace

void leave_out_reduction(plan::ExecutionPlan& plan, std::int32_t gradient) {
  const Place place = place_of(plan, gradient);
  plan::Role& role = plan.roles[place.role];
  const auto [start, part] = reduction_of(plan, role, place.buffer);
  plan::Instruction& instruction = role.instructions[start];
  const auto offset = static_cast<std::ptrdiff_t>(part);
  std::vector<Shape>& parts = plan.communications[at(instruction.index)].parts;
  parts.erase(parts.begin() + offset);
  instruction.inputs.erase(instruction.inputs.begin() + offset);
  instruction.outputs.erase(instruction.outputs.begin() + offset);
}

void reduce_again(plan::ExecutionPlan& plan, std::int32_t gradient) {
  const Place place = place_of(plan, gradient);
  std::vector<plan::Instruction>& list = plan.roles[place.role].instructions;
  const auto [start, part] = reduction_of(plan, plan.roles[place.role], place.buffer);
  plan::Communication again = plan.communications[at(list[start].index)];
  again.parts = {again.parts[part]};
  const auto wait =
      std::find_if(list.begin(), list.end(), [&](const plan::Instruction& instruction) {
        return instruction.kind == plan::InstructionKind::wait &&
               instruction.index == list[start].index;
      });
  plan::Instruction second = list[start];
  second.index = static_cast<std::int32_t>(plan.communications.size());
  second.inputs = second.outputs = {place.buffer};
  plan::Instruction second_wait = *wait;
  second_wait.index = second.index;
  list.insert(wait + 1, {second, second_wait});
  plan.communications.push_back(std::move(again));
}

void read_stale_rows(plan::ExecutionPlan& plan, std::int32_t input, std::int32_t reader,
                     std::int32_t source) {
  for (plan::Role& role : plan.roles) {
    std::map<std::int32_t, std::int32_t> buffer_of;  // by micro-batch
    for (const plan::PlanInput& tile : role.inputs) {
      if (tile.input == input) buffer_of[tile.micro_batch] = tile.buffer;
    }
    if (buffer_of.empty()) continue;
    for (plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run && instruction.instance == reader)
        std::replace(instruction.inputs.begin(), instruction.inputs.end(), buffer_of[reader],
                     buffer_of[source]);
    }
  }
}

void exchange_halves(plan::ExecutionPlan& plan) {
  const auto forward = std::find_if(
      plan.communications.begin(), plan.communications.end(), [](const plan::Communication& what) {
        return what.name.rfind("forward", 0) == 0 && what.kind == plan::CommunicationKind::transfer;
      });
  if (forward == plan.communications.end() || forward->steps.size() != 1)
    throw Error("no single message goes forward");
  const plan::TransferStep whole = forward->steps.front();
  const std::int64_t half = whole.source.size[0] / 2;
  forward->steps.assign(2, whole);
  for (std::size_t i = 0; i < 2; ++i) {
    plan::TransferStep& step = forward->steps[i];
    for (Box* box : {&step.global, &step.source, &step.target}) box->size[0] = half;
    step.global.start[0] += static_cast<std::int64_t>(i) * half;
    step.source.start[0] += static_cast<std::int64_t>(i) * half;
    step.target.start[0] += static_cast<std::int64_t>(1 - i) * half;
  }
}

void forget_other_term(plan::ExecutionPlan& plan, std::int32_t gradient) {
  const Place place = place_of(plan, gradient);
  for (plan::Instruction& run : plan.roles[place.role].instructions) {
    const auto written = std::find(run.outputs.begin(), run.outputs.end(), place.buffer);
    if (run.kind != plan::InstructionKind::run || written == run.outputs.end()) continue;
    Program& program = own_program(plan, run);
    const ValueId sum = program.outputs[at(written - run.outputs.begin())].value;
    if (program.op(sum).kind != OpKind::add)
      throw Error("the gradient is not the sum of two terms");
    const ValueId term = program.op(sum).operands[1];
    for (Op& op : program.ops) std::replace(op.operands.begin(), op.operands.end(), sum, term);
    for (Output& output : program.outputs) {
      if (output.value == sum) output.value = term;
    }
  }
}

std::vector<PlanConstant> update_constants(const plan::ExecutionPlan& plan, std::int32_t output) {
  const Place place = place_of(plan, output);
  const std::vector<plan::Instruction>& list = plan.roles[place.role].instructions;
  std::set<std::int32_t> leading = {place.buffer};
  std::vector<PlanConstant> constants;
  for (auto run = list.rbegin(); run != list.rend(); ++run) {
    if (run->kind != plan::InstructionKind::run || run->phase != plan::InstructionPhase::update)
      continue;
    const Program& program = plan.programs[at(run->index)];
    std::vector<bool> leads(at(program.size()), false);
    for (std::size_t i = 0; i < run->outputs.size(); ++i) {
      if (leading.contains(run->outputs[i])) leads[at(program.outputs[i].value)] = true;
    }
    for (ValueId id = program.size(); id-- > 0;) {
      if (!leads[at(id)]) continue;
      for (const ValueId operand : program.op(id).operands) leads[at(operand)] = true;
      if (program.op(id).kind == OpKind::constant) constants.push_back({run->index, id});
    }
    for (std::size_t i = 0; i < run->inputs.size(); ++i) {
      if (leads[at(program.inputs[i].value)]) leading.insert(run->inputs[i]);
    }
  }
  return constants;
}

std::vector<PlanConstant> pass_constants(const plan::ExecutionPlan& plan) {
  std::map<std::vector<double>, PlanConstant> constants;
  for (const plan::Role& role : plan.roles) {
    for (const plan::Instruction& run : role.instructions) {
      if (run.kind != plan::InstructionKind::run || run.phase == plan::InstructionPhase::update)
        continue;
      const Program& program = plan.programs[at(run.index)];
      for (ValueId id = 0; id < program.size(); ++id) {
        if (program.op(id).kind != OpKind::constant) continue;
        const auto& elements = program.op(id).attributes.get<ConstantAttr>().elements;
        if (elements != std::vector<double>{0}) constants.insert({elements, {run.index, id}});
      }
    }
  }
  std::vector<PlanConstant> list;
  for (const auto& [elements, constant] : constants) list.push_back(constant);
  return list;
}

void scale_constant(plan::ExecutionPlan& plan, const PlanConstant& which, double factor) {
  Op& op = plan.programs[at(which.program)].ops[at(which.value)];
  ConstantAttr scaled = op.attributes.get<ConstantAttr>();
  for (double& element : scaled.elements) element *= factor;
  op.attributes = std::move(scaled);
}

void flip_element(plan::ExecutionPlan& plan, std::int32_t gradient, std::size_t element) {
  const Place place = place_of(plan, gradient);
  std::vector<plan::Instruction>& list = plan.roles[place.role].instructions;
  const auto last = std::find_if(list.rbegin(), list.rend(), [&](const plan::Instruction& run) {
    return run.kind == plan::InstructionKind::run &&
           std::find(run.outputs.begin(), run.outputs.end(), place.buffer) != run.outputs.end();
  });
  if (last == list.rend()) throw Error("no Run writes the gradient");
  const auto port = std::find(last->outputs.begin(), last->outputs.end(), place.buffer);
  Program& program = own_program(plan, *last);
  Output& output = program.outputs[at(port - last->outputs.begin())];
  const Shape shape = program.shape(output.value);
  std::vector<double> signs(at(num_elements(shape)), 1.0);
  signs[element] = -1;
  program.ops.push_back(
      {.kind = OpKind::constant, .shape = shape, .attributes = ConstantAttr{signs}});
  program.ops.push_back(
      {.kind = OpKind::multiply, .shape = shape, .operands = {output.value, program.size() - 1}});
  output.value = program.size() - 1;
}

}  // namespace rhino
