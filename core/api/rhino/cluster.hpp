// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rhino/program.hpp"
#include "rhino/shape.hpp"

/// The machines of a cell: read from a file of topologies/, or found out about this machine.
/// Plugins get a Cluster as part of their problem and never ask the machine itself, so they answer
/// the same for workers and for the simulator. Rates and latencies are those that prices, bounds
/// and the simulator use; on this machine a calibration has replaced the nominal ones.
namespace rhino {

/// Index of a device of a Cluster: 0, 1, ..., counted host by host.
using DeviceId = std::int32_t;

/// `cpu`: a worker process with its share of the cores, on emulated hosts too. `emulated`: numbers
/// of a file that workers of this machine stand for. `modelled`, `cuda`: numbers for the simulator
/// alone; other backends refuse them. Prices and the simulator read the numbers, never the kind.
enum class DeviceKind : std::uint8_t { cpu, cuda, emulated, modelled };

/// What a kernel of attention reaches in narrow floats, as its authors published it of a device;
/// all zeros: nothing is known of it, its dots reach what dots do.
struct AttentionRates {
  double forward = 0, backward = 0;  ///< parts of the peak, of a depth of 128 and long rows
  double exponentials_per_s = 0;     ///< one for each score, beside which dots wait
  bool operator==(const AttentionRates&) const = default;
};

/// What one device can do. Bounds refer to what nothing exceeds (memory_bytes_per_s, peak_flops);
/// prices, where this machine was not calibrated, to what kernels reach: kernel_latency_s plus the
/// larger of arithmetic and memory (core/cost/README.md).
struct DeviceModel {
  DeviceKind kind = DeviceKind::modelled;
  std::string name;               ///< for people
  double memory_bytes = 0;        ///< a plan needs no more of any device, buffers and scratch
  double memory_bytes_per_s = 0;  ///< reading and writing together
  double kernel_latency_s = 0;    ///< of each kernel, however small
  /// Dense floating-point operations per second, a multiply-add counted as two. A floating-point
  /// dtype that is missing works as f32 does; without f32 arithmetic is free: only memory counts.
  std::map<DType, double> peak_flops;
  double stream_bytes_per_s = 0;  ///< memory as large kernels reach it; 0: memory_bytes_per_s
  /// What large dots reach, by dtype; one that is missing reaches its peak.
  std::map<DType, double> sustained_flops = {};
  /// Dots are cut into tiles, one at a time for each, and rows of loops may be longer
  /// (lower::Kernels); 0: a dot of any shape is as quick as a large one.
  std::int32_t num_multiprocessors = 0;
  double cache_bytes_per_s = 0;  ///< at which all of them together read operands; 0: no limit
  AttentionRates attention = {};
  bool operator==(const DeviceModel&) const = default;
};

/// A message of n bytes takes latency_s + n / bytes_per_s where it is alone. Messages that share a
/// link share its rate fairly.
struct Link {
  double bytes_per_s = 0;  ///< each way at the same time (full duplex)
  double latency_s = 0;
  double burst_bytes = 0;  ///< what a rate limiter that has been idle lets through at once on top
  bool operator==(const Link&) const = default;
};

/// Devices that share network interfaces: device i of n sends and receives through interface
/// i * num_interfaces / n. AlpaComm (arXiv 2211.05322) plans by hosts for that reason: whichever of
/// its devices send, a host sends no faster than its interfaces.
struct Host {
  std::string name;
  std::vector<DeviceId> devices;  ///< increasing, consecutive
  std::int32_t num_interfaces = 1;
  std::int32_t leaf = -1;  ///< the switch that it is plugged into, in Cluster::uplinks; -1: none
  Link inside = {};        ///< in place of Cluster::intra_host; all zeros: it holds
  Link interface = {};     ///< in place of Cluster::inter_host; all zeros: it holds
  bool operator==(const Host&) const = default;
};

/// Two devices of a host, or two hosts, that have a link of their own: all between them goes over
/// it, and nothing else does.
struct OwnLink {
  bool between_hosts = false;
  std::int32_t a = 0, b = 0;  ///< DeviceIds, or indices in Cluster::hosts
  Link link;
  bool operator==(const OwnLink&) const = default;
};

/// What makes the collectives of a cluster. `plain`: rings, all-to-all each to each, at the rates
/// and latencies of the links. `nccl`: NCCL's rings and trees, chosen and priced by its public
/// tuning model; `nccl_nvls`: where the switches inside hosts add up, too.
enum class CollectiveLibrary : std::uint8_t { plain, nccl, nccl_nvls };

/// Of the rates of links, what a collective of `members` inside a host reaches with so many bytes
/// of its operand per member; in between by the logarithm, beyond the first and the last as they.
/// Groups of other sizes are as the next larger, else as those of any size, else as the largest.
struct CollectiveShare {
  double bytes = 0, share = 1;
  std::int32_t members = 0;  ///< 0: any
  bool operator==(const CollectiveShare&) const = default;
};

/// Those of all kinds of collectives that have none of their own, and those; by members, then
/// bytes. Empty: 1.
struct CollectiveShares {
  std::vector<CollectiveShare> any = {};
  std::map<OpKind, std::vector<CollectiveShare>> of_kind = {};
  bool operator==(const CollectiveShares&) const = default;
};

/// What issues the kernels of a plan. By default they are those that lowering fuses, and issued in
/// no time. A framework that runs op by op makes more of them, one after the other, and where that
/// takes longer than executing them devices wait for their hosts (core/cost/README.md).
struct Software {
  double kernel_issue_s = 0;    ///< of the host, per kernel or communication
  double kernels_per_loop = 1;  ///< in place of each fused loop; a dot is one
  double passes_per_loop = 1;   ///< how often those read and write what the fused loop does once
  bool attention = false;       ///< is one kernel that writes no scores to memory
  /// Of the host, per collective of a kind; those that are not here take as long as a kernel.
  std::map<OpKind, double> collective_issue_s = {};
  bool operator==(const Software&) const = default;

