// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "plan/role_writer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// The dim of an input that micro-batches cut; -1: none.
std::int32_t micro_dim_of(const ShardingSpec& spec) {
  const auto is_micro = [](const AxisSplit& split) { return split.axis == kMicroAxis; };
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    const std::vector<AxisSplit>& splits = spec.dims[d].splits;
    if (std::any_of(splits.begin(), splits.end(), is_micro)) return static_cast<std::int32_t>(d);
  }
  return -1;
}

}  // namespace

void RoleWriter::write_inputs() {
  for (std::size_t b = 0; b < blocks_.residents.size(); ++b) {
    if (blocks_.residents[b].origin == Resident::Origin::input)
      write_input(static_cast<std::int32_t>(b));
  }
}

void RoleWriter::write_input(std::int32_t index) {
  const std::vector<Input>& inputs = parts_.input.program.inputs;
  const Resident& resident = blocks_.residents[at(index)];
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return input.value == resident.value;
  });
  if (found == inputs.end()) {
    throw Error("value " + std::to_string(resident.value) +
                " enters a chunk but is no input of the program");
  }
  PlanInput input;
  input.input = static_cast<std::int32_t>(found - inputs.begin());
  input.global = resident.global;
  input.spec = resident.spec;
  input.initializer = found->initializer;
  input.kind = found->kind;
  if (resident.per_micro_batch)
    input.micro_dim = micro_dim_of(parts_.input.strategy.specs[at(resident.value)]);
  for (const std::int32_t micro_batch : micro_batches_of(index)) {
    input.micro_batch = micro_batch;
    input.buffer = resident_handle(index, input.micro_batch);
    pool_.make_persistent(input.buffer);
    role_.inputs.push_back(input);
  }
}

/// Those that the role's passes read it of; 0 of what it holds once.
std::vector<std::int32_t> RoleWriter::micro_batches_of(std::int32_t resident) const {
  if (!blocks_.residents[at(resident)].per_micro_batch) return {0};
  std::set<std::int32_t> read;
  for (const TimelineStep& step : timeline_.steps) {
    if (step.site.chunk < 0) continue;
    const std::vector<std::int32_t>& inputs = blocks_.pass(step.site).first.inputs;
    if (std::find(inputs.begin(), inputs.end(), resident) != inputs.end())
      read.insert(step.micro_batch);
  }
  return {read.begin(), read.end()};
}

void RoleWriter::write_outputs() {
  for (std::size_t o = 0; o < parts_.outputs.size(); ++o) {
    if (parts_.outputs[o].role != role_index_) continue;
    const Resident& resident = blocks_.residents[at(parts_.outputs[o].resident)];
    const std::int32_t buffer = resident_handle(parts_.outputs[o].resident, -1);
    pool_.keep_to_end(buffer);
    role_.outputs.push_back({static_cast<std::int32_t>(o), buffer, resident.global, resident.spec});
  }
}

void RoleWriter::resolve_buffers() {
  const auto resolve = [&](std::int32_t& handle) {
    if (handle >= 0) handle = pool_.buffer_of(handle);
  };
  for (Instruction& instruction : role_.instructions) {
    std::for_each(instruction.inputs.begin(), instruction.inputs.end(), resolve);
    std::for_each(instruction.outputs.begin(), instruction.outputs.end(), resolve);
  }
  for (PlanInput& input : role_.inputs) resolve(input.buffer);
  for (PlanOutput& output : role_.outputs) resolve(output.buffer);
}

}  // namespace rhino::plan
