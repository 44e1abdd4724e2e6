// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/module.hpp"

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/inventory.hpp"
#include "runtime/cuda/libraries.hpp"
#include "runtime/cuda/nccl_transport.hpp"

extern "C" {

__attribute__((visibility("default"))) rhino::runtime::Device* rhino_make_device(
    const rhino::runtime::DeviceOptions* options) {
  return rhino::runtime::cuda::make_cuda_device(*options).release();
}

__attribute__((visibility("default"))) rhino::runtime::Transport* rhino_make_transport(
    rhino::runtime::Device* device, const rhino::runtime::TransportOptions* options,
    const rhino::plan::ExecutionPlan* plan) {
  return rhino::runtime::cuda::make_nccl_transport(*device, *options, *plan).release();
}

__attribute__((visibility("default"))) void rhino_find_gpus(std::string* inventory) {
  *inventory = rhino::topology::encode(rhino::runtime::cuda::find_gpus());
}

__attribute__((visibility("default"))) void rhino_list_libraries(std::string* text) {
  *text = rhino::topology::encode(rhino::runtime::cuda::list_libraries());
}

__attribute__((visibility("default"))) void rhino_watch_gpus(
    const std::vector<std::string>* pci_bus_ids, std::string* text) {
  constexpr double kEvery_s = 0.1;
  *text = rhino::topology::encode(rhino::runtime::cuda::watch_gpus(*pci_bus_ids, kEvery_s));
}

}  // extern "C"
