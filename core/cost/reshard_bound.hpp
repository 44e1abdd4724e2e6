// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/transfer.hpp"

namespace rhino::cost {

/// One reason why a resharding takes as long as it does, at its worst place.
struct ReshardBoundTerm {
  std::string what;  ///< for people: "egress of hosts 0, 1"
  double seconds = 0;
  std::int64_t bytes = 0;  ///< that pass there
  bool operator==(const ReshardBoundTerm&) const = default;
};

/// What physics allows: no execution of a resharding that holds to transfer.hpp (devices send what
/// they hold of the source or have received of a target) is faster.
struct ReshardBound {
  double seconds = 0;
  std::string what;                     ///< the term that binds; "nothing moves" where none does
  std::vector<ReshardBoundTerm> terms;  ///< the worst of each kind of place, longest first
  std::int64_t crossing_bytes = 0;      ///< the fewest that must pass between hosts
  bool operator==(const ReshardBound&) const = default;
};

/// Derived in reshard_bound.md: ingress of each host, egress of the worst set of hosts, links of
/// devices, latency, bursts, with credit for data in place. A fraction of a second for 512 x 512
/// devices.
ReshardBound reshard_bound(const ReshardProblem& problem);

}  // namespace rhino::cost
