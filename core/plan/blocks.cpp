// SPDX-License-Identifier: Apache-2.0
#include "plan/blocks.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/without_names.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"

namespace rhino::plan {
namespace {

Site site_of(const sharding::ChunkProgram& program) {
  return {program.phase, sharding::is_pass(program.phase) ? program.chunk : -1};
}

class Merger;

class BlockMaker {
 public:
  explicit BlockMaker(const AssembleInput& input) : input_(input) {}

  std::vector<RoleBlocks> make() {
    make_roles();
    const std::vector<sharding::ChunkProgram>& programs = input_.chunk_programs;
    inputs_of_.resize(programs.size());
    outputs_of_.resize(programs.size());
    // Inputs of the Program first: what a prologue hands on unchanged is the same resident.
    for (const sharding::ChunkProgram& program : programs) {
      for (const sharding::Port& port : program.inputs) {
        if (port.source < 0) resolve(program, port);
      }
    }
    for (std::size_t p = 0; p < programs.size(); ++p) {
      for (std::size_t i = 0; i < programs[p].outputs.size(); ++i)
        outputs_of_[p].push_back(add_made(programs[p], i));
    }
    for (std::size_t p = 0; p < programs.size(); ++p) {
      for (const sharding::Port& port : programs[p].inputs)
        inputs_of_[p].push_back(resolve(programs[p], port));
    }
    for (std::size_t role = 0; role < roles_.size(); ++role) make_role_blocks(role);
    return std::move(roles_);
  }

 private:
  void make_roles() {
    const std::vector<Chunk>& chunks = input_.strategy.chunks;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      const auto same = [&](const RoleBlocks& role) { return role.mesh == chunks[c].mesh; };
      auto found = std::find_if(roles_.begin(), roles_.end(), same);
      if (found == roles_.end()) {
        require_disjoint(chunks[c].mesh, c);
        found = roles_.insert(roles_.end(), RoleBlocks{});
        found->mesh = chunks[c].mesh;
      }
      found->chunks.push_back(static_cast<std::int32_t>(c));
      role_of_.push_back(static_cast<std::int32_t>(found - roles_.begin()));
    }
    residents_of_.resize(roles_.size());
  }
  void require_disjoint(const Mesh& mesh, std::size_t chunk) const {
    for (const RoleBlocks& role : roles_) {
      for (DeviceId device : mesh.devices) {
        if (std::find(role.mesh.devices.begin(), role.mesh.devices.end(), device) ==
            role.mesh.devices.end())
          continue;
        throw Error("chunk " + std::to_string(chunk) + " shares device " + std::to_string(device) +
                    " with chunk " + std::to_string(role.chunks.front()) + " but not its mesh");
      }
    }
  }

  RoleBlocks& role_of_chunk(std::int32_t chunk) { return roles_[at(role_of_[at(chunk)])]; }

  /// Those of a role that hold a value, the oldest first.
  const std::vector<std::int32_t>& residents_of(const RoleBlocks& role, ValueId value) const {
    static const std::vector<std::int32_t> kNone;
    const auto& known = residents_of_[at(&role - roles_.data())];
    const auto found = known.find(value);
    return found == known.end() ? kNone : found->second;
  }
  std::optional<std::int32_t> find(const RoleBlocks& role, ValueId value,
                                   const ShardingSpec& spec) const {
    for (const std::int32_t b : residents_of(role, value)) {
      const Resident& resident = role.residents[at(b)];
      if (resident.spec == spec && resident.stored_in < 0) return b;
    }
    return std::nullopt;
  }
  /// Of one that passes leave to other passes and to the update there are two.
  std::optional<std::int32_t> find(const RoleBlocks& role, const sharding::Port& port) const {
    for (const std::int32_t b : residents_of(role, port.value)) {
      const Resident& resident = role.residents[at(b)];
      const bool is_of_passes = port.repeat == sharding::Repeat::per_micro_batch;
      if (resident.spec == port.spec && resident.stored_in < 0 &&
          resident.per_micro_batch == is_of_passes)
        return b;
    }
    return std::nullopt;
  }

  std::int32_t add_resident(RoleBlocks& role, Resident resident) {
    resident.tile = {resident.global.dtype,
                     tile_dims(resident.global.dims, resident.spec, role.mesh)};
    const auto index = static_cast<std::int32_t>(role.residents.size());
    residents_of_[at(&role - roles_.data())][resident.value].push_back(index);
    role.residents.push_back(std::move(resident));
    return index;
  }

