// SPDX-License-Identifier: Apache-2.0
#include "plan/buffers.hpp"

#include <algorithm>
#include <numeric>

#include "rhino/index.hpp"

namespace rhino::plan {
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

/// Instances of a resident take turns in as few buffers as are alive together.
std::vector<lower::Lifetime> BufferPool::place_residents(Role& role) {
  std::vector<std::size_t> order(instances_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instances_[a].first < instances_[b].first;
  });
  std::vector<lower::Lifetime> lifetimes;
  std::vector<std::vector<std::int32_t>> buffers_of_resident(residents_.size());
  for (std::size_t i : order) {
    const Instance& instance = instances_[i];
    std::vector<std::int32_t>& buffers = buffers_of_resident[at(instance.resident)];
    const auto free = std::find_if(buffers.begin(), buffers.end(), [&](std::int32_t buffer) {
      return lifetimes[at(buffer)].last < instance.first;
    });
    std::int32_t& buffer = buffer_of_[at(instance.handle)];
    if (free != buffers.end()) {
      buffer = *free;
      lifetimes[at(buffer)].last = instance.last;
      continue;
    }
    buffer = static_cast<std::int32_t>(role.buffers.size());
    buffers.push_back(buffer);
    const Shape& shape = residents_[at(instance.resident)].tile;
    role.buffers.push_back({shape, 0, instance.persistent});
    lifetimes.push_back({num_bytes(shape), instance.first, instance.last});
  }
  return lifetimes;
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
  std::vector<lower::Lifetime> lifetimes = place_residents(role);
  const std::vector<Pooled> pooled = place_temporaries(role, pools);
  const std::size_t num_residents = lifetimes.size();
  lifetimes.insert(lifetimes.end(), pools.begin(), pools.end());
  const lower::Arena arena = rhino::lower::allocate(lifetimes);
  for (std::size_t b = 0; b < num_residents; ++b) role.buffers[b].offset = arena.offsets[b];
  for (const Pooled& entry : pooled)
    role.buffers[entry.buffer].offset += arena.offsets[num_residents + entry.pool];
  role.arena_bytes = arena.bytes;
}

}  // namespace rhino::plan
