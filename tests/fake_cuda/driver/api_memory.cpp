// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "call.hpp"
#include "entries.hpp"

namespace fake {
namespace {

constexpr std::size_t kPage = 4096;

/// Pinned memory: where it begins, and whether we allocated it.
struct Pinned {
  std::size_t bytes;
  bool ours;
};
std::map<char*, Pinned>& pinned() {
  static auto* const all = new std::map<char*, Pinned>;
  return *all;
}

const Pinned* find_pinned(const void* at) {
  char* p = static_cast<char*>(const_cast<void*>(at));
  auto next = pinned().upper_bound(p);
  if (next == pinned().begin()) return nullptr;
  --next;
  return p < next->first + next->second.bytes ? &next->second : nullptr;
}

void* as_pointer(DevicePtr at) { return reinterpret_cast<void*>(at); }
bool on_device(const void* at) { return memory().holds(at); }

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  const char* what;
};

Node enqueue_copy(const Copy& c, Stream* stream) {
  return enqueue(stream_of(stream), c.what, [c](Operation& op) {
    if (touch(op, c.from, c.bytes, false) && touch(op, c.to, c.bytes, true))
      std::memmove(c.to, c.from, c.bytes);
    return true;
  });
}

Result copy_async(const Copy& c, Stream* stream) {
  if (c.bytes) enqueue_copy(c, stream);
  return kSuccess;
}

Result copy_now(const Copy& c) {
  if (const Result r = refuse_while_capturing()) return r;
  if (c.bytes) wait_for(enqueue_copy(c, nullptr));
  return waited();
}

template <class T>
Node enqueue_fill(DevicePtr to, T value, std::size_t count, Stream* stream) {
  void* at = as_pointer(to);
  if (!on_device(at) || to % sizeof(T)) throw Result{kInvalidValue};
  return enqueue(stream_of(stream), "memset", [=](Operation& op) {
    if (touch(op, at, count * sizeof(T), true)) std::fill_n(static_cast<T*>(at), count, value);
    return true;
  });
}

template <class T>
Result fill_async(DevicePtr to, T value, std::size_t count, Stream* stream) {
  if (count) enqueue_fill(to, value, count, stream);
  return kSuccess;
}

Copy to_device(DevicePtr to, const void* from, std::size_t n) {
  if (!on_device(as_pointer(to)) || on_device(from) || !from) throw Result{kInvalidValue};
  return {as_pointer(to), from, n, "copy to device"};
}

Copy to_host(void* to, DevicePtr from, std::size_t n) {
  if (!on_device(as_pointer(from)) || on_device(to) || !to) throw Result{kInvalidValue};
  return {to, as_pointer(from), n, "copy to host"};
}

Copy within(DevicePtr to, DevicePtr from, std::size_t n) {
  if (!on_device(as_pointer(to)) || !on_device(as_pointer(from))) throw Result{kInvalidValue};
  return {as_pointer(to), as_pointer(from), n, "copy on device"};
}

Copy anywhere(DevicePtr to, DevicePtr from, std::size_t n) {
  return {as_pointer(to), as_pointer(from), n, "copy"};
}

Result allocate_host(void** at, std::size_t bytes) {
  if (const Result r = refuse_while_capturing()) return r;
  if (!bytes) return kInvalidValue;
  *at = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (!*at) return kOutOfMemory;
  std::memset(*at, kFreshByte, bytes);
  pinned()[static_cast<char*>(*at)] = {bytes, true};
  return kSuccess;
}

}  // namespace

bool touch(Operation& op, const void* at, std::size_t bytes, bool writes) {
  if (!bytes || !on_device(at)) return true;
  const std::string wrong = check_access(op, at, bytes, writes ? Kind::kWrite : Kind::kRead);
  if (wrong.empty()) return true;
  const Allocation* a = memory().find(at);
  const bool inside = a && a->live && static_cast<const char*>(at) + bytes <= a->at + a->bytes;
  fail(inside ? kUnknown : kIllegalAddress, op.what + ": " + wrong);
  return false;
}

}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

Result cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  return call(__func__, [&]() -> Result {
    *free_bytes = memory().free_bytes(current_context()->device);
    *total = memory().total_bytes();
    return kSuccess;
  });
}

Result cuMemAlloc_v2(DevicePtr* at, std::size_t bytes) {
  return call(__func__, [&]() -> Result {
    if (const Result r = refuse_while_capturing()) return r;
    if (!bytes) return kInvalidValue;
    *at = reinterpret_cast<DevicePtr>(memory().allocate(bytes, current_context()->device));
    return *at ? kSuccess : kOutOfMemory;
  });
}

