// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_schedule.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/transport/message_box.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr std::int64_t kAlignment = 256;  ///< of what is packed: vectors of any width

/// Who is who: ranks of devices, and groups by their ranks.
class Ranks {
 public:
  Ranks(const std::vector<DeviceId>& devices, std::int32_t self) : self_(self) {
    for (std::size_t rank = 0; rank < devices.size(); ++rank) {
      rank_of_[devices[rank]] = static_cast<std::int32_t>(rank);
      all_.push_back(static_cast<std::int32_t>(rank));
    }
  }

  std::int32_t self() const { return self_; }
  const RankGroup& all() const { return all_; }
  std::int32_t rank(DeviceId device, const plan::Communication& communication) const {
    const auto found = rank_of_.find(device);
    if (found != rank_of_.end()) return found->second;
    throw Error("communication '" + communication.name + "' names device " +
                std::to_string(device) + ", which no rank drives");
  }
  std::int32_t group(const RankGroup& ranks) {
    const auto [found, is_new] =
        index_of_.try_emplace(ranks, static_cast<std::int32_t>(groups_.size()));
    if (is_new) groups_.push_back(ranks);
    return found->second;
  }
  std::vector<RankGroup> take_groups() { return std::move(groups_); }

 private:
  std::int32_t self_;
  RankGroup all_;
  std::map<DeviceId, std::int32_t> rank_of_;
  std::map<RankGroup, std::int32_t> index_of_;
  std::vector<RankGroup> groups_;
};

BoxMove whole(const Place& from, const Place& to, std::int64_t num_bytes) {
  return {from, to, BoxCopy({num_bytes}, {1}, {1}, 1)};
}

// --- collectives ---

class CollectiveSchedule {
 public:
  CollectiveSchedule(const plan::Communication& communication, Ranks& ranks)
      : communication_(communication), ranks_(ranks) {}

  /// `devices`: the group of this rank.
  NcclSchedule of(const std::vector<DeviceId>& devices) {
    RankGroup group;
    for (const DeviceId device : devices) group.push_back(ranks_.rank(device, communication_));
    size_ = std::ssize(group);
    self_ = static_cast<std::int32_t>(std::find(group.begin(), group.end(), ranks_.self()) -
                                      group.begin());
    if (size_ > 1) phase_.group = ranks_.group(group);
    for (std::size_t part = 0; part < communication_.parts.size(); ++part)
      add_part(static_cast<std::int32_t>(part));
    return {.phases = {std::move(phase_)}, .staging_bytes = 0};
  }

 private:
  Place input(std::int32_t part, std::int64_t offset = 0) const { return {part, offset}; }
  Place output(std::int32_t part, std::int64_t offset = 0) const {
    return {static_cast<std::int32_t>(communication_.parts.size()) + part, offset};
  }

  void add_part(std::int32_t part) {
    const Shape& shape = communication_.parts[at(part)];
    if (num_elements(shape) == 0) return;
    if (size_ == 1) return keep(part, 0, num_bytes(shape));
    switch (communication_.kind) {
      case plan::CommunicationKind::all_reduce: return call(NcclCallKind::all_reduce, part, 1);
      case plan::CommunicationKind::all_gather: return call(NcclCallKind::all_gather, part, 1);
      case plan::CommunicationKind::reduce_scatter:
        return call(NcclCallKind::reduce_scatter, part, size_);
      case plan::CommunicationKind::all_to_all: return all_to_all(part);
      case plan::CommunicationKind::halo_exchange: return halo_exchange(part);
      case plan::CommunicationKind::transfer: break;
    }
  }

  void call(NcclCallKind kind, std::int32_t part, std::int64_t num_entries) {
    const Shape& shape = communication_.parts[at(part)];
    phase_.calls.push_back({.kind = kind,
                            .from = input(part),
                            .to = output(part),
                            .count = num_elements(shape) / num_entries,
                            .dtype = shape.dtype,
                            .reduction = communication_.reduction});
  }

  void all_to_all(std::int32_t part) {
    const std::int64_t bytes = num_bytes(communication_.parts[at(part)]) / size_;
    for (std::int32_t peer = 0; peer < size_; ++peer) {
      if (peer == self_) keep(part, peer * bytes, bytes);
      else pass(part, peer * bytes, bytes, peer, peer);
    }
  }

