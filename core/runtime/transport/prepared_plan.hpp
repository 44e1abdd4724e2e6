// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "runtime/transport/task_runner.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino {

/// Memory for staging: zeroed, 64-byte aligned, in huge pages where the system has them (they halve
/// the cost of reading it from another process).
class StagingMemory {
 public:
  StagingMemory() = default;
  /// Throws Error.
  explicit StagingMemory(std::int64_t bytes);
  ~StagingMemory();
  StagingMemory(StagingMemory&& other) noexcept;
  StagingMemory& operator=(StagingMemory&& other) noexcept;
  std::byte* data() const { return data_; }
  /// Never frees it.
  void abandon() { data_ = nullptr; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// All communications of one plan for one rank: their graphs, and as many executions of each as can
/// be under way at a time.
class PreparedPlan {
 public:
  /// Throws Error when the plan cannot be communicated by these ranks.
  PreparedPlan(const ExecutionPlan& plan, const TransportOptions& options);

  /// Takes a free execution of the communication and binds it. Throws Error when there is none or
  /// buffers are missing.
  CommunicationHandle bind(const CommunicationBinding& binding);
  /// Throws Error when `handle` is not that of a started communication.
  Execution& execution(CommunicationHandle handle);
  /// Makes it free again.
  void release(Execution& execution);

  std::size_t num_tasks() const { return num_tasks_; }
  std::size_t num_executions() const { return executions_.size(); }
  const TagLayout& tags() const { return tags_; }
  const std::string& name(std::int32_t communication) const;

  /// Messages may still be under way in its memory: leaves that for the end of the process.
  void abandon() { staging_.abandon(); }

 private:
  struct Prepared {
    std::string name;
    TaskGraph graph;
    std::vector<bool> used;        // by Region::buffer
    std::vector<Execution*> free;  // with room for all
  };

  void add_executions(std::int32_t communication, std::int32_t count);
  void place_staging();

  TagLayout tags_;
  std::vector<Prepared> communications_;
  std::deque<Execution> executions_;
  std::size_t num_tasks_ = 0;
  StagingMemory staging_;
};

}  // namespace rhino
