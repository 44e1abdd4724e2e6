// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "plan/assemble.hpp"
#include "plan/pass_order.hpp"

namespace rhino::plan {

/// Where in a role's list a value comes to be or is used: in a pass of a chunk, or in the role's
/// one prologue or update (chunk -1).
struct Site {
  sharding::ChunkPhase phase = sharding::ChunkPhase::prologue;
  std::int32_t chunk = -1;
  bool operator==(const Site&) const = default;
};
constexpr Pass pass_of(const Site& site) { return pass_of(site.phase); }

/// A value that outlives a block: it lies in the memory of a role's devices from the block that
/// makes it (or the transfer that brings it) to the last that uses it.
struct Resident {
  enum class Origin : std::uint8_t { input, made, received } origin = Origin::made;
  ValueId value = kNoValue;
  bool per_micro_batch = false;  ///< one instance for each
  bool accumulates = false;      ///< every micro-batch adds to it
  Shape global;
  ShardingSpec spec;
  Shape tile;
  Site site;               ///< made: by whom; received: by whom it is made on source_role
  std::int32_t level = 0;  ///< made: ChunkProgram::level of the program that makes it
  std::int32_t source_role = -1, source_resident = -1;  ///< received
  /// The resident whose memory it takes over (an updated state: that of the old one); -1: own.
  std::int32_t stored_in = -1;
};

/// What runs in one go of a role's list: the program of a chunk's phase, or all prologues or
/// updates of a role in one.
struct Block {
  Site site;
  Program program;                            ///< with collectives
  std::vector<std::int32_t> inputs, outputs;  ///< residents, one per program input and output
};

/// One pass of one chunk: for the first micro-batch in the mesh's order, and for those that
/// accumulate onto it (without ops where nothing accumulates, or nothing comes after the first).
struct PassBlocks {
  Block first, next;

  /// What micro-batches after the first run.
  const Block& following() const { return next.program.ops.empty() ? first : next; }
};

struct RoleBlocks {
  Mesh mesh;
  std::vector<std::int32_t> chunks;
  std::vector<Resident> residents;
  Block prologue, update;
  /// Per Pass and entry of `chunks`; of weight without ops where the backward pass is whole.
  std::array<std::vector<PassBlocks>, kNumPasses> passes;

  const PassBlocks& pass(const Site& site) const {
    const auto entry = std::find(chunks.begin(), chunks.end(), site.chunk) - chunks.begin();
    return passes[static_cast<std::size_t>(pass_of(site))][static_cast<std::size_t>(entry)];
  }
};

/// One role per distinct mesh, with its blocks, and where each value that enters one comes from.
/// Throws Error where meshes overlap without being equal or a port has no source.
std::vector<RoleBlocks> make_blocks(const AssembleInput& input);

}  // namespace rhino::plan
