// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/task_runner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "rhino/error.hpp"

namespace rhino {
namespace {

std::byte* at(const Execution& execution, Region region) {
  return execution.buffers[static_cast<std::size_t>(region.buffer)] + region.offset;
}

void do_work(const Execution& execution, const Task& task) {
  const std::byte* source = at(execution, task.source);
  std::byte* target = at(execution, task.target);
  if (task.kind == TaskKind::reduce) {
    task.reduce(target, source, at(execution, task.operand), task.num_elements);
  } else if (task.box >= 0) {
    copy_box(execution.graph->boxes[static_cast<std::size_t>(task.box)], source, target);
  } else if (source != target) {
    std::memcpy(target, source, static_cast<std::size_t>(task.bytes));
  }
}

}  // namespace

TagLayout::TagLayout(std::size_t num_ranks, std::size_t num_communications)
    : rank_bits_(static_cast<int>(std::bit_width(num_ranks))),
      communication_bits_(static_cast<int>(std::bit_width(num_communications))),
      instance_bits_(std::min(32, 63 - kMessageBits - rank_bits_ - communication_bits_)) {
  if (instance_bits_ >= 16) return;
  throw Error(
      fmt::format("{} ranks with {} communications are more than message tags can tell apart",
                  num_ranks, num_communications));
}

std::uint64_t TagLayout::use(std::int32_t communication, std::int32_t instance) const {
  const std::uint64_t low =
      static_cast<std::uint32_t>(instance) & ((std::uint64_t{1} << instance_bits_) - 1);
  return (static_cast<std::uint64_t>(communication) << instance_bits_ | low)
         << (rank_bits_ + kMessageBits);
}

std::uint64_t TagLayout::message(std::uint64_t use, std::int32_t sender,
                                 std::int32_t message) const {
  return use | static_cast<std::uint64_t>(sender) << kMessageBits |
         static_cast<std::uint64_t>(message);
}

void TaskRunner::reserve(std::size_t num_tasks, const TagLayout& tags) {
  tags_ = tags;
  work_.resize(std::max<std::size_t>(1, num_tasks));
  first_work_ = num_work_ = 0;
  port_.reserve(num_tasks);
}

void TaskRunner::launch(Execution& execution) {
  const std::vector<Task>& tasks = execution.graph->tasks;
  if (tasks.empty()) {
    execution.ended.store(true, std::memory_order_release);
    return;
  }
  ++num_running_;
  execution.num_left = static_cast<std::int32_t>(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) execution.num_before[i] = tasks[i].num_before;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].num_before == 0) begin(execution, static_cast<std::int32_t>(i));
  }
}

bool TaskRunner::advance() {
  bool moved = port_.progress();
  moved |= !port_.ended().empty();
  finish_messages();
  moved |= work();
  if (failure_.empty() && !port_.failure().empty()) failure_ = port_.failure();
  return moved;
}

void TaskRunner::begin(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  if (task.kind == TaskKind::copy || task.kind == TaskKind::reduce) {
    work_[(first_work_ + num_work_++) % work_.size()] = {&execution, index};
    return;
  }
  UcxMessage& message = execution.messages[static_cast<std::size_t>(index)];
  message = {.peer = task.peer, .bytes = task.bytes, .owner = &execution, .task = index};
  if (task.kind == TaskKind::send) {
    sent_bytes_.fetch_add(task.bytes, std::memory_order_relaxed);
    port_.send_message(message, tags_.message(execution.tag, rank_, task.message),
                       at(execution, task.source));
  } else {
    port_.receive_message(message, tags_.message(execution.tag, task.peer, task.message),
                          at(execution, task.target));
  }
}

void TaskRunner::finish(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  for (std::int32_t i = task.first_after; i < task.first_after + task.num_after; ++i) {
    const std::int32_t next = execution.graph->successors[static_cast<std::size_t>(i)];
    if (--execution.num_before[static_cast<std::size_t>(next)] == 0) begin(execution, next);
  }
  if (--execution.num_left > 0) return;
  --num_running_;
  execution.ended.store(true, std::memory_order_release);
}

// Messages that end while they are posted join the list as it is walked.
void TaskRunner::finish_messages() {
  std::vector<UcxMessage*>& ended = port_.ended();
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const UcxMessage& message = *ended[i];
    if (message.status == UCS_OK) {
      finish(*static_cast<Execution*>(message.owner), message.task);
    } else if (failure_.empty()) {
      failure_ = fmt::format("rank {}: {}", message.peer, ucs_status_string(message.status));
    }
  }
  ended.clear();
}

bool TaskRunner::work() {
  if (num_work_ == 0) return false;
  const auto [execution, index] = work_[first_work_];
  first_work_ = (first_work_ + 1) % work_.size();
  --num_work_;
  do_work(*execution, execution->graph->tasks[static_cast<std::size_t>(index)]);
  finish(*execution, index);
  return true;
}

}  // namespace rhino
