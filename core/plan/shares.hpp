// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "plan/execution_plan.hpp"

/// Transfers are stated once: for one of their equal shares, and for one of several that are alike.
namespace rhino::plan {

/// The ranks of a mesh that are of one share: `axis` is cut into `num_shares` ranges. Increasing;
/// all of them where there is one share.
std::vector<std::size_t> share_ranks(const Mesh& mesh, std::int32_t axis, std::int64_t num_shares,
                                     std::int64_t share);

/// Where a share begins in the tensor of a part, per dim.
std::vector<std::int64_t> share_begin(const Communication& communication, std::size_t part,
                                      std::int64_t share);

/// All messages of a transfer.
class SharedSteps {
 public:
  /// Both are borrowed. Indices of the communication must lead somewhere (see check_indices).
  SharedSteps(const ExecutionPlan& plan, const Communication& communication);

  /// Those of one share: of the first one of the communication that states them.
  const std::vector<TransferStep>& stated() const { return stated_.steps; }
  std::int64_t num_shares() const { return num_shares_; }
  /// Where in a share a device of the stated steps is; it must be one.
  std::size_t place(DeviceId device) const;
  /// Who is at that place in a share of this transfer.
  DeviceId device_at(std::int64_t share, std::size_t place) const {
    return is_stated_ ? static_cast<DeviceId>(place)
                      : devices_[static_cast<std::size_t>(share)][place];
  }
  DeviceId device(std::int64_t share, DeviceId device) const {
    return device_at(share, place(device));
  }

 private:
  const Communication& stated_;
  std::int64_t num_shares_ = 1;
  bool is_stated_ = true;  ///< one share, stated by itself
  std::unordered_map<DeviceId, std::size_t> place_of_;
  std::vector<std::vector<DeviceId>> devices_;  ///< per share and place
};

/// Calls `f(step, from, to)` for all messages of a transfer, share after share: a step as it is
/// stated, and its devices. Does nothing for a collective.
template <class F>
void for_each_message(const ExecutionPlan& plan, const Communication& communication, F&& f) {
  const SharedSteps shared(plan, communication);
  for (std::int64_t share = 0; share < shared.num_shares(); ++share) {
    for (const TransferStep& step : shared.stated())
      f(step, shared.device(share, step.from), shared.device(share, step.to));
  }
}

/// The communication as if it were alone: all steps and groups of its own, one share after the
/// other.
Communication expanded(const ExecutionPlan& plan, const Communication& communication);

/// The one that states the steps, or groups, of a communication.
inline const Communication& stated_by(const std::vector<Communication>& communications,
                                      const Communication& communication) {
  return communication.like < 0 ? communication
                                : communications[static_cast<std::size_t>(communication.like)];
}

}  // namespace rhino::plan
