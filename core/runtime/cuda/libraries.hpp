// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/gpu_libraries.hpp"

namespace rhino::runtime::cuda {

/// Driver, NVRTC, cuBLASLt, NCCL, NVML: where they are, which, and what they lack. Makes no
/// context, and throws nothing.
topology::GpuLibraries list_libraries();

}  // namespace rhino::runtime::cuda
