// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/gpus.hpp"

namespace rhino::runtime::cuda {

/// The GPUs of this host, in CUDA's order, as far as driver and NVML tell; makes no context.
topology::GpuInventory find_gpus();

}  // namespace rhino::runtime::cuda