  double issue_s(OpKind collective) const {
    const auto own = collective_issue_s.find(collective);
    return own == collective_issue_s.end() ? kernel_issue_s : own->second;
  }
};

/// Hosts that are namespaces of one machine: every host's interface is limited by token buckets,
/// one each way.
struct EmulatedNetwork {
  double rate_bits_per_s = 0;  ///< of whole Ethernet frames; 0: the cluster is not emulated
  double burst_bytes = 0;      ///< that an interface passes at once after a pause
  bool operator==(const EmulatedNetwork&) const = default;
};

/// Devices by id, in `host_of` and `model_of`, and by host, in `hosts`. Each device has a link of
/// its own to the others of its host (`intra_host`); what leaves a host shares its interfaces
/// (`inter_host`, each) with all that its other devices send. Hosts are fully connected, but for
/// switches: hosts of other leaves are reached over the uplinks of both, which their hosts share.
///
///     2 hosts x 2 devices: hosts {0, 1}, {2, 3}; host_of {0, 0, 1, 1}; model_of {0, 0, 0, 0}
///
/// Most plugins need `host_of`, `link` and `host_link` only: they answer for every cluster.
struct Cluster {
  std::string name;    ///< of the topology
  std::string source;  ///< where the numbers come from, for records
  std::vector<Host> hosts;
  std::vector<std::int32_t> host_of;   ///< per device, an index in `hosts`
  std::vector<DeviceModel> models;     ///< at least one
  std::vector<std::int32_t> model_of;  ///< per device, an index in `models`
  Link intra_host;                     ///< between two devices of a host, per device
  Link inter_host;                     ///< of each network interface
  EmulatedNetwork emulated;            ///< for hosts that are made for a run
  std::vector<Link> uplinks = {};      ///< per leaf switch, to all the others, each way
  std::vector<OwnLink> own_links = {};
  CollectiveLibrary collectives = CollectiveLibrary::plain;
  CollectiveShares collective_shares = {};
  /// Per model, of hosts with such devices, where these differ; empty: `collective_shares` holds.
  std::vector<CollectiveShares> shares_of_model = {};
  Software software = {};
  bool operator==(const Cluster&) const = default;