  void halo_exchange(std::int32_t part) {
    const Shape& shape = communication_.parts[at(part)];
    const std::int64_t bytes = num_bytes(shape);
    const std::int64_t before = communication_.before * (bytes / shape.dims.front());
    pass_or_keep(part, 0, before, self_ - 1, self_ + 1);
    pass_or_keep(part, before, bytes - before, self_ + 1, self_ - 1);
  }

  void pass_or_keep(std::int32_t part, std::int64_t offset, std::int64_t bytes, std::int32_t from,
                    std::int32_t to) {
    if (bytes == 0) return;
    const auto is_there = [&](std::int32_t member) { return member >= 0 && member < size_; };
    if (!is_there(from)) keep(part, offset, bytes);
    pass(part, offset, bytes, is_there(from) ? from : -1, is_there(to) ? to : -1);
  }

  void pass(std::int32_t part, std::int64_t offset, std::int64_t bytes, std::int32_t from,
            std::int32_t to) {
    if (to >= 0)
      phase_.calls.push_back(
          {.kind = NcclCallKind::send, .from = input(part, offset), .count = bytes, .peer = to});
    if (from >= 0)
      phase_.calls.push_back({.kind = NcclCallKind::receive,
                              .to = output(part, offset),
                              .count = bytes,
                              .peer = from});
  }

  void keep(std::int32_t part, std::int64_t offset, std::int64_t bytes) {
    phase_.before.push_back(whole(input(part, offset), output(part, offset), bytes));
  }

  const plan::Communication& communication_;
  Ranks& ranks_;
  std::int64_t size_ = 1;
  std::int32_t self_ = 0;
  NcclPhase phase_;
};

// --- transfers ---

/// The tiles of this rank's role, per part; nullptr where it is no source or target.
struct Tiles {
  std::vector<const Shape*> sources, targets;
};

class TransferSchedule {
 public:
  TransferSchedule(const plan::Communication& communication, const Tiles& tiles, Ranks& ranks,
                   const NcclOptions& options)
      : communication_(communication), tiles_(tiles), ranks_(ranks), options_(options) {
    find_relays();
    for (std::size_t step = 0; step < communication.steps.size(); ++step) set_phases(step);
  }

  NcclSchedule finish() {
    for (std::size_t step = 0; step < communication_.steps.size(); ++step) {
      if (num_elements(communication_.steps[step].global) == 0) continue;
      if (!options_.broadcasts || !is_passed_on_[root_of_[step]]) add_messages(step);
      else if (root_of_[step] == step) add_broadcast(step);
    }
    NcclSchedule schedule{.phases = {}, .staging_bytes = staging_bytes_};
    for (auto& [order, phase] : phases_) {
      if (!phase.calls.empty() || !phase.before.empty())
        schedule.phases.push_back(std::move(phase));
    }
    return schedule;
  }

 private:
  /// First by depth, then sends and receives, then broadcasts one by one: alike on all ranks.
  using PhaseOrder = std::pair<std::int64_t, std::size_t>;
  struct End {
    Place place;
    const std::vector<std::int64_t>* dims = nullptr;
  };

  const plan::TransferStep& step(std::size_t index) const { return communication_.steps[index]; }

