// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/binary.hpp"
#include "plan/plan_fields.hpp"
#include "runtime/device/gpu_modes.hpp"

/// What controller and worker say to each other, as bytes of codec/binary.hpp: both are of one
/// build. The controller asks, the worker answers once with the same kind. What it says to the
/// agents of other hosts is in agents/agent_message.hpp.
namespace rhino::runtime {

/// Descriptors that a worker finds open when it starts.
enum WorkerDescriptor : int {
  kControlFd = 3,   ///< stream socket of frames
  kPlanFd = 4,      ///< the encoded ExecutionPlan, shared by all ranks
  kProgressFd = 5,  ///< one ProgressPage per rank
  kMailboxFd = 6,   ///< where this rank lays fetched tiles
};

enum class MessageKind : std::uint32_t {
  // Of a worker.
  setup,
  connect,
  run,
  reset,
  fetch,
  verify,
  exit,
  // Of an agent.
  report,
  clock,
  start,
  beat,
  log,
  tile,
  ended,
  finish,
  leave
};

template <class Message>
std::string encode_message(const Message& message) {
  return codec::to_bytes(message);
}
template <class Message>
Message decode_message(std::string_view bytes) {
  return codec::from_bytes<Message>(bytes, "a control message");
}

/// Load the plan, compile, allocate, fill.
struct SetupRequest {
  std::int32_t rank = 0;
  std::int32_t num_threads = 1;
  bool oversubscribed = false;
  bool tcp_between_hosts = false;  ///< TransportOptions::tcp_between_hosts
  std::uint64_t seed = 0;
  std::string device, transport;
  bool broadcasts = false;          ///< TransportOptions::broadcasts
  std::vector<std::int32_t> cores;  ///< to run on; empty: wherever the system likes
  GpuModes gpu = {};                ///< of device cuda
};
constexpr auto members(const SetupRequest*) {
  using M = SetupRequest;
  return std::tuple(&M::rank, &M::num_threads, &M::oversubscribed, &M::tcp_between_hosts, &M::seed,
                    &M::device, &M::transport, &M::broadcasts, &M::cores, &M::gpu);
}
struct SetupReply {
  std::vector<std::byte> address;   ///< of this rank's transport
  std::vector<std::int32_t> cores;  ///< that it is bound to; empty: to none
  std::string dots;                 ///< Session::dots()
  std::string convolutions;         ///< Device::convolutions()
  std::string slow_ops;             ///< Device::slow_ops()
  std::string device;               ///< Device::name()
  bool is_shared = false;           ///< Device::is_shared()
};
constexpr auto members(const SetupReply*) {
  return std::tuple(&SetupReply::address, &SetupReply::cores, &SetupReply::dots,
                    &SetupReply::convolutions, &SetupReply::slow_ops, &SetupReply::device,
                    &SetupReply::is_shared);
}

/// Wire up with all ranks.
struct ConnectRequest {
  std::vector<std::vector<std::byte>> addresses;  ///< per rank
  double deadline_s = 0;
};
constexpr auto members(const ConnectRequest*) {
  return std::tuple(&ConnectRequest::addresses, &ConnectRequest::deadline_s);
}
struct ConnectReply {
  std::string transport, network;  ///< towards all ranks, towards those of other hosts
};
constexpr auto members(const ConnectReply*) {
  return std::tuple(&ConnectReply::transport, &ConnectReply::network);
}

struct RunRequest {
  std::int32_t num_steps = 1;
  bool keep_events = false;
  /// Of the rank's monotonic clock: it begins then, where ranks of other hosts do; 0: at once.
  double begin_s = 0;
};
constexpr auto members(const RunRequest*) {
  return std::tuple(&RunRequest::num_steps, &RunRequest::keep_events, &RunRequest::begin_s);
}
/// Times in seconds of the host's monotonic clock.
struct RunReply {
  plan::DeviceTrace trace;
  double start_s = 0;                 ///< when the first step began
  std::int64_t memory_bytes = 0;      ///< most that the rank ever held since it prepared the plan
  std::int64_t small_page_bytes = 0;  ///< of its buffers and staging, what is not in large pages
};
constexpr auto members(const RunReply*) {
  using M = RunReply;
  return std::tuple(&M::trace, &M::start_s, &M::memory_bytes, &M::small_page_bytes);
}

/// Begin anew from the initial values of a seed, with step number `step`.
struct ResetRequest {
  std::uint64_t seed = 0;
  std::int64_t step = 1;
};
constexpr auto members(const ResetRequest*) {
  return std::tuple(&ResetRequest::seed, &ResetRequest::step);
}

/// Lay the tiles of these outputs, those of them that the role has, one after the other into the
/// mailbox.
struct FetchRequest {
  std::vector<std::int32_t> outputs;
};
constexpr auto members(const FetchRequest*) { return std::tuple(&FetchRequest::outputs); }

/// To `verify`, which has no body: how this rank's outputs differ from what they must be.
struct VerifyReply {
  std::int64_t num_elements = 0, num_wrong = 0;
  std::int32_t output = -1;   ///< of the first wrong one
  std::int64_t element = -1;  ///< its row-major index in the whole output
  double actual = 0, expected = 0;
};
constexpr auto members(const VerifyReply*) {
  using M = VerifyReply;
  return std::tuple(&M::num_elements, &M::num_wrong, &M::output, &M::element, &M::actual,
                    &M::expected);
}

}  // namespace rhino::runtime