  bool is_emulated() const { return emulated.rate_bits_per_s > 0; }
  std::int32_t num_devices() const { return static_cast<std::int32_t>(host_of.size()); }
  /// The model of a device; `id` must be one of the cluster's.
  const DeviceModel& device(DeviceId id) const {
    return models[static_cast<std::size_t>(model_of[static_cast<std::size_t>(id)])];
  }
  /// Of each device of a host to the others of it / of each of its interfaces / of all together.
  Link inside(std::int32_t host) const;
  Link interface(std::int32_t host) const;
  Link host_link(std::int32_t host) const;
  /// The interface of its host that a device uses, from 0.
  std::int32_t interface_of(DeviceId id) const;
  /// What a message between two devices gets where it is alone: the least rate on its way; the
  /// larger latency of both interfaces, and those of switches.
  Link link(DeviceId a, DeviceId b) const;
};

inline Link Cluster::inside(std::int32_t host) const {
  const auto h = static_cast<std::size_t>(host);
  return h < hosts.size() && hosts[h].inside != Link{} ? hosts[h].inside : intra_host;
}

inline Link Cluster::interface(std::int32_t host) const {
  const auto h = static_cast<std::size_t>(host);
  return h < hosts.size() && hosts[h].interface != Link{} ? hosts[h].interface : inter_host;
}

inline Link Cluster::host_link(std::int32_t host) const {
  Link link = interface(host);
  const auto h = static_cast<std::size_t>(host);
  link.bytes_per_s *= h < hosts.size() ? hosts[h].num_interfaces : 1;
  return link;
}

inline std::int32_t Cluster::interface_of(DeviceId id) const {
  const auto h = static_cast<std::size_t>(host_of[static_cast<std::size_t>(id)]);
  if (h >= hosts.size() || hosts[h].num_interfaces == 1) return 0;
  return (id - hosts[h].devices.front()) * hosts[h].num_interfaces /
         static_cast<std::int32_t>(hosts[h].devices.size());
}

inline Link Cluster::link(DeviceId a, DeviceId b) const {
  const std::int32_t from = host_of[static_cast<std::size_t>(a)],
                     to = host_of[static_cast<std::size_t>(b)];
  for (const OwnLink& own : own_links) {
    const auto [x, y] = own.between_hosts ? std::pair(from, to) : std::pair(a, b);
    if ((own.a == x && own.b == y) || (own.a == y && own.b == x)) return own.link;
  }
  if (from == to) return inside(from);
  Link link = interface(from);
  const auto pass = [&link](const Link& next) {
    link.bytes_per_s = std::min(link.bytes_per_s, next.bytes_per_s);
    link.burst_bytes = std::min(link.burst_bytes, next.burst_bytes);
  };
  const Link taken = interface(to);
  pass(taken);
  link.latency_s = std::max(link.latency_s, taken.latency_s);
  if (uplinks.empty()) return link;
  const std::int32_t leaves[] = {hosts[static_cast<std::size_t>(from)].leaf,
                                 hosts[static_cast<std::size_t>(to)].leaf};
  for (const std::int32_t leaf : leaves) {
    if (leaves[0] == leaves[1] || leaf < 0) continue;
    pass(uplinks[static_cast<std::size_t>(leaf)]);
    link.latency_s += uplinks[static_cast<std::size_t>(leaf)].latency_s;
  }
  return link;
}

/// One direction of a mesh. Two chunks of a strategy may give an axis of one name different sizes.
struct MeshAxis {
  std::string name;  ///< "data", "tensor", ...: what strategy files and messages call it
  std::int64_t size = 1;
  bool operator==(const MeshAxis&) const = default;
};

/// Devices on named axes, row-major: the last axis varies fastest. `devices` holds as many as the
/// sizes multiply to, each once, in any order.
///
///     {{"data", 2}, {"tensor", 2}} over {4, 5, 6, 7}: device 6 is at data 1, tensor 0
struct Mesh {
  std::vector<MeshAxis> axes;
  std::vector<DeviceId> devices;
  bool operator==(const Mesh&) const = default;
};

}  // namespace rhino
