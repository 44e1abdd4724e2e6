// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runtime/cuda/nccl_api.hpp"
#include "runtime/cuda/nccl_schedule.hpp"

namespace rhino::runtime::cuda {

/// The communicators of all groups that a rank is in, non-blocking: nothing that NCCL does holds up
/// the host for longer than a deadline.
class NcclCommunicators {
 public:
  /// Opens NCCL where some group has this rank. `groups`: the same on all ranks. Throws Error.
  NcclCommunicators(std::vector<RankGroup> groups, std::int32_t rank);
  /// Ends them in order, or aborts them where something failed.
  ~NcclCommunicators();
  NcclCommunicators(const NcclCommunicators&) = delete;
  NcclCommunicators& operator=(const NcclCommunicators&) = delete;

  /// The ids of the groups that this rank is the first of, for all others.
  std::vector<std::byte> ids() const;
  /// `ids`: of all ranks. Makes one communicator after the other, in the order of the groups, which
  /// is that of all ranks. Throws Error naming the ranks that one is to be made of.
  void join(const std::vector<std::vector<std::byte>>& ids, double deadline_s);

  const NcclApi& api() const { return api_; }
  NcclComm operator[](std::int32_t group) const { return comms_[static_cast<std::size_t>(group)]; }
  /// Carries out `calls` as one group of NCCL; returns when all stand in their streams.
  void call(std::int32_t group, const std::function<void()>& calls);
  /// For within call(). Throws Error with NCCL's words; kNcclInProgress is none.
  void check(NcclResult result, std::int32_t group) const;
  /// Throws Error where a communicator has failed since.
  void check_all() const;
  /// What is under way ends, in no particular state.
  void abort();

  std::string version() const;  ///< "2.19.3"; empty where NCCL is not needed

 private:
  using Clock = std::chrono::steady_clock;
  void await(std::int32_t group, Clock::time_point end, const std::string& what) const;
  std::string ranks_of(std::int32_t group) const;
  bool has(std::int32_t group) const;

  std::vector<RankGroup> groups_;
  std::int32_t rank_;
  NcclApi api_;
  std::vector<NcclComm> comms_;  ///< per group; nullptr: not in it, or not yet
  double deadline_s_ = 60;
};

}  // namespace rhino::runtime::cuda
