// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/task_graph.hpp"

#include <algorithm>
#include <utility>

namespace rhino::runtime {

std::int32_t TaskGraphBuilder::add(Task task, std::span<const std::int32_t> after) {
  const auto id = static_cast<std::int32_t>(graph_.tasks.size());
  const std::size_t first = edges_.size();
  for (std::int32_t before : after) {
    if (before != kNoTask) edges_.emplace_back(before, id);
  }
  // A task named twice counts once.
  const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, edges_.end());
  edges_.erase(std::unique(begin, edges_.end()), edges_.end());
  task.num_before = static_cast<std::int32_t>(edges_.size() - first);
  graph_.tasks.push_back(task);
  return id;
}

std::int32_t TaskGraphBuilder::send(std::int32_t peer, Region source, std::int64_t bytes,
                                    std::span<const std::int32_t> after, std::int32_t step) {
  if (bytes == 0) return kNoTask;
  Task task{.kind = TaskKind::send, .peer = peer, .step = step, .source = source, .bytes = bytes};
  task.message = num_sent_[peer]++;
  return add(task, after);
}

Task TaskGraphBuilder::receive_task(std::int32_t peer, std::int64_t bytes) {
  Task task{.kind = TaskKind::receive, .peer = peer, .streams = streams_, .bytes = bytes};
  task.message = num_received_[peer]++;
  return task;
}

std::int32_t TaskGraphBuilder::receive(std::int32_t peer, Region target, std::int64_t bytes,
                                       std::span<const std::int32_t> after) {
  if (bytes == 0) return kNoTask;
  Task task = receive_task(peer, bytes);
  task.source = task.target = target;
  return add(task, after);
}

std::int32_t TaskGraphBuilder::receive_box(std::int32_t peer, Region source, Region target,
                                           BoxCopy box, std::int64_t bytes,
                                           std::span<const std::int32_t> after) {
  Task task = receive_task(peer, bytes);
  task.source = source;
  task.target = target;
  task.box = static_cast<std::int32_t>(graph_.boxes.size());
  graph_.boxes.push_back(std::move(box));
  return add(task, after);
}

std::int32_t TaskGraphBuilder::receive_reduce(std::int32_t peer, const ReduceStep& step,
                                              std::span<const std::int32_t> after) {
  if (step.num_elements == 0) return kNoTask;
  const Task message = receive_task(peer, step.bytes);
  Task task = reduce_task(step);
  task.kind = TaskKind::receive;
  task.peer = peer;
  task.message = message.message;
  return add(task, after);
}

std::int32_t TaskGraphBuilder::notify(std::int32_t peer, std::span<const std::int32_t> after) {
  Task task{.kind = TaskKind::send, .peer = peer, .source = {graph_.staging(), 0}};
  task.message = num_sent_[peer]++;
  return add(task, after);
}

std::int32_t TaskGraphBuilder::await_notice(std::int32_t peer) {
  Task task = receive_task(peer, 0);
  task.source = task.target = {graph_.staging(), 0};
  return add(task, {});
}

std::int32_t TaskGraphBuilder::exchange_places(std::int32_t peer) {
  const auto index = static_cast<std::int32_t>(graph_.peers.size());
  graph_.peers.push_back(peer);
  const std::int64_t bytes = 2 * graph_.num_parts * std::int64_t{sizeof(std::int64_t)};
  Task told{.kind = TaskKind::send, .peer = peer, .peer_index = index, .bytes = bytes};
  told.message = num_sent_[peer]++;
  add(told, {});
  Task heard = receive_task(peer, bytes);
  heard.peer_index = index;
  return add(heard, {});
}

std::int32_t TaskGraphBuilder::copy(Region source, Region target, std::int64_t bytes,
                                    std::span<const std::int32_t> after, bool streams) {
  if (bytes == 0 || source == target) return kNoTask;
  return add({.streams = streams, .source = source, .target = target, .bytes = bytes}, after);
}

std::int32_t TaskGraphBuilder::copy_box(Region source, Region target, BoxCopy box,
                                        std::span<const std::int32_t> after) {
  if (box.is_contiguous()) return copy(source, target, box.num_bytes(), after);
  Task task{.source = source, .target = target};
  task.box = static_cast<std::int32_t>(graph_.boxes.size());
  graph_.boxes.push_back(std::move(box));
  return add(task, after);
}

Task TaskGraphBuilder::reduce_task(const ReduceStep& step) {
  Task task{.reduce = step.function,
            .source = step.source,
            .operand = step.operand,
            .target = step.target};
  task.bytes = step.bytes;
  task.num_elements = step.num_elements;
  return task;
}

std::int32_t TaskGraphBuilder::reduce(const ReduceStep& step, std::span<const std::int32_t> after) {
  if (step.num_elements == 0) return kNoTask;
  Task task = reduce_task(step);
  task.first_more = static_cast<std::int32_t>(graph_.more_targets.size());
  task.num_more = static_cast<std::int32_t>(step.more_targets.size());
  graph_.more_targets.insert(graph_.more_targets.end(), step.more_targets.begin(),
                             step.more_targets.end());
  return add(task, after);
}

Region TaskGraphBuilder::stage(std::int64_t bytes) {
  const Region region{graph_.staging(), graph_.staging_bytes};
  graph_.staging_bytes += (bytes + 63) / 64 * 64;
  return region;
}

TaskGraph TaskGraphBuilder::finish() {
  for (const auto& [before, after] : edges_)
    ++graph_.tasks[static_cast<std::size_t>(before)].num_after;
  std::int32_t position = 0;
  for (Task& task : graph_.tasks) {
    task.first_after = position;
    position += std::exchange(task.num_after, 0);
  }
  graph_.successors.resize(edges_.size());
  for (const auto& [before, after] : edges_) {
    Task& task = graph_.tasks[static_cast<std::size_t>(before)];
    graph_.successors[static_cast<std::size_t>(task.first_after + task.num_after++)] = after;
  }
  edges_.clear();
  return std::move(graph_);
}

}  // namespace rhino::runtime
