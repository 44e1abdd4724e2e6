// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "topology/network_namespace.hpp"

namespace rhino::topology {

/// Payload bytes per second of TCP through an emulated interface: 1448 of 1514 bytes of a frame.
double goodput_bytes_per_s(const EmulatedNetwork& network);

/// Bytes that crossed the interface of a host, headers included.
struct HostTraffic {
  std::int64_t out_bytes = 0, in_bytes = 0;
};

/// The hosts of an emulated cluster on this machine: per host a network and an IPC namespace whose
/// interface eth0 (10.77.0.h+1) is joined by a veth pair to a bridge in a namespace of its own.
/// Token buckets limit what a host sends (on its eth0) and what it receives (on the bridge's port).
/// A bucket holds at least two of the 64 KiB packets that the kernel hands over (burst_bytes): with
/// less it overflows while a packet waits for its tokens, and rate is lost. All of it goes with
/// this object, or with this process, and with the last worker inside.
class EmulatedHosts {
 public:
  /// Throws Error saying what is missing: root, iproute2, or the kernel's bridge, veth or tbf.
  explicit EmulatedHosts(const Cluster& cluster);

  /// Per host of the cluster; valid as long as this object.
  std::vector<HostNamespaces> namespaces() const;
  /// Per host, since it was set up.
  std::vector<HostTraffic> traffic() const;

 private:
  void add_host(const EmulatedNetwork& network, std::size_t index);

  OwnedNamespaces switch_;
  std::vector<OwnedNamespaces> hosts_;
};

/// Clusters of one key are served by the same emulated hosts.
std::string emulation_key(const Cluster& cluster);

/// Emulated hosts by cluster, set up once and kept.
class EmulatedClusters {
 public:
  /// Throws Error as EmulatedHosts does.
  std::vector<HostNamespaces> hosts(const Cluster& cluster);
  /// What the hosts of the cluster have sent to each other so far; 0 where there are none.
  double crossed_bytes(const Cluster& cluster) const;

 private:
  std::map<std::string, EmulatedHosts> made_;
};

/// Why this machine cannot emulate clusters; empty: it can. Sets up a small one and drops it.
std::string why_not_emulated();

}  // namespace rhino::topology
