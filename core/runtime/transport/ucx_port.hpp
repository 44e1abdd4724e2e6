// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucp/api/ucp.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rhino::runtime {

/// A message that a port was asked to send or receive. The caller owns it and keeps it until it has
/// ended.
struct UcxMessage {
  class UcxPort* port = nullptr;
  std::int32_t peer = -1;   ///< rank
  std::int64_t bytes = 0;   ///< expected
  bool is_on_gpu = false;   ///< where its bytes lie
  void* request = nullptr;  ///< of UCX, while under way
  ucs_status_t status = UCS_OK;
  void* owner = nullptr;  ///< free for the caller
  std::int32_t task = 0;  ///< free for the caller
};

/// How a port reaches other ranks.
struct UcxRoutes {
  std::vector<bool> is_near;  ///< per rank: on the host of this one
  /// Ranks of other hosts talk over TCP, which has the whole of a message sent at once: were its
  /// receiver asked first, as it is for large ones, question and answer would queue behind other
  /// messages that go both ways. Else UCX decides.
  bool tcp_between_hosts = false;
};

/// Per route a UCP context with two workers: messages go out through one and come in through the
/// other, whose address is published. Not thread-safe: calls are serialised by the caller (they may
/// come from different threads). Nothing is allocated here once a message has been posted for each
/// place reserved.
class UcxPort {
 public:
  UcxPort(std::int32_t rank, const UcxRoutes& routes);
  ~UcxPort();
  UcxPort(const UcxPort&) = delete;
  UcxPort& operator=(const UcxPort&) = delete;

  std::vector<std::byte> address() const;
  /// Makes an endpoint to every other rank.
  void connect(const std::vector<std::vector<std::byte>>& addresses);

  /// Room for so many messages at a time.
  void reserve(std::size_t num_messages);

  /// Posts `message`; it is in ended() at once or later, after progress(). Messages of equal tag
  /// between two ranks keep their order.
  void send_message(UcxMessage& message, std::uint64_t tag, const void* data) noexcept;
  void receive_message(UcxMessage& message, std::uint64_t tag, void* data) noexcept;

  /// Moves messages on; returns whether anything happened.
  bool progress() noexcept;
  /// Messages that ended since the caller last cleared this.
  std::vector<UcxMessage*>& ended() { return ended_; }

  /// Prepares for sleep: true when file_descriptors() become readable at the next event, false when
  /// there already is one.
  bool arm() noexcept;
  const std::vector<int>& file_descriptors() const { return file_descriptors_; }

  /// Set when an endpoint failed: `rank 3: Connection reset by remote peer`.
  const std::string& failure() const { return failure_; }
  /// Whether all routes take memory of CUDA, as UCX says.
  bool takes_gpu_memory() const;
  /// Transports towards these of the other ranks: `sysv,cma`.
  std::string transports(const std::vector<bool>& peers) const;

  /// Flushes and closes the endpoints for at most so long. Returns false when that was not enough;
  /// then nothing of UCX is released.
  bool close(double deadline_s) noexcept;

 private:
  struct Route {
    ucp_context_h context = nullptr;
    ucp_worker_h sender = nullptr, receiver = nullptr;
  };
  struct Endpoint {
    UcxPort* port = nullptr;
    std::int32_t peer = -1;
    ucp_ep_h handle = nullptr;
    const Route* route = nullptr;
  };
  static void on_sent(void* request, ucs_status_t status, void* message) noexcept;
  static void on_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info,
                          void* message) noexcept;
  static void on_endpoint_error(void* endpoint, ucp_ep_h handle, ucs_status_t status) noexcept;
  void end(UcxMessage& message, ucs_status_t status, std::size_t length) noexcept;
  Route make_route(ucp_context_h context);
  ucp_worker_h make_worker(ucp_context_h context);

  std::int32_t rank_;
  std::vector<Route> routes_;        // one, or those within the host and between hosts
  std::vector<Endpoint> endpoints_;  // per rank
  std::vector<UcxMessage*> ended_;
  std::vector<int> file_descriptors_;
  std::string failure_;
  bool closed_ = false;
};

}  // namespace rhino::runtime
