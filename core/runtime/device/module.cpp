// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/module.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "rhino/error.hpp"

namespace rhino::runtime {

void* entry_of_module(const std::string& kind, const char* name) {
  const std::filesystem::path worker = std::filesystem::read_symlink("/proc/self/exe");
  const std::string file = worker.parent_path() / ("rhino_runtime_" + kind + ".so");
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr)
    throw Error("cannot open the module of device '" + kind + "': " + ::dlerror());
  void* entry = ::dlsym(module, name);
  if (entry == nullptr) throw Error(file + " is no module of a device: it has no " + name);
  return entry;
}

std::unique_ptr<Device> make_device_of_module(const std::string& kind,
                                              const DeviceOptions& options) {
  void* entry = entry_of_module(kind, "rhino_make_device");
  return std::unique_ptr<Device>(reinterpret_cast<decltype(&rhino_make_device)>(entry)(&options));
}

std::unique_ptr<Transport> make_transport_of_module(const std::string& kind, Device& device,
                                                    const TransportOptions& options,
                                                    const plan::ExecutionPlan& plan) {
  void* entry = entry_of_module(kind, "rhino_make_transport");
  const auto make = reinterpret_cast<decltype(&rhino_make_transport)>(entry);
  return std::unique_ptr<Transport>(make(&device, &options, &plan));
}

}  // namespace rhino::runtime
