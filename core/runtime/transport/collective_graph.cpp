// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/collective_graph.hpp"

#include <algorithm>

#include "rhino/index.hpp"
#include "runtime/transport/piece_rows.hpp"

namespace rhino::runtime {
namespace {

constexpr std::int64_t kSmallPartBytes = 32
                                         << 10;  // copying it costs less than a message of its own
constexpr std::int64_t kExchangeBytes = 16 << 10;  // received in all: one round instead of two
constexpr std::int64_t kDirectBytes = 32 << 10;    // of a block: direct messages instead of a ring
constexpr std::int64_t kMinChunkBytes = 64 << 10;
constexpr std::int64_t kRounding =
    256;  // a block may exceed its share: ranges begin on 64-byte boundaries
constexpr std::int64_t kMinSlices = 4;  // fill the pipeline of a ring

// A ring's unit of work: block j of the operands (in) and of the results (out); blocks this rank
// has no use of are empty.
struct Slice {
  std::vector<Piece> in, out;
};

class CollectiveBuilder {
 public:
  CollectiveBuilder(const plan::Communication& communication,
                    const std::vector<std::int32_t>& ranks, std::int32_t self,
                    const PipelineLimits& limits)
      : communication_(communication),
        kind_(communication.kind),
        reduction_(communication.reduction),
        ranks_(ranks),
        num_ranks_(static_cast<std::int32_t>(ranks.size())),
        self_(self),
        limits_(limits),
        builder_(static_cast<std::int32_t>(communication.parts.size())),
        rows_(builder_) {
    const bool distributed = kind_ == plan::CommunicationKind::reduce_scatter ||
                             kind_ == plan::CommunicationKind::all_to_all;
    std::vector<std::int64_t> entry_bytes;
    for (const Shape& part : communication.parts) {
      entry_bytes.push_back(num_bytes(part) / (distributed ? num_ranks_ : 1));
    }
    // Of each part another piece goes each way.
    const bool is_alone = kind_ == plan::CommunicationKind::halo_exchange;
    const std::vector<Run> runs =
        make_runs(communication.parts, entry_bytes, is_alone ? 0 : kSmallPartBytes);
    const std::int64_t num_blocks = distributed ? 1 : num_ranks_;
    for (const Run& run : runs)
      slot_bytes_ = std::max(slot_bytes_, chunk_bytes(run.bytes / num_blocks) + kRounding);
    for (const Run& run : runs) add_run(run);
  }

  TaskGraph finish() { return builder_.finish(); }

 private:
  void add_run(const Run& run) {
    run_ = &run;
    if (is_reduction()) reduce_ = reduce_function(reduction_, run.dtype);
    if (num_ranks_ == 1)
      return rows_.copy(run.cut(0, 0, run.num_elements()), run.cut(0, 0, run.num_elements()),
                        limits_.chunk_bytes);
    switch (kind_) {
      case plan::CommunicationKind::all_reduce: return all_reduce();
      case plan::CommunicationKind::reduce_scatter: return reduce_scatter();
      case plan::CommunicationKind::all_gather: return all_gather();
      case plan::CommunicationKind::all_to_all: return all_to_all();
      case plan::CommunicationKind::halo_exchange: return halo_exchange();
      case plan::CommunicationKind::transfer: break;
    }
  }

  void all_reduce() {
    if (run_->bytes * (num_ranks_ - 1) <= kExchangeBytes) return exchange();
    const std::int64_t block_bytes = run_->bytes / num_ranks_;
    const bool direct = block_bytes <= kDirectBytes;
    const std::int64_t num_slices = direct ? 1 : num_pieces(block_bytes);
    for (std::int64_t i = 0; i < num_slices; ++i) {
      const Slice slice = all_reduce_slice(i, num_slices);
      if (direct) {
        Tasks sent(size());
        const Loaded own = direct_reduce(slice, sent);
        direct_gather(slice, own, sent);
      } else {
        ring_all_reduce(slice);
      }
    }
  }

  void reduce_scatter() {
    const bool direct = run_->bytes <= kDirectBytes;
    const std::int64_t num_slices = direct ? 1 : num_pieces(run_->bytes);
    for (std::int64_t i = 0; i < num_slices; ++i) {
      Slice slice{std::vector<Piece>(size()), std::vector<Piece>(size())};
      for (std::int32_t j = 0; j < num_ranks_; ++j) slice.in[at(j)] = entry_piece(j, i, num_slices);
      slice.out[at(self_)] = entry_piece(0, i, num_slices);
      Tasks sent(size());
      if (direct) direct_reduce(slice, sent);
      else ring_reduce_scatter(slice);
    }
  }

