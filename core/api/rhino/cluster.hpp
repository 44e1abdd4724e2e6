// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rhino/shape.hpp"

namespace rhino {

using DeviceId = std::int32_t;

enum class DeviceKind : std::uint8_t { cpu, cuda, emulated, modelled };

/// What one device can do. `peak_flops` per dtype: dense floating-point operations per second.
struct DeviceModel {
  DeviceKind kind = DeviceKind::modelled;
  std::string name;
  double memory_bytes = 0;
  double memory_bytes_per_s = 0;
  double kernel_latency_s = 0;
  std::map<DType, double> peak_flops;
  bool operator==(const DeviceModel&) const = default;
};

struct Link {
  double bytes_per_s = 0;  ///< each way
  double latency_s = 0;
  double burst_bytes = 0;  ///< what a rate limiter that has been idle lets through at once on top
  bool operator==(const Link&) const = default;
};

/// Devices that share one network interface.
struct Host {
  std::string name;
  std::vector<DeviceId> devices;
  bool operator==(const Host&) const = default;
};

/// Hosts that are namespaces of one machine: every host's interface is limited by token buckets,
/// one each way.
struct EmulatedNetwork {
  double rate_bits_per_s = 0;  ///< of whole Ethernet frames; 0: the cluster is not emulated
  double burst_bytes = 0;      ///< that an interface passes at once after a pause
  bool operator==(const EmulatedNetwork&) const = default;
};

/// The machines of a cell. Device d is `host_of[d]`'s; all devices are alike unless the topology
/// says otherwise.
struct Cluster {
  std::string name;
  std::string source;  ///< where the numbers come from
  std::vector<Host> hosts;
  std::vector<std::int32_t> host_of;
  std::vector<DeviceModel> models;
  std::vector<std::int32_t> model_of;  ///< index in `models`, per device
  Link intra_host;                     ///< between two devices of a host, per device
  Link inter_host;                     ///< between two hosts; shared by all devices of a host
  EmulatedNetwork emulated;            ///< for hosts that are made for a run
  bool operator==(const Cluster&) const = default;

  bool is_emulated() const { return emulated.rate_bits_per_s > 0; }
  std::int32_t num_devices() const { return static_cast<std::int32_t>(host_of.size()); }
  const DeviceModel& device(DeviceId id) const {
    return models[static_cast<std::size_t>(model_of[static_cast<std::size_t>(id)])];
  }
};

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;
  bool operator==(const MeshAxis&) const = default;
};

/// Devices on named axes, row-major: the last axis varies fastest.
struct Mesh {
  std::vector<MeshAxis> axes;
  std::vector<DeviceId> devices;
  bool operator==(const Mesh&) const = default;
};

}  // namespace rhino
