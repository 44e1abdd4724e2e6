// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/transport/message_box.hpp"
#include "runtime/transport/reduce.hpp"

namespace rhino::runtime {

/// A place in the memory that one use of a communication works on: `buffer` counts the inputs of
/// all parts, then the outputs of all parts, then the staging memory (see TaskGraph::staging()),
/// then the inputs and outputs of each peer that works on them in place.
struct Region {
  std::int32_t buffer = 0;
  std::int64_t offset = 0;  ///< bytes
  bool operator==(const Region&) const = default;
};

enum class TaskKind : std::uint8_t { send, receive, work };

/// One message, or one piece of local work short enough not to delay messages. A receive may have
/// work of its own, a reduction or the unpacking of a box: then what arrives is its source,
/// wherever the transport can read it: in `source`, or in the sender's own memory.
struct Task {
  TaskKind kind = TaskKind::work;
  std::int32_t peer = -1;  ///< rank: send, receive
  std::int32_t step = -1;  ///< of a transfer, whose sends wait for their turn; -1: it never waits
  std::int32_t message =
      0;  ///< number among the messages of this communication from the sender to the receiver
  std::int32_t peer_index = -1;     ///< into TaskGraph::peers: the message says where buffers lie
  std::int32_t box = -1;            ///< into TaskGraph::boxes, or -1 for `bytes` in a row
  bool streams = false;             ///< see stream_copy()
  bool is_on_gpu = false;           ///< send, receive: its source
  ReduceFunction reduce = nullptr;  ///< target = source op operand
  Region source{}, operand{}, target{};
  std::int64_t bytes = 0;
  std::int64_t num_elements = 0;                ///< reduce
  std::int32_t first_more = 0, num_more = 0;    ///< reduce: into TaskGraph::more_targets
  std::int32_t num_before = 0;                  ///< tasks that must end first
  std::int32_t first_after = 0, num_after = 0;  ///< into TaskGraph::successors
};

/// What one rank does in one communication: a static graph of messages and local work. Immutable
/// after prepare(); every use of the communication runs it with its own buffers, counters and
/// staging memory.
struct TaskGraph {
  std::int32_t num_parts = 0;
  std::vector<Task> tasks;
  std::vector<std::int32_t> successors;
  std::vector<BoxCopy> boxes;
  std::vector<Region> more_targets;
  std::vector<std::int32_t> peers;  ///< ranks whose buffers this one reads and writes in place
  std::int64_t staging_bytes = 0;

  std::int32_t input(std::int32_t part) const { return part; }
  std::int32_t output(std::int32_t part) const { return num_parts + part; }
  std::int32_t staging() const { return 2 * num_parts; }
  std::int32_t input_of(std::size_t peer_index, std::int32_t part) const {
    return staging() + 1 + static_cast<std::int32_t>(peer_index) * 2 * num_parts + part;
  }
  std::int32_t output_of(std::size_t peer_index, std::int32_t part) const {
    return input_of(peer_index, num_parts + part);
  }
  std::size_t num_buffers() const { return static_cast<std::size_t>(input_of(peers.size(), 0)); }
};

inline constexpr std::int32_t kNoTask = -1;

/// Of one reduction, TaskGraph::more_targets included.
inline constexpr std::size_t kMaxTargets = 64;

/// target = source op operand.
struct ReduceStep {
  ReduceFunction function = nullptr;
  Region source, operand, target;
  std::int64_t num_elements = 0, bytes = 0;
  std::vector<Region> more_targets = {};  ///< where `function` writes as well
};

/// Adds tasks in an order in which both ends of every pair add the messages between them alike:
/// that numbers the messages.
class TaskGraphBuilder {
 public:
  explicit TaskGraphBuilder(std::int32_t num_parts) { graph_.num_parts = num_parts; }

  /// Each returns the new task, or kNoTask where there is nothing to do (`bytes` 0). kNoTask in
  /// `after` is passed over.
  std::int32_t send(std::int32_t peer, Region source, std::int64_t bytes,
                    std::span<const std::int32_t> after, std::int32_t step = -1);
  std::int32_t receive(std::int32_t peer, Region target, std::int64_t bytes,
                       std::span<const std::int32_t> after);
  std::int32_t copy(Region source, Region target, std::int64_t bytes,
                    std::span<const std::int32_t> after, bool streams = false);
  std::int32_t copy_box(Region source, Region target, BoxCopy box,
                        std::span<const std::int32_t> after);
  std::int32_t reduce(const ReduceStep& step, std::span<const std::int32_t> after);
  /// As copy_box() and reduce(), of what `peer` sends; `source` is memory to receive into, kept
  /// until the task has ended.
  std::int32_t receive_box(std::int32_t peer, Region source, Region target, BoxCopy box,
                           std::int64_t bytes, std::span<const std::int32_t> after);
  std::int32_t receive_reduce(std::int32_t peer, const ReduceStep& step,
                              std::span<const std::int32_t> after);
  /// An empty message: tells `peer` that all of `after` have ended.
  std::int32_t notify(std::int32_t peer, std::span<const std::int32_t> after);
  std::int32_t await_notice(std::int32_t peer);
  /// The two ends tell each other where their buffers lie. The new task, which ends when those of
  /// `peer`, the next of TaskGraph::peers, may be read and written.
  std::int32_t exchange_places(std::int32_t peer);
  /// What arrives is copied past the caches from here on.
  void stream() { streams_ = true; }

  /// Reserves staging memory, 64-byte aligned.
  Region stage(std::int64_t bytes);

  const TaskGraph& graph() const { return graph_; }
  /// Links the tasks. Call once, last.
  TaskGraph finish();

 private:
  std::int32_t add(Task task, std::span<const std::int32_t> after);
  Task receive_task(std::int32_t peer, std::int64_t bytes);
  static Task reduce_task(const ReduceStep& step);

  TaskGraph graph_;
  bool streams_ = false;
  std::map<std::int32_t, std::int32_t> num_sent_, num_received_;  // per peer
  std::vector<std::pair<std::int32_t, std::int32_t>> edges_;      // (before, after)
};

}  // namespace rhino::runtime