  void all_gather() {
    const bool direct = run_->bytes <= kDirectBytes;
    const std::int64_t num_slices = direct ? 1 : num_pieces(run_->bytes);
    for (std::int64_t i = 0; i < num_slices; ++i) {
      Slice slice{std::vector<Piece>(size()), std::vector<Piece>(size())};
      slice.in[at(self_)] = entry_piece(0, i, num_slices);
      for (std::int32_t j = 0; j < num_ranks_; ++j)
        slice.out[at(j)] = entry_piece(j, i, num_slices);
      const Loaded own = rows_.load(slice.in[at(self_)], gate());
      if (direct) direct_gather(slice, own, Tasks(size(), kNoTask));
      else close_gate(ring_gather(slice, own, self_, targets_of(slice), Tasks(size(), kNoTask)));
      rows_.copy(slice.in[at(self_)], slice.out[at(self_)], limits_.chunk_bytes);
    }
  }

  void all_to_all() {
    const std::int64_t num_slices = num_pieces(run_->bytes);
    for (std::int64_t i = 0; i < num_slices; ++i) {
      Tasks ended;
      for (std::int32_t distance = 1; distance < num_ranks_; ++distance) {
        const std::int32_t to = (self_ + distance) % num_ranks_;
        const std::int32_t from = (self_ - distance + num_ranks_) % num_ranks_;
        const Piece piece = entry_piece(to, i, num_slices);
        const Loaded source = rows_.load(piece, gate());
        ended.push_back(builder_.send(ranks_[at(to)], source.region, piece.bytes, source.after));
        ended.push_back(receive_into(entry_piece(from, i, num_slices), from, gate()));
      }
      rows_.copy(entry_piece(self_, i, num_slices), entry_piece(self_, i, num_slices),
                 limits_.chunk_bytes);
      close_gate(std::move(ended));
    }
  }

  void halo_exchange() {
    const Shape& part = communication_.parts[at(run_->parts.front())];
    const std::int64_t count = run_->num_elements();
    const std::int64_t before =
        communication_.before * count / std::max<std::int64_t>(1, part.dims.front());
    pass_on(0, before, self_ - 1, self_ + 1);
    pass_on(before, count, self_ + 1, self_ - 1);
  }

  // Elements [begin, end) come from one neighbour, and go to the other; where there is none they
  // stay.
  void pass_on(std::int64_t begin, std::int64_t end, std::int32_t from, std::int32_t to) {
    const auto is_there = [&](std::int32_t member) { return member >= 0 && member < num_ranks_; };
    const std::int64_t width = dtype_bytes(run_->dtype),
                       num_slices = end > begin ? num_pieces((end - begin) * width) : 0;
    for (std::int64_t i = 0; i < num_slices; ++i) {
      const Piece piece = run_->cut(0, begin + range_begin(end - begin, num_slices, i, width),
                                    begin + range_begin(end - begin, num_slices, i + 1, width));
      Tasks ended;
      if (is_there(to)) {
        const Loaded source = rows_.load(piece, gate());
        ended.push_back(builder_.send(ranks_[at(to)], source.region, piece.bytes, source.after));
      }
      if (is_there(from)) ended.push_back(receive_into(piece, from, gate()));
      else rows_.copy(piece, piece, limits_.chunk_bytes);
      close_gate(std::move(ended));
    }
  }

  // One round: everyone sends all to all, everyone reduces in rank order.
  void exchange() {
    const Piece whole = run_->cut(0, 0, run_->num_elements());
    const Loaded own = rows_.load(whole, {});
    std::vector<Loaded> operands(size());
    Tasks sent;
    for (std::int32_t j = 0; j < num_ranks_; ++j) {
      if (j == self_) {
        operands[at(j)] = own;
        continue;
      }
      sent.push_back(builder_.send(ranks_[at(j)], own.region, whole.bytes, own.after));
      const Region received = builder_.stage(whole.bytes);
      operands[at(j)] = {received, {builder_.receive(ranks_[at(j)], received, whole.bytes, {})}};
    }
    const Region target = rows_.target_of(whole);
    rows_.store(whole, target, reduce_in_order(operands, target, whole, sent));
  }

  // Every rank gets its block from all others and reduces in rank order. Returns the reduced block;
  // `sent[j]` is the message of block j.
  Loaded direct_reduce(const Slice& slice, Tasks& sent) {
    std::vector<Loaded> operands(size());
    const Piece& own = slice.in[at(self_)];
    for (std::int32_t j = 0; j < num_ranks_; ++j) {
      const Loaded source = rows_.load(slice.in[at(j)], {});
      sent[at(j)] = kNoTask;
      if (j == self_) {
        operands[at(j)] = source;
        continue;
      }
      sent[at(j)] =
          builder_.send(ranks_[at(j)], source.region, slice.in[at(j)].bytes, source.after);
      const Region received = builder_.stage(own.bytes);
      operands[at(j)] = {received, {builder_.receive(ranks_[at(j)], received, own.bytes, {})}};
    }
    const Region target = rows_.target_of(slice.out[at(self_)]);
    const std::int32_t reduced = reduce_in_order(operands, target, own, {});
    rows_.store(slice.out[at(self_)], target, reduced);
    return {target, {reduced}};
  }

