// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include "../common/faults.hpp"
#include "../common/settings.hpp"
#include "block.hpp"
#include "call.hpp"
#include "entries.hpp"

namespace fake {
namespace {

bool initialised_now = false;

const std::map<Result, const char*>& error_names() {
  static const auto* const names = new std::map<Result, const char*>{
      {kSuccess, "CUDA_SUCCESS"},
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED"},
      {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
      {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},
      {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
      {kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
      {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
      {kIllegalState, "CUDA_ERROR_ILLEGAL_STATE"},
      {kNotFound, "CUDA_ERROR_NOT_FOUND"},
      {kNotReady, "CUDA_ERROR_NOT_READY"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kLaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
      {kLaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {kHostMemoryAlreadyRegistered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
      {kHostMemoryNotRegistered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
      {kMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
      {kNotPermitted, "CUDA_ERROR_NOT_PERMITTED"},
      {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"},
      {kCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {kCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
      {kCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
      {kCaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
      {kCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
      {kCaptureImplicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
      {kUnknown, "CUDA_ERROR_UNKNOWN"},
  };
  return *names;
}

int capability() { return static_cast<int>(number_setting("FAKE_CUDA_CAPABILITY", 90)); }

/// An H100's, where a program may ask; few multiprocessors, as blocks run one after another.
int attribute(int which, Ordinal device) {
  static const auto* const values = new std::map<int, int>{
      {kAttributeMaxThreadsPerBlock, 1024},
      {kAttributeMaxBlockX, 1024},
      {kAttributeMaxBlockY, 1024},
      {kAttributeMaxBlockZ, 64},
      {kAttributeMaxGridX, 2147483647},
      {kAttributeMaxGridY, 65535},
      {kAttributeMaxGridZ, 65535},
      {kAttributeMaxSharedPerBlock, 48 << 10},
      {kAttributeWarpSize, 32},
      {kAttributeMaxRegistersPerBlock, 65536},
      {kAttributeClockKhz, 1980000},
      {kAttributeMultiprocessors, 4},
      {kAttributeConcurrentKernels, 1},
      {kAttributeMemoryClockKhz, 2619000},
      {kAttributeMemoryBusBits, 5120},
      {kAttributeL2Bytes, 50 << 20},
      {kAttributeMaxThreadsPerMultiprocessor, 2048},
      {kAttributeAsyncEngines, 3},
      {kAttributeUnifiedAddressing, 1},
      {kAttributeMaxSharedPerMultiprocessor, 228 << 10},
      {kAttributeMaxSharedOptin, 227 << 10},
  };
  if (which == kAttributeMajor) return capability() / 10;
  if (which == kAttributeMinor) return capability() % 10;
  if (which == kAttributePciBus) return device + 1;
  const auto found = values->find(which);
  return found == values->end() ? 0 : found->second;
}

bool is_device(Ordinal device) { return device >= 0 && device < num_devices(); }

std::vector<Context*>& context_stack() {
  static thread_local std::vector<Context*> stack;
  return stack;
}

}  // namespace

bool initialised() { return initialised_now; }

int num_devices() { return static_cast<int>(number_setting("FAKE_CUDA_DEVICES", 4)); }

Context*& current_context() {
  if (context_stack().empty()) context_stack().push_back(nullptr);
  return context_stack().back();
}

Context* primary_context(Ordinal device) {
  static auto* const contexts = new std::map<Ordinal, Context>;
  const auto [found, is_new] = contexts->try_emplace(device);
  Context& context = found->second;
  if (is_new) {
    context.device = device;
    context.default_stream = new Stream;
    context.default_stream->lane = new_lane();
    context.default_stream->device = device;
    context.default_stream->is_default = true;
    all_streams().push_back(context.default_stream);
  }
  return &context;
}

Stream& stream_of(Stream* handle) {
  // 1 and 2 are the handles of the legacy and of the per-thread default stream.
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 2) throw Result{kNotSupported};
  if (number < 2) return *current_context()->default_stream;
  if (handle->dead) throw Result{kInvalidHandle};
  return *handle;
}

std::optional<int> injected(const std::string& entry) {
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("cu", {RHINO_FAKE_DRIVER(RHINO_FAKE_NAME) kOperation});
#undef RHINO_FAKE_NAME
  return faults->next(entry);
}

}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

/// All entry points, one a line: for tests.
const char* fake_driver_entries() {
#define RHINO_FAKE_LINE(name, ...) #name "\n"
  return RHINO_FAKE_DRIVER(RHINO_FAKE_LINE);
#undef RHINO_FAKE_LINE
}

Result cuInit(unsigned flags) {
  return call(__func__, Needs::kNothing, [&]() -> Result {
    if (flags) return kInvalidValue;
    if (num_devices() == 0) return kNoDevice;
    if (!initialised_now) catch_faults();
    initialised_now = true;
    return kSuccess;
  });
}

Result cuDriverGetVersion(int* version) {
  return call(__func__, Needs::kNothing, [&]() -> Result {
    *version = static_cast<int>(number_setting("FAKE_CUDA_DRIVER_VERSION", 12000));
    return kSuccess;
  });
}

Result cuGetErrorName(Result code, const char** name) {
  return call(__func__, Needs::kNothing, [&]() -> Result {
    const auto found = error_names().find(code);
    *name = found == error_names().end() ? nullptr : found->second;
    return *name ? kSuccess : kInvalidValue;
  });
}

Result cuGetErrorString(Result code, const char** text) {
  return call(__func__, Needs::kNothing, [&]() -> Result {
    static auto* const texts = new std::map<Result, std::string>;
    const auto found = error_names().find(code);
    *text = nullptr;
    if (found == error_names().end()) return kInvalidValue;
    *text = ((*texts)[code] = std::string("fake: ") + found->second).c_str();
    return kSuccess;
  });
}

Result cuDeviceGetCount(int* count) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    *count = num_devices();
    return kSuccess;
  });
}

Result cuDeviceGet(Ordinal* device, int ordinal) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(ordinal)) return kInvalidDevice;
    *device = ordinal;
    return kSuccess;
  });
}

Result cuDeviceGetName(char* name, int size, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    std::snprintf(name, static_cast<std::size_t>(size), "fake GPU sm_%d", capability());
    return kSuccess;
  });
}

Result cuDeviceGetAttribute(int* value, int which, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    *value = attribute(which, device);
    return kSuccess;
  });
}

Result cuDeviceGetUuid_v2(Uuid* uuid, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    *uuid = {"fake"};
    uuid->bytes[15] = static_cast<char>(device);
    return kSuccess;
  });
}

Result cuDeviceGetPCIBusId(char* text, int size, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    std::snprintf(text, static_cast<std::size_t>(size), "0000:%02x:00.0", device + 1);
    return kSuccess;
  });
}

