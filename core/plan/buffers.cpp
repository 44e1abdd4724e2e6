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

void BufferPool::use(Instance& instance, std::int32_t time) {
  instance.first = std::min(instance.first, time);
  instance.last = std::max(instance.last, time);
}

void BufferPool::find_roots() {
  root_.resize(residents_.size());
  for (std::size_t i = 0; i < root_.size(); ++i) {
    root_[i] = static_cast<std::int32_t>(i);
    while (residents_[at(root_[i])].stored_in >= 0) root_[i] = residents_[at(root_[i])].stored_in;
  }
}

std::int32_t BufferPool::resident(std::int32_t resident, std::int32_t micro_batch,
                                  std::int32_t time) {
  resident = root_[at(resident)];
  std::vector<std::int32_t>& handles = handles_[at(resident)];
  const std::size_t place = residents_[at(resident)].per_micro_batch ? at(micro_batch + 1) : 0;
  if (place >= handles.size()) handles.resize(place + 1, -1);
  if (handles[place] < 0) {
    handles[place] = new_handle();
    instance_of_.back() = static_cast<std::int32_t>(instances_.size());
    instances_.push_back({resident, handles[place], time, time, false});
  }
  use(instances_[at(instance_of_[at(handles[place])])], time);
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
  instance.last = kEnd;
}

void BufferPool::keep_to_end(std::int32_t handle) {
  instances_[at(instance_of_.at(at(handle)))].last = kEnd;
}

/// Instances of as many bytes take turns in as few places as are alive together: chunks of a mesh,
/// which keep the most at different times, lend them to each other. One that its resident had
/// before goes first, so that micro-batches come back to the same buffers.
void BufferPool::add_residents(Role& role, Contents& contents) {
  std::vector<std::size_t> order(instances_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instances_[a].first < instances_[b].first;
  });
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
        place = static_cast<std::int32_t>(contents.lifetimes.size());
        contents.lifetimes.push_back({num_bytes(shape), instance.first, instance.last});
        freed.push_back(kTaken);
      }
      chosen = own.insert(own.end(), {place, static_cast<std::int32_t>(role.buffers.size())});
      role.buffers.push_back({shape, 0, instance.persistent});
      contents.buffers.push_back({at(place), 0});
    }
    buffer_of_[at(instance.handle)] = chosen->buffer;
    contents.lifetimes[at(chosen->place)].last = instance.last;
    freed[at(chosen->place)] = kTaken;
    places.take(chosen->place, instance.last);
  }
}

void BufferPool::add_temporaries(Role& role, const std::vector<LayoutTime>& times,
                                 Contents& contents) {
  lower::Lifetime pool{0, kEnd, 0};
  for (std::size_t l = 0; l < temporaries_.size(); ++l) {
    if (temporaries_[l].block == nullptr || times[l].is_once) continue;
    pool.first = std::min<std::int64_t>(pool.first, times[l].first);
    pool.last = std::max<std::int64_t>(pool.last, times[l].last);
  }
  const std::size_t pool_index = contents.lifetimes.size();
  contents.lifetimes.push_back(pool);
  for (std::size_t l = 0; l < temporaries_.size(); ++l) {
    if (temporaries_[l].block == nullptr) continue;
    if (times[l].is_once) add_once(temporaries_[l], times[l].first + 1, role, contents);
    else add_pooled(temporaries_[l], pool_index, role, contents);
  }
}

void BufferPool::add_once(const Temporaries& temporaries, std::int32_t begin, Role& role,
                          Contents& contents) {
  for (std::size_t i = 0; i < temporaries.handles.size(); ++i) {
    if (temporaries.handles[i] < 0) continue;
    const Temporary& temporary = temporaries.block->temporaries[i];
    buffer_of_[at(temporaries.handles[i])] = static_cast<std::int32_t>(role.buffers.size());
    role.buffers.push_back({temporary.shape, 0, false});
    contents.buffers.push_back({contents.lifetimes.size(), 0});
    contents.lifetimes.push_back(
        {num_bytes(temporary.shape), begin + temporary.first, begin + temporary.last});
  }
}

/// Laid out on their own, within memory that blocks which run again and again use in turn.
void BufferPool::add_pooled(const Temporaries& temporaries, std::size_t pool, Role& role,
                            Contents& contents) {
  std::vector<lower::Lifetime> lifetimes;
  for (const Temporary& temporary : temporaries.block->temporaries)
    lifetimes.push_back({num_bytes(temporary.shape), temporary.first, temporary.last});
  const lower::Arena arena = rhino::lower::allocate(lifetimes);
  std::int64_t& bytes = contents.lifetimes[pool].bytes;
  bytes = std::max(bytes, arena.bytes);
  for (std::size_t i = 0; i < temporaries.handles.size(); ++i) {
    if (temporaries.handles[i] < 0) continue;
    buffer_of_[at(temporaries.handles[i])] = static_cast<std::int32_t>(role.buffers.size());
    role.buffers.push_back({temporaries.block->temporaries[i].shape, 0, false});
    contents.buffers.push_back({pool, arena.offsets[i]});
  }
}

void BufferPool::allocate(Role& role, const std::vector<LayoutTime>& times) {
  Contents contents;
  add_residents(role, contents);
  add_temporaries(role, times, contents);
  const lower::Arena arena = rhino::lower::allocate(contents.lifetimes);
  for (std::size_t b = 0; b < role.buffers.size(); ++b) {
    const auto [of, offset] = contents.buffers[b];
    role.buffers[b].offset = arena.offsets[of] + offset;
  }
  role.arena_bytes = arena.bytes;
}

}  // namespace rhino::plan
