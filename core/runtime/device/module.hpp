// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino::runtime {

/// What a module, `rhino_runtime_<kind>.so` beside the worker, exports: a device that the caller
/// owns. Throws Error.
extern "C" Device* rhino_make_device(const DeviceOptions* options);

/// Also exported: a transport between devices of the module, which the caller owns. `device` is
/// this rank's, made by it. Throws Error.
extern "C" Transport* rhino_make_transport(Device* device, const TransportOptions* options,
                                           const plan::ExecutionPlan* plan);
/// What a module may export beside it: the GPUs that it would drive, as topology::encode() writes
/// them. Throws nothing.
extern "C" void rhino_find_gpus(std::string* inventory);
/// And the libraries that it opens.
extern "C" void rhino_list_libraries(std::string* libraries);
/// Watches GPUs until standard input ends; topology::GpuRounds as text. Throws Error.
extern "C" void rhino_watch_gpus(const std::vector<std::string>* pci_bus_ids, std::string* text);

/// What the module of a kind exports under `name`; the module stays open for good. Throws Error
/// where it is missing.
void* entry_of_module(const std::string& kind, const char* name);

/// The device of a module that was built with this worker; it stays open for good. Throws Error
/// where the module is missing, and what it throws.
std::unique_ptr<Device> make_device_of_module(const std::string& kind,
                                              const DeviceOptions& options);
/// The transport of the module of this kind.
std::unique_ptr<Transport> make_transport_of_module(const std::string& kind, Device& device,
                                                    const TransportOptions& options,
                                                    const plan::ExecutionPlan& plan);

}  // namespace rhino::runtime
