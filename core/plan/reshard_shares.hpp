// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rhino/transfer.hpp"

namespace rhino::plan {

/// How a problem falls into equal ones that have nothing to do with each other: by a mesh axis that
/// all its meshes have, along which every tensor is either cut alike at both ends, outermost and
/// contiguous, or whole at both. Their devices are on hosts of their own, in the same arrangement.
struct ReshardShares {
  std::int64_t num_shares = 1;
  std::string axis;  ///< of the meshes
};

/// Into as many as possible.
ReshardShares find_shares(const ReshardProblem& problem);

/// One of them, over the same cluster.
ReshardProblem share_of(const ReshardProblem& problem, const ReshardShares& shares,
                        std::int64_t share);

/// Index of the axis in a mesh; -1: it has none of that name.
std::int32_t axis_of(const Mesh& mesh, const std::string& name);

/// What a resharding algorithm may go by: problems of one question have one answer, but for the
/// names of devices.
struct ReshardQuestion {
  std::vector<ReshardTensor> tensors;  ///< devices numbered as they first appear
  /// Per device, the first device on its host, and how many devices that host has.
  std::vector<std::pair<std::int32_t, std::size_t>> hosts;
  bool operator==(const ReshardQuestion&) const = default;
};
ReshardQuestion question_of(const ReshardProblem& problem);

}  // namespace rhino::plan
