// SPDX-License-Identifier: Apache-2.0
#include "plan/buffers.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <queue>

#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Places for as many bytes each, which instances take in turn in the order in which they begin: as
/// many as are taken at a time.
class Places {
 public:
  /// What ends before `step` leaves its place.
  void leave(std::int64_t step, std::vector<std::int64_t>& freed) {
    for (; !taken_.empty() && taken_.top().first < step; taken_.pop()) {
      freed[at(taken_.top().second)] = taken_.top().first;
      free_.push_back(taken_.top());
    }
  }
  /// The one that has been free for the longest; -1: none is free.
  std::int32_t any(const std::vector<std::int64_t>& freed) {
    while (!free_.empty() && freed[at(free_.front().second)] != free_.front().first)
      free_.pop_front();
    return free_.empty() ? -1 : free_.front().second;
  }
  void take(std::int32_t place, std::int64_t last) { taken_.emplace(last, place); }

 private:
  using Taken = std::pair<std::int64_t, std::int32_t>;  ///< to the last step of whoever has it
  std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken_;
  std::deque<Taken> free_;  ///< and some that have been taken since
};

}  // namespace

std::int32_t BufferPool::new_handle() {
  buffer_of_.push_back(-1);
  instance_of_.push_back(-1);
  return static_cast<std::int32_t>(buffer_of_.size() - 1);
}

void BufferPool::use(Instance& instance, std::int32_t step) {
  instance.first = std::min(instance.first, step);
  instance.last = std::max(instance.last, step);
}

void BufferPool::find_roots() {
  root_.resize(residents_.size());
  for (std::size_t i = 0; i < root_.size(); ++i) {
    root_[i] = static_cast<std::int32_t>(i);
    while (residents_[at(root_[i])].stored_in >= 0) root_[i] = residents_[at(root_[i])].stored_in;
  }
}

std::int32_t BufferPool::resident(std::int32_t resident, std::int32_t micro_batch,
                                  std::int32_t step) {
  resident = root_[at(resident)];
  std::vector<std::int32_t>& handles = handles_[at(resident)];
  const std::size_t place = residents_[at(resident)].per_micro_batch ? at(micro_batch + 1) : 0;
  if (place >= handles.size()) handles.resize(place + 1, -1);
  if (handles[place] < 0) {
    handles[place] = new_handle();
    instance_of_.back() = static_cast<std::int32_t>(instances_.size());
    instances_.push_back({resident, handles[place], step, step, false});
  }
  use(instances_[at(instance_of_[at(handles[place])])], step);
  return handles[place];
}

std::int32_t BufferPool::temporary(std::int32_t layout, std::int32_t index,
                                   const BlockLayout& block) {
  if (at(layout) >= temporaries_.size()) temporaries_.resize(at(layout) + 1);
  Temporaries& temporaries = temporaries_[at(layout)];
  if (temporaries.block == nullptr) {
    temporaries.block = &block;
    temporaries.handles.assign(block.temporaries.size(), -1);
  }
  std::int32_t& handle = temporaries.handles[at(index)];
  if (handle < 0) handle = new_handle();
  return handle;
}

void BufferPool::make_persistent(std::int32_t handle) {
  Instance& instance = instances_[at(instance_of_.at(at(handle)))];
  instance.persistent = true;
  instance.first = 0;
  instance.last = num_steps_ - 1;
}

void BufferPool::keep_to_end(std::int32_t handle) {
  instances_[at(instance_of_.at(at(handle)))].last = num_steps_ - 1;
}

BufferPool::Pool BufferPool::pool_of(const BlockLayout& block) {
  if (block.site.phase == sharding::ChunkPhase::prologue) return Pool::prologue;
  return block.site.phase == sharding::ChunkPhase::update ? Pool::update : Pool::passes;
}