  void direct_gather(const Slice& slice, const Loaded& own, const Tasks& sent) {
    for (std::int32_t j = 0; j < num_ranks_; ++j) {
      if (j == self_) continue;
      builder_.send(ranks_[at(j)], own.region, slice.out[at(self_)].bytes, own.after);
      receive_into(slice.out[at(j)], j, {sent[at(j)]});
    }
  }

  void ring_all_reduce(const Slice& slice) {
    const std::vector<Region> targets = targets_of(slice);
    Tasks sent(size(), kNoTask);
    const std::int32_t own = (self_ + 1) % num_ranks_;
    const std::int32_t reduced = ring_reduce(slice, own, targets, sent);
    close_gate(ring_gather(slice, {targets[at(own)], {reduced}}, own, targets, sent));
  }

  void ring_reduce_scatter(const Slice& slice) {
    Tasks sent(size(), kNoTask);
    sent.push_back(ring_reduce(slice, self_, targets_of(slice), sent));
    close_gate(std::move(sent));
  }

  // Reduces block `own` of the slice into this rank: num_ranks-1 steps to the right neighbour, each
  // adding this rank's operand on the way. Partial results lie where the block's result will, or in
  // a slot where this rank has no such place.
  std::int32_t ring_reduce(const Slice& slice, std::int32_t own, const std::vector<Region>& targets,
                           Tasks& sent) {
    const Tasks open = gate();
    std::int32_t block = left_of(own);
    Loaded partial = rows_.load(slice.in[at(block)], open);
    for (std::int32_t step = 0; step + 1 < num_ranks_; ++step) {
      sent[at(block)] =
          builder_.send(right(), partial.region, slice.in[at(block)].bytes, partial.after);
      if (step > 0) slots_[slot_].users.push_back(sent[at(block)]);
      block = left_of(block);
      next_slot();
      const bool has_place = slice.out[at(block)].bytes > 0;
      partial.region = has_place ? targets[at(block)] : slots_[slot_].region;
      partial.after = {receive_and_reduce(slice, block, partial.region, open)};
    }
    rows_.store(slice.out[at(own)], targets[at(own)], partial.after.front());
    return partial.after.front();
  }

  std::int32_t receive_and_reduce(const Slice& slice, std::int32_t block, Region target,
                                  const Tasks& open) {
    const Piece& piece = slice.in[at(block)];
    Slot& slot = slots_[slot_];
    Loaded own = rows_.load(piece, open);
    own.after.insert(own.after.end(), slot.users.begin(), slot.users.end());
    const ReduceStep step{reduce_, slot.region, own.region, target, elements(piece), piece.bytes};
    slot.users = {builder_.receive_reduce(left(), step, own.after)};
    return slot.users.front();
  }

  // Passes block `own` and then every received block on to the right. Block b is overwritten only
  // after `sent[b]`. Returns the last tasks.
  Tasks ring_gather(const Slice& slice, Loaded current, std::int32_t own,
                    const std::vector<Region>& targets, const Tasks& sent) {
    const Tasks open = gate();
    Tasks ended;
    std::int32_t block = own;
    for (std::int32_t step = 0; step + 1 < num_ranks_; ++step) {
      ended.push_back(
          builder_.send(right(), current.region, slice.out[at(block)].bytes, current.after));
      block = left_of(block);
      Tasks after = open;
      after.push_back(sent[at(block)]);
      const Piece& piece = slice.out[at(block)];
      const std::int32_t received =
          builder_.receive(left(), targets[at(block)], piece.bytes, after);
      rows_.store(piece, targets[at(block)], received);
      current = {targets[at(block)], {received}};
      ended.push_back(received);
    }
    return ended;
  }

  std::vector<Region> targets_of(const Slice& slice) {
    std::vector<Region> targets;
    for (const Piece& piece : slice.out) targets.push_back(rows_.target_of(piece));
    return targets;
  }

