// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/gpu_state.hpp"
#include "topology/gpus.hpp"

namespace rhino::runtime::cuda {

/// The GPUs of this host, in CUDA's order, as far as driver and NVML tell; makes no context.
topology::GpuInventory find_gpus();

/// States of these GPUs every `every_s` until standard input ends. Throws Error where NVML does not
/// know one.
topology::GpuRounds watch_gpus(const std::vector<std::string>& pci_bus_ids, double every_s);

}  // namespace rhino::runtime::cuda