Result cuMemFree_v2(DevicePtr at) {
  return call(__func__, [&]() -> Result {
    if (const Result r = refuse_while_capturing()) return r;
    if (!at) return kSuccess;
    wait_for_all();  // as the driver does
    return memory().release(static_cast<char*>(as_pointer(at))) ? waited() : kInvalidValue;
  });
}

Result cuMemAllocHost_v2(void** at, std::size_t bytes) {
  return call(__func__, [&]() -> Result { return allocate_host(at, bytes); });
}

Result cuMemHostAlloc(void** at, std::size_t bytes, unsigned) {
  return call(__func__, [&]() -> Result { return allocate_host(at, bytes); });
}

Result cuMemFreeHost(void* at) {
  return call(__func__, [&]() -> Result {
    const auto found = pinned().find(static_cast<char*>(at));
    if (found == pinned().end() || !found->second.ours) return kInvalidValue;
    wait_for_all();
    pinned().erase(found);
    std::free(at);
    return waited();
  });
}

Result cuMemHostRegister_v2(void* at, std::size_t bytes, unsigned) {
  return call(__func__, [&]() -> Result {
    if (!at || !bytes) return kInvalidValue;
    if (find_pinned(at)) return kHostMemoryAlreadyRegistered;
    pinned()[static_cast<char*>(at)] = {bytes, false};
    return kSuccess;
  });
}

Result cuMemHostUnregister(void* at) {
  return call(__func__, [&]() -> Result {
    const auto found = pinned().find(static_cast<char*>(at));
    if (found == pinned().end() || found->second.ours) return kHostMemoryNotRegistered;
    wait_for_all();
    pinned().erase(found);
    return waited();
  });
}

Result cuMemHostGetDevicePointer_v2(DevicePtr* device, void* at, unsigned flags) {
  return call(__func__, [&]() -> Result {
    if (flags || !find_pinned(at)) return kInvalidValue;
    *device = reinterpret_cast<DevicePtr>(at);
    return kSuccess;
  });
}

Result cuPointerGetAttribute(void* value, int which, DevicePtr at) {
  return call(__func__, [&]() -> Result {
    if (which != kPointerMemoryType) return kNotSupported;
    const Allocation* a = memory().find(as_pointer(at));
    const bool device = a && a->live;
    if (!device && !find_pinned(as_pointer(at))) return kInvalidValue;
    *static_cast<unsigned*>(value) = device ? kMemoryTypeDevice : kMemoryTypeHost;
    return kSuccess;
  });
}

Result cuMemcpy(DevicePtr to, DevicePtr from, std::size_t n) {
  return call(__func__, [&] { return copy_now(anywhere(to, from, n)); });
}
Result cuMemcpyHtoD_v2(DevicePtr to, const void* from, std::size_t n) {
  return call(__func__, [&] { return copy_now(to_device(to, from, n)); });
}
Result cuMemcpyDtoH_v2(void* to, DevicePtr from, std::size_t n) {
  return call(__func__, [&] { return copy_now(to_host(to, from, n)); });
}
Result cuMemcpyDtoD_v2(DevicePtr to, DevicePtr from, std::size_t n) {
  return call(__func__, [&] { return copy_now(within(to, from, n)); });
}
Result cuMemcpyAsync(DevicePtr to, DevicePtr from, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return copy_async(anywhere(to, from, n), stream); });
}
Result cuMemcpyHtoDAsync_v2(DevicePtr to, const void* from, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return copy_async(to_device(to, from, n), stream); });
}
Result cuMemcpyDtoHAsync_v2(void* to, DevicePtr from, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return copy_async(to_host(to, from, n), stream); });
}
Result cuMemcpyDtoDAsync_v2(DevicePtr to, DevicePtr from, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return copy_async(within(to, from, n), stream); });
}
// On device memory cuMemset does not wait.
Result cuMemsetD8_v2(DevicePtr to, unsigned char value, std::size_t n) {
  return call(__func__, [&] { return fill_async(to, value, n, nullptr); });
}
Result cuMemsetD32_v2(DevicePtr to, unsigned value, std::size_t n) {
  return call(__func__, [&] { return fill_async(to, value, n, nullptr); });
}
Result cuMemsetD8Async(DevicePtr to, unsigned char value, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return fill_async(to, value, n, stream); });
}
Result cuMemsetD16Async(DevicePtr to, unsigned short value, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return fill_async(to, value, n, stream); });
}
Result cuMemsetD32Async(DevicePtr to, unsigned value, std::size_t n, Stream* stream) {
  return call(__func__, [&] { return fill_async(to, value, n, stream); });
}
}
#pragma GCC visibility pop
