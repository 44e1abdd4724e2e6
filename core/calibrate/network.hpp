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

/// `machine` with what messages between the hosts of a cluster reach, through the agents of the
/// setup: the link of the median pair, and those of pairs that are 15 % off it. Pairs are all where
/// hosts are few, else neighbours. Nothing of it is kept on disk: networks are shared.
struct HostLinks {
  cost::Calibration calibration;
  std::vector<OwnLink> own_links = {};
};
HostLinks measure_links(const cost::Calibration& machine, const WorkerSetup& setup,
                        const Cluster& cluster);

/// `118.9 MB/s between hosts, 0.5 % below what its rate leaves`, for records. `deviates`: by more
/// than 5 %.
struct NetworkFinding {
  std::string sentence;
  bool deviates = false;
};
NetworkFinding judge_network(const cost::Calibration& calibration, const Cluster& cluster);

}  // namespace rhino::calibrate
