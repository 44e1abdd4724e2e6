// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"
#include "rhino/tile.hpp"

namespace rhino::plan {

/// A buffer of every device of a role: where it lies in the device's arena. Buffers that are never
/// alive together may share memory.
struct PlanBuffer {
  Shape shape;              ///< of one device's tile
  std::int64_t offset = 0;  ///< bytes into the arena, 64-byte aligned
  bool persistent = false;  ///< keeps its content from step to step (parameters, states, batch)
  bool operator==(const PlanBuffer&) const = default;
};

enum class CommunicationKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  halo_exchange,
  transfer
};

/// One message of a transfer: `from` reads `source` (a box of its source tile, or of its target
/// tile where `relayed`), `to` writes `target` (a box of its target tile). Same extents, same
/// elements of the tensor: `global`. from == to: a copy from the source tile of a device into its
/// target tile.
struct TransferStep {
  std::int32_t part = 0;
  DeviceId from = 0, to = 0;
  Box global, source, target;
  bool relayed = false;
  std::vector<std::int32_t> after;  ///< earlier steps that must have arrived
  bool operator==(const TransferStep&) const = default;
};

/// One side of a transferred part: the role whose devices hold it and how it lies there. Where the
/// devices are those of several roles (source and target overlap), `role` is -1 and `mesh` says
/// which they are: of every role either all or none.
struct TransferEnd {
  std::int32_t role = 0;  ///< into ExecutionPlan::roles
  ShardingSpec spec;
  Mesh mesh = {};                ///< no devices: the role's
  std::int32_t share_axis = -1;  ///< of the mesh: along which shares lie, where there are several
  bool operator==(const TransferEnd&) const = default;
};

/// Where a part of a transfer comes from and goes to: at most one target per role.
struct TransferLayout {
  TransferEnd source;
  std::vector<TransferEnd> targets;
  bool operator==(const TransferLayout&) const = default;
};

/// What devices exchange; Start instructions bind it to buffers. Collectives work on each part
/// (tensor) alike: shapes as in CollectiveAttr.
///
/// It is stated once (plan/shares.hpp). Where a transfer falls into equal shares, ranges of an axis
/// of all its meshes, `steps` are those of the first; in the others devices at the same place of
/// their share do the same, with the elements of theirs. Communications that are `like` an earlier
/// one take its steps, device by device at the same place, or its groups, and have none of their
/// own.
struct Communication {
  CommunicationKind kind = CommunicationKind::transfer;
  Reduction reduction = Reduction::sum;
  std::vector<Shape> parts;  ///< collectives: a device's operand; transfers: the whole tensor
  std::vector<std::vector<DeviceId>> groups;  ///< collectives: disjoint groups, in rank order
  std::vector<TransferStep> steps;            ///< transfers
  std::string name;                           ///< for people
  std::vector<TransferLayout> layouts;        ///< transfers, per part: what the steps bring about
  std::int64_t num_shares = 1;                ///< transfers
  std::int64_t before = 0;                    ///< halo_exchange: CollectiveAttr::before
  std::int32_t like = -1;  ///< into ExecutionPlan::communications: one that is like none
  bool operator==(const Communication&) const = default;
};

enum class InstructionKind : std::uint8_t { run, start, wait, free };

/// What an instruction is part of: a pass, whose name it has, or the update; the prologue counts as
/// forward. Where a backward pass is cut, backward is B and weight W, else backward is both.
enum class InstructionPhase : std::uint8_t { forward, backward, update, weight };
/// `backward`
const char* name_of(InstructionPhase phase);

/// Run{program, inputs, outputs}   Start{communication, inputs, outputs}   Wait{communication}
/// Free{inputs}: what these buffers hold is not needed any more, their memory may be written. None
/// is written over what it has not been freed of, and at the end of a step only inputs, persistent
/// buffers and outputs hold anything (see add_frees). `instance` tells the uses of one
/// communication apart (a micro-batch, or -1 for once per step): (index, instance) occurs in at
/// most one Start and one Wait of a role, and Start pairs up across all devices that take part.
/// Start: inputs[p] is the source buffer of part p, outputs[p] the target one; -1 where this role
/// is not a source or target.
struct Instruction {
  InstructionKind kind = InstructionKind::run;
  std::int32_t index = -1;  ///< into programs or communications
  std::int32_t instance = -1;
  std::vector<std::int32_t> inputs, outputs;  ///< into Role::buffers
  std::int32_t chunk = -1;                    ///< for people and traces
  InstructionPhase phase = InstructionPhase::forward;
  bool operator==(const Instruction&) const = default;
};

/// A tile of an input of the whole Program. `micro_dim` >= 0: the buffer holds the rows of
/// micro-batch `micro_batch` alone, which begin at micro_batch * global.dims[micro_dim] of the
/// whole tensor's micro_dim.
struct PlanInput {
  std::int32_t input = 0;  ///< index in the whole Program's inputs
  std::int32_t buffer = 0;
  Shape global;  ///< at micro-batch size where micro_dim >= 0
  ShardingSpec spec;
  Initializer initializer;
  InputKind kind = InputKind::parameter;
  std::int32_t micro_dim = -1, micro_batch = 0;
  Mesh mesh = {};  ///< over which it lies, the role's devices among others; no devices: the role's
  bool operator==(const PlanInput&) const = default;
};

/// A tile of an output of the whole Program, readable after a step.
struct PlanOutput {
  std::int32_t output = 0;
  std::int32_t buffer = 0;
  Shape global;
  ShardingSpec spec;
  Mesh mesh = {};  ///< as of PlanInput
  bool operator==(const PlanOutput&) const = default;
};

/// Devices that run the same list. Their index in mesh.devices tells them apart (axis_index, tiles,
/// peers).
struct Role {
  Mesh mesh;
  std::vector<PlanBuffer> buffers;
  std::vector<Instruction> instructions;
  std::vector<PlanInput> inputs;
  std::vector<PlanOutput> outputs;
  std::int64_t arena_bytes = 0;      ///< all buffers
  std::int64_t workspace_bytes = 0;  ///< of the Run that needs most
  bool operator==(const Role&) const = default;
};

/// One static list of instructions per role for one training step: what all backends take.
struct ExecutionPlan {
  static constexpr std::int32_t kVersion = 13;
  std::string name, search, resharding, schedule;  ///< provenance
  /// What it is a plan of, see planning::program_text; empty: nobody said.
  std::string program;
  std::int64_t num_micro_batches = 1;
  /// Of the pipeline, see Placement: of num_chunks chunks the first num_chunks / num_replicas are
  /// those of the first, and so on; each micro-batch runs through one.
  std::int32_t num_replicas = 1;
  bool incomplete = false;  ///< a transfer plan declared itself so
  Cluster cluster;
  std::vector<Program> programs;  ///< of Runs: local shapes, no collectives but axis_index
  std::vector<Communication> communications;
  std::vector<Role> roles;  ///< disjoint meshes
  bool operator==(const ExecutionPlan&) const = default;
};

}  // namespace rhino::plan