/// Instances of as many bytes take turns in as few places as are alive together: chunks of a mesh,
/// which keep the most at different times, lend them to each other. One that its resident had
/// before goes first, so that micro-batches come back to the same buffers.
BufferPool::PlacedResidents BufferPool::place_residents(Role& role) {
  std::vector<std::size_t> order(instances_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instances_[a].first < instances_[b].first;
  });
  PlacedResidents placed;
  constexpr std::int64_t kTaken = -1;
  std::map<std::int64_t, Places> places_of;  // by bytes
  std::vector<std::int64_t> freed;           // per place the step after which it is free
  struct Own {
    std::int32_t place = -1, buffer = -1;
  };
  std::vector<std::vector<Own>> owned(residents_.size());
  for (std::size_t i : order) {
    const Instance& instance = instances_[i];
    const Shape& shape = residents_[at(instance.resident)].tile;
    Places& places = places_of[num_bytes(shape)];
    places.leave(instance.first, freed);
    std::vector<Own>& own = owned[at(instance.resident)];
    auto chosen =
        std::ranges::find_if(own, [&](const Own& one) { return freed[at(one.place)] != kTaken; });
    if (chosen == own.end()) {
      std::int32_t place = places.any(freed);
      if (place < 0) {
        place = static_cast<std::int32_t>(placed.lifetimes.size());
        placed.lifetimes.push_back({num_bytes(shape), instance.first, instance.last});
        freed.push_back(kTaken);
      }
      chosen = own.insert(own.end(), {place, static_cast<std::int32_t>(role.buffers.size())});
      role.buffers.push_back({shape, 0, instance.persistent});
      placed.place_of.push_back(place);
    }
    buffer_of_[at(instance.handle)] = chosen->buffer;
    placed.lifetimes[at(chosen->place)].last = instance.last;
    freed[at(chosen->place)] = kTaken;
    places.take(chosen->place, instance.last);
  }
  return placed;
}

/// Lays out the temporaries of each block on its own; blocks of a phase use the same memory in
/// turn. Offsets are within that memory.
std::vector<BufferPool::Pooled> BufferPool::place_temporaries(
    Role& role, std::array<lower::Lifetime, 3>& pools) {
  std::vector<Pooled> pooled;
  for (const Temporaries& temporaries : temporaries_) {
    if (temporaries.block == nullptr) continue;
    std::vector<lower::Lifetime> lifetimes;
    for (const Temporary& temporary : temporaries.block->temporaries) {
      lifetimes.push_back({num_bytes(temporary.shape), temporary.first, temporary.last});
    }
    const lower::Arena arena = rhino::lower::allocate(lifetimes);
    const auto pool = static_cast<std::size_t>(pool_of(*temporaries.block));
    pools[pool].bytes = std::max(pools[pool].bytes, arena.bytes);
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      if (temporaries.handles[i] < 0) continue;
      buffer_of_[at(temporaries.handles[i])] = static_cast<std::int32_t>(role.buffers.size());
      pooled.push_back({role.buffers.size(), pool});
      role.buffers.push_back({temporaries.block->temporaries[i].shape, arena.offsets[i], false});
    }
  }
  return pooled;
}

void BufferPool::allocate(Role& role) {
  const std::int64_t last = num_steps_ - 1;
  std::array<lower::Lifetime, 3> pools{lower::Lifetime{0, 0, 0},
                                       lower::Lifetime{0, 1, std::max<std::int64_t>(1, last - 1)},
                                       lower::Lifetime{0, last, last}};
  auto [lifetimes, place_of] = place_residents(role);
  const std::vector<Pooled> pooled = place_temporaries(role, pools);
  const std::size_t num_places = lifetimes.size();
  lifetimes.insert(lifetimes.end(), pools.begin(), pools.end());
  const lower::Arena arena = rhino::lower::allocate(lifetimes);
  for (std::size_t b = 0; b < place_of.size(); ++b)
    role.buffers[b].offset = arena.offsets[at(place_of[b])];
  for (const Pooled& entry : pooled)
    role.buffers[entry.buffer].offset += arena.offsets[num_places + entry.pool];
  role.arena_bytes = arena.bytes;
}

}  // namespace rhino::plan
