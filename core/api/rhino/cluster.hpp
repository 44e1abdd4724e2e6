// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

/// What one device can do. Rooflines come from these numbers where nothing was measured: a kernel
/// takes kernel_latency_s plus the larger of flops / peak and bytes / memory_bytes_per_s.
struct DeviceModel {
  DeviceKind kind = DeviceKind::modelled;
  std::string name;               ///< for people
  double memory_bytes = 0;        ///< a plan needs no more of any device, buffers and scratch
  double memory_bytes_per_s = 0;  ///< reading and writing together
  double kernel_latency_s = 0;    ///< of each kernel, however small
  /// Dense floating-point operations per second, a multiply-add counted as two. Of a dtype that is
  /// missing arithmetic is free: only memory counts.
  std::map<DType, double> peak_flops;
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

/// Devices that share one network interface. AlpaComm (arXiv 2211.05322) plans by hosts for that
/// reason: whichever of its devices send, a host sends no faster.
struct Host {
  std::string name;
  std::vector<DeviceId> devices;  ///< increasing
  bool operator==(const Host&) const = default;
};

/// Hosts that are namespaces of one machine: every host's interface is limited by token buckets,
/// one each way.
struct EmulatedNetwork {
  double rate_bits_per_s = 0;  ///< of whole Ethernet frames; 0: the cluster is not emulated
  double burst_bytes = 0;      ///< that an interface passes at once after a pause
  bool operator==(const EmulatedNetwork&) const = default;
};

/// Devices by id, in `host_of` and `model_of`, and by host, in `hosts`. Each device has a link of
/// its own to the others of its host (`intra_host`); what leaves a host shares its one interface
/// (`inter_host`) with all that its other devices send. Hosts are fully connected.
///
///     2 hosts x 2 devices: hosts {0, 1}, {2, 3}; host_of {0, 0, 1, 1}; model_of {0, 0, 0, 0}
struct Cluster {
  std::string name;    ///< of the topology
  std::string source;  ///< where the numbers come from, for records
  std::vector<Host> hosts;
  std::vector<std::int32_t> host_of;   ///< per device, an index in `hosts`
  std::vector<DeviceModel> models;     ///< at least one; all devices of a topology file are alike
  std::vector<std::int32_t> model_of;  ///< per device, an index in `models`
  Link intra_host;                     ///< between two devices of a host, per device
  Link inter_host;                     ///< between two hosts; shared by all devices of a host
  EmulatedNetwork emulated;            ///< for hosts that are made for a run
  bool operator==(const Cluster&) const = default;

  bool is_emulated() const { return emulated.rate_bits_per_s > 0; }
  std::int32_t num_devices() const { return static_cast<std::int32_t>(host_of.size()); }
  /// The model of a device; `id` must be one of the cluster's.
  const DeviceModel& device(DeviceId id) const {
    return models[static_cast<std::size_t>(model_of[static_cast<std::size_t>(id)])];
  }
};

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
