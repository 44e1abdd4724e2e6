// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

/// All ways in which the ops of a program may be cut over one mesh, each with its price: what a
/// solver chooses from. Equal ops share one table, tensors of one shape one list of layouts.
namespace rhino {

/// What a space is of.
struct SpaceOptions {
  Mesh mesh;  ///< of one chunk, or of the chunks on all meshes like it
  std::int64_t num_micro_batches = 1;
  bool strided = true;  ///< block-cyclic cuts too, as reshapes make them of contiguous ones
  bool partial = true;  ///< partial sums may pass through linear ops
  bool operator==(const SpaceOptions&) const = default;
};

/// How tensors of one shape may lie on the mesh: every spec that some op yields or reads.
struct LayoutSet {
  Shape shape;       ///< of the whole tensor
  double bytes = 0;  ///< of it; of one micro-batch where it is made for each
  std::vector<ShardingSpec> specs;
  std::vector<double> tile_bytes;  ///< the same of one device
  /// [from * specs.size() + to]: seconds of a device to turn its tile, nothing else being sent.
  /// Partial to whole is an all-reduce, partial to split a reduce-scatter.
  std::vector<double> reshard_s;

  double reshard(std::int32_t from, std::int32_t to) const {
    return reshard_s[static_cast<std::size_t>(from) * specs.size() + static_cast<std::size_t>(to)];
  }
};

/// One way to run an op, joint over all axes of the mesh. Layouts are indices in the sets of its
/// class.
struct OpStrategy {
  std::int32_t result = 0;
  std::vector<std::int32_t> operands;  ///< -1: made anew wherever it is read, in any layout
  double seconds = 0;                  ///< each time that the op runs
  /// Of a device, while the op runs and no longer than its pass: of the result and of operands as
  /// it reads them, but of what StrategySpace::keeps and of what lives in a cache alone.
  double working_bytes = 0;
  bool operator==(const OpStrategy&) const = default;
};

/// Ops that are alike: of one kind, with equal attributes and shapes, and equal parts in a step.
struct OpClass {
  std::vector<ValueId> values;             ///< what they yield, increasing
  std::int32_t result_set = 0;             ///< in StrategySpace::layouts
  std::vector<std::int32_t> operand_sets;  ///< -1: made anew by its reader
  std::vector<OpStrategy> strategies;      ///< by result; at least one
  bool per_micro_batch = false;            ///< runs once for each
};

/// What a value takes of memory from one pass to another, beside tiles that live within one.
enum class Keeping : std::uint8_t {
  nothing,
  state,       ///< a parameter or optimizer state: always
  gradient,    ///< a sum over micro-batches: from the first backward pass to the update
  activation,  ///< of each micro-batch in flight, from its forward to its backward pass
};

/// Immutable. The cost of a choice is the seconds of all ops as often as they run, and for each
/// value, once for all readers that need it in the same layout, the reshard from the layout in
/// which it is made to that. An op whose result is partial pays nothing for it: its reader does.
///
/// Left out: of splits of one dim by several axes all orders but that of the axes, lower ones
/// major (another order is a layout of the same tiles at other devices); strided cuts with periods
/// that no reshape of the program makes of contiguous ones; cuts that do not divide; of strategies
/// with equal layouts all but the quickest.
struct StrategySpace {
  std::vector<LayoutSet> layouts;
  std::vector<OpClass> classes;
  std::vector<std::int32_t> class_of;  ///< per value; -1: made anew wherever it is read
  std::vector<Keeping> keeps;          ///< per value
  /// Values that have like ops around them as far as some steps away, as those of equal layers do:
  /// more than one each, increasing, no value twice.
  std::vector<std::vector<ValueId>> repeats;
  /// What has to lie alike from step to step: a parameter or state and its new value.
  std::vector<std::pair<ValueId, ValueId>> updates;
  /// A parameter and its optimizer state: alike but where the state is split further (ZeRO).
  std::vector<std::pair<ValueId, ValueId>> states;
};

/// How micro-batches run through the chunks of a strategy, whatever the cuts of its values: what a
/// space, being of one mesh, leaves out. Orders are those of the cell's schedule, asked with passes
/// that take equally long (B as long as F, W as long as B), and told nothing of memory.
struct ChunkFlow {
  /// What some pass, or prologue, or update of a chunk reads of another one's.
  struct Crossing {
    std::int32_t from = 0, to = 0;  ///< chunks on different meshes
    /// Seconds per byte of a device's tile, by the cell's resharding and alone on the network:
    /// where each device of `to` gets another part of a tensor, and where each gets all of it.
    double split_s_per_byte = 0, whole_s_per_byte = 0;
    std::int64_t num_devices = 1;  ///< of `to`
  };

  /// A value in the memory of a chunk's devices beyond one pass.
  struct Kept {
    ValueId value = kNoValue;
    std::int32_t chunk = 0;
    /// Tiles of it that lie there at a time, at the most: of each micro-batch one, from a pass that
    /// makes or gets it to one that reads it; one of what comes from, or leaves for, another mesh.
    double num_tiles = 0;
  };

  /// But for states and sums of gradients where they are made; what is made anew is in none.
  std::vector<Kept> kept;
  /// Per value the micro-batches that chunks keep it of from one pass to another, added up.
  std::vector<double> in_flight;
  std::vector<Crossing> crossings;  ///< by `from`, then `to`
  /// By how much of it a second of crossings lengthens a step, as against a second in ops of all
  /// chunks: about 1 where passes wait for every crossing, next to 0 where these lie beside passes.
  double exposed = 0;

  /// Seconds, to be added to those of ops, of a tensor of so many bytes that crosses so that each
  /// device gets a tile of it; 0 where nothing crosses from that chunk to the other.
  double crossing_s(std::int32_t from, std::int32_t to, double tile_bytes, double bytes) const;
};

inline double ChunkFlow::crossing_s(std::int32_t from, std::int32_t to, double tile_bytes,
                                    double bytes) const {
  const auto ends = [](const Crossing& crossing) { return std::pair(crossing.from, crossing.to); };
  const auto found = std::ranges::lower_bound(crossings, std::pair(from, to), {}, ends);
  if (found == crossings.end() || ends(*found) != std::pair(from, to) || tile_bytes <= 0) return 0;
  // Between the two, by how many devices have the same part.
  const double most = std::log(static_cast<double>(found->num_devices)),
               share = most > 0 ? std::clamp(std::log(bytes / tile_bytes) / most, 0.0, 1.0) : 0;
  return exposed * tile_bytes * std::pow(found->split_s_per_byte, share) *
         std::pow(found->whole_s_per_byte, 1 - share);
}

}  // namespace rhino
