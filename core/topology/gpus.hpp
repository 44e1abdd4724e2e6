// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/members.hpp"
#include "rhino/cluster.hpp"

namespace rhino::topology {

/// All NVLinks from one GPU to one place.
struct NvLinks {
  std::int32_t peer = -1;    ///< an index in GpuInventory::gpus; -1: switches
  std::int32_t count = 0;    ///< that are up
  std::int32_t version = 0;  ///< 1: P100, 2: V100, 3: A100, 4: H100, 5: B200; 0: not told
  bool operator==(const NvLinks&) const = default;
};

/// What an NVIDIA GPU says of itself, in the order in which CUDA counts them.
struct Gpu {
  std::string name, pci_bus_id;
  std::int32_t architecture = 0;  ///< 90: sm_90
  std::int32_t num_multiprocessors = 0;
  double memory_bytes = 0;
  double clock_hz = 0, memory_clock_hz = 0;  ///< the highest
  std::int32_t memory_bus_bits = 0;
  std::int32_t pcie_generation = 0, pcie_lanes = 0;  ///< 0: not told
  std::vector<NvLinks> nvlinks;
  bool operator==(const Gpu&) const = default;
};

/// The GPUs that this process would find.
struct GpuInventory {
  std::string missing;            ///< a sentence: why there is none; empty: there are some
  std::string driver;             ///< "580.65.06"; empty: not told
  std::int32_t cuda_version = 0;  ///< that the driver is for, 13000: 13.0
  std::string nvml_missing;       ///< a sentence: why clocks and links are not known
  std::vector<Gpu> gpus;
  bool is_fake() const { return !gpus.empty() && gpus.front().name.starts_with("fake "); }
  bool operator==(const GpuInventory&) const = default;
};

constexpr auto members(const NvLinks*) {
  using L = NvLinks;
  return std::tuple(codec::named("peer", &L::peer), codec::named("count", &L::count),
                    codec::named("version", &L::version));
}
constexpr auto members(const Gpu*) {
  using codec::named;
  using G = Gpu;
  return std::tuple(named("name", &G::name), named("pci_bus_id", &G::pci_bus_id),
                    named("architecture", &G::architecture),
                    named("num_multiprocessors", &G::num_multiprocessors),
                    named("memory_bytes", &G::memory_bytes), named("clock_hz", &G::clock_hz),
                    named("memory_clock_hz", &G::memory_clock_hz),
                    named("memory_bus_bits", &G::memory_bus_bits),
                    named("pcie_generation", &G::pcie_generation),
                    named("pcie_lanes", &G::pcie_lanes), named("nvlinks", &G::nvlinks));
}
constexpr auto members(const GpuInventory*) {
  using codec::named;
  using I = GpuInventory;
  return std::tuple(named("missing", &I::missing), named("driver", &I::driver),
                    named("cuda_version", &I::cuda_version),
                    named("nvml_missing", &I::nvml_missing), named("gpus", &I::gpus));
}

std::string encode(const GpuInventory& inventory);
/// Throws Error.
GpuInventory decode_inventory(const std::string& text);

/// Asks the worker beside this program, once: no process that starts others opens CUDA.
const GpuInventory& discover_gpus();

/// `H100, sm_90, 132 multiprocessors, 80 GB, 18 NVLinks of version 4 to switches, PCIe 5 x16`.
std::string describe(const Gpu& gpu);

/// Peaks by the GPU's architecture, multiprocessors and clocks; what kernels reach of them as
/// measured for the files of topologies/ (its README.md has the sources).
DeviceModel gpu_model(const Gpu& gpu);

/// These GPUs as a host. `num_devices` 0: all; more than there are share them, memory too.
/// `has_peers`: other hosts have ranks, too.
Cluster gpu_cluster(const GpuInventory& inventory, std::int32_t num_devices,
                    bool has_peers = false);

/// A network interface that is up.
struct Nic {
  std::string name;
  double bytes_per_s = 0;
  bool operator==(const Nic&) const = default;
};
/// InfiniBand and RoCE ports; where there are none, Ethernet of real cards. `sys`: "/sys".
std::vector<Nic> discover_nics(const std::string& sys);

}  // namespace rhino::topology
