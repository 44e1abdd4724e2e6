// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rhino/program.hpp"
#include "rhino/strategy.hpp"

namespace rhino {

/// When a chunk program runs. Ops that depend on the micro-batch run in forward and backward, once per micro-batch. Ops that do not, and
/// do not wait for an accumulated value, run once per step in prologue; ops behind an accumulated value once per step in update.
enum class ChunkPhase : std::uint8_t { prologue, forward, backward, update };

/// How often a value that crosses a program border exists.
enum class Repeat : std::uint8_t {
  per_step,         ///< one instance per step
  per_micro_batch,  ///< one instance per micro-batch
  accumulated,      ///< an output of every micro-batch whose instances are summed into one per step
};

/// A value at the border of a chunk program.
struct Port {
  ValueId value = kNoValue;  ///< in the whole Program
  Repeat repeat = Repeat::per_step;
  Shape global;              ///< of the tensor at micro-batch size where repeat is per_micro_batch, else whole
  ShardingSpec spec;         ///< of `global` on the chunk's mesh; no micro axis; partial only for accumulated outputs consumed on the same mesh
  std::int32_t source = -1;  ///< inputs: the chunk that yields the value; -1: it is an input of the Program
  bool operator==(const Port&) const = default;
};

/// One device's program for a chunk and phase, the same on all devices of the chunk's mesh. Inputs and outputs are in port order
/// (program.inputs[i] is inputs[i], program.outputs[i] is outputs[i]). In it: local shapes, explicit collectives, axis_index.
struct ChunkProgram {
  std::int32_t chunk = 0;
  ChunkPhase phase = ChunkPhase::forward;
  Program program;
  std::vector<Port> inputs, outputs;
  bool operator==(const ChunkProgram&) const = default;
};

/// (Program, Strategy) → SPMD programs with explicit collectives where producer and consumer specs differ. partial → split is a
/// reduce-scatter, never all-reduce plus slice; identical reshards of one value are shared; a value leaves its chunk resolved (not
/// partial) unless it accumulates. An input of a chunk that another chunk on the same mesh yields comes in the spec it was yielded in;
/// from another mesh in the spec its first consumer needs. Empty programs are left out; order: by chunk, then phase.
/// A batch input's micro-batch is a slice of rows: its Port has repeat per_micro_batch and source -1.
std::vector<ChunkProgram> partition(const Program& program, const Strategy& strategy);

/// The same program with each accumulated output added to a further input (appended in output order): what micro-batches after the
/// first run. Input i of those and its output share a buffer (Output::input names the input; kind updated_state).
ChunkProgram with_accumulation(const ChunkProgram& chunk_program);

/// Appends ops to a local program that turn `value`, local tile under `from`, into the tile under `to`. Shared by partition and tests.
class Builder;
ValueId append_reshard(Builder& builder, ValueId value, const Shape& global, const ShardingSpec& from, const ShardingSpec& to, const Mesh& mesh);

}  // namespace rhino
