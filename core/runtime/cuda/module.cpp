// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/module.hpp"

#include "runtime/cuda/cuda_device.hpp"
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
}
