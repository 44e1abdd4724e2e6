// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

namespace rhino {

/// `1 micro-batch`, `8 micro-batches`: as names and sentences tell it.
inline std::string micro_batches_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " micro-batch" : " micro-batches");
}

/// The ops of one pipeline piece and the devices that run them, forward and backward. Meshes of two
/// chunks are equal or have no device in common; all meshes of a strategy have the same axes, in
/// sizes of their own.
struct Chunk {
  Mesh mesh;
  /// Keep only what enters the chunk, and repeat its forward ops in front of the backward ones.
  bool recompute = false;
  bool operator==(const Chunk&) const = default;
};

/// How devices add up gradients once they are complete, or other sums over micro-batches that the
/// update reads.
struct GradientSums {
  /// Beside the pass that completes them, else when all passes are over.
  bool overlap = true;
  /// That begin together, at the least: for less, latency counts. Also of parameters that are
  /// gathered, under ZeRO 3.
  std::int64_t bucket_bytes = 4 << 20;
  /// Where the update reads them in parts: each micro-batch scatters its terms, so that a device
  /// keeps its part of the sum alone (ZeRO 2 and 3). Else it keeps the sum of its own terms, which
  /// is scattered once a step.
  bool scatter_each = false;
  bool operator==(const GradientSums&) const = default;
};

/// A parallel plan of a Program: which chunk computes each value, and how the value lies on that
/// chunk's mesh. Searchers return them; Strategies::complete makes one of a draft. The core checks
/// it (sizes, order of chunks, specs that fit, ops that can be cut so) and says in a sentence what
/// is wrong; collectives and transfers follow from the specs and are written nowhere in it.
///
/// Specs of gradients and optimizer states are specs like all others: a state kept split and a
/// gradient used split are ZeRO 1, with GradientSums::scatter_each ZeRO 2, a parameter kept split
/// is ZeRO 3. A parameter lives in the chunk of `chunk_of[parameter]`, its owner; where another
/// chunk uses it, it crosses once a step and its gradient comes back.
struct Strategy {
  std::string name;                    ///< for people: in tables, records and reasons
  std::int64_t num_micro_batches = 1;  ///< divides the global batch, data-parallel parts included
  /// In pipeline order: forward ops read values of their own and earlier chunks, backward ops of
  /// their own and later ones.
  std::vector<Chunk> chunks;
  /// Per value; -1: cheap to make (constants, iotas, scalars), copied to wherever it is used.
  std::vector<std::int32_t> chunk_of;
  /// Per value, as its op yields it; on the mesh of its chunk, of chunk 0 for those of -1.
  /// kMicroAxis is in those of all values that depend on the batch, even where there is one
  /// micro-batch; in none where that is one sample.
  std::vector<ShardingSpec> specs;
  /// Values of forward ops, increasing, that no forward pass keeps for its backward pass: there
  /// they are made anew, from those that are kept, in front of what first reads them. Besides those
  /// of chunks that recompute. A segment (a layer, say) is made anew from what enters it where all
  /// that it makes is listed but what leaves it.
  std::vector<ValueId> recompute;
  GradientSums gradient_sums;
  bool operator==(const Strategy&) const = default;
};

/// How one value is to lie. Which axis goes to which dim is all that is said; along every other
/// axis the value is whole, but for kMicroAxis and the batch axis, which may come to it.
///
/// A weight [hidden, 4 * hidden] split by columns over axis 1, Megatron's first of two:
///
///     {value, {{}, {1}}}
struct Annotation {
  ValueId value = kNoValue;
  /// Per tensor dim the axes that split it, major first; contiguous blocks.
  std::vector<std::vector<AxisId>> dims;
  bool operator==(const Annotation&) const = default;
};

/// What a person or a searcher writes down of a strategy. The rest follows by propagation, forward
/// and backward (see Strategies::complete): every value that an annotation reaches is cut alike,
/// micro-batches and `batch_axis` cut what depends on the batch, states follow their parameters.
struct StrategyDraft {
  std::string name;
  std::int64_t num_micro_batches = 1;
  std::vector<Chunk> chunks;
  /// Axes index the mesh of the value's chunk; the same axis list for all meshes of a draft. A
  /// value at most once.
  std::vector<Annotation> annotations;
  /// Per value, read of forward ops that depend on the batch, none behind a chunk that it feeds;
  /// empty: cut into chunks of equal work where the fewest bytes cross.
  std::vector<std::int32_t> chunk_of;
  /// The axis that splits batch inputs along dim 0; -2: none.
  AxisId batch_axis = -2;
  /// What is split over batch_axis: 1 optimizer states, and gradients as updates read them, 2 the
  /// sums of gradients over micro-batches as well, 3 parameters as well; 0 nothing.
  std::int32_t zero_stage = 0;
  std::vector<ValueId> recompute;  ///< as of Strategy, in any order
  GradientSums gradient_sums;      ///< but for scatter_each, which zero_stage decides
};

}  // namespace rhino
