// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rhino/transfer.hpp"

namespace rhino::plan {

/// How a problem falls into equal ones that have nothing to do with each other: by a mesh axis that
/// all its meshes have, along which every tensor is either cut alike at both ends, outermost and
/// contiguous, or whole at both. Their devices are on hosts of their own, in the same arrangement,
/// and no two send over one uplink.
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
/// names of devices. Where hosts have links of their own, names count.
struct ReshardQuestion {
  /// Where a device is.
  struct Place {
    std::int32_t host = 0, leaf = 0;  ///< the first device there; -1: no leaf
    std::int32_t interface = 0, model = 0;
    std::size_t num_neighbours = 0;
    bool has_own = false;  ///< links of its own, to whatever device
    Host shape;            ///< of the host, without name, devices and leaf
    Link uplink;
    bool operator==(const Place&) const = default;
  };
  /// Two devices that have a link of their own.
  struct Joined {
    std::int32_t low = 0, high = 0;
    Link link;
    bool operator==(const Joined&) const = default;
  };
  std::vector<ReshardTensor> tensors;  ///< devices numbered as they first appear
  std::vector<Place> places;           ///< per device
  std::vector<Joined> joined;          ///< increasing
  bool operator==(const ReshardQuestion&) const = default;
};
ReshardQuestion question_of(const ReshardProblem& problem);

}  // namespace rhino::plan