  /// The resident that output `index` of `program` goes to. A new state takes over the memory of
  /// the old one.
  std::int32_t add_made(const sharding::ChunkProgram& program, std::size_t index) {
    RoleBlocks& role = role_of_chunk(program.chunk);
    const sharding::Port& port = program.outputs[index];
    const Output& output = program.program.outputs[index];
    const bool is_state = output.kind == OutputKind::updated_state;
    if (const auto found = find(role, port); found && !is_state) return *found;
    Resident resident;
    resident.value = port.value;
    resident.per_micro_batch = port.repeat == sharding::Repeat::per_micro_batch;
    resident.accumulates = port.repeat == sharding::Repeat::accumulated;
    resident.global = port.global;
    resident.spec = port.spec;
    resident.site = site_of(program);
    resident.level = program.level;
    if (is_state) {
      const sharding::Port& old = program.inputs[at(output.input)];
      resident.stored_in = *find(role, old.value, old.spec);
      if (old.spec != port.spec)
        throw Error("value " + std::to_string(port.value) +
                    " does not lie as the state it replaces");
    }
    return add_resident(role, std::move(resident));
  }

  std::int32_t add_input(RoleBlocks& role, ValueId value, const Shape& global,
                         const ShardingSpec& spec, bool per_micro_batch) {
    if (const auto found = find(role, value, spec)) return *found;
    Resident resident;
    resident.origin = Resident::Origin::input;
    resident.value = value;
    resident.per_micro_batch = per_micro_batch;
    resident.global = global;
    resident.spec = spec;
    return add_resident(role, std::move(resident));
  }

  /// The resident of the reader's role that an input port reads; made where it does not exist.
  std::int32_t resolve(const sharding::ChunkProgram& reader, const sharding::Port& port) {
    RoleBlocks& role = role_of_chunk(reader.chunk);
    const bool per_micro_batch = port.repeat == sharding::Repeat::per_micro_batch;
    if (port.source < 0)
      return add_input(role, port.value, port.global, port.spec, per_micro_batch);
    if (const auto found = find(role, port)) return *found;
    const std::int32_t source_role = role_of_[at(port.source)];
    if (source_role == role_of_[at(reader.chunk)]) fail_unfound(reader, port);
    Resident resident;
    resident.origin = Resident::Origin::received;
    resident.value = port.value;
    resident.per_micro_batch = per_micro_batch;
    resident.global = port.global;
    resident.spec = port.spec;
    resident.source_role = source_role;
    resident.source_resident = find_source(reader, port, roles_[at(source_role)]);
    resident.site = roles_[at(source_role)].residents[at(resident.source_resident)].site;
    return add_resident(role, std::move(resident));
  }
  [[noreturn]] static void fail_unfound(const sharding::ChunkProgram& reader,
                                        const sharding::Port& port) {
    throw Error("chunk " + std::to_string(reader.chunk) + " reads value " +
                std::to_string(port.value) + ", which chunk " + std::to_string(port.source) +
                " does not yield in that form");
  }
  std::int32_t find_source(const sharding::ChunkProgram& reader, const sharding::Port& port,
                           RoleBlocks& source) {
    std::int32_t best = -1;
    for (const std::int32_t b : residents_of(source, port.value)) {
      const Resident& resident = source.residents[at(b)];
      const bool usable = resident.spec.partial.empty() &&
                          resident.origin != Resident::Origin::received && resident.stored_in < 0;
      const bool exact = resident.accumulates == (port.repeat == sharding::Repeat::accumulated);
      if (usable && (best < 0 || exact)) best = b;
    }
    if (best < 0) fail_unfound(reader, port);
    return best;
  }

  void make_role_blocks(std::size_t index) {
    RoleBlocks& role = roles_[index];
    role.prologue = merged({sharding::ChunkPhase::prologue, -1}, index, false);
    role.update = merged({sharding::ChunkPhase::update, -1}, index, false);
    for (std::int32_t chunk : role.chunks) {
      for (const Pass pass : {Pass::forward, Pass::backward, Pass::weight}) {
        const Site site{phase_of(pass), chunk};
        PassBlocks blocks{merged(site, index, false), {}};
        if (input_.strategy.num_micro_batches > 1 && accumulates_at(site))
          blocks.next = merged(site, index, true);
        role.passes[at(static_cast<std::int64_t>(pass))].push_back(std::move(blocks));
      }
    }
  }

  bool accumulates_at(const Site& site) const {
    return std::ranges::any_of(input_.chunk_programs, [&](const sharding::ChunkProgram& program) {
      return site_of(program) == site &&
             std::ranges::find(program.outputs, sharding::Repeat::accumulated,
                               &sharding::Port::repeat) != program.outputs.end();
    });
  }

  Block merged(const Site& site, std::size_t role, bool accumulates);
  void add_to(Merger& merger, std::size_t index, bool accumulates) const;