  /// Which steps pass on what others bring, piece by piece, and where that began.
  void find_relays() {
    const std::size_t count = communication_.steps.size();
    root_of_.resize(count);
    before_.resize(count, -1);
    is_passed_on_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      root_of_[i] = i;
      for (const std::int32_t earlier : step(i).after) {
        const plan::TransferStep& brings = step(at(earlier));
        if (brings.from == brings.to || !plan::follows_by_pieces(brings, step(i))) continue;
        before_[i] = earlier;
        root_of_[i] = root_of_[at(earlier)];
        is_passed_on_[root_of_[i]] = true;
        break;
      }
    }
  }

  plan::MessageCut cut(std::size_t index) const {
    const plan::TransferStep& message = step(index);
    const std::int64_t bytes = num_elements(message.global) * width(message);
    const bool in_pieces = is_passed_on_[root_of_[index]] && !options_.broadcasts;
    return {message.global.size, width(message),
            std::max<std::int64_t>(1, in_pieces ? options_.piece_bytes : bytes)};
  }

  /// Each piece is a phase behind what it passes on, behind the piece before it, and behind all of
  /// whatever else its step comes after.
  void set_phases(std::size_t index) {
    std::vector<std::int64_t>& phases = phase_of_.emplace_back();
    if (num_elements(step(index).global) == 0) return void(phases.assign(1, -1));
    if (options_.broadcasts && before_[index] >= 0)
      return void(phases = phase_of_[root_of_[index]]);
    std::int64_t first = 0;
    for (const std::int32_t earlier : step(index).after) {
      if (earlier != before_[index]) first = std::max(first, phase_of_[at(earlier)].back() + 1);
    }
    const std::int64_t num_pieces = cut(index).num_pieces();
    for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
      if (before_[index] >= 0)
        first = std::max(first, phase_of_[at(before_[index])][at(piece)] + 1);
      phases.push_back(first++);
    }
  }

  void add_messages(std::size_t index) {
    const plan::TransferStep& message = step(index);
    const std::int32_t from = ranks_.rank(message.from, communication_),
                       to = ranks_.rank(message.to, communication_);
    if (from != ranks_.self() && to != ranks_.self()) {
      if (from != to) ranks_.group(ranks_.all());
      return;
    }
    const plan::MessageCut pieces = cut(index);
    for (std::int64_t piece = 0; piece < pieces.num_pieces(); ++piece) {
      const Box box = pieces.box(piece);
      NcclPhase& phase = phases_[{phase_of_[index][at(piece)], 0}];
      if (from == to) {
        phase.before.push_back(move(source(message, box), target(message, box), message, box));
        continue;
      }
      phase.group = ranks_.group(ranks_.all());
      if (from == ranks_.self()) {
        phase.calls.push_back({.kind = NcclCallKind::send,
                               .from = packed(phase, message, box),
                               .count = bytes(message, box),
                               .peer = to});
      } else {
        phase.calls.push_back({.kind = NcclCallKind::receive,
                               .to = unpacked(phase, message, box),
                               .count = bytes(message, box),
                               .peer = from});
      }
    }
  }

  void add_broadcast(std::size_t root) {
    RankGroup members{ranks_.rank(step(root).from, communication_)};
    const plan::TransferStep* own = &step(root);
    for (std::size_t i = root; i < communication_.steps.size(); ++i) {
      if (root_of_[i] != root) continue;
      members.push_back(ranks_.rank(step(i).to, communication_));
      if (members.back() == ranks_.self()) own = &step(i);
    }
    const std::int32_t first = members.front();
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const std::int32_t group = ranks_.group(members);
    if (!contains(members, ranks_.self())) return;
    const Box box = cut(root).box(0);
    NcclPhase& phase = phases_[{phase_of_[root].front(), root + 1}];
    phase.group = group;
    const bool is_first = first == ranks_.self();
    const Place place = is_first ? packed(phase, *own, box) : unpacked(phase, *own, box);
    const auto peer = std::find(members.begin(), members.end(), first) - members.begin();
    phase.calls.push_back({.kind = NcclCallKind::broadcast,
                           .from = place,
                           .to = place,
                           .count = bytes(*own, box),
                           .peer = static_cast<std::int32_t>(peer)});
  }

  /// Where a box that leaves lies in one piece.
  Place packed(NcclPhase& phase, const plan::TransferStep& message, const Box& box) {
    const End end = source(message, box);
    if (is_contiguous(*end.dims, box.size)) return end.place;
    const End staged{stage(bytes(message, box)), &box.size};
    phase.before.push_back(move(end, staged, message, box));
    return staged.place;
  }

  /// Where a box that comes lies in one piece.
  Place unpacked(NcclPhase& phase, const plan::TransferStep& message, const Box& box) {
    const End end = target(message, box);
    if (is_contiguous(*end.dims, box.size)) return end.place;
    const End staged{stage(bytes(message, box)), &box.size};
    phase.after.push_back(move(staged, end, message, box));
    return staged.place;
  }

  BoxMove move(const End& from, const End& to, const plan::TransferStep& message,
               const Box& box) const {
    return {from.place, to.place, make_box_copy(box.size, *from.dims, *to.dims, width(message))};
  }

  Place stage(std::int64_t num_bytes) {
    const std::int64_t offset = staging_bytes_;
    staging_bytes_ += (num_bytes + kAlignment - 1) / kAlignment * kAlignment;
    return {2 * num_parts(), offset};
  }

  End source(const plan::TransferStep& message, const Box& piece) const {
    return message.relayed ? end(message, tiles_.targets, num_parts(), message.source, piece)
                           : end(message, tiles_.sources, 0, message.source, piece);
  }
  End target(const plan::TransferStep& message, const Box& piece) const {
    return end(message, tiles_.targets, num_parts(), message.target, piece);
  }
  End end(const plan::TransferStep& message, const std::vector<const Shape*>& tiles,
          std::int32_t first_buffer, const Box& box, const Box& piece) const {
    const Shape* tile = tiles[at(message.part)];
    if (tile == nullptr)
      throw Error("communication '" + communication_.name + "' moves part " +
                  std::to_string(message.part) + " from device " + std::to_string(message.from) +
                  " to device " + std::to_string(message.to) + ", but rank " +
                  std::to_string(ranks_.self()) + " binds no buffer to it");
    const std::int64_t offset =
        box_offset(tile->dims, box, width(message)) + box_offset(tile->dims, piece, width(message));
    return {{first_buffer + message.part, offset}, &tile->dims};
  }

  std::int32_t num_parts() const { return static_cast<std::int32_t>(communication_.parts.size()); }
  std::int64_t width(const plan::TransferStep& message) const {
    return dtype_bytes(communication_.parts[at(message.part)].dtype);
  }
  std::int64_t bytes(const plan::TransferStep& message, const Box& box) const {
    return num_elements(box) * width(message);
  }

  const plan::Communication& communication_;
  const Tiles& tiles_;
  Ranks& ranks_;
  const NcclOptions& options_;
  std::vector<std::size_t> root_of_;                 ///< per step
  std::vector<std::int32_t> before_;                 ///< per step: which it passes on; -1: none
  std::vector<bool> is_passed_on_;                   ///< per root
  std::vector<std::vector<std::int64_t>> phase_of_;  ///< per step and piece; -1: nothing moves
  std::map<PhaseOrder, NcclPhase> phases_;
  std::int64_t staging_bytes_ = 0;
};

