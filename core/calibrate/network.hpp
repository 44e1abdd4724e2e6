// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/machine.hpp"
#include "rhino/cluster.hpp"

namespace rhino::calibrate {

/// `machine` with the links of an emulated cluster in place of its own: messages between the first
/// devices of the first two of its hosts, and between two devices of the first, through workers on
/// the hosts of the setup; and what CPU time those between hosts cost the machine. Kept on disk
/// under a fingerprint that includes the network, unless other work disturbed that of the machine.
std::string network_fingerprint(const cost::Calibration& machine, const Cluster& cluster);
cost::Calibration calibrate_network(const cost::Calibration& machine, const WorkerSetup& setup,
                                    const Cluster& cluster);

/// `machine` with the links of `network`, which was made of the same machine at another time.
cost::Calibration with_network(const cost::Calibration& machine, const cost::Calibration& network);

/// What messages between two hosts reach while nothing else is on their way.
struct HostPair {
  std::int32_t a = 0, b = 0;
  Link link;
};
/// What hosts reach, as pairs tell: an interface of its own has a host that is 15 % below others
/// with whomever it talks, a link of its own a pair that is 15 % off what its hosts reach.
struct HostLinks {
  Link typical;                  ///< of the median pair, of hosts that are not slower
  std::vector<Link> interfaces;  ///< per host; all zeros: the typical one
  std::vector<OwnLink> own_links;
};
/// Of two hosts or more, each in some pair.
HostLinks links_of(const std::vector<HostPair>& pairs, std::int32_t num_hosts);
/// The same of a cluster's hosts, through the agents of the setup. Pairs are all where hosts are
/// few, else a ring of neighbours. Nothing of it is kept on disk: networks are shared.
HostLinks measure_links(const WorkerSetup& setup, const Cluster& cluster);

/// `118.9 MB/s between hosts, 0.5 % below what its rate leaves`, for records. `deviates`: by more
/// than 5 %.
struct NetworkFinding {
  std::string sentence;
  bool deviates = false;
};
NetworkFinding judge_network(const cost::Calibration& calibration, const Cluster& cluster);

}  // namespace rhino::calibrate
