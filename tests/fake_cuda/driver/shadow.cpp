// SPDX-License-Identifier: Apache-2.0
#include "shadow.hpp"

#include <algorithm>

#include "memory.hpp"

namespace fake {
namespace {

bool same_thread(const Access& a, const Access& b) {
  return a.block == b.block && a.thread == b.thread;
}

/// Ordered inside one kernel.
bool met(const Access& earlier, const Access& now) {
  if (earlier.block != now.block) return false;
  if (earlier.thread == now.thread || earlier.epoch < now.epoch) return true;
  return earlier.thread != Access::kManyThreads && earlier.thread / 32 == now.thread / 32 &&
         warp_has_met(earlier);
}

bool clash(const Access& earlier, const Access& now, const Operation& op) {
  if (earlier.op == 0) return false;
  if (earlier.op != now.op) return !ordered(earlier.op, op);
  return !(earlier.atomic && now.atomic) && !met(earlier, now);
}

std::string who(const Access& a) {
  if (a.block == Access::kManyBlocks) return "several blocks";
  const std::string block = "block " + std::to_string(a.block);
  return a.thread == Access::kManyThreads ? "several threads of " + block
                                          : block + " thread " + std::to_string(a.thread);
}

std::string unordered(const char* what, const char* earlier_what, const Access& earlier) {
  return std::string(what) + " is not ordered after the " + earlier_what + " by " +
         name_of(earlier.op) + " (" + who(earlier) + ")";
}

/// One of two accesses of one kernel that do not follow each other.
Access merged(const Access& a, const Access& now) {
  Access both = now;
  both.thread = Access::kManyThreads;
  if (a.block != now.block) both.block = Access::kManyBlocks;
  return both;
}

}  // namespace

void Shadow::refine(std::size_t index) {
  Chunk& chunk = *chunks_[index];
  std::vector<Cell> fine(kChunk);
  for (std::size_t i = 0; i < kChunk; ++i) fine[i] = chunk.cells[i / 4];
  chunk.cells = std::move(fine);
  chunk.unit = 1;
  for (std::size_t word = index * kChunk; word < (index + 1) * kChunk; word += 4) {
    const auto found = more_readers_.find(word);
    if (found == more_readers_.end()) continue;
    const std::vector<Access> readers = found->second;
    for (std::size_t i = 1; i < 4; ++i) more_readers_[word + i] = readers;
  }
}

Shadow::Chunk& Shadow::chunk_for(std::size_t offset, std::size_t bytes) {
  const std::size_t index = offset / kChunk;
  if (chunks_.size() <= index) chunks_.resize(index + 1);
  if (!chunks_[index]) chunks_[index] = std::make_unique<Chunk>();
  if (chunks_[index]->unit == 4 && (offset % 4 || bytes % 4)) refine(index);
  return *chunks_[index];
}

void Shadow::add_reader(const Operation& op, const Access& now, std::size_t offset, Cell& cell) {
  const Access& last = cell.read;
  if (last.op == now.op && !met(last, now)) {
    cell.read = merged(last, now);
    return;
  }
  if (last.op != now.op && last.op != 0 && !ordered(last.op, op))
    more_readers_[offset].push_back(last);
  cell.read = now;
}

std::string Shadow::note_cell(const Operation& op, const Access& now, std::size_t offset,
                              Cell& cell, Kind kind) {
  const bool writes = kind != Kind::kRead;
  const char* what = writes ? "write" : "read";
  if (kind != Kind::kWrite && cell.write.op == 0) return "read of memory that nothing wrote";
  if (clash(cell.write, now, op)) return unordered(what, "write", cell.write);
  if (!writes) {
    add_reader(op, now, offset, cell);
    return {};
  }
  if (clash(cell.read, now, op)) return unordered(what, "read", cell.read);
  if (const auto more = more_readers_.find(offset); more != more_readers_.end()) {
    for (const Access& reader : more->second) {
      if (clash(reader, now, op)) return unordered(what, "read", reader);
    }
    more_readers_.erase(more);
  }
  const bool joins =
      cell.write.op == now.op && cell.write.atomic && now.atomic && !same_thread(cell.write, now);
  cell.write = joins ? merged(cell.write, now) : now;
  cell.read = {};
  return {};
}

std::string Shadow::note(const Operation& op, Access now, std::size_t offset, std::size_t bytes,
                         Kind kind) {
  now.atomic = kind == Kind::kAtomic;
  for (const std::size_t end = offset + bytes; offset < end;) {
    const std::size_t here = std::min(end, (offset / kChunk + 1) * kChunk) - offset;
    Chunk& chunk = chunk_for(offset, here);
    for (std::size_t i = 0; i < here; i += chunk.unit) {
      const std::size_t at = offset + i;
      std::string wrong = note_cell(op, now, at, chunk.cells[at % kChunk / chunk.unit], kind);
      if (!wrong.empty()) return wrong;
    }
    offset += here;
  }
  return {};
}

Access Shadow::last_write(std::size_t offset) const {
  const std::size_t index = offset / kChunk;
  if (index >= chunks_.size() || !chunks_[index]) return {};
  return chunks_[index]->cells[offset % kChunk / chunks_[index]->unit].write;
}

std::string check_access(const Operation& op, const void* at, std::size_t bytes, Kind kind) {
  Allocation* a = memory().find(at);
  const char* p = static_cast<const char*>(at);
  if (!a || !a->live || p + bytes > a->at + a->bytes) {
    return "touches " + std::to_string(bytes) + " bytes from " + memory().describe(at) +
           (a && a->live ? ", past its end" : "");
  }
  if (!checked()) return {};
  if (!a->shadow) a->shadow = std::make_unique<Shadow>();
  const std::size_t offset = static_cast<std::size_t>(p - a->at);
  std::string wrong = a->shadow->note(op, current_access(op), offset, bytes, kind);
  return wrong.empty() ? wrong : memory().describe(at) + ": " + wrong;
}

}  // namespace fake
