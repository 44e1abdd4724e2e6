// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/task_runner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "rhino/error.hpp"
#include "runtime/transport/stream_copy.hpp"

namespace rhino::runtime {
namespace {

std::byte* at(const Execution& execution, Region region) {
  return execution.buffers[static_cast<std::size_t>(region.buffer)] + region.offset;
}

void copy(std::byte* target, const std::byte* source, std::int64_t bytes, bool streams) {
  if (streams) stream_copy(target, source, static_cast<std::size_t>(bytes));
  else std::memcpy(target, source, static_cast<std::size_t>(bytes));
}

void reduce(const Execution& execution, const Task& task, const std::byte* source) {
  std::array<void*, kMaxTargets> targets{at(execution, task.target)};
  std::size_t count = 1;
  for (std::int32_t i = task.first_more; i < task.first_more + task.num_more; ++i)
    targets[count++] = at(execution, execution.graph->more_targets[static_cast<std::size_t>(i)]);
  task.reduce({targets.data(), count}, source, at(execution, task.operand), task.num_elements);
}

void do_work(const Execution& execution, const Task& task, const std::byte* source) {
  std::byte* target = at(execution, task.target);
  if (task.reduce) {
    reduce(execution, task, source);
  } else if (task.box >= 0) {
    execution.graph->boxes[static_cast<std::size_t>(task.box)].run(source, target);
  } else if (source != target) {
    copy(target, source, task.bytes, task.streams);
  }
}

bool has_work(const Task& task) { return task.reduce || task.box >= 0; }

}  // namespace

TagLayout::TagLayout(std::size_t num_ranks, std::size_t num_communications)
    : rank_bits_(static_cast<int>(std::bit_width(num_ranks))),
      communication_bits_(static_cast<int>(std::bit_width(num_communications))),
      instance_bits_(std::min(32, 62 - kMessageBits - rank_bits_ - communication_bits_)) {
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
                                 std::int32_t message_number) const {
  return use | static_cast<std::uint64_t>(sender) << kMessageBits |
         static_cast<std::uint64_t>(message_number);
}

bool CollectiveQueue::enter(Execution& execution) {
  if (num_under_way_ < kMostUnderWay) {
    ++num_under_way_;
    return true;
  }
  waiting_[(first_ + num_waiting_++) % waiting_.size()] = &execution;
  return false;
}

Execution* CollectiveQueue::leave() {
  if (num_waiting_ == 0) {
    --num_under_way_;
    return nullptr;
  }
  Execution* const next = waiting_[first_];
  first_ = (first_ + 1) % waiting_.size();
  --num_waiting_;
  return next;
}

void TaskRunner::reserve(std::size_t num_tasks, const std::vector<std::size_t>& num_queued,
                         const TagLayout& tags) {
  tags_ = tags;
  work_.resize(std::max<std::size_t>(1, num_tasks));
  first_work_ = num_work_ = 0;
  near_.reserve(num_tasks);
  far_.reserve(num_tasks);
  port_.reserve(2 * num_tasks);
  queues_.clear();
  for (const std::size_t capacity : num_queued) queues_.emplace_back(capacity);
}

void TaskRunner::launch(Execution& execution) {
  const std::vector<Task>& tasks = execution.graph->tasks;
  if (tasks.empty()) {
    execution.ended.store(true, std::memory_order_release);
    return;
  }
  ++num_running_;
  execution.launch = num_launches_++;
  execution.num_left = static_cast<std::int32_t>(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) execution.num_before[i] = tasks[i].num_before;
  const std::int32_t queue = execution.queue;
  if (queue < 0 || queues_[static_cast<std::size_t>(queue)].enter(execution)) begin(execution);
  leave_in_turn();
}

void TaskRunner::begin(Execution& execution) {
  const std::vector<Task>& tasks = execution.graph->tasks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].num_before == 0) begin(execution, static_cast<std::int32_t>(i));
  }
}

