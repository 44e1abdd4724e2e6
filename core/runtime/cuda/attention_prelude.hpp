// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace rhino::runtime::cuda {

/// What units with attention have behind kPrelude: products of tiles, by tensor cores where the
/// architecture has those for 16 bits; every thread holds the same elements of a tile whichever way
/// it was multiplied.
extern const char* const kAttentionTiles;

/// Behind that: tiles of 16 bits as fragments in registers, copies that go on meanwhile.
extern const char* const kAttentionFragments;

/// Behind that: products of fragments and shared memory by four warps, where the architecture has
/// those.
std::string attention_groups();

/// Behind that: loops over the scores of a block of rows or columns. A block of 4 warps has 64
/// of them and meets 32 others at a time.
extern const char* const kAttentionPrelude;

/// And behind that: the same where all that is multiplied has 16 bits that lie side by side along
/// depth, of at most 128. A block meets 64 others at a time, or fewer where there is no room, the
/// next of which are copied meanwhile; products are multiplied on as they lie in registers.
extern const char* const kAttentionStreams;

/// All of them.
std::string attention_preludes();

}  // namespace rhino::runtime::cuda
