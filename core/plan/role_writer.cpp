// SPDX-License-Identifier: Apache-2.0
#include "plan/role_writer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ir/mesh_groups.hpp"
#include "ir/structure_hash.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"

namespace rhino::plan {
namespace {

InstructionPhase phase_of(const Site& site) {
  switch (site.phase) {
    case sharding::ChunkPhase::backward: return InstructionPhase::backward;
    case sharding::ChunkPhase::weight: return InstructionPhase::weight;
    case sharding::ChunkPhase::update: return InstructionPhase::update;
    default: return InstructionPhase::forward;
  }
}

const char* kind_name(CommunicationKind kind) {
  constexpr const char* kNames[] = {"all-reduce", "all-gather",    "reduce-scatter",
                                    "all-to-all", "halo-exchange", "transfer"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace

RoleWriter::RoleWriter(PlanParts& parts, std::int32_t role, ExecutionPlan& plan,
                       ProgramTable& programs)
    : parts_(parts),
      role_index_(role),
      blocks_(parts.blocks[at(role)]),
      timeline_(parts.timelines[at(role)]),
      plan_(plan),
      programs_(programs),
      pool_(blocks_.residents) {
  handover_of_.assign(blocks_.residents.size(), -1);
  for (std::size_t b = 0; b < parts.handovers.size(); ++b) {
    for (const Handover::Tensor& tensor : parts.handovers[b].tensors) {
      for (const Handover::Target& target : tensor.targets) {
        if (target.role == role) handover_of_[at(target.resident)] = static_cast<std::int32_t>(b);
      }
    }
  }
  for (const TimelineStep& step : timeline_.steps)
    for (const HandoverInstance& use : step.exchanges) exchanged_.insert(use.handover);
  find_first_readers();
  fix_residents();
  lay_out_blocks();
  pool_.find_roots();
}

/// What is read after the step or sent during the update may not be reduced in place.
void RoleWriter::fix_residents() {
  fixed_.assign(blocks_.residents.size(), false);
  for (const PlanParts::Source& output : parts_.outputs) {
    if (output.role == role_index_) fixed_[at(output.resident)] = true;
  }
  for (const Handover& handover : parts_.handovers) {
    if (handover.source_role != role_index_) continue;
    for (const Handover::Tensor& tensor : handover.tensors)
      fixed_[at(tensor.source_resident)] = true;
  }
}

Role RoleWriter::write() {
  role_.mesh = blocks_.mesh;
  role_.instructions.reserve(num_expected());
  write_inputs();
  const std::vector<LayoutTime> times = layout_times();
  for (const TimelineStep& step : timeline_.steps) {
    write_step(step, times[layout_of(step)].is_once);
    ++now_;
  }
  --now_;
  for (const HandoverInstance& use : timeline_.at_end) wait(use);
  write_outputs();
  pool_.allocate(role_, times);
  resolve_buffers();
  return std::move(role_);
}

RoleBindings RoleWriter::take_bindings() {
  std::tie(bindings_.handles, bindings_.buffer_of) = pool_.take_handles();
  return std::move(bindings_);
}

/// As good as all, without Frees.
std::size_t RoleWriter::num_expected() const {
  std::size_t num = 2 * parts_.handovers.size();
  for (const TimelineStep& step : timeline_.steps) {
    num += layouts_[layout_of(step)].layout.cut->items.size();
    num += step.receives.size() + step.releases.size() + 2 * step.exchanges.size();
  }
  return num;
}

/// A block that runs once takes as much time as it has items, and its temporaries lie beside what
/// others keep item by item; but for one amid those that run again and again, whose memory it uses.
std::vector<LayoutTime> RoleWriter::layout_times() const {
  std::vector<std::size_t> layouts, count(layouts_.size(), 0);
  for (const TimelineStep& step : timeline_.steps) ++count[layouts.emplace_back(layout_of(step))];
  const auto is_repeated = [&](std::size_t layout) { return count[layout] > 1; };
  const auto first = std::ranges::find_if(layouts, is_repeated);
  const auto end = std::find_if(layouts.rbegin(), layouts.rend(), is_repeated).base();
  std::vector<LayoutTime> times(layouts_.size());
  std::int32_t now = 0;
  for (auto layout = layouts.begin(); layout != layouts.end(); ++layout) {
    LayoutTime& time = times[*layout];
    if (time.first < 0) time.first = now;
    time.is_once = layout < first || layout >= end;
    const std::size_t num_items = layouts_[*layout].layout.cut->items.size();
    now += time.is_once ? static_cast<std::int32_t>(num_items) + 2 : 1;
    time.last = now - 1;
  }
  return times;
}

void RoleWriter::write_step(const TimelineStep& step, bool is_once) {
  step_ = &step;
  current_ = &layouts_[layout_of(step)];
  current_->micro_batch = step.micro_batch;
  for (const HandoverInstance& use : step.exchanges) exchange(use);
  for (const HandoverInstance& use : step.receives) receive(use);
  for (const HandoverInstance& use : step.releases) wait(use);
  wait_for_inputs();
  for (std::size_t i = 0; i < current_->layout.cut->items.size(); ++i) {
    if (is_once) ++now_;
    write_item(i);
  }
  if (is_once) ++now_;
  for (const ResidentCopy& copy : current_->layout.copies) write_copy(copy);
  if (step.site.chunk < 0 || !step.last) return;
  for (std::size_t b = 0; b < parts_.handovers.size(); ++b) {
    const Handover& handover = parts_.handovers[b];
    if (handover.source_role == role_index_ && handover.site == step.site &&
        !handover.per_micro_batch)
      depart(static_cast<std::int32_t>(b));
  }
}

/// What the block reads and has neither been waited for nor is in its midst.
void RoleWriter::wait_for_inputs() {
  for (std::int32_t resident : current_->block->inputs) {
    const std::int32_t handover = handover_of_[at(resident)];
    if (handover < 0) continue;
    if (!cuts_at(handover, step_->site)) wait(use_of(handover));
    resident_handle(resident, step_->micro_batch);
  }
}

void RoleWriter::arrive(std::int32_t arrival) {
  const std::int64_t bucket = arrival - std::ssize(parts_.handovers);
  if (bucket < 0) return wait(use_of(arrival));
  const auto [index, number] = buckets_[at(bucket)];
  const Layout& layout = layouts_[index];
  add(InstructionKind::wait, layout.communications[number], layout.micro_batch);
  for (const ValueId id : layout.layout.cut->collectives[number].operands) {
    const Place& place = layout.layout.places[at(id)];
    if (place.kind == Place::Kind::resident) resident_handle(place.index, layout.micro_batch);
  }
}

HandoverInstance RoleWriter::use_of(std::int32_t handover) const {
  return {handover, parts_.handovers[at(handover)].per_micro_batch ? step_->micro_batch : -1};
}

void RoleWriter::write_item(std::size_t number) {
  const CutItem& item = current_->layout.cut->items[number];
  switch (item.kind) {
    case CutItem::Kind::run: return write_run(item.index, number);
    case CutItem::Kind::start:
    case CutItem::Kind::wait: return write_collective(item, number);
    case CutItem::Kind::depart: return depart(departures(step_->site)[at(item.index)]);
    case CutItem::Kind::arrive: return arrive(item.index);
  }
}

Instruction& RoleWriter::add(InstructionKind kind, std::int32_t index, std::int32_t instance) {
  Instruction instruction;
  instruction.kind = kind;
  instruction.index = index;
  instruction.instance = instance;
  instruction.chunk = step_->site.chunk;
  if (instruction.chunk < 0 && blocks_.chunks.size() == 1)
    instruction.chunk = blocks_.chunks.front();
  instruction.phase = phase_of(step_->site);
  role_.instructions.push_back(std::move(instruction));
  return role_.instructions.back();
}

std::int32_t RoleWriter::handle(const Place& place) {
  if (place.kind == Place::Kind::resident) return resident_handle(place.index, step_->micro_batch);
  return pool_.temporary(static_cast<std::int32_t>(current_ - layouts_.data()), place.index,
                         current_->layout);
}

/// What an item binds; of what micro-batches have of their own, those of the first.
const Binding& RoleWriter::use(std::size_t item, const std::vector<ValueId>& inputs,
                               const std::vector<ValueId>& outputs) {
  Binding& binding = bindings_.items[current_->first_item + item];
  if (binding.is_known) {
    for (const std::int32_t resident : binding.residents)
      resident_handle(resident, step_->micro_batch);
    return binding;
  }
  learn(inputs, binding.inputs, binding.own_inputs, binding);
  learn(outputs, binding.outputs, binding.own_outputs, binding);
  binding.is_known = true;
  return binding;
}

/// Of the instruction that was added last.
void RoleWriter::note_binding(std::size_t item) {
  bindings_.entries.push_back({static_cast<std::int32_t>(role_.instructions.size()) - 1,
                               static_cast<std::int32_t>(current_->first_item + item),
                               step_->micro_batch});
}

void RoleWriter::learn(const std::vector<ValueId>& ids, std::vector<std::int32_t>& handles,
                       std::vector<Binding::Own>& own, Binding& binding) {
  std::vector<bool>& is_used = current_->is_resident_used;
  is_used.resize(blocks_.residents.size());
  for (const ValueId id : ids) {
    const Place& place = current_->layout.places[at(id)];
    handles.push_back(handle(place));
    if (place.kind != Place::Kind::resident) continue;
    if (const std::int32_t root = pool_.root(place.index); pool_.has_one_each(root))
      own.push_back({handles.size() - 1, root});
    if (is_used[at(place.index)]) continue;
    is_used[at(place.index)] = true;
    binding.residents.push_back(place.index);
  }
}

void RoleWriter::write_run(std::int32_t run, std::size_t item) {
  const CutRun& cut = current_->layout.cut->runs[at(run)];
  const Binding& binding = use(item, cut.inputs, cut.outputs);
  std::int32_t& index = current_->programs[at(run)];
  if (index < 0) {
    const std::vector<std::int32_t>&inputs = binding.inputs, &outputs = binding.outputs;
    std::vector<Output> in_memory = cut.program.outputs;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const auto in_place = std::find(inputs.begin(), inputs.end(), outputs[o]);
      if (in_place != inputs.end())
        in_memory[o] = {in_memory[o].value, OutputKind::updated_state,
                        static_cast<std::int32_t>(in_place - inputs.begin())};
    }
    index = program_index(cut.program, cut.hash, std::move(in_memory),
                          "run " + std::to_string(plan_.programs.size()));
  }
  add(InstructionKind::run, index, step_->micro_batch);
  note_binding(item);
}

void RoleWriter::write_copy(const ResidentCopy& copy) {
  const Shape& shape = blocks_.residents[at(copy.resident)].tile;
  Program program;
  program.ops.resize(2);
  program.ops[0].kind = OpKind::parameter;
  program.ops[1].kind = OpKind::reshape;
  program.ops[1].operands = {0};
  program.ops[0].shape = program.ops[1].shape = shape;
  program.inputs.push_back({});
  program.inputs.front().value = 0;
  program.outputs.push_back({1, OutputKind::value, -1});
  const std::int32_t from = handle(copy.from),
                     to = resident_handle(copy.resident, step_->micro_batch);
  const std::int32_t index =
      program_index(program, ir::structure_hash(program), program.outputs, "copy");
  Instruction& instruction = add(InstructionKind::run, index, step_->micro_batch);
  instruction.inputs = {from};
  instruction.outputs = {to};
}

std::int32_t RoleWriter::program_index(const Program& program, std::size_t hash,
                                       std::vector<Output> outputs, std::string name) {
  const std::int32_t index = programs_.index(program, hash, std::move(outputs), std::move(name));
  role_.workspace_bytes = std::max(role_.workspace_bytes, programs_.workspace_bytes(index));
  return index;
}

void RoleWriter::write_collective(const CutItem& item, std::size_t number) {
  const CutCollective& collective = current_->layout.cut->collectives[at(item.index)];
  use(number, collective.operands, collective.results);
  const bool starts = item.kind == CutItem::Kind::start;
  add(starts ? InstructionKind::start : InstructionKind::wait, communication_of(item.index),
      step_->micro_batch);
  if (starts) note_binding(number);
}

/// The first micro-batch of a pass and the others use the same communications where they are alike:
/// instances tell them apart.
std::int32_t RoleWriter::communication_of(std::int32_t collective) {
  std::int32_t& index = current_->communications[at(collective)];
  if (index >= 0) return index;
  const CutCollective& cut = current_->layout.cut->collectives[at(collective)];
  const Communication wanted = make_communication(cut);
  std::vector<std::int32_t>& known =
      communications_of_[{static_cast<int>(step_->site.phase), step_->site.chunk}];
  for (std::int32_t candidate : known) {
    const std::vector<std::int32_t>& own = current_->communications;
    const bool taken = std::find(own.begin(), own.end(), candidate) != own.end();
    if (!taken && is_same(candidate, wanted)) return index = candidate;
  }
  index = static_cast<std::int32_t>(plan_.communications.size());
  plan_.communications.push_back(wanted);
  known.push_back(index);
  groups_of_.try_emplace({cut.kind, cut.axes}, index);
  return index;
}

/// Of one kind, over the same axes, and so on.
bool RoleWriter::is_same(std::int32_t known, const Communication& wanted) const {
  const Communication& other = plan_.communications[at(known)];
  return (other.like < 0 ? known : other.like) == wanted.like &&
         other.reduction == wanted.reduction && other.before == wanted.before &&
         other.parts == wanted.parts;
}

Communication RoleWriter::make_communication(const CutCollective& collective) const {
  Communication communication;
  communication.kind = collective.kind;
  communication.reduction = collective.reduction;
  communication.before = collective.before;
  for (ValueId id : collective.operands)
    communication.parts.push_back(current_->block->program.shape(id));
  // One of each kind and axes states the groups.
  const auto stated = groups_of_.find({collective.kind, collective.axes});
  if (stated != groups_of_.end()) communication.like = stated->second;
  else communication.groups = ir::devices_along(blocks_.mesh, collective.axes);
  communication.name = kind_name(collective.kind);
  return communication;
}

void RoleWriter::receive(const HandoverInstance& use) {
  const Handover& handover = parts_.handovers[at(use.handover)];
  std::vector<std::int32_t> outputs(handover.tensors.size(), -1);
  for (std::size_t p = 0; p < outputs.size(); ++p) {
    for (const Handover::Target& target : handover.tensors[p].targets) {
      if (target.role == role_index_)
        outputs[p] = resident_handle(target.resident, use.micro_batch);
    }
  }
  Instruction& instruction = add(InstructionKind::start, use.handover, use.micro_batch);
  instruction.inputs.assign(outputs.size(), -1);
  instruction.outputs = std::move(outputs);
}

/// What blocks is sent when its time has come.
void RoleWriter::depart(std::int32_t handover) {
  if (!exchanged_.contains(handover)) send(use_of(handover));
}

/// Nothing else is done meanwhile.
void RoleWriter::exchange(const HandoverInstance& use) {
  if (parts_.handovers[at(use.handover)].source_role == role_index_) send(use);
  else receive(use);
  wait(use);
}

void RoleWriter::send(const HandoverInstance& use) {
  std::vector<std::int32_t> inputs;
  for (const Handover::Tensor& tensor : parts_.handovers[at(use.handover)].tensors)
    inputs.push_back(resident_handle(tensor.source_resident, use.micro_batch));
  Instruction& instruction = add(InstructionKind::start, use.handover, use.micro_batch);
  instruction.outputs.assign(inputs.size(), -1);
  instruction.inputs = std::move(inputs);
}

void RoleWriter::wait(const HandoverInstance& use) {
  if (!waited_.insert({use.handover, use.micro_batch}).second) return;
  for (const Handover::Tensor& tensor : parts_.handovers[at(use.handover)].tensors) {
    if (parts_.handovers[at(use.handover)].source_role == role_index_)
      resident_handle(tensor.source_resident, use.micro_batch);
    for (const Handover::Target& target : tensor.targets) {
      if (target.role == role_index_) resident_handle(target.resident, use.micro_batch);
    }
  }
  add(InstructionKind::wait, use.handover, use.micro_batch);
}

}  // namespace rhino::plan
