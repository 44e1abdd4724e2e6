// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/ucx_port.hpp"

#include <fmt/core.h>
#include <ucs/debug/debug.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

void check(ucs_status_t status, const char* what) {
  if (status != UCS_OK) throw Error(fmt::format("UCX: {}: {}", what, ucs_status_string(status)));
}

// A crash is the supervisor's to report: UCX's handlers would print a backtrace and delay the end
// of the process. They are in place from the moment the library is loaded.
void disable_signal_handlers() {
  static bool done = false;
  if (std::exchange(done, true) || std::getenv("UCX_HANDLE_ERRORS")) return;
  for (int signal : {SIGILL, SIGSEGV, SIGBUS, SIGFPE}) ucs_debug_disable_signal(signal);
}

/// `settings` go before those of the environment.
ucp_context_h make_context(std::size_t num_ranks,
                           std::initializer_list<std::pair<const char*, const char*>> settings) {
  ucp_config_t* config = nullptr;
  check(ucp_config_read(nullptr, nullptr, &config), "cannot read the configuration");
  for (const auto& [name, value] : settings)
    check(ucp_config_modify(config, name, value), "cannot change the configuration");
  ucp_params_t params{};
  params.field_mask =
      UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP;
  params.estimated_num_eps = num_ranks;
  params.name = "rhino";
  ucp_context_h context = nullptr;
  const ucs_status_t status = ucp_init(&params, config, &context);
  ucp_config_release(config);
  check(status, "cannot start");
  return context;
}

// Files of the transport `posix` in /dev/shm would outlive a rank that is killed.
ucp_context_h make_near_context(std::size_t num_ranks) {
  if (std::getenv("UCX_TLS")) return make_context(num_ranks, {});
  return make_context(num_ranks, {{"TLS", "^posix"}});
}

ucp_request_param_t request_param(UcxMessage& message) {
  ucp_request_param_t param{};
  param.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE;
  param.memory_type = message.is_on_gpu ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST;
  param.user_data = &message;
  return param;
}

// The names in lines such as `lane[1]: 6:cma/memory.0 md[4] ...` that UCX prints about an endpoint.
std::vector<std::string> transport_names(ucp_ep_h endpoint) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  if (!file) return {};
  ucp_ep_print_info(endpoint, file);
  std::fclose(file);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  const std::string info(text, size);
  std::vector<std::string> names;
  for (std::size_t at = info.find("lane["); at != std::string::npos;
       at = info.find("lane[", at + 1)) {
    const std::size_t colon = info.find(':', info.find("]:", at) + 2);
    const std::size_t slash = info.find('/', colon);
    if (colon == std::string::npos || slash == std::string::npos) break;
    names.push_back(info.substr(colon + 1, slash - colon - 1));
  }
  return names;
}

/// The address of one route in those of all, each after its length.
std::vector<std::byte> part(const std::vector<std::byte>& all, std::size_t route) {
  std::size_t begin = 0;
  while (true) {
    std::size_t size = 0;
    if (all.size() - begin < sizeof size) throw Error("the address of a rank is cut short");
    std::memcpy(&size, all.data() + begin, sizeof size);
    begin += sizeof size;
    if (all.size() - begin < size) throw Error("the address of a rank is cut short");
    if (route-- == 0) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
      return {first, first + static_cast<std::ptrdiff_t>(size)};
    }
    begin += size;
  }
}

}  // namespace

UcxPort::UcxPort(std::int32_t rank, const UcxRoutes& routes)
    : rank_(rank), endpoints_(routes.is_near.size()) {
  disable_signal_handlers();
  const std::size_t num_ranks = endpoints_.size();
  routes_.push_back(make_route(make_near_context(num_ranks)));
  if (routes.tcp_between_hosts)
    routes_.push_back(
        make_route(make_context(num_ranks, {{"TLS", "tcp"}, {"RNDV_THRESH", "inf"}})));
  for (std::size_t peer = 0; peer < num_ranks; ++peer)
    endpoints_[peer].route = routes.is_near[peer] ? &routes_.front() : &routes_.back();
}

UcxPort::Route UcxPort::make_route(ucp_context_h context) {
  return {context, make_worker(context), make_worker(context)};
}

ucp_worker_h UcxPort::make_worker(ucp_context_h context) {
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  ucp_worker_h worker = nullptr;
  check(ucp_worker_create(context, &params, &worker), "cannot make a worker");
  int file_descriptor = -1;
  check(ucp_worker_get_efd(worker, &file_descriptor), "no transport can wake a sleeping process");
  file_descriptors_.push_back(file_descriptor);
  return worker;
}

UcxPort::~UcxPort() {
  if (!closed_)
    return;  // a peer may still hold requests of ours: the end of the process releases everything
  for (const Route& route : routes_) {
    ucp_worker_destroy(route.sender);
    ucp_worker_destroy(route.receiver);
    ucp_cleanup(route.context);
  }
}

std::vector<std::byte> UcxPort::address() const {
  std::vector<std::byte> all;
  for (const Route& route : routes_) {
    ucp_address_t* address = nullptr;
    std::size_t size = 0;
    check(ucp_worker_get_address(route.receiver, &address, &size),
          "cannot get the address of a worker");
    const auto* bytes = reinterpret_cast<const std::byte*>(address);
    const auto* length = reinterpret_cast<const std::byte*>(&size);
    all.insert(all.end(), length, length + sizeof size);
    all.insert(all.end(), bytes, bytes + size);
    ucp_worker_release_address(route.receiver, address);
  }
  return all;
}