  std::int32_t reduce_in_order(const std::vector<Loaded>& operands, Region target,
                               const Piece& piece, const Tasks& before_target) {
    const Region partial = num_ranks_ > 2 ? builder_.stage(piece.bytes) : target;
    Region left = operands[0].region;
    Tasks after = operands[0].after;
    for (std::int32_t j = 1; j < num_ranks_; ++j) {
      const bool last = j + 1 == num_ranks_;
      after.insert(after.end(), operands[at(j)].after.begin(), operands[at(j)].after.end());
      if (last) after.insert(after.end(), before_target.begin(), before_target.end());
      const Region result = last ? target : partial;
      const ReduceStep step{reduce_,         left,       operands[at(j)].region, result,
                            elements(piece), piece.bytes};
      after = {builder_.reduce(step, after)};
      left = result;
    }
    return after.front();
  }

  std::int32_t receive_into(const Piece& piece, std::int32_t from, const Tasks& after) {
    const Region target = rows_.target_of(piece);
    const std::int32_t received = builder_.receive(ranks_[at(from)], target, piece.bytes, after);
    rows_.store(piece, target, received);
    return received;
  }

  Slice all_reduce_slice(std::int64_t i, std::int64_t num_slices) const {
    const std::int64_t width = dtype_bytes(run_->dtype);
    const std::int64_t begin = range_begin(run_->num_elements(), num_slices, i, width);
    const std::int64_t count = range_begin(run_->num_elements(), num_slices, i + 1, width) - begin;
    Slice slice;
    for (std::int32_t j = 0; j < num_ranks_; ++j) {
      slice.in.push_back(run_->cut(0, begin + range_begin(count, num_ranks_, j, width),
                                   begin + range_begin(count, num_ranks_, j + 1, width)));
    }
    slice.out = slice.in;
    return slice;
  }

  Piece entry_piece(std::int64_t entry, std::int64_t i, std::int64_t num) const {
    const std::int64_t width = dtype_bytes(run_->dtype);
    return run_->cut(entry, range_begin(run_->num_elements(), num, i, width),
                     range_begin(run_->num_elements(), num, i + 1, width));
  }

  std::int64_t num_pieces(std::int64_t bytes) const {
    const std::int64_t chunk = chunk_bytes(bytes);
    return std::max<std::int64_t>(1, (bytes + chunk - 1) / chunk);
  }

  // Of a stream of `bytes`: large enough to pay for its messages, small enough to fill a pipeline
  // and to stay in cache.
  std::int64_t chunk_bytes(std::int64_t bytes) const {
    return std::clamp((bytes + kMinSlices - 1) / kMinSlices,
                      std::min(kMinChunkBytes, limits_.chunk_bytes), limits_.chunk_bytes);
  }

  // Receive buffers of a ring reduction: each is taken again when its users have ended.
  struct Slot {
    Region region;
    Tasks users;
  };
  void next_slot() {
    if (slots_.empty()) {
      const std::int64_t count = limits_.window_chunks * std::min(2, num_ranks_ - 1);
      for (std::int64_t i = 0; i < count; ++i) slots_.push_back({builder_.stage(slot_bytes_), {}});
    }
    slot_ = (slot_ + 1) % slots_.size();
  }

  // Tasks that must have ended before the next slice begins.
  Tasks gate() const {
    const auto window = static_cast<std::size_t>(limits_.window_chunks);
    return gates_.size() < window ? Tasks{} : gates_[gates_.size() - window];
  }
  void close_gate(Tasks ended) { gates_.push_back(std::move(ended)); }

  std::int32_t left_of(std::int32_t member) const { return (member + num_ranks_ - 1) % num_ranks_; }
  std::int32_t left() const { return ranks_[at(left_of(self_))]; }
  std::int32_t right() const { return ranks_[at((self_ + 1) % num_ranks_)]; }

  bool is_reduction() const {
    return kind_ == plan::CommunicationKind::all_reduce ||
           kind_ == plan::CommunicationKind::reduce_scatter;
  }
  std::int64_t elements(const Piece& piece) const { return piece.bytes / dtype_bytes(run_->dtype); }
  std::size_t size() const { return static_cast<std::size_t>(num_ranks_); }

  const plan::Communication& communication_;
  plan::CommunicationKind kind_;
  Reduction reduction_;
  const std::vector<std::int32_t>& ranks_;
  std::int32_t num_ranks_, self_;
  PipelineLimits limits_;
  TaskGraphBuilder builder_;
  PieceRows rows_;
  const Run* run_ = nullptr;
  ReduceFunction reduce_ = nullptr;
  std::int64_t slot_bytes_ = 0;
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;
  std::vector<Tasks> gates_;
};

}  // namespace

TaskGraph build_collective(const plan::Communication& communication,
                           const std::vector<std::int32_t>& ranks, std::int32_t self,
                           const PipelineLimits& limits) {
  return CollectiveBuilder(communication, ranks, self, limits).finish();
}

}  // namespace rhino::runtime
