// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What a schedule plugin is asked and answers (see rhino/schedule.hpp). A pipeline is a list of
/// chunks, each with a forward and a backward pass of every micro-batch. What waits for what is
/// said by edges: of a plain chain, chunk 0, 1, ... and back; others branch, or skip chunks. Chunks
/// lie on meshes, several on one where a schedule interleaves.
namespace rhino {

/// Where the chunks of a pipeline lie: chunk c runs on mesh `mesh_of_chunk[c]`. Its size is the
/// number of chunks; a mesh may have several, and has at least one.
///
///     two meshes, one chunk each: {0, 1}     interleaved, two each: {0, 1, 0, 1}
///     forth and back: {0, 1, 1, 0}           in two directions: {0, 1, 1, 0}, num_replicas 2
struct Placement {
  std::vector<std::int32_t> mesh_of_chunk;
  /// How often the pipeline is there, parameters and states included (2: bidirectional pipelines).
  /// The chunks are those of replica 0, then those of replica 1, ..., as many of each, and a
  /// micro-batch runs through one replica: that in whose chunks the order has it. Gradients are
  /// summed over all replicas once a step, so that parameters stay equal.
  std::int32_t num_replicas = 1;
  bool operator==(const Placement&) const = default;
};

/// What a chunk does for one micro-batch. A backward pass may run whole, or as a pass for the
/// gradients of activations and, any time later, one for those of weights.
enum class Pass : std::uint8_t { forward, backward, weight };
inline constexpr std::size_t kNumPasses = 3;

/// What one chunk costs for one micro-batch on its mesh. Seconds are predictions, of kernels and
/// collectives one after the other, without transfers between meshes.
struct ChunkCost {
  std::int32_t mesh = 0;  ///< as the placement says
  double forward_s = 0;   ///< F
  /// B: gradients of activations, and the repeated forward pass where the chunk recomputes.
  double backward_s = 0;
  /// W: gradients of weights, their sums over micro-batches and what only these read.
  double weight_s = 0;
  /// BW: both in one pass; about backward_s + weight_s, less what they would read and write twice.
  double backward_weight_s = 0;
  /// What of W a BW does before its last gradient of activations leaves, after backward_s and this:
  /// where blocks are made anew one after the other, that of all but the last of them.
  double weight_first_s = 0;
  /// Once a step, when the mesh is through with its passes: the optimizer, and what only that
  /// reads.
  double update_s = 0;
  // Bytes per device that a micro-batch keeps, by the pass that makes or receives them and the last
  // one that reads them. With BW in place of B and W the first two are kept from F to BW.
  double forward_to_backward_bytes = 0;
  double forward_to_weight_bytes = 0;
  double backward_to_weight_bytes = 0;  ///< gradients; what B makes anew and W reads, too
  bool operator==(const ChunkCost&) const = default;
};

/// A pass of a chunk, of any micro-batch.
struct ChunkPass {
  Pass pass = Pass::forward;
  std::int32_t chunk = 0;
  auto operator<=>(const ChunkPass&) const = default;
};

/// For each micro-batch, `to` reads what `from` makes; of two chunks, in any direction and over any
/// distance. A value that several passes of a chunk read is of the edge to the first of them.
struct PipelineEdge {
  ChunkPass from, to;
  double bytes = 0;    ///< for one micro-batch, of whole tensors
  double seconds = 0;  ///< until they are there if nothing else moves, no slice over a network
                       ///< interface more often than it must; 0 where both chunks lie on one mesh
  bool operator==(const PipelineEdge&) const = default;
};

/// A pipeline to be ordered. Valid for the call only. Equal problems must get equal schedules; the
/// times are for choosing, and the validity of a schedule never depends on them.
struct PipelineProblem {
  std::vector<ChunkCost> chunks;  ///< in pipeline order
  /// By `from`, then `to`; each pair at most once. Besides, B waits for the F of its own chunk and
  /// W for its B. What crosses once a step (tied embeddings) is no edge.
  ///
  ///     two chunks: F0 to F1, B1 to B0
  ///     three, and the last reads of the first, too: F0 to F1, F0 to F2, F1 to F2, and back
  ///
  /// Where a chunk has no gradients of activations its B is empty, and edges go to its W.
  std::vector<PipelineEdge> edges;
  /// [mesh]: bytes per device that are left for activations beside parameters, states, inputs and
  /// sums of gradients; 0: nothing is said (by problems of the conformance check) or left.
  std::vector<double> activation_limit_bytes;
  std::int64_t num_micro_batches = 1;
  std::int32_t num_meshes = 1;
  std::int32_t num_replicas = 1;  ///< as placed; edges join chunks of one replica
  /// Updates wait for sums of other meshes (tied embeddings): of steps back to back none begins
  /// before the one before it has ended everywhere.
  bool is_step_joint = false;
  /// One of many that a search prices: a schedule that thinks for long should answer within about 5
  /// ms. For what the search then chooses it is asked again, in full.
  bool is_draft = false;
  bool operator==(const PipelineProblem&) const = default;
};

/// F: forward. B: gradients of activations. W: gradients of weights. BW: both, the whole backward
/// pass. A chunk of which any B or W is ordered is cut: a BW of it is a B and a W one after the
/// other. Cutting changes no op: sums over micro-batches have the same terms, in the order of their
/// W or BW.
///
/// FB: the F of one chunk and micro-batch and the BW of another, as one action of two halves that
/// may overlap (DualPipe). Neither may wait for the other, directly or by way of other meshes: both
/// are ready when it begins, and what follows in the order begins when both are over. In between
/// the engine may run ops of both in any order that respects what each op reads, compute of one
/// beside communication of the other; so it lasts at least as long as the longer half and about F +
/// BW at most, and keeps the memory of both. What F sends leaves as soon as it is made, and so does
/// each gradient of the BW. Today its F runs in front of its BW, beside which goes what F sends.
enum class ActionKind : std::uint8_t {
  forward,          ///< F
  backward,         ///< B
  weight,           ///< W, after the B of the same chunk and micro-batch
  backward_weight,  ///< BW
  forward_backward  ///< FB
};

/// One entry in the order of a mesh: one pass of one micro-batch through one chunk.
struct Action {
  ActionKind kind = ActionKind::forward;
  std::int32_t chunk = 0;        ///< of the mesh in whose order it stands
  std::int32_t micro_batch = 0;  ///< 0 to num_micro_batches - 1, in any order
  std::int32_t other_chunk = -1, other_micro_batch = -1;  ///< FB alone: those of its backward half
  bool operator==(const Action&) const = default;
};

/// Per mesh, the order of its actions. A mesh does one after the other, each as soon as what it
/// needs is there: what edges bring of the same micro-batch, and of its own chunk the pass before.
/// Every micro-batch runs F once and B and W, or BW, once through every chunk, of one replica where
/// there are several, each of which gets one at least. Transfers and the
/// optimizer's update are not in it: the engine adds them, receives as early and releases as late
/// as the order lets it.
///
/// 1F1B of two meshes and three micro-batches, one chunk each (F0: forward of micro-batch 0):
///
///     order[0]: F0 F1 BW0 F2 BW1 BW2
///     order[1]: F0 BW0 F1 BW1 F2 BW2          or, with W late (ZB-H1): F0 B0 F1 B1 W0 F2 B2 W1 W2
struct PipelineSchedule {
  std::vector<std::vector<Action>> order;  ///< [mesh]
  bool operator==(const PipelineSchedule&) const = default;
};

}  // namespace rhino
