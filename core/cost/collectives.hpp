// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/links.hpp"
#include "rhino/program.hpp"

namespace rhino::cost {

/// What of a way to make a collective changes with its bytes otherwise than in proportion, as
/// against that of one byte.
struct SizeEffect {
  double more_s = 0, more_from_bytes = 0;  ///< of latency, for so many bytes or more
  std::int32_t tree = -1;                  ///< of NCCL's, which gets a share of its rate

  double latency_s(double bytes) const { return bytes >= more_from_bytes ? more_s : 0; }
  /// How many times longer links take per byte.
  double slowdown(double bytes) const;
  /// The least, whatever the bytes.
  double least_slowdown() const;
};

/// How a group makes a collective: after `latency_s` it keeps all its links busy at once, each with
/// its own bytes, until all have passed.
struct CollectiveFlow {
  struct Load {
    std::int32_t link = 0;  ///< in Links
    double bytes = 0;
    bool operator==(const Load&) const = default;
  };
  std::string algorithm;    ///< for people: `ring`, `tree/LL128`, ...
  double latency_s = 0;     ///< of its hops, one after the other
  std::vector<Load> loads;  ///< each link once, increasing
  SizeEffect by_size;       ///< which the others have in them

  /// Seconds of the busiest link, and all of it, where nothing else is on the links.
  double transfer_s(const Links& links) const;
  double alone_s(const Links& links) const { return latency_s + transfer_s(links); }
};

struct CollectiveProblem {
  OpKind kind = OpKind::all_reduce;
  double bytes = 0;  ///< the operand of one device (see CollectiveAttr)
  std::vector<DeviceId> group;
  double forward = 0.5;  ///< halo_exchange: the part that goes to the next of the group
};

/// How many times longer links take for a collective than for its bytes
/// (Cluster::collective_shares, shares_of_model).
double collective_slowdown(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                           const Cluster& cluster);
/// The least of so many bytes or more: collectives may be joined.
double least_collective_slowdown(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                                 const Cluster& cluster);

/// All ways in which the collectives of a cluster can be made by its library, derived in README.md.
/// `plain`: one, a ring in the order of the group, or each to each for all-to-all.
std::vector<CollectiveFlow> collective_flows(const CollectiveProblem& problem,
                                             const Cluster& cluster, const Links& links);
/// The quickest of them alone.
CollectiveFlow collective_flow(const CollectiveProblem& problem, const Cluster& cluster,
                               const Links& links);

}  // namespace rhino::cost
