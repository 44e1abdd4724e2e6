// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared_collective.hpp"

#include <algorithm>

#include "runtime/transport/pieces.hpp"
#include "runtime/transport/stream_copy.hpp"

namespace rhino::runtime {
namespace {

using Tasks = std::vector<std::int32_t>;

/// A chunk of two operands and their sum lie in a cache of the second level.
constexpr std::int64_t kMaxChunkBytes = 256 << 10;

class SharedCollectiveBuilder {
 public:
  SharedCollectiveBuilder(const plan::Communication& communication,
                          const std::vector<std::int32_t>& ranks, std::int32_t self,
                          std::int64_t chunk_bytes)
      : communication_(communication),
        ranks_(ranks),
        num_ranks_(static_cast<std::int32_t>(ranks.size())),
        self_(self),
        chunk_bytes_(std::min(chunk_bytes, kMaxChunkBytes) / 64 * 64),
        builder_(static_cast<std::int32_t>(communication.parts.size())) {
    std::int64_t bytes = 0;
    for (const Shape& part : communication.parts) bytes += num_bytes(part);
    if (bytes == 0) return;
    streams_ = bytes >= kStreamBytes;
    for (const std::int32_t peer : peers()) last_.push_back(builder_.exchange_places(peer));
    for (std::size_t p = 0; p < communication.parts.size(); ++p)
      add_part(static_cast<std::int32_t>(p), communication.parts[p]);
    for (const std::int32_t peer : peers()) {
      builder_.notify(peer, last_);
      builder_.await_notice(peer);
    }
  }

  TaskGraph finish() { return builder_.finish(); }

 private:
  void add_part(std::int32_t part, const Shape& shape) {
    const std::int64_t whole = num_bytes(shape), entry = whole / num_ranks_;
    switch (communication_.kind) {
      case plan::CommunicationKind::all_reduce: return all_reduce(part, shape);
      case plan::CommunicationKind::reduce_scatter:
        return in_chunks(entry, [&](std::int64_t at, std::int64_t bytes) {
          reduce(part, shape.dtype, {self_ * entry + at, bytes}, {output(self_, part, at)});
        });
      case plan::CommunicationKind::all_gather:
        for (std::int32_t i = 0; i < num_ranks_; ++i) {
          const std::int32_t from = (self_ + i) % num_ranks_;
          take(input(from, part, 0), output(self_, part, from * whole), whole);
        }
        return;
      case plan::CommunicationKind::all_to_all:
        for (std::int32_t i = 0; i < num_ranks_; ++i) {
          const std::int32_t from = (self_ + i) % num_ranks_;
          take(input(from, part, self_ * entry), output(self_, part, from * entry), entry);
        }
        return;
      case plan::CommunicationKind::halo_exchange: return halo_exchange(part, shape);
      case plan::CommunicationKind::transfer: return;
    }
  }

  void halo_exchange(std::int32_t part, const Shape& shape) {
    const std::int64_t whole = num_bytes(shape);
    const std::int64_t own =
        communication_.before * whole / std::max<std::int64_t>(1, shape.dims.front());
    const std::int32_t before = std::max(self_ - 1, 0),
                       behind = std::min(self_ + 1, num_ranks_ - 1);
    take(input(before, part, 0), output(self_, part, 0), own);
    take(input(behind, part, own), output(self_, part, own), whole - own);
  }

  void all_reduce(std::int32_t part, const Shape& shape) {
    const std::int64_t width = dtype_bytes(shape.dtype), count = num_bytes(shape) / width;
    const std::int64_t begin = width * range_begin(count, num_ranks_, self_, width);
    const std::int64_t end = width * range_begin(count, num_ranks_, self_ + 1, width);
    in_chunks(end - begin, [&](std::int64_t at, std::int64_t bytes) {
      std::vector<Region> targets{output(self_, part, begin + at)};
      for (std::int32_t to = 0; to < num_ranks_; ++to) {
        if (to != self_) targets.push_back(output(to, part, begin + at));
      }
      reduce(part, shape.dtype, {begin + at, bytes}, targets);
    });
  }

  struct Range {
    std::int64_t begin = 0, bytes = 0;
  };
  /// In the order of ranks. Sums of several terms are made in staging memory: a target may be an
  /// input of this rank, which only the last step may overwrite.
  void reduce(std::int32_t part, DType dtype, Range range, const std::vector<Region>& targets) {
    const bool at_once = targets.size() <= kMaxTargets;
    Region left = input(0, part, range.begin);
    for (std::int32_t j = 1; j < num_ranks_; ++j) {
      const bool last = j + 1 == num_ranks_;
      ReduceStep step{.source = left,
                      .operand = input(j, part, range.begin),
                      .target = last ? targets.front() : staging(),
                      .num_elements = range.bytes / dtype_bytes(dtype),
                      .bytes = range.bytes};
      step.function = reduce_function(communication_.reduction, dtype, last && at_once && streams_);
      if (last && at_once) step.more_targets.assign(targets.begin() + 1, targets.end());
      then(builder_.reduce(step, last_));
      left = step.target;
    }
    for (std::size_t i = 1; i < targets.size() && !at_once; ++i)
      copy(left, targets[i], range.bytes);
  }

  void take(Region source, Region target, std::int64_t bytes) {
    in_chunks(bytes, [&](std::int64_t at, std::int64_t size) {
      copy({source.buffer, source.offset + at}, {target.buffer, target.offset + at}, size);
    });
  }

  void copy(Region source, Region target, std::int64_t bytes) {
    then(builder_.copy(source, target, bytes, last_, streams_));
  }

  template <typename Visit>
  void in_chunks(std::int64_t bytes, Visit visit) const {
    for (std::int64_t at = 0; at < bytes; at += chunk_bytes_)
      visit(at, std::min(chunk_bytes_, bytes - at));
  }

  /// One after the other: it is one core's work, and messages go on in between.
  void then(std::int32_t task) {
    if (task != kNoTask) last_ = {task};
  }

  Region input(std::int32_t member, std::int32_t part, std::int64_t offset) const {
    if (member == self_) return {builder_.graph().input(part), offset};
    return {builder_.graph().input_of(index_of(member), part), offset};
  }
  Region output(std::int32_t member, std::int32_t part, std::int64_t offset) const {
    if (member == self_) return {builder_.graph().output(part), offset};
    return {builder_.graph().output_of(index_of(member), part), offset};
  }
  std::size_t index_of(std::int32_t member) const {
    return static_cast<std::size_t>(member < self_ ? member : member - 1);
  }
  Region staging() {
    if (staging_.buffer < 0) staging_ = builder_.stage(chunk_bytes_);
    return staging_;
  }
  std::vector<std::int32_t> peers() const {
    std::vector<std::int32_t> others = ranks_;
    others.erase(others.begin() + self_);
    return others;
  }

  const plan::Communication& communication_;
  const std::vector<std::int32_t>& ranks_;
  std::int32_t num_ranks_, self_;
  std::int64_t chunk_bytes_;
  TaskGraphBuilder builder_;
  bool streams_ = false;
  Region staging_{-1, 0};
  Tasks last_;
};

}  // namespace

TaskGraph build_shared_collective(const plan::Communication& communication,
                                  const std::vector<std::int32_t>& ranks, std::int32_t self,
                                  std::int64_t chunk_bytes) {
  return SharedCollectiveBuilder(communication, ranks, self, chunk_bytes).finish();
}

}  // namespace rhino::runtime
