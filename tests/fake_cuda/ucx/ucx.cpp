// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <ucp/api/ucp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

// Stands before the real UCX by LD_PRELOAD, and passes for one that takes CUDA's memory: it says so
// when a context is asked, and carries what lies on a GPU of the fakes through memory of its own.
// A send reads at once, as UCX may; a receive spoils its target at once and writes it at the end.

namespace {

constexpr int kPointerMemoryType = 2;
constexpr unsigned kMemoryTypeDevice = 2;

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

[[noreturn]] void die(const char* why) {
  std::fprintf(stderr, "fake UCX: %s\n", why);
  std::abort();
}

/// The driver that is loaded already.
struct Driver {
  int (*current)(void**);
  int (*attribute)(void*, int, unsigned long long);
  int (*to_host)(void*, unsigned long long, std::size_t);
  int (*to_device)(unsigned long long, const void*, std::size_t);
};

const Driver& driver() {
  static const Driver entries = [] {
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) die("there is no driver, but memory of a GPU");
    Driver d{};
    const auto fill = [&](auto& entry, const char* name) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(::dlsym(library, name));
    };
    fill(d.current, "cuCtxGetCurrent");
    fill(d.attribute, "cuPointerGetAttribute");
    fill(d.to_host, "cuMemcpyDtoH_v2");
    fill(d.to_device, "cuMemcpyHtoD_v2");
    return d;
  }();
  return entries;
}

unsigned long long address(const void* memory) {
  return reinterpret_cast<unsigned long long>(memory);
}

/// UCX copies in the context of the thread that calls it.
void need_context() {
  void* context = nullptr;
  if (driver().current(&context) != 0 || context == nullptr)
    die("a thread without a context moves memory of a GPU");
}

bool is_on_gpu(const ucp_request_param_t* param, const void* memory, std::size_t size) {
  if ((param->op_attr_mask & UCP_OP_ATTR_FIELD_MEMORY_TYPE) == 0 ||
      param->memory_type != UCS_MEMORY_TYPE_CUDA)
    return false;
  if (size == 0) return false;
  need_context();
  unsigned type = 0;
  if (driver().attribute(&type, kPointerMemoryType, address(memory)) != 0 ||
      type != kMemoryTypeDevice)
    die("what is said to be memory of a GPU is none");
  return true;
}

/// A message between the GPU and the real UCX.
struct Carried {
  std::unique_ptr<std::byte[]> bytes;
  void* target = nullptr;
  ucp_send_nbx_callback_t sent = nullptr;
  ucp_tag_recv_nbx_callback_t received = nullptr;
  void* user = nullptr;

  void arrive(std::size_t size) const {
    need_context();
    if (driver().to_device(address(target), bytes.get(), size) != 0) die("a copy to a GPU failed");
  }
};

void on_sent(void* request, ucs_status_t status, void* user) {
  const std::unique_ptr<Carried> carried(static_cast<Carried*>(user));
  carried->sent(request, status, carried->user);
}

void on_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* user) {
  const std::unique_ptr<Carried> carried(static_cast<Carried*>(user));
  if (status == UCS_OK) carried->arrive(info->length);
  carried->received(request, status, info, carried->user);
}

ucp_request_param_t carried_param(const ucp_request_param_t* param, Carried& carried) {
  ucp_request_param_t mine = *param;
  carried.user = param->user_data;
  mine.user_data = &carried;
  mine.memory_type = UCS_MEMORY_TYPE_HOST;
  return mine;
}

}  // namespace

extern "C" {

ucs_status_t ucp_context_query(ucp_context_h context, ucp_context_attr_t* attributes) {
  static const auto real = next<decltype(&ucp_context_query)>("ucp_context_query");
  const ucs_status_t status = real(context, attributes);
  if (attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES)
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h endpoint, const void* memory, std::size_t size,
                                  ucp_tag_t tag, const ucp_request_param_t* param) {
  static const auto real = next<decltype(&ucp_tag_send_nbx)>("ucp_tag_send_nbx");
  if (!is_on_gpu(param, memory, size)) return real(endpoint, memory, size, tag, param);
  auto carried = std::make_unique<Carried>();
  carried->bytes = std::make_unique<std::byte[]>(size);
  carried->sent = param->cb.send;
  if (driver().to_host(carried->bytes.get(), address(memory), size) != 0)
    die("a copy from a GPU failed");
  ucp_request_param_t mine = carried_param(param, *carried);
  mine.cb.send = on_sent;
  ucs_status_ptr_t request = real(endpoint, carried->bytes.get(), size, tag, &mine);
  if (UCS_PTR_IS_PTR(request)) (void)carried.release();
  return request;
}

ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h worker, void* memory, std::size_t size,
                                  ucp_tag_t tag, ucp_tag_t mask, const ucp_request_param_t* param) {
  static const auto real = next<decltype(&ucp_tag_recv_nbx)>("ucp_tag_recv_nbx");
  if (!is_on_gpu(param, memory, size)) return real(worker, memory, size, tag, mask, param);
  auto carried = std::make_unique<Carried>();
  carried->bytes = std::make_unique<std::byte[]>(size);
  std::memset(carried->bytes.get(), 0xff, size);
  carried->target = memory;
  carried->received = param->cb.recv;
  carried->arrive(size);
  ucp_request_param_t mine = carried_param(param, *carried);
  mine.cb.recv = on_received;
  ucs_status_ptr_t request = real(worker, carried->bytes.get(), size, tag, mask, &mine);
  if (UCS_PTR_IS_PTR(request)) (void)carried.release();
  else if (request == nullptr) carried->arrive(size);
  return request;
}

}  // extern "C"
