// SPDX-License-Identifier: Apache-2.0
#include "plan/buffers.hpp"

#include <algorithm>
#include <array>

#include "lower/lower.hpp"

namespace rhino {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

std::int32_t BufferPool::new_handle() {
  buffer_of_.push_back(-1);
  return static_cast<std::int32_t>(buffer_of_.size() - 1);
}

void BufferPool::use(Instance& instance, std::int32_t step) {
  instance.first = std::min(instance.first, step);
  instance.last = std::max(instance.last, step);
}

std::int32_t BufferPool::border(std::int32_t border, std::int32_t micro_batch, std::int32_t step) {
  while (borders_[at(border)].stored_in >= 0) border = borders_[at(border)].stored_in;
  const Border& info = borders_[at(border)];
  const auto [found, added] =
      index_.try_emplace({border, info.per_micro_batch ? micro_batch : -1}, -1);
  if (added) {
    found->second = new_handle();
    instance_of_[found->second] = static_cast<std::int32_t>(instances_.size());
    instances_.push_back({border, info.tile, step, step, false});
  }
  use(instances_[at(instance_of_[found->second])], step);
  return found->second;
}

std::int32_t BufferPool::temporary(std::int32_t layout, std::int32_t index,
                                   const BlockLayout& block) {
  Temporaries& temporaries = temporaries_[layout];
  temporaries.block = &block;
  temporaries.handles.resize(block.temporaries.size(), -1);
  std::int32_t& handle = temporaries.handles[at(index)];
  if (handle < 0) handle = new_handle();
  return handle;
}

void BufferPool::make_persistent(std::int32_t handle) {
  Instance& instance = instances_[at(instance_of_.at(handle))];
  instance.persistent = true;
  instance.first = 0;
  instance.last = num_steps_ - 1;
}

void BufferPool::keep_to_end(std::int32_t handle) {
  instances_[at(instance_of_.at(handle))].last = num_steps_ - 1;
}

BufferPool::Pool BufferPool::pool_of(const BlockLayout& block) {
  if (block.site.phase == ChunkPhase::prologue) return Pool::prologue;
  return block.site.phase == ChunkPhase::update ? Pool::update : Pool::passes;
}

void BufferPool::allocate(Role& role) {
  // Instances of a border take turns in as few buffers as are alive together.
  std::vector<Lifetime> lifetimes;
  std::map<std::int32_t, std::vector<std::int32_t>> buffers_of_border;
  std::vector<std::size_t> order(instances_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instances_[a].first < instances_[b].first;
  });
  std::vector<std::int32_t> buffer_of_instance(instances_.size(), -1);
  for (std::size_t i : order) {
    const Instance& instance = instances_[i];
    std::vector<std::int32_t>& buffers = buffers_of_border[instance.key];
    const auto free = std::find_if(buffers.begin(), buffers.end(), [&](std::int32_t buffer) {
      return lifetimes[at(buffer)].last < instance.first;
    });
    if (free != buffers.end()) {
      lifetimes[at(*free)].last = instance.last;
      buffer_of_instance[i] = *free;
      continue;
    }
    buffer_of_instance[i] = static_cast<std::int32_t>(role.buffers.size());
    buffers.push_back(buffer_of_instance[i]);
    role.buffers.push_back({instance.shape, 0, instance.persistent});
    lifetimes.push_back({num_bytes(instance.shape), instance.first, instance.last});
  }
  for (const auto& [handle, instance] : instance_of_)
    buffer_of_[at(handle)] = buffer_of_instance[at(instance)];

  std::array<Lifetime, 3> pools{Lifetime{0, 0, 0}, Lifetime{0, 1, std::max(1, num_steps_ - 2)},
                                Lifetime{0, num_steps_ - 1, num_steps_ - 1}};
  std::vector<std::pair<std::size_t, std::size_t>> in_pool;  // (buffer, pool)
  for (const auto& [layout, temporaries] : temporaries_) {
    std::vector<Lifetime> own;
    for (const Temporary& temporary : temporaries.block->temporaries) {
      own.push_back({num_bytes(temporary.shape), temporary.first, temporary.last});
    }
    const Arena arena = rhino::allocate(own);
    const auto pool = static_cast<std::size_t>(pool_of(*temporaries.block));
    pools[pool].bytes = std::max(pools[pool].bytes, arena.bytes);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (temporaries.handles[i] < 0) continue;
      buffer_of_[at(temporaries.handles[i])] = static_cast<std::int32_t>(role.buffers.size());
      in_pool.push_back({role.buffers.size(), pool});
      role.buffers.push_back({temporaries.block->temporaries[i].shape, arena.offsets[i], false});
    }
  }
  const std::size_t num_lifetimes = lifetimes.size();
  lifetimes.insert(lifetimes.end(), pools.begin(), pools.end());
  const Arena arena = rhino::allocate(lifetimes);
  for (std::size_t b = 0; b < num_lifetimes; ++b) role.buffers[b].offset = arena.offsets[b];
  for (const auto& [buffer, pool] : in_pool)
    role.buffers[buffer].offset += arena.offsets[num_lifetimes + pool];
  role.arena_bytes = arena.bytes;
}

}  // namespace rhino
