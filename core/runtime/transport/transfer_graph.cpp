// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/transfer_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plan/send_order.hpp"
#include "rhino/error.hpp"
#include "runtime/transport/stream_copy.hpp"

namespace rhino::runtime {
namespace {

using Tasks = std::vector<std::int32_t>;

// One end of a step's box: the tile it lies in and where that is bound.
struct End {
  std::int32_t buffer = 0;
  const std::vector<std::int64_t>* dims = nullptr;
  const Box* box = nullptr;

  Region region(const Box& chunk, std::int64_t element_bytes) const {
    return {buffer,
            box_offset(*dims, *box, element_bytes) + box_offset(*dims, chunk, element_bytes)};
  }
};

class TransferBuilder {
 public:
  TransferBuilder(const plan::Communication& communication, const TransferParty& party,
                  const PipelineLimits& limits)
      : communication_(communication),
        party_(party),
        limits_(limits),
        builder_(static_cast<std::int32_t>(communication.parts.size())),
        arrived_(communication.steps.size()) {
    for (std::size_t r = 0; r < party.devices.size(); ++r)
      rank_of_[party.devices[r]] = static_cast<std::int32_t>(r);
    if (received_bytes() >= kStreamBytes) builder_.stream();
    exchange_begins();
    for (std::size_t i = 0; i < communication.steps.size(); ++i) add_step(i);
  }

  TaskGraph finish() { return builder_.finish(); }

 private:
  void add_step(std::size_t index) {
    const plan::TransferStep& step = communication_.steps[index];
    if (num_elements(step.global) == 0) return;
    const std::int32_t from = rank(step.from), to = rank(step.to);
    const Tasks after = exchange_notices(step, from);
    if (from == party_.rank && to == party_.rank) arrived_[index] = copy_step(step, after);
    else if (from == party_.rank) send_step(index, to, after);
    else if (to == party_.rank) arrived_[index] = receive_step(step, from);
  }

  // Every receiver of large messages tells their sender that it has begun. All other messages come
  // later, so both ends count them alike.
  void exchange_begins() {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const plan::TransferStep& step : communication_.steps) {
      if (takes_turn(step)) pairs.emplace(rank(step.from), rank(step.to));
    }
    for (const auto& [from, to] : pairs) {
      if (from == to) continue;
      if (to == party_.rank) builder_.notify(from, {});
      if (from == party_.rank) begun_[to] = builder_.await_notice(to);
    }
  }

  std::int64_t received_bytes() const {
    std::int64_t bytes = 0;
    for (const plan::TransferStep& step : communication_.steps) {
      if (rank(step.to) == party_.rank) bytes += plan::message_bytes(communication_, step);
    }
    return bytes;
  }

  bool takes_turn(const plan::TransferStep& step) const {
    return plan::takes_turn(plan::message_bytes(communication_, step));
  }

  // What must end before the sender begins; where that arrives at a third rank, it tells the
  // sender, once for all steps of that sender.
  Tasks exchange_notices(const plan::TransferStep& step, std::int32_t from) {
    Tasks after;
    for (std::int32_t earlier : step.after) {
      const plan::TransferStep& before = communication_.steps[static_cast<std::size_t>(earlier)];
      if (num_elements(before.global) == 0) continue;
      const std::int32_t holder = rank(before.to);
      const Tasks& arrived = arrived_[static_cast<std::size_t>(earlier)];
      const auto notice = noticed_.try_emplace({earlier, from});
      if (notice.second && holder != from) {
        if (holder == party_.rank) builder_.notify(from, arrived);
        if (from == party_.rank) notice.first->second = {builder_.await_notice(holder)};
      }
      if (from != party_.rank) continue;
      const bool is_own = holder == from;
      if (is_own && plan::follows_by_pieces(before, step)) continue;
      const Tasks& ended = is_own ? arrived : notice.first->second;
      after.insert(after.end(), ended.begin(), ended.end());
    }
    return after;
  }

  void add_relayed(const plan::TransferStep& step, std::size_t chunk, Tasks& after) const {
    for (std::int32_t earlier : step.after) {
      const plan::TransferStep& before = communication_.steps[static_cast<std::size_t>(earlier)];
      if (plan::follows_by_pieces(before, step))
        after.push_back(arrived_[static_cast<std::size_t>(earlier)][chunk]);
    }
  }

  void send_step(std::size_t index, std::int32_t to, const Tasks& after) {
    const plan::TransferStep& step = communication_.steps[index];
    const End end = source_end(step, party_.rank);
    const std::int64_t width = element_bytes(step);
    Staging staging;
    Tasks sent;
    const std::vector<Box> chunks = cut(step);
    const std::int32_t turn = takes_turn(step) ? static_cast<std::int32_t>(index) : -1;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      Tasks before = after;
      add_relayed(step, c, before);
      before.push_back(in_window(sent, c));
      const std::int64_t bytes = num_elements(chunks[c]) * width;
      Region source = end.region(chunks[c], width);
      if (!is_contiguous(*end.dims, chunks[c].size) && !is_in_place(to)) {
        const Region packed = slot(staging, c, chunks);
        const BoxCopy pack = make_box_copy(chunks[c].size, *end.dims, chunks[c].size, width);
        before = {builder_.copy_box(source, packed, pack, before)};
        source = packed;
      }
      if (turn >= 0) before.push_back(begun_.at(to));
      sent.push_back(builder_.send(to, source, bytes, before, turn));
    }
  }

