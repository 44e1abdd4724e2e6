// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhino {

/// Where chunks of a pipeline lie: chunk c runs on mesh `mesh_of_chunk[c]`.
struct Placement {
  std::vector<std::int32_t> mesh_of_chunk;
  std::int32_t num_replicas = 1;  ///< copies of the parameters (2: bidirectional pipelines)
  bool operator==(const Placement&) const = default;
};

/// What one chunk costs for one micro-batch, on its mesh.
struct ChunkCost {
  double forward_s = 0;
  double backward_s =
      0;  ///< gradient of activations; where `weight_s` is 0 it includes that of weights
  double weight_s = 0;
  double activation_bytes = 0;  ///< per device, kept from forward to backward
  std::int32_t mesh = 0;
  bool operator==(const ChunkCost&) const = default;
};

struct PipelineProblem {
  std::vector<ChunkCost> chunks;
  std::vector<double> transfer_bytes;  ///< between chunk c and c + 1, one micro-batch, one way
  std::vector<double> transfer_s;
  std::vector<double> activation_limit_bytes;  ///< per mesh and device; 0: no limit
  std::int64_t num_micro_batches = 1;
  std::int32_t num_meshes = 1;
  bool operator==(const PipelineProblem&) const = default;
};

/// F: forward. B: gradient of activations. W: gradient of weights. BW: both. FB: a forward and a BW
/// overlapped.
enum class ActionKind : std::uint8_t {
  forward,
  backward,
  weight,
  backward_weight,
  forward_backward
};

struct Action {
  ActionKind kind = ActionKind::forward;
  std::int32_t chunk = 0;
  std::int32_t micro_batch = 0;
  std::int32_t other_chunk = -1, other_micro_batch = -1;  ///< FB: those of its backward half
  bool operator==(const Action&) const = default;
};

/// Per mesh, the order of its actions.
struct PipelineSchedule {
  std::vector<std::vector<Action>> order;
  bool operator==(const PipelineSchedule&) const = default;
};

}  // namespace rhino
