// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_collective.hpp"

#include <algorithm>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::runtime::cuda {
namespace {

BoxMove whole(const Place& from, const Place& to, std::int64_t num_bytes) {
  return {from, to, BoxCopy({num_bytes}, {1}, {1}, 1)};
}

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

}  // namespace

NcclSchedule collective_schedule(const plan::Communication& communication,
                                 const std::vector<DeviceId>& devices, Ranks& ranks) {
  return CollectiveSchedule(communication, ranks).of(devices);
}

}  // namespace rhino::runtime::cuda