  Tasks receive_step(const plan::TransferStep& step, std::int32_t from) {
    const End end = target_end(step);
    const std::int64_t width = element_bytes(step);
    Staging staging;
    Tasks arrived;
    const std::vector<Box> chunks = cut(step);
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      const Tasks before{in_window(arrived, c)};
      const std::int64_t bytes = num_elements(chunks[c]) * width;
      const Region target = end.region(chunks[c], width);
      const std::vector<std::int64_t>& source_dims =
          is_in_place(from) ? *source_end(step, from).dims : chunks[c].size;
      const BoxCopy unpack = make_box_copy(chunks[c].size, source_dims, *end.dims, width);
      if (unpack.is_contiguous()) {
        arrived.push_back(builder_.receive(from, target, bytes, before));
        continue;
      }
      const Region packed = is_in_place(from) ? target : slot(staging, c, chunks);
      arrived.push_back(builder_.receive_box(from, packed, target, unpack, bytes, before));
    }
    return arrived;
  }

  Tasks copy_step(const plan::TransferStep& step, const Tasks& after) {
    const End source = source_end(step, party_.rank), target = target_end(step);
    const std::int64_t width = element_bytes(step);
    Tasks arrived;
    const std::vector<Box> chunks = cut(step);
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      Tasks before = after;
      add_relayed(step, c, before);
      const BoxCopy copy = make_box_copy(chunks[c].size, *source.dims, *target.dims, width);
      arrived.push_back(builder_.copy_box(source.region(chunks[c], width),
                                          target.region(chunks[c], width), copy, before));
    }
    return arrived;
  }

  bool is_in_place(std::int32_t rank) const {
    return party_.in_place[static_cast<std::size_t>(rank)];
  }

  End source_end(const plan::TransferStep& step, std::int32_t rank) const {
    const TransferTiles& tiles = party_.tiles[static_cast<std::size_t>(rank)];
    if (step.relayed)
      return end(step, tiles.targets, builder_.graph().output(step.part), step.source);
    return end(step, tiles.sources, builder_.graph().input(step.part), step.source);
  }
  End target_end(const plan::TransferStep& step) const {
    const TransferTiles& tiles = party_.tiles[static_cast<std::size_t>(party_.rank)];
    return end(step, tiles.targets, builder_.graph().output(step.part), step.target);
  }
  End end(const plan::TransferStep& step, const std::vector<const Shape*>& tiles,
          std::int32_t buffer, const Box& box) const {
    const Shape* tile = tiles[static_cast<std::size_t>(step.part)];
    if (!tile) {
      throw Error(
          fmt::format("communication '{}' moves part {} from device {} to device {}, but device {} "
                      "binds no buffer to it",
                      communication_.name, step.part, step.from, step.to,
                      party_.devices[static_cast<std::size_t>(party_.rank)]));
    }
    return {buffer, &tile->dims, &box};
  }

  std::int32_t rank(DeviceId device) const {
    const auto found = rank_of_.find(device);
    if (found != rank_of_.end()) return found->second;
    throw Error(fmt::format("communication '{}' names device {}, which no rank drives",
                            communication_.name, device));
  }

  // Memory of the chunks of one step that are under way.
  struct Staging {
    std::vector<Region> slots;
  };
  Region slot(Staging& staging, std::size_t chunk, const std::vector<Box>& chunks) {
    const std::size_t index = chunk % static_cast<std::size_t>(limits_.window_chunks);
    if (index == staging.slots.size()) {
      std::int64_t most = 0;
      for (const Box& box : chunks) most = std::max(most, num_elements(box));
      staging.slots.push_back(builder_.stage(most * element_bytes_));
    }
    return staging.slots[index];
  }

  std::int32_t in_window(const Tasks& tasks, std::size_t chunk) const {
    const auto window = static_cast<std::size_t>(limits_.window_chunks);
    return chunk < window ? kNoTask : tasks[chunk - window];
  }

  std::vector<Box> cut(const plan::TransferStep& step) {
    element_bytes_ = element_bytes(step);
    const plan::MessageCut cut(step.global.size, element_bytes_, limits_.chunk_bytes);
    std::vector<Box> boxes;
    for (std::int64_t piece = 0; piece < cut.num_pieces(); ++piece) boxes.push_back(cut.box(piece));
    return boxes;
  }
  std::int64_t element_bytes(const plan::TransferStep& step) const {
    return dtype_bytes(communication_.parts[static_cast<std::size_t>(step.part)].dtype);
  }

  const plan::Communication& communication_;
  const TransferParty& party_;
  PipelineLimits limits_;
  TaskGraphBuilder builder_;
  std::map<DeviceId, std::int32_t> rank_of_;
  std::map<std::int32_t, std::int32_t> begun_;  // per rank: the task that ends when it has begun
  /// Per step and rank that waits for it at a third one: there the task that ends when it is told.
  std::map<std::pair<std::int32_t, std::int32_t>, Tasks> noticed_;
  std::vector<Tasks> arrived_;  // per step that arrives here, per chunk
  std::int64_t element_bytes_ = 1;
};

}  // namespace

TaskGraph build_transfer(const plan::Communication& communication, const TransferParty& party,
                         const PipelineLimits& limits) {
  return TransferBuilder(communication, party, limits).finish();
}

}  // namespace rhino::runtime