Result cuDeviceTotalMem_v2(std::size_t* bytes, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    *bytes = memory().total_bytes();
    return kSuccess;
  });
}

Result cuDeviceCanAccessPeer(int* can, Ordinal device, Ordinal peer) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device) || !is_device(peer)) return kInvalidDevice;
    *can = 0;
    return kSuccess;
  });
}

Result cuDevicePrimaryCtxRetain(Context** context, Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    *context = primary_context(device);
    ++(*context)->retained;
    return kSuccess;
  });
}

Result cuDevicePrimaryCtxRelease_v2(Ordinal device) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    Context* context = primary_context(device);
    if (context->retained == 0) return kInvalidContext;
    --context->retained;
    return kSuccess;
  });
}

Result cuDevicePrimaryCtxSetFlags_v2(Ordinal device, unsigned) {
  return call(__func__, Needs::kInit,
              [&]() -> Result { return is_device(device) ? kSuccess : kInvalidDevice; });
}

Result cuDevicePrimaryCtxGetState(Ordinal device, unsigned* flags, int* active) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!is_device(device)) return kInvalidDevice;
    *flags = 0;
    *active = primary_context(device)->retained > 0;
    return kSuccess;
  });
}

Result cuCtxSetCurrent(Context* context) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (context && context->retained == 0) return kInvalidContext;
    current_context() = context;
    return kSuccess;
  });
}

Result cuCtxGetCurrent(Context** context) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    *context = current_context();
    return kSuccess;
  });
}

Result cuCtxPushCurrent_v2(Context* context) {
  return call(__func__, Needs::kInit, [&]() -> Result {
    if (!context || context->retained == 0) return kInvalidContext;
    context_stack().push_back(context);
    return kSuccess;
  });
}

Result cuCtxPopCurrent_v2(Context** context) {
  return call(__func__, Needs::kContext, [&]() -> Result {
    if (context) *context = current_context();
    context_stack().pop_back();
    return kSuccess;
  });
}

Result cuCtxGetDevice(Ordinal* device) {
  return call(__func__, [&]() -> Result {
    *device = current_context()->device;
    return kSuccess;
  });
}

Result cuCtxSynchronize() {
  return call(__func__, [&]() -> Result {
    if (const Result r = refuse_while_capturing()) return r;
    wait_for_all();
    return waited();
  });
}

Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call(__func__, [&]() -> Result {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return kSuccess;
  });
}
}
#pragma GCC visibility pop