  const AssembleInput& input_;
  /// Per value of the whole Program: its input number, -1: none.
  std::vector<std::int32_t> input_of_;
  std::vector<std::int32_t> role_of_;  ///< per chunk
  std::vector<RoleBlocks> roles_;
  std::vector<std::unordered_map<ValueId, std::vector<std::int32_t>>> residents_of_;  ///< per role
  std::vector<std::vector<std::int32_t>> inputs_of_, outputs_of_;  ///< per chunk program: residents
};

/// Several chunk programs as one: inputs that are the same resident are one, what one yields for
/// another stays inside.
class Merger {
 public:
  explicit Merger(const Site& site) { block_.site = site; }

  /// What becomes of a block needs no names.
  void add(Program program, const std::vector<std::int32_t>& inputs,
           const std::vector<std::int32_t>& outputs) {
    std::vector<ValueId> merged(program.ops.size(), kNoValue);
    block_.program.ops.reserve(block_.program.ops.size() + program.ops.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      merged[at(program.inputs[i].value)] =
          input_value(inputs[i], program.shape(program.inputs[i].value));
    }
    for (ValueId id = 0; id < program.size(); ++id) {
      if (merged[at(id)] != kNoValue) continue;
      Op& op = block_.program.ops.emplace_back(std::move(program.ops[at(id)]));
      op.name.clear();
      op.origin = kNoValue;
      for (ValueId& operand : op.operands) operand = merged[at(operand)];
      merged[at(id)] = block_.program.size() - 1;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
      add_output(outputs[i], merged[at(program.outputs[i].value)]);
  }
  bool yields(std::int32_t resident) const { return yielded_.contains(resident); }
  Block finish() && { return std::move(block_); }

 private:
  static ValueId value_in(const std::unordered_map<std::int32_t, ValueId>& values,
                          std::int32_t resident) {
    const auto found = values.find(resident);
    return found == values.end() ? kNoValue : found->second;
  }
  ValueId input_value(std::int32_t resident, const Shape& shape) {
    if (const ValueId made = value_in(yielded_, resident); made != kNoValue) return made;
    if (const ValueId entered = value_in(entered_, resident); entered != kNoValue) return entered;
    entered_.emplace(resident, block_.program.size());
    Op op;
    op.kind = OpKind::parameter;
    op.shape = shape;
    block_.inputs.push_back(resident);
    block_.program.inputs.push_back({block_.program.size(), InputKind::parameter, {}, -1});
    block_.program.ops.push_back(std::move(op));
    return block_.program.size() - 1;
  }
  void add_output(std::int32_t resident, ValueId value) {
    if (!yielded_.emplace(resident, value).second) return;
    block_.outputs.push_back(resident);
    block_.program.outputs.push_back({value, OutputKind::value, -1});
  }

  Block block_;
  std::unordered_map<std::int32_t, ValueId> entered_, yielded_;  ///< by resident
};

Block BlockMaker::merged(const Site& site, std::size_t role, bool accumulates) {
  const std::vector<sharding::ChunkProgram>& programs = input_.chunk_programs;
  Merger merger(site);
  std::vector<std::size_t> left;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const bool here = at(role_of_[at(programs[p].chunk)]) == role && site_of(programs[p]) == site;
    if (here) left.push_back(p);
  }
  const auto makes = [&](std::size_t program, std::int32_t resident) {
    const std::vector<std::int32_t>& made = outputs_of_[program];
    return std::find(made.begin(), made.end(), resident) != made.end();
  };
  const auto waits = [&](std::size_t program) {
    for (std::int32_t resident : inputs_of_[program]) {
      if (merger.yields(resident)) continue;
      for (std::size_t other : left) {
        if (other != program && makes(other, resident)) return true;
      }
    }
    return false;
  };
  while (!left.empty()) {
    const auto next = std::find_if_not(left.begin(), left.end(), waits);
    if (next == left.end()) throw Error("chunks of one mesh wait for each other within a phase");
    add_to(merger, *next, accumulates);
    left.erase(next);
  }
  return std::move(merger).finish();
}

void BlockMaker::add_to(Merger& merger, std::size_t index, bool accumulates) const {
  const sharding::ChunkProgram& program = input_.chunk_programs[index];
  if (!accumulates)
    return merger.add(ir::without_names(program.program), inputs_of_[index], outputs_of_[index]);
  std::vector<std::int32_t> inputs = inputs_of_[index];
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.outputs[i].repeat == sharding::Repeat::accumulated)
      inputs.push_back(outputs_of_[index][i]);
  }
  merger.add(sharding::with_accumulation(program).program, inputs, outputs_of_[index]);
}

}  // namespace

std::vector<RoleBlocks> make_blocks(const AssembleInput& input) { return BlockMaker(input).make(); }

}  // namespace rhino::plan
