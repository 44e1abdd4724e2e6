// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rhino/error.hpp"
#include "runtime/cuda/nccl_schedule.hpp"

namespace rhino::runtime::cuda {

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

}  // namespace rhino::runtime::cuda
