// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/cuda/nvml_api.hpp"
#include "topology/gpu_state.hpp"
#include "topology/gpus.hpp"

namespace rhino::runtime::cuda {

/// NVML, open while this lives. What a GPU does not tell is 0.
class Nvml {
 public:
  /// Throws Error.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::string driver_version() const;
  /// Throws Error where there is none of that id.
  NvmlDevice device(const std::string& pci_bus_id) const;
  /// Clocks and links of `gpus[index]`, into it. Throws Error.
  void describe(std::vector<topology::Gpu>& gpus, std::size_t index) const;
  topology::GpuState state(NvmlDevice device) const;

 private:
  void add_nvlinks(NvmlDevice device, std::vector<topology::Gpu>& gpus, std::size_t index) const;

  NvmlApi api_;
};

}  // namespace rhino::runtime::cuda