const plan::Role* role_of(const plan::ExecutionPlan& plan, DeviceId device) {
  for (const plan::Role& role : plan.roles) {
    if (contains(role.mesh.devices, device)) return &role;
  }
  return nullptr;
}

/// The tiles that a role binds to a communication, by any of its Starts: all bind alike.
Tiles tiles_of(const plan::Role& role, std::size_t communication, std::size_t num_parts) {
  Tiles tiles{std::vector<const Shape*>(num_parts), std::vector<const Shape*>(num_parts)};
  const auto fill = [&](const std::vector<std::int32_t>& buffers, auto& shapes) {
    for (std::size_t part = 0; part < std::min(num_parts, buffers.size()); ++part) {
      if (buffers[part] >= 0) shapes[part] = &role.buffers[at(buffers[part])].shape;
    }
  };
  for (const plan::Instruction& instruction : role.instructions) {
    if (instruction.kind != plan::InstructionKind::start || at(instruction.index) != communication)
      continue;
    fill(instruction.inputs, tiles.sources);
    fill(instruction.outputs, tiles.targets);
    break;
  }
  return tiles;
}

}  // namespace

NcclPlan nccl_plan(const plan::ExecutionPlan& plan, const std::vector<DeviceId>& devices,
                   std::int32_t rank, const NcclOptions& options) {
  NcclPlan result;
  Ranks ranks(devices, rank);
  const plan::Role* role = role_of(plan, devices[at(rank)]);
  for (std::size_t c = 0; c < plan.communications.size(); ++c) {
    const plan::Communication& communication = plan.communications[c];
    NcclSchedule& schedule = result.schedules.emplace_back();
    if (communication.kind == plan::CommunicationKind::transfer) {
      const Tiles tiles = tiles_of(*role, c, communication.parts.size());
      const plan::Communication all = plan::expanded(plan, communication);
      schedule = TransferSchedule(all, tiles, ranks, options).finish();
      continue;
    }
    for (const std::vector<DeviceId>& group :
         plan::stated_by(plan.communications, communication).groups) {
      RankGroup members;
      for (const DeviceId device : group) members.push_back(ranks.rank(device, communication));
      if (members.size() > 1) ranks.group(members);
      if (contains(members, rank)) schedule = CollectiveSchedule(communication, ranks).of(group);
    }
  }
  result.groups = ranks.take_groups();
  return result;
}

}  // namespace rhino::runtime::cuda
