// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "runtime/transport/task_runner.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino::runtime {

/// Names a communication under way.
using CommunicationHandle = std::int64_t;

/// All communications of one plan for one rank: their graphs, and as many executions of each as can
/// be under way at a time.
class PreparedPlan {
 public:
  /// `in_place`: per rank, whether it and this one map each other's buffers. Resizes `staging`,
  /// which must live as long. Throws Error when the plan cannot be communicated by these ranks.
  PreparedPlan(const plan::ExecutionPlan& plan, const TransportOptions& options,
               const std::vector<bool>& in_place, SharedMemory& staging);

  /// What messages alone touch may lie on a GPU from now on, and has to: see Transport.
  void hand_over_gpu_memory();
  bool is_on_gpu(const Transport::Part& part) const;

  /// Takes a free execution of the communication and binds it. Throws Error when there is none or
  /// buffers are missing.
  CommunicationHandle bind(const CommunicationBinding& binding);
  /// Throws Error when `handle` is not that of a started communication.
  Execution& execution(CommunicationHandle handle);
  /// Makes it free again.
  void release(Execution& execution);

  std::size_t num_tasks() const { return num_tasks_; }
  std::size_t num_executions() const { return executions_.size(); }
  /// Per queue of collectives how many can be started at a time.
  const std::vector<std::size_t>& num_queued() const { return num_queued_; }
  const TagLayout& tags() const { return tags_; }
  const std::string& name(std::int32_t communication) const;

 private:
  struct Prepared {
    std::string name;
    TaskGraph graph;
    std::vector<bool> used;        // by Region::buffer
    std::vector<bool> on_gpu;      // likewise; empty: none
    std::vector<Execution*> free;  // with room for all
  };

  void add_executions(std::int32_t communication, std::int32_t count, std::int32_t queue);
  std::int32_t queue_of(std::vector<DeviceId> group);
  void place_staging(SharedMemory& staging);

  TagLayout tags_;
  std::vector<Prepared> communications_;
  std::deque<Execution> executions_;
  std::map<std::vector<DeviceId>, std::int32_t> queues_;  ///< by group
  std::vector<std::size_t> num_queued_;
  std::size_t num_tasks_ = 0;
};

}  // namespace rhino::runtime
