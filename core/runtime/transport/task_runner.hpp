// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plan/send_order.hpp"
#include "runtime/transport/shared_memory.hpp"
#include "runtime/transport/task_graph.hpp"
#include "runtime/transport/ucx_port.hpp"

namespace rhino::runtime {

/// Packs who sends, in which use of which communication, and which of its messages, into the 64
/// bits that UCX matches. No two messages under way between two ranks share a tag: all fields are
/// exact, except that `instance` is taken modulo 2^instance_bits (at least 2^16).
class TagLayout {
 public:
  static constexpr int kMessageBits = 20;

  TagLayout() = default;
  /// Throws Error when the counts leave too few bits for the instance.
  TagLayout(std::size_t num_ranks, std::size_t num_communications);

  std::uint64_t use(std::int32_t communication, std::int32_t instance) const;
  std::uint64_t message(std::uint64_t use, std::int32_t sender, std::int32_t message_number) const;
  /// Of the answer of rank `reader`, that it has read a message which it was offered.
  std::uint64_t notice(std::uint64_t use, std::int32_t reader, std::int32_t message_number) const {
    return std::uint64_t{1} << 62 | message(use, reader, message_number);
  }
  /// Of the message that wires two ranks up; unlike all others.
  static std::uint64_t wire_up(std::int32_t sender) {
    return std::uint64_t{1} << 63 | static_cast<std::uint64_t>(sender);
  }

 private:
  int rank_bits_ = 1, communication_bits_ = 1, instance_bits_ = 32;
};

/// Where a message lies, sent instead of it to a peer that maps the sender's memory: it reads it
/// there and answers.
struct Offer {
  std::int64_t memory = -1, offset = 0;
};

/// Memory that ranks of one host read and write in place.
struct Sharing {
  std::array<const SharedMemory*, kNumShared> own{};
  std::vector<PeerMemory> peers;  ///< per rank
  std::vector<bool> in_place;     ///< per rank: it maps our memory and we map its
};

/// A send or receive under way.
struct MessageState {
  UcxMessage message;  ///< the message itself, or the offer
  UcxMessage notice;   ///< the answer to an offer
  Offer offer;
  const std::byte* source = nullptr;  ///< receive: what its work reads
  std::int8_t num_open = 0;
  bool is_payload = false;
};

/// One use of a communication: its graph with buffers, counters and messages of its own.
struct Execution {
  const TaskGraph* graph = nullptr;
  std::int32_t communication = -1, instance = 0;
  std::int32_t queue = -1;                ///< of the collectives of its group; -1: in none
  std::uint64_t tag = 0;                  ///< TagLayout::use()
  std::vector<std::byte*> buffers;        ///< by Region::buffer
  std::vector<std::int64_t> places;       ///< of the own inputs and outputs in shared memory
  std::vector<std::int64_t> peer_places;  ///< of those of TaskGraph::peers, one after the other
  std::vector<std::int32_t> num_before;
  std::vector<MessageState> messages;  ///< per task
  std::int32_t num_left = 0;
  std::int64_t launch = 0;      ///< number among all launches
  std::int64_t index = 0;       ///< among all executions of the plan
  std::int64_t generation = 0;  ///< number of its present use
  bool taken = false;           ///< between start and wait
  std::atomic<bool> ended{true};
};

/// Collectives of one group, which all of its members start in one order. They follow each other,
/// so that the first ends as soon as it can, and what reads it begins; the next one fills the links
/// while it comes to its end.
class CollectiveQueue {
 public:
  static constexpr std::int32_t kMostUnderWay = 2;

  /// For so many at a time.
  explicit CollectiveQueue(std::size_t capacity) : waiting_(capacity) {}
  /// Whether it may begin; else it waits.
  bool enter(Execution& execution);
  /// One has ended. Returns the one that may begin now; nullptr: none waits.
  Execution* leave();

 private:
  std::vector<Execution*> waiting_;  // ring
  std::size_t first_ = 0, num_waiting_ = 0;
  std::int32_t num_under_way_ = 0;
};

/// Runs executions over a port. Not thread-safe: calls are serialised by the caller.
class TaskRunner {
 public:
  /// `sharing` must live as long. `is_near`: per rank, whether it is reached without the network.
  TaskRunner(UcxPort& port, std::int32_t rank, std::vector<bool> is_near, Sharing& sharing)
      : port_(port), rank_(rank), is_near_(std::move(is_near)), sharing_(sharing) {}

  /// Room for so many tasks at a time, and, per queue, for so many collectives.
  void reserve(std::size_t num_tasks, const std::vector<std::size_t>& num_queued,
               const TagLayout& tags);
  void launch(Execution& execution);
  /// Moves messages on and does at most one piece of local work; returns whether anything happened.
  bool advance();

  /// Set when something went wrong: `rank 3: Connection reset by remote peer`.
  const std::string& failure() const { return failure_; }
  /// See Transport.
  std::int64_t staged_bytes() const { return staged_bytes_.load(std::memory_order_relaxed); }
  std::int32_t num_running() const { return num_running_.load(); }

 private:
  using Work = std::pair<Execution*, std::int32_t>;

  void begin(Execution& execution);
  void begin(Execution& execution, std::int32_t task);
  void begin_message(Execution& execution, std::int32_t task);
  void leave_in_turn();
  plan::SendQueue& queue_to(std::int32_t peer);
  void finish(Execution& execution, std::int32_t task);
  void finish_messages();
  void end_send(Execution& execution, std::int32_t task);
  void post_places(Execution& execution, std::int32_t task);
  void use_places(Execution& execution, const Task& task);
  void end_receive(Execution& execution, std::int32_t task, bool is_notice);
  void post(Execution& execution, std::int32_t task, std::int64_t bytes, void* data);
  void add_work(Execution& execution, std::int32_t task);
  bool work();
  bool is_offered(const Task& task) const;
  Offer offer_of(const std::byte* data, std::int64_t bytes) const;
  void fail(std::int32_t peer, const std::string& why);

  UcxPort& port_;
  std::int32_t rank_;
  std::vector<bool> is_near_;
  Sharing& sharing_;
  TagLayout tags_;
  std::vector<Work> work_;  // ring of local tasks that may run
  std::size_t first_work_ = 0, num_work_ = 0;
  plan::SendQueue near_, far_;  // within the host, over its network interface
  std::vector<CollectiveQueue> queues_;
  std::int64_t num_launches_ = 0;
  std::string failure_;
  std::atomic<std::int64_t> staged_bytes_{0};
  std::atomic<std::int32_t> num_running_{0};
};

}  // namespace rhino::runtime