bool TaskRunner::advance() {
  bool moved = port_.progress();
  moved |= !port_.ended().empty();
  finish_messages();
  moved |= work();
  leave_in_turn();
  if (failure_.empty() && !port_.failure().empty()) failure_ = port_.failure();
  return moved;
}

bool TaskRunner::is_offered(const Task& task) const {
  return task.bytes > 0 && sharing_.in_place[static_cast<std::size_t>(task.peer)];
}

Offer TaskRunner::offer_of(const std::byte* data, std::int64_t bytes) const {
  for (std::size_t i = 0; i < sharing_.own.size(); ++i) {
    if (!sharing_.own[i]) continue;
    const std::int64_t offset = sharing_.own[i]->offset_of(data, bytes);
    if (offset >= 0) return {static_cast<std::int64_t>(i), offset};
  }
  return {};
}

void TaskRunner::begin(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  if (task.kind == TaskKind::work) return add_work(execution, index);
  if (task.step < 0) return begin_message(execution, index);
  queue_to(task.peer).push({execution.launch, task.step, index, &execution});
}

plan::SendQueue& TaskRunner::queue_to(std::int32_t peer) {
  return is_near_[static_cast<std::size_t>(peer)] ? near_ : far_;
}

void TaskRunner::leave_in_turn() {
  for (plan::SendQueue* queue : {&near_, &far_}) {
    while (const std::optional<plan::Turn> turn = queue->next())
      begin_message(*static_cast<Execution*>(turn->owner), turn->piece);
  }
}

void TaskRunner::begin_message(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  MessageState& state = execution.messages[static_cast<std::size_t>(index)];
  state.num_open = 1;
  if (task.peer_index >= 0) return post_places(execution, index);
  std::byte* data = at(execution, task.source);
  state.is_payload = !is_offered(task);
  if (state.is_payload) {
    if (task.kind == TaskKind::send && is_near_[static_cast<std::size_t>(task.peer)])
      staged_bytes_.fetch_add(task.bytes, std::memory_order_relaxed);
    return post(execution, index, task.bytes, data);
  }
  if (task.kind == TaskKind::send) {
    state.offer = offer_of(data, task.bytes);
    if (state.offer.memory < 0) return fail(rank_, "a buffer lies outside of its shared memory");
    ++state.num_open;
    state.notice = {.peer = task.peer, .bytes = 0, .owner = &execution, .task = index};
    port_.receive_message(state.notice, tags_.notice(execution.tag, task.peer, task.message),
                          &state.offer);
  }
  post(execution, index, sizeof(Offer), &state.offer);
}

void TaskRunner::post_places(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  const std::size_t count = execution.places.size();
  if (task.kind == TaskKind::receive) {
    const std::size_t first = static_cast<std::size_t>(task.peer_index) * count;
    return post(execution, index, task.bytes, execution.peer_places.data() + first);
  }
  for (std::size_t b = 0; b < count; ++b)
    execution.places[b] = sharing_.own[0]->offset_of(execution.buffers[b], 0);
  post(execution, index, task.bytes, execution.places.data());
}

// Buffers of the peer can be worked on from now on.
void TaskRunner::use_places(Execution& execution, const Task& task) {
  const std::size_t count = execution.places.size();
  const auto peer = static_cast<std::size_t>(task.peer_index);
  std::byte** buffers =
      &execution.buffers[static_cast<std::size_t>(execution.graph->input_of(peer, 0))];
  for (std::size_t b = 0; b < count; ++b) {
    buffers[b] = sharing_.peers[static_cast<std::size_t>(task.peer)].at(
        0, execution.peer_places[peer * count + b], 0);
    if (!buffers[b]) fail(task.peer, "its shared memory cannot be mapped");
  }
}

void TaskRunner::post(Execution& execution, std::int32_t index, std::int64_t bytes, void* data) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  UcxMessage& message = execution.messages[static_cast<std::size_t>(index)].message;
  message = {.peer = task.peer,
             .bytes = bytes,
             .is_on_gpu = task.is_on_gpu,
             .owner = &execution,
             .task = index};
  if (task.kind == TaskKind::send) {
    port_.send_message(message, tags_.message(execution.tag, rank_, task.message), data);
  } else {
    port_.receive_message(message, tags_.message(execution.tag, task.peer, task.message), data);
  }
}

