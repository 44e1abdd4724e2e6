// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What a schedule plugin is asked and answers (see rhino/schedule.hpp). A pipeline is a list of
/// chunks: a micro-batch goes forward through chunk 0, 1, ... and backward through them the other
/// way. Chunks lie on meshes, several on one where a schedule interleaves.
namespace rhino {

/// Where the chunks of a pipeline lie: chunk c runs on mesh `mesh_of_chunk[c]`. Its size is the
/// number of chunks; a mesh may have several, and has at least one.
///
///     two meshes, one chunk each: {0, 1}     interleaved, two each: {0, 1, 0, 1}
struct Placement {
  std::vector<std::int32_t> mesh_of_chunk;
  /// Copies of the parameters (2: bidirectional pipelines). The chunks are then those of replica 0,
  /// those of replica 1, ..., and a micro-batch runs through one replica. The conformance check
  /// knows them; chunk programs exist for one replica only, and the engine refuses more.
  std::int32_t num_replicas = 1;
  bool operator==(const Placement&) const = default;
};

/// What one chunk costs for one micro-batch on its mesh: predicted seconds of its kernels and
/// collectives, one after the other, without transfers between meshes.
struct ChunkCost {
  double forward_s = 0;
  /// Of the gradients of activations. Where `weight_s` is 0, as the engine asks today, it includes
  /// the gradients of weights, and the repeated forward pass where the chunk recomputes.
  double backward_s = 0;
  double weight_s = 0;          ///< of the gradients of weights, where they are apart
  double activation_bytes = 0;  ///< per device, kept from forward to backward
  std::int32_t mesh = 0;        ///< as the placement says
  bool operator==(const ChunkCost&) const = default;
};

/// A pipeline to be ordered. Valid for the call only. Equal problems must get equal schedules; the
/// times are for choosing, and the validity of a schedule never depends on them.
struct PipelineProblem {
  std::vector<ChunkCost> chunks;  ///< in pipeline order
  /// [c]: bytes that chunk c + 1 reads of chunk c for one micro-batch, of whole tensors. One entry
  /// less than there are chunks.
  std::vector<double> transfer_bytes;
  /// [c]: seconds until they are there if nothing else moves, one device sending its share to one.
  std::vector<double> transfer_s;
  /// [mesh]: bytes per device that are left for activations beside parameters, states and inputs;
  /// 0: nothing is said (by problems of the conformance check) or left.
  std::vector<double> activation_limit_bytes;
  std::int64_t num_micro_batches = 1;
  std::int32_t num_meshes = 1;
  bool operator==(const PipelineProblem&) const = default;
};

/// F: forward. B: gradients of activations. W: gradients of weights. BW: both, the whole backward
/// pass. FB: the forward pass of one micro-batch and the whole backward pass (BW) of another chunk
/// or micro-batch on the same mesh, as one action that may be overlapped (DualPipe).
///
/// The engine runs F and BW, and FB as its F followed by its BW, without overlap. It refuses B and
/// W by name, since chunk programs are not split that way; the conformance check knows them all.
enum class ActionKind : std::uint8_t {
  forward,          ///< F
  backward,         ///< B; refused by the engine
  weight,           ///< W, after the B of the same chunk and micro-batch; refused by the engine
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
/// needs is there: a forward the same micro-batch's forward of the chunk before, a backward its own
/// forward and the backward of the chunk behind. Transfers and the optimizer's update are not in
/// it: the engine adds them, receives as early and releases as late as the order lets it.
///
/// 1F1B of two meshes and three micro-batches, one chunk each (F0: forward of micro-batch 0):
///
///     order[0]: F0 F1 BW0 F2 BW1 BW2
///     order[1]: F0 BW0 F1 BW1 F2 BW2
struct PipelineSchedule {
  std::vector<std::vector<Action>> order;  ///< [mesh]
  bool operator==(const PipelineSchedule&) const = default;
};

}  // namespace rhino