void UcxPort::connect(const std::vector<std::vector<std::byte>>& addresses) {
  for (std::size_t peer = 0; peer < addresses.size(); ++peer) {
    if (static_cast<std::int32_t>(peer) == rank_) continue;
    Endpoint& endpoint = endpoints_[peer];
    endpoint.port = this;
    endpoint.peer = static_cast<std::int32_t>(peer);
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLER |
                        UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
    const auto route = static_cast<std::size_t>(endpoint.route - routes_.data());
    const std::vector<std::byte> address = part(addresses[peer], route);
    params.address = reinterpret_cast<const ucp_address_t*>(address.data());
    params.err_mode = UCP_ERR_HANDLING_MODE_NONE;  // the other mode is without shared memory
    params.err_handler = {on_endpoint_error, &endpoint};
    const ucs_status_t status = ucp_ep_create(endpoint.route->sender, &params, &endpoint.handle);
    if (status != UCS_OK)
      throw Error(fmt::format("cannot reach rank {}: {}", peer, ucs_status_string(status)));
  }
}

void UcxPort::reserve(std::size_t num_messages) { ended_.reserve(num_messages); }

void UcxPort::send_message(UcxMessage& message, std::uint64_t tag, const void* data) noexcept {
  message.port = this;
  ucp_request_param_t param = request_param(message);
  param.cb.send = on_sent;
  const auto bytes = static_cast<std::size_t>(message.bytes);
  void* request = ucp_tag_send_nbx(endpoints_[static_cast<std::size_t>(message.peer)].handle, data,
                                   bytes, tag, &param);
  if (UCS_PTR_IS_PTR(request)) message.request = request;
  else end(message, UCS_PTR_STATUS(request), bytes);
}

void UcxPort::receive_message(UcxMessage& message, std::uint64_t tag, void* data) noexcept {
  message.port = this;
  ucp_request_param_t param = request_param(message);
  param.cb.recv = on_received;
  const auto bytes = static_cast<std::size_t>(message.bytes);
  void* request =
      ucp_tag_recv_nbx(endpoints_[static_cast<std::size_t>(message.peer)].route->receiver, data,
                       bytes, tag, ~std::uint64_t{0}, &param);
  if (UCS_PTR_IS_PTR(request)) message.request = request;
  else end(message, UCS_PTR_STATUS(request), bytes);  // a longer message is an error already
}

void UcxPort::end(UcxMessage& message, ucs_status_t status, std::size_t length) noexcept {
  message.request = nullptr;
  const bool wrong_length = status == UCS_OK && length != static_cast<std::size_t>(message.bytes);
  message.status = wrong_length ? UCS_ERR_MESSAGE_TRUNCATED : status;
  ended_.push_back(&message);
}

void UcxPort::on_sent(void* request, ucs_status_t status, void* user) noexcept {
  auto& message = *static_cast<UcxMessage*>(user);
  message.port->end(message, status, static_cast<std::size_t>(message.bytes));
  ucp_request_free(request);
}

void UcxPort::on_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info,
                          void* user) noexcept {
  auto& message = *static_cast<UcxMessage*>(user);
  message.port->end(message, status, info->length);
  ucp_request_free(request);
}

void UcxPort::on_endpoint_error(void* user, ucp_ep_h, ucs_status_t status) noexcept {
  const auto& endpoint = *static_cast<const Endpoint*>(user);
  UcxPort& port = *endpoint.port;
  if (!port.failure_.empty() || port.closed_) return;
  port.failure_ = "rank " + std::to_string(endpoint.peer) + ": " + ucs_status_string(status);
}

bool UcxPort::progress() noexcept {
  unsigned moved = 0;
  for (const Route& route : routes_)
    moved += ucp_worker_progress(route.sender) + ucp_worker_progress(route.receiver);
  return moved > 0;
}

bool UcxPort::arm() noexcept {
  return std::all_of(routes_.begin(), routes_.end(), [](const Route& route) {
    return ucp_worker_arm(route.sender) == UCS_OK && ucp_worker_arm(route.receiver) == UCS_OK;
  });
}

std::string UcxPort::transports(const std::vector<bool>& peers) const {
  std::vector<std::string> names;
  for (const Endpoint& endpoint : endpoints_) {
    if (!endpoint.handle || !peers[static_cast<std::size_t>(endpoint.peer)]) continue;
    for (std::string& name : transport_names(endpoint.handle)) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
  return joined;
}

bool UcxPort::takes_gpu_memory() const {
  return std::ranges::all_of(routes_, [](const Route& route) {
    ucp_context_attr_t attributes{};
    attributes.field_mask = UCP_ATTR_FIELD_MEMORY_TYPES;
    check(ucp_context_query(route.context, &attributes), "cannot tell which memory it takes");
    return (attributes.memory_types & UCS_BIT(UCS_MEMORY_TYPE_CUDA)) != 0;
  });
}

bool UcxPort::close(double deadline_s) noexcept {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  std::vector<void*> requests;
  for (Endpoint& endpoint : endpoints_) {
    if (!endpoint.handle) continue;
    void* request = ucp_ep_close_nbx(endpoint.handle, &param);
    if (UCS_PTR_IS_PTR(request)) requests.push_back(request);
    endpoint.handle = nullptr;
  }
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(deadline_s);
  while (!requests.empty() && Clock::now() < end) {
    progress();
    std::erase_if(requests, [](void* request) {
      if (ucp_request_check_status(request) == UCS_INPROGRESS) return false;
      ucp_request_free(request);
      return true;
    });
  }
  closed_ = requests.empty();
  return closed_;
}

}  // namespace rhino::runtime
