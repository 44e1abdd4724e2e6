// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "operations.hpp"

namespace fake {

/// Who touched memory: an operation, and inside a kernel a thread at a moment. `kMany...` where
/// several read or add.
struct Access {
  static constexpr std::uint32_t kManyBlocks = ~0u;
  static constexpr std::uint16_t kManyThreads = 0xFFFF;
  std::uint32_t op = 0;
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;  // barriers that the block has passed
  std::uint32_t tick = 0;   // warp operations that the thread has passed
  std::uint32_t shown = 0;  // what the thread had shown to products of a group, so many times
  std::uint16_t thread = 0;
  bool atomic = false;
};

enum class Kind { kRead, kWrite, kAtomic };

/// What is known of a range of memory: per four bytes, or per byte where something smaller was
/// touched, who wrote last and who has read since.
class Shadow {
 public:
  /// Notes an access; a sentence where it reads what nothing wrote, or is not ordered against an
  /// earlier one.
  std::string note(const Operation& op, Access now, std::size_t offset, std::size_t bytes,
                   Kind kind);

  /// Who wrote last; of operation 0: nobody is known to.
  Access last_write(std::size_t offset) const;

  /// Forgets all.
  void clear() { *this = {}; }

 private:
  static constexpr std::size_t kChunk = 4096;
  struct Cell {
    Access write, read;
  };
  struct Chunk {
    std::size_t unit = 4;
    std::vector<Cell> cells = std::vector<Cell>(kChunk / 4);
  };
  Chunk& chunk_for(std::size_t offset, std::size_t bytes);
  void refine(std::size_t index);
  std::string note_cell(const Operation& op, const Access& now, std::size_t offset, Cell& cell,
                        Kind kind);
  void add_reader(const Operation& op, const Access& now, std::size_t offset, Cell& cell);

  std::vector<std::unique_ptr<Chunk>> chunks_;
  /// By offset: readers besides the last, of other operations that are not ordered before it.
  std::unordered_map<std::size_t, std::vector<Access>> more_readers_;
};

/// The thread that runs now, or a whole operation.
Access current_access(const Operation& op);
/// Whether the thread that runs now has met that moment of its own warp in a warp operation.
bool warp_has_met(const Access& earlier);

/// Notes an access to device memory that lies inside one live allocation; says what is wrong.
std::string check_access(const Operation& op, const void* at, std::size_t bytes, Kind kind);

}  // namespace fake
