// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "../common/settings.hpp"
#include "call.hpp"
#include "entries.hpp"
#include "module.hpp"

namespace fake {
namespace {

constexpr int kMaxSharedOptin = 227 << 10;

Library* as_library(Module* module) { return reinterpret_cast<Library*>(module); }

Result load_checked(const void* image, Library** out) {
  if (const Result r = refuse_while_capturing()) return r;
  return image ? load(image, out) : kInvalidValue;
}

Result unload_checked(Library* library) {
  if (!library) return kInvalidHandle;
  wait_for_all();
  unload(library);
  return waited();
}

Result get_kernel(Kernel** kernel, Library* library, const char* name) {
  if (!library || !name) return kInvalidValue;
  *kernel = find_kernel(*library, name);
  return *kernel ? kSuccess : kNotFound;
}

Result get_attribute(int* value, int which, const Kernel& kernel) {
  switch (which) {
    case kFunctionMaxThreads: *value = kernel.bound; return kSuccess;
    case kFunctionSharedBytes:
      *value = static_cast<int>(kernel.shared_end - kernel.shared_begin);
      return kSuccess;
    case kFunctionRegisters: *value = 32; return kSuccess;
    case kFunctionConstBytes:
    case kFunctionLocalBytes: *value = 0; return kSuccess;
    case kFunctionPtxVersion:
    case kFunctionBinaryVersion: *value = kernel.architecture; return kSuccess;
    case kFunctionMaxDynamicShared: *value = kernel.max_dynamic; return kSuccess;
    default: return kInvalidValue;
  }
}

Result set_attribute(int which, int value, Kernel& kernel) {
  if (which != kFunctionMaxDynamicShared) return kSuccess;
  if (value < 0 || value > kMaxSharedOptin) return kInvalidValue;
  kernel.max_dynamic = value;
  return kSuccess;
}

Result check_launch(const Kernel& kernel, const LaunchConfig& c) {
  const bool empty = !c.grid_x || !c.grid_y || !c.grid_z || !c.block_x || !c.block_y || !c.block_z;
  const std::uint64_t threads = std::uint64_t{c.block_x} * c.block_y * c.block_z;
  const bool large = c.grid_x > 0x7fffffffu || c.grid_y > 65535 || c.grid_z > 65535 ||
                     c.block_z > 64 || c.block_x > 1024 || c.block_y > 1024 || threads > 1024;
  if (empty || large) return kInvalidValue;
  if (c.shared_bytes > static_cast<unsigned>(kernel.max_dynamic)) return kInvalidValue;
  return threads > static_cast<std::uint64_t>(kernel.bound) ? kLaunchOutOfResources : kSuccess;
}

/// Arguments as they are at the launch: the caller may change them at once.
class Arguments {
 public:
  Arguments(const Kernel& kernel, void** parameters) {
    for (std::size_t i = 0; i < kernel.parameter_bytes.size(); ++i) {
      values_.emplace_back(kernel.parameter_bytes[i] / sizeof(Slot) + 1);
      std::memcpy(values_.back().data(), parameters[i], kernel.parameter_bytes[i]);
      addresses_.push_back(values_.back().data());
    }
  }
  void** addresses() { return addresses_.data(); }

 private:
  struct alignas(16) Slot {
    std::uint64_t words[2];
  };
  std::vector<std::vector<Slot>> values_;
  std::vector<void*> addresses_;
};

Result launch(const LaunchConfig& c, Kernel* kernel, void** parameters, void** extra) {
  if (!kernel) return kInvalidHandle;
  if (extra) return kNotSupported;
  if (!parameters && !kernel->parameter_bytes.empty()) return kInvalidValue;
  if (const Result r = check_launch(*kernel, c)) return r;
  Stream& stream = stream_of(c.stream);
  if (!kernel->was_launched && captured(stream)) return refuse_captured(stream);
  kernel->was_launched = true;
  auto arguments = std::make_shared<Arguments>(*kernel, parameters);
  const Launch launch{{c.grid_x, c.grid_y, c.grid_z},
                      {c.block_x, c.block_y, c.block_z},
                      static_cast<std::size_t>(c.shared_bytes)};
  enqueue(stream, kernel->name, [=](Operation& op) {
    run_kernel(op, *kernel, launch, arguments->addresses());
    return true;
  });
  return kSuccess;
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

Result cuModuleLoadData(Module** module, const void* image) {
  return call(__func__, [&] { return load_checked(image, reinterpret_cast<Library**>(module)); });
}

Result cuModuleLoadDataEx(Module** module, const void* image, unsigned, int*, void**) {
  return call(__func__, [&] { return load_checked(image, reinterpret_cast<Library**>(module)); });
}

Result cuModuleUnload(Module* module) {
  return call(__func__, [&] { return unload_checked(as_library(module)); });
}

Result cuModuleGetFunction(Kernel** kernel, Module* module, const char* name) {
  return call(__func__, [&] { return get_kernel(kernel, as_library(module), name); });
}

Result cuLibraryLoadData(Library** library, const void* image, int*, void**, unsigned, int*, void**,
                         unsigned) {
  return call(__func__, [&] { return load_checked(image, library); });
}

Result cuLibraryUnload(Library* library) {
  return call(__func__, [&] { return unload_checked(library); });
}

Result cuLibraryGetKernel(Kernel** kernel, Library* library, const char* name) {
  return call(__func__, [&] { return get_kernel(kernel, library, name); });
}

Result cuKernelGetFunction(Kernel** function, Kernel* kernel) {
  return call(__func__, [&]() -> Result {
    *function = kernel;
    return kernel ? kSuccess : kInvalidHandle;
  });
}

Result cuKernelGetAttribute(int* value, int which, Kernel* kernel, Ordinal) {
  return call(__func__, [&] { return get_attribute(value, which, *kernel); });
}

Result cuKernelSetAttribute(int which, int value, Kernel* kernel, Ordinal) {
  return call(__func__, [&] { return set_attribute(which, value, *kernel); });
}

Result cuFuncGetAttribute(int* value, int which, Kernel* kernel) {
  return call(__func__, [&] { return get_attribute(value, which, *kernel); });
}

Result cuFuncSetAttribute(Kernel* kernel, int which, int value) {
  return call(__func__, [&] { return set_attribute(which, value, *kernel); });
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads,
                                                   std::size_t) {
  return call(__func__, [&]() -> Result {
    if (threads <= 0 || threads > kernel->bound) return kInvalidValue;
    *blocks = 2048 / threads;
    return kSuccess;
  });
}

Result cuLaunchKernel(Kernel* kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned shared, Stream* stream, void** parameters,
                      void** extra) {
  return call(__func__, [&] {
    return launch({gx, gy, gz, bx, by, bz, shared, stream, nullptr, 0}, kernel, parameters, extra);
  });
}

Result cuLaunchKernelEx(const LaunchConfig* config, Kernel* kernel, void** parameters,
                        void** extra) {
  return call(__func__, [&]() -> Result {
    if (config->num_attributes) return kNotSupported;
    return launch(*config, kernel, parameters, extra);
  });
}
}
#pragma GCC visibility pop
