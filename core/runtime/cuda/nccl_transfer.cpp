// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_transfer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/send_order.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/transport/message_box.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr std::int64_t kAlignment = 256;  ///< of what is packed: vectors of any width

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

}  // namespace

NcclSchedule transfer_schedule(const plan::Communication& communication, const Tiles& tiles,
                               Ranks& ranks, const NcclOptions& options) {
  return TransferSchedule(communication, tiles, ranks, options).finish();
}

}  // namespace rhino::runtime::cuda
