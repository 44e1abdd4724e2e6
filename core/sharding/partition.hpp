// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "rhino/program.hpp"
#include "rhino/strategy.hpp"

namespace rhino::ir {
class Builder;
}

namespace rhino::sharding {

class LocalOps;
class OpGraph;
class StepGraph;

/// When a chunk program runs. Ops that depend on the micro-batch run in forward and backward, once
/// per micro-batch; of a chunk whose backward pass is cut, some of those of backward in weight. Of
/// the others those that such ops read run once per step in prologue, the rest, and all that waits
/// for an accumulated value, once per step in update.
enum class ChunkPhase : std::uint8_t { prologue, forward, backward, weight, update };

/// Whether programs of a phase run once per micro-batch.
constexpr bool is_pass(ChunkPhase phase) {
  return phase != ChunkPhase::prologue && phase != ChunkPhase::update;
}

/// How often a value that crosses a program border exists.
enum class Repeat : std::uint8_t {
  per_step,         ///< one instance per step
  per_micro_batch,  ///< one instance per micro-batch
  accumulated,      ///< an output of every micro-batch whose instances are summed into one per step
};

/// A value at the border of a chunk program. An input with a source is fed by the one output of
/// that chunk (of this or another phase, its own chunk included) that has the same value and repeat
/// and is no updated state.
struct Port {
  ValueId value = kNoValue;  ///< in the whole Program
  Repeat repeat = Repeat::per_step;
  Shape global;  ///< of the tensor at micro-batch size where repeat is per_micro_batch, else whole
  /// Of `global` on the chunk's mesh; no micro axis; partial only where accumulated.
  ShardingSpec spec;
  /// Inputs: the chunk that yields it; -1: it is an input of the Program.
  std::int32_t source = -1;
  bool operator==(const Port&) const = default;
};

/// One device's program for a chunk and phase, the same on all devices of the chunk's mesh. Inputs
/// and outputs are in port order (program.inputs[i] is inputs[i], program.outputs[i] is
/// outputs[i]). In it: local shapes, explicit collectives, axis_index.
struct ChunkProgram {
  std::int32_t chunk = 0;
  ChunkPhase phase = ChunkPhase::forward;
  /// Times that chunks wait for each other within the phase before it can run.
  std::int32_t level = 0;
  Program program;
  std::vector<Port> inputs, outputs;
  bool operator==(const ChunkProgram&) const = default;
};

/// (Program, Strategy) → SPMD programs with explicit collectives where producer and consumer specs
/// differ. partial → split is a reduce-scatter, never all-reduce plus slice; identical reshards of
/// one value are shared. Throws Error where the strategy has no meaning for the program.
///
///  - Order: by chunk, then phase. Empty programs are left out. A chunk has one program per phase,
///    except where chunks wait for each other in turn within prologue or update: then several, in
///    the order in which they can run.
///  - A value leaves its chunk resolved (not partial): as it is first needed on that mesh, else
///    all-reduced. Where it is accumulated, it leaves after that: the update program resolves it
///    once per step. A sum of terms that are partial along axes over which the update reads it
///    split (ZeRO) is scattered then, or by each micro-batch (GradientSums::scatter_each), so that
///    a device keeps its part alone: as many reduce-scatters as micro-batches for gradients that
///    take 1/n of the memory.
///  - Two sums over micro-batches that are only added to each other, in the chunk that makes both,
///    are one: each micro-batch adds its terms. So a table that is read twice, as tied embeddings
///    are, keeps one sum of gradients in each stage.
///  - An input of a chunk that another chunk on the same mesh yields comes in the spec in which it
///    was yielded; from another mesh in the spec its first consumer needs.
///  - A forward value that the backward program of the same chunk reads is an output of the one and
///    an input of the other. Where it is recomputed, the backward program repeats the forward
///    ops from values that are kept, each group in front of what reads it; they keep
///    Phase::forward.
///  - A backward pass that is cut leaves to the weight program the terms of sums over micro-batches
///    (gradients of weights), their accumulation and what only these read. The backward program
///    keeps what other chunks and outputs read, and all dots and other heavy ops that yield no such
///    term, also where nothing leaves the chunk: gradients of activations. What the one makes for
///    the other, values made anew included, is its output and the other's input; only what the
///    weight program alone reads it makes anew itself.
///  - A batch input's micro-batch is a slice of rows: its Port has repeat per_micro_batch and
///    source -1. Batch inputs and scalars are read wherever they are used; parameters and states by
///    their owner, whose prologue hands them on to other chunks.
///  - Outputs of the Program are outputs, per step and resolved, of the chunk that computes them;
///    updated states of the owner's update program, in the spec of the input they replace
///    (OutputKind::updated_state, Output::input the input of that chunk program). Other local
///    outputs have OutputKind::value.
class Partitioner {
 public:
  /// All are borrowed. With the graph of the program, ops that are cut alike, as those of equal
  /// layers, are worked out once.
  Partitioner(const Program& program, const Strategy& strategy, const OpGraph* graph = nullptr);
  ~Partitioner();
  /// `is_cut`: the chunks whose backward pass is cut; empty: none.
  std::vector<ChunkProgram> programs(const std::vector<bool>& is_cut = {});
  /// Those of them that are passes, of every chunk cut: what schedules are asked about. Forward
  /// passes do the same as where none is cut: they come without ops, as ports alone.
  std::vector<ChunkProgram> cut_passes();

 private:
  std::unique_ptr<StepGraph> graph_;
  std::unique_ptr<LocalOps> known_;
};

/// The same, asked once.
std::vector<ChunkProgram> partition(const Program& program, const Strategy& strategy,
                                    const std::vector<bool>& is_cut = {});

/// The same program with each accumulated output added to a further input (appended in output
/// order): what micro-batches after the first run. Input i of those and its output share a buffer
/// (Output::input names the input; kind updated_state).
ChunkProgram with_accumulation(const ChunkProgram& chunk_program);

/// Appends ops to a local program that turn `value`, a local tile of a tensor of shape `global`
/// under `from`, into the tile under `to`: the local ops and collectives that bring the fewest
/// bytes to a device. Both specs fit (check_spec) and have no micro axis.
ValueId append_reshard(ir::Builder& builder, ValueId value, const Shape& global,
                       const ShardingSpec& from, const ShardingSpec& to, const Mesh& mesh);

}  // namespace rhino::sharding
