// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

namespace rhino {

/// The ops of one pipeline piece and the devices that run them, forward and backward.
struct Chunk {
  Mesh mesh;
  bool recompute = false;  ///< keep only what enters the chunk and repeat its forward ops before
                           ///< the backward ones
  bool operator==(const Chunk&) const = default;
};

/// A parallel plan of a Program: which chunk computes each value, and how the value lies on that
/// chunk's mesh.
///
/// Specs of gradients and optimizer states are specs like all others: a gradient used split and a
/// state kept split are ZeRO 1 and 2, a parameter kept split is ZeRO 3. A parameter lives in the
/// chunk of `chunk_of[parameter]`, its owner; where another chunk uses it, it crosses once a step
/// and its gradient comes back.
struct Strategy {
  std::string name;
  std::int64_t num_micro_batches = 1;
  std::vector<Chunk> chunks;
  std::vector<std::int32_t> chunk_of;  ///< per value; -1: cheap to make (constants, iotas,
                                       ///< scalars), copied to wherever it is used
  std::vector<ShardingSpec> specs;     ///< per value, as its op yields it; kMicroAxis included
  bool operator==(const Strategy&) const = default;
};

/// What a person or a searcher writes down of a strategy: the rest follows by propagation (see
/// Evaluator::complete).
struct Annotation {
  ValueId value = kNoValue;
  std::vector<std::vector<AxisId>>
      dims;  ///< per tensor dim the axes that split it, major first; contiguous blocks
  bool operator==(const Annotation&) const = default;
};

struct StrategyDraft {
  std::string name;
  std::int64_t num_micro_batches = 1;
  std::vector<Chunk> chunks;
  std::vector<Annotation> annotations;  ///< axes index the mesh of the value's chunk; the same axis
                                        ///< list for all meshes of a draft
  std::vector<std::int32_t> chunk_of;   ///< of forward ops; empty: cut into chunks of equal work
                                        ///< where the fewest bytes cross
  AxisId batch_axis = -2;  ///< the axis that splits batch inputs along their batch dim; -2: none
  std::int32_t zero_stage =
      0;  ///< 0 to 3: which of optimizer state, gradients, parameters are split over batch_axis
};

}  // namespace rhino
