// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "plan/step_trace.hpp"
#include "rhino/error.hpp"

/// What controller and worker say to each other. Both are of one build on one host: fields travel
/// as they lie in memory. The controller asks, the worker answers once with the same kind.
namespace rhino::runtime {

inline constexpr std::uint32_t kProtocolVersion = 2;

/// Descriptors that a worker finds open when it starts.
enum WorkerDescriptor : int {
  kControlFd = 3,   ///< stream socket of frames
  kPlanFd = 4,      ///< the encoded ExecutionPlan, shared by all ranks
  kProgressFd = 5,  ///< one ProgressPage per rank
  kMailboxFd = 6,   ///< where this rank lays fetched tiles
};

enum class MessageKind : std::uint32_t { setup, connect, run, reset, fetch, verify, exit };

/// Writes fields one after the other into bytes.
class Encoder {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (requires(T & message) { message.fields(*this); }) {
      const_cast<T&>(value).fields(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      append(&value, sizeof(T));
    }
  }
  void put(const std::string& text) {
    put(text.size());
    append(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    if constexpr (std::is_trivially_copyable_v<T>) {
      append(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(value);
    }
  }
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte> bytes_;
};

/// Reads fields in the order in which they were written. Throws Error where the bytes end too
/// early.
class Decoder {
 public:
  explicit Decoder(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (requires { value.fields(*this); }) {
      value.fields(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      std::memcpy(&value, next(sizeof(T)), sizeof(T));
    }
  }
  void get(std::string& text) {
    const std::size_t size = get_size(1);
    text.assign(reinterpret_cast<const char*>(next(size)), size);
  }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      const std::size_t size = get_size(sizeof(T));
      values.resize(size);
      if (size > 0) std::memcpy(values.data(), next(size * sizeof(T)), size * sizeof(T));
    } else {
      values.resize(get_size(1));
      for (T& value : values) get(value);
    }
  }
  std::size_t get_size(std::size_t element_bytes) {
    std::size_t size = 0;
    get(size);
    if (size > (bytes_.size() - position_) / element_bytes)
      throw Error("a control message is torn");
    return size;
  }
  const std::byte* next(std::size_t size) {
    if (size > bytes_.size() - position_) throw Error("a control message is torn");
    position_ += size;
    return bytes_.data() + position_ - size;
  }

  const std::vector<std::byte>& bytes_;
  std::size_t position_ = 0;
};

template <class Message>
std::vector<std::byte> encode_message(const Message& message) {
  Encoder encoder;
  encoder(message);
  return encoder.take();
}

template <class Message>
Message decode_message(const std::vector<std::byte>& bytes) {
  Message message;
  Decoder decoder(bytes);
  decoder(message);
  return message;
}

/// Load the plan, compile, allocate, fill.
struct SetupRequest {
  std::uint32_t version = kProtocolVersion;
  std::int32_t rank = 0;
  std::int32_t num_threads = 1;
  bool oversubscribed = false;
  bool emulated_hosts = false;
  std::uint64_t seed = 0;
  std::string device;
  std::vector<std::int32_t> cores;  ///< to run on; empty: wherever the system likes
  void fields(auto& archive) {
    archive(version, rank, num_threads, oversubscribed, emulated_hosts, seed, device, cores);
  }
};
struct SetupReply {
  std::vector<std::byte> address;  ///< of this rank's transport
  void fields(auto& archive) { archive(address); }
};

/// Wire up with all ranks.
struct ConnectRequest {
  std::vector<std::vector<std::byte>> addresses;  ///< per rank
  double deadline_s = 0;
  void fields(auto& archive) { archive(addresses, deadline_s); }
};
struct ConnectReply {
  std::string transport, network;  ///< towards all ranks, towards those of other hosts
  void fields(auto& archive) { archive(transport, network); }
};

struct RunRequest {
  std::int32_t num_steps = 1;
  bool keep_events = false;
  void fields(auto& archive) { archive(num_steps, keep_events); }
};
/// Times in seconds of the host's monotonic clock.
struct RunReply {
  plan::DeviceTrace trace;
  double start_s = 0;             ///< when the first step began
  std::int64_t memory_bytes = 0;  ///< most that the rank ever held since it prepared the plan
  void fields(auto& archive) {
    archive(start_s, memory_bytes, trace.device, trace.role, trace.step_end_s, trace.compute_s,
            trace.communication_s, trace.exposed_communication_s, trace.bubble_s, trace.events);
  }
};

/// Lay the tiles of these outputs, those of them that the role has, one after the other into the
/// mailbox.
struct FetchRequest {
  std::vector<std::int32_t> outputs;
  void fields(auto& archive) { archive(outputs); }
};

/// To `verify`, which has no body: how this rank's outputs differ from what they must be.
struct VerifyReply {
  std::int64_t num_elements = 0, num_wrong = 0;
  std::int32_t output = -1;   ///< of the first wrong one
  std::int64_t element = -1;  ///< its row-major index in the whole output
  double actual = 0, expected = 0;
  void fields(auto& archive) {
    archive(num_elements, num_wrong, output, element, actual, expected);
  }
};

}  // namespace rhino::runtime
