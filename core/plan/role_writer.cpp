// SPDX-License-Identifier: Apache-2.0
#include "plan/role_writer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ir/mesh_groups.hpp"
#include "plan/lives.hpp"
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
  constexpr const char* kNames[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                    "transfer"};
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
      pool_(blocks_.residents, static_cast<std::int32_t>(timeline_.steps.size())) {
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

void RoleWriter::lay_out_blocks() {
  layouts_.push_back(make_layout(blocks_.prologue));
  layouts_.emplace_back();
  for (std::size_t c = 0; c < blocks_.chunks.size(); ++c) {
    for (const std::vector<PassBlocks>& passes : blocks_.passes) {
      layouts_.push_back(make_layout(passes[c].first));
      layouts_.push_back(make_layout(passes[c].next));
    }
  }
  for (const LastPass& pass : parts_.last_passes[at(role_index_)]) lay_out_last(pass);
  layouts_[1] = make_layout(blocks_.update);
}

RoleWriter::Layout RoleWriter::make_layout(const Block& block,
                                           const std::vector<ValueId>& reductions) {
  CutProblem problem{
      block.program, {}, {}, reductions, parts_.input.strategy.gradient_sums.bucket_bytes};
  for (std::int32_t resident : block.inputs) {
    const Resident& input = blocks_.residents[at(resident)];
    problem.arrival.push_back(arrival_of(resident, block.site));
    problem.lasting.push_back(input.origin != Resident::Origin::received &&
                              !input.per_micro_batch &&
                              input.site.phase == sharding::ChunkPhase::prologue);
  }
  for (std::int32_t handover : departures(block.site))
    problem.departures.push_back(departing_values(block, handover));
  Layout layout{&block, lay_out(block, cut(problem), blocks_.residents, fixed_), {}, {}};
  layout.programs.assign(layout.layout.cut.runs.size(), -1);
  layout.communications.assign(layout.layout.cut.collectives.size(), -1);
  return layout;
}

void RoleWriter::lay_out_last(const LastPass& pass) {
  const Layout& layout = layouts_.emplace_back(make_layout(pass.block, pass.reductions));
  for (std::size_t c = 0; c < layout.communications.size(); ++c) {
    const std::vector<ValueId>& results = layout.layout.cut.collectives[c].results;
    if (!std::ranges::binary_search(pass.reductions, results.front())) continue;
    for (const ValueId id : results)
      bucket_of_[layout.layout.places[at(id)].index] = static_cast<std::int32_t>(buckets_.size());
    buckets_.push_back({layouts_.size() - 1, c});
  }
}

/// What CutProblem::arrival says of an input: a handover, or behind those a bucket of reductions.
std::int32_t RoleWriter::arrival_of(std::int32_t resident, const Site& site) const {
  const auto bucket = bucket_of_.find(resident);
  if (bucket != bucket_of_.end())
    return static_cast<std::int32_t>(parts_.handovers.size()) + bucket->second;
  const std::int32_t handover = handover_of_[at(resident)];
  return handover >= 0 && cuts_at(handover, site) ? handover : -1;
}

std::size_t RoleWriter::layout_of(const TimelineStep& step) const {
  if (step.site.phase == sharding::ChunkPhase::prologue) return 0;
  if (step.site.phase == sharding::ChunkPhase::update) return 1;
  const std::size_t num_passes = 2 + 2 * kNumPasses * blocks_.chunks.size();
  for (std::size_t l = num_passes; step.last && l < layouts_.size(); ++l) {
    if (layouts_[l].block->site == step.site) return l;
  }
  const auto chunk = std::find(blocks_.chunks.begin(), blocks_.chunks.end(), step.site.chunk) -
                     blocks_.chunks.begin();
  return 2 + 2 * (kNumPasses * at(chunk) + static_cast<std::size_t>(pass_of(step.site))) +
         (step.first ? 0 : 1);
}

/// Whether the block at `site` waits for the handover in its midst: where it is the first to read
/// it, and time presses. What comes once a step for passes has long arrived and is waited for
/// before them.
bool RoleWriter::cuts_at(std::int32_t handover, const Site& site) const {
  if (site.chunk >= 0 && !parts_.handovers[at(handover)].per_micro_batch) return false;
  return first_reader_[at(handover)] == site;
}

void RoleWriter::find_first_readers() {
  first_reader_.resize(parts_.handovers.size());
  std::vector<bool> found(parts_.handovers.size());
  const auto note = [&](const Block& block) {
    for (std::int32_t resident : block.inputs) {
      const std::int32_t handover = handover_of_[at(resident)];
      if (handover < 0 || found[at(handover)]) continue;
      found[at(handover)] = true;
      first_reader_[at(handover)] = block.site;
    }
  };
  note(blocks_.prologue);
  std::map<std::int32_t, std::int32_t> shown;  // per chunk: a micro-batch that it runs
  for (const TimelineStep& step : timeline_.steps) {
    if (step.micro_batch < 0) continue;
    const auto first = shown.emplace(step.site.chunk, first_micro_batch(step.site.chunk)).first;
    if (step.micro_batch == first->second) note(blocks_.pass(step.site).first);
  }
  note(blocks_.update);
}

/// The lowest that a chunk runs: the first of its replica.
std::int32_t RoleWriter::first_micro_batch(std::int32_t chunk) const {
  std::int32_t first = std::numeric_limits<std::int32_t>::max();
  for (const TimelineStep& step : timeline_.steps) {
    if (step.site.chunk == chunk) first = std::min(first, step.micro_batch);
  }
  return first;
}

std::vector<std::int32_t> RoleWriter::departures(const Site& site) const {
  std::vector<std::int32_t> list;
  for (std::size_t b = 0; b < parts_.handovers.size(); ++b) {
    const Handover& handover = parts_.handovers[b];
    const bool accumulated = site.chunk >= 0 && !handover.per_micro_batch;
    if (handover.source_role == role_index_ && handover.site == site && !accumulated)
      list.push_back(static_cast<std::int32_t>(b));
  }
  return list;
}

/// The values of the block that a handover sends; what is an input of the Program and not of the
/// block is there anyway.
std::vector<ValueId> RoleWriter::departing_values(const Block& block, std::int32_t handover) const {
  std::vector<ValueId> values;
  for (const Handover::Tensor& tensor : parts_.handovers[at(handover)].tensors) {
    for (std::size_t i = 0; i < block.outputs.size(); ++i) {
      if (block.outputs[i] == tensor.source_resident)
        values.push_back(block.program.outputs[i].value);
    }
  }
  return values;
}

Role RoleWriter::write() {
  role_.mesh = blocks_.mesh;
  write_inputs();
  for (const TimelineStep& step : timeline_.steps) {
    write_step(step);
    ++now_;
  }
  --now_;
  for (const HandoverInstance& use : timeline_.at_end) wait(use);
  write_outputs();
  pool_.allocate(role_);
  resolve_buffers();
  add_frees(role_);
  for (const Instruction& instruction : role_.instructions) {
    if (instruction.kind != InstructionKind::run) continue;
    role_.workspace_bytes =
        std::max(role_.workspace_bytes, programs_.workspace_bytes(instruction.index));
  }
  return std::move(role_);
}

void RoleWriter::write_step(const TimelineStep& step) {
  step_ = &step;
  current_ = &layouts_[layout_of(step)];
  current_->micro_batch = step.micro_batch;
  for (const HandoverInstance& use : step.exchanges) exchange(use);
  for (const HandoverInstance& use : step.receives) receive(use);
  for (const HandoverInstance& use : step.releases) wait(use);
  wait_for_inputs();
  for (const CutItem& item : current_->layout.cut.items) write_item(item);
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
  for (const ValueId id : layout.layout.cut.collectives[number].operands) {
    const Place& place = layout.layout.places[at(id)];
    if (place.kind == Place::Kind::resident) resident_handle(place.index, layout.micro_batch);
  }
}

HandoverInstance RoleWriter::use_of(std::int32_t handover) const {
  return {handover, parts_.handovers[at(handover)].per_micro_batch ? step_->micro_batch : -1};
}

void RoleWriter::write_item(const CutItem& item) {
  switch (item.kind) {
    case CutItem::Kind::run: return write_run(item.index);
    case CutItem::Kind::start:
    case CutItem::Kind::wait: return write_collective(item);
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

void RoleWriter::write_run(std::int32_t run) {
  const CutRun& cut = current_->layout.cut.runs[at(run)];
  std::vector<std::int32_t> inputs, outputs;
  for (ValueId id : cut.inputs) inputs.push_back(handle(current_->layout.places[at(id)]));
  for (ValueId id : cut.outputs) outputs.push_back(handle(current_->layout.places[at(id)]));
  std::int32_t& index = current_->programs[at(run)];
  if (index < 0) {
    Program program = cut.program;
    program.name = "run " + std::to_string(plan_.programs.size());
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const auto in_place = std::find(inputs.begin(), inputs.end(), outputs[o]);
      if (in_place != inputs.end())
        program.outputs[o] = {program.outputs[o].value, OutputKind::updated_state,
                              static_cast<std::int32_t>(in_place - inputs.begin())};
    }
    index = programs_.index(std::move(program));
  }
  Instruction& instruction = add(InstructionKind::run, index, step_->micro_batch);
  instruction.inputs = std::move(inputs);
  instruction.outputs = std::move(outputs);
}

void RoleWriter::write_copy(const ResidentCopy& copy) {
  const Shape& shape = blocks_.residents[at(copy.resident)].tile;
  Program program;
  program.name = "copy";
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
  Instruction& instruction =
      add(InstructionKind::run, programs_.index(std::move(program)), step_->micro_batch);
  instruction.inputs = {from};
  instruction.outputs = {to};
}

void RoleWriter::write_collective(const CutItem& item) {
  const CutCollective& collective = current_->layout.cut.collectives[at(item.index)];
  const std::int32_t communication = communication_of(item.index);
  std::vector<std::int32_t> inputs, outputs;
  for (ValueId id : collective.operands) inputs.push_back(handle(current_->layout.places[at(id)]));
  for (ValueId id : collective.results) outputs.push_back(handle(current_->layout.places[at(id)]));
  const bool starts = item.kind == CutItem::Kind::start;
  Instruction& instruction = add(starts ? InstructionKind::start : InstructionKind::wait,
                                 communication, step_->micro_batch);
  if (!starts) return;
  instruction.inputs = std::move(inputs);
  instruction.outputs = std::move(outputs);
}

/// The first micro-batch of a pass and the others use the same communications where they are alike:
/// instances tell them apart.
std::int32_t RoleWriter::communication_of(std::int32_t collective) {
  std::int32_t& index = current_->communications[at(collective)];
  if (index >= 0) return index;
  const CutCollective& cut = current_->layout.cut.collectives[at(collective)];
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
         other.reduction == wanted.reduction && other.parts == wanted.parts;
}

Communication RoleWriter::make_communication(const CutCollective& collective) const {
  Communication communication;
  communication.kind = collective.kind;
  communication.reduction = collective.reduction;
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