void TaskRunner::end_send(Execution& execution, std::int32_t index) {
  MessageState& state = execution.messages[static_cast<std::size_t>(index)];
  if (--state.num_open == 0) finish(execution, index);
}

void TaskRunner::end_receive(Execution& execution, std::int32_t index, bool is_notice) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  MessageState& state = execution.messages[static_cast<std::size_t>(index)];
  if (is_notice) return finish(execution, index);
  if (task.peer_index >= 0) {
    use_places(execution, task);
    return failure_.empty() ? finish(execution, index) : void();
  }
  if (state.is_payload) {
    state.source = at(execution, task.source);
    return has_work(task) ? add_work(execution, index) : finish(execution, index);
  }
  PeerMemory& memory = sharing_.peers[static_cast<std::size_t>(task.peer)];
  state.source =
      memory.at(static_cast<std::size_t>(state.offer.memory), state.offer.offset, task.bytes);
  if (state.source) add_work(execution, index);
  else fail(task.peer, "its shared memory cannot be mapped");
}

void TaskRunner::add_work(Execution& execution, std::int32_t index) {
  work_[(first_work_ + num_work_++) % work_.size()] = {&execution, index};
}

void TaskRunner::finish(Execution& execution, std::int32_t index) {
  const Task& task = execution.graph->tasks[static_cast<std::size_t>(index)];
  if (task.step >= 0) queue_to(task.peer).end({execution.launch, task.step, index});
  for (std::int32_t i = task.first_after; i < task.first_after + task.num_after; ++i) {
    const std::int32_t next = execution.graph->successors[static_cast<std::size_t>(i)];
    if (--execution.num_before[static_cast<std::size_t>(next)] == 0) begin(execution, next);
  }
  if (--execution.num_left > 0) return;
  --num_running_;
  const std::int32_t queue = execution.queue;
  execution.ended.store(true, std::memory_order_release);
  if (queue < 0) return;
  if (Execution* const next = queues_[static_cast<std::size_t>(queue)].leave()) begin(*next);
}

// Messages that end while they are posted join the list as it is walked.
void TaskRunner::finish_messages() {
  std::vector<UcxMessage*>& ended = port_.ended();
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const UcxMessage& message = *ended[i];
    if (message.status != UCS_OK) {
      fail(message.peer, ucs_status_string(message.status));
      continue;
    }
    auto& execution = *static_cast<Execution*>(message.owner);
    const auto index = static_cast<std::size_t>(message.task);
    if (execution.graph->tasks[index].kind == TaskKind::send) end_send(execution, message.task);
    else end_receive(execution, message.task, &message == &execution.messages[index].notice);
  }
  ended.clear();
}

bool TaskRunner::work() {
  if (num_work_ == 0) return false;
  const auto [execution, index] = work_[first_work_];
  first_work_ = (first_work_ + 1) % work_.size();
  --num_work_;
  const Task& task = execution->graph->tasks[static_cast<std::size_t>(index)];
  MessageState& state = execution->messages[static_cast<std::size_t>(index)];
  do_work(*execution, task,
          task.kind == TaskKind::work ? at(*execution, task.source) : state.source);
  if (task.kind == TaskKind::work || state.is_payload) {
    finish(*execution, index);
  } else {
    state.notice = {.peer = task.peer, .bytes = 0, .owner = execution, .task = index};
    port_.send_message(state.notice, tags_.notice(execution->tag, rank_, task.message),
                       &state.offer);
  }
  return true;
}

void TaskRunner::fail(std::int32_t peer, const std::string& why) {
  if (failure_.empty()) failure_ = fmt::format("rank {}: {}", peer, why);
}

}  // namespace rhino::runtime
