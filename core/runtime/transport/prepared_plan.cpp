// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/prepared_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plan/shares.hpp"
#include "rhino/error.hpp"
#include "runtime/transport/collective_graph.hpp"
#include "runtime/transport/shared_collective.hpp"
#include "runtime/transport/transfer_graph.hpp"

namespace rhino::runtime {
namespace {

const plan::Role* find_role(const plan::ExecutionPlan& plan, DeviceId device) {
  for (const plan::Role& role : plan.roles) {
    if (std::find(role.mesh.devices.begin(), role.mesh.devices.end(), device) !=
        role.mesh.devices.end())
      return &role;
  }
  return nullptr;
}

std::size_t index_of(const plan::Role& role, const plan::ExecutionPlan& plan) {
  return static_cast<std::size_t>(&role - plan.roles.data());
}

// How a role uses one communication.
struct Use {
  const plan::Instruction* start =
      nullptr;  // any of its Starts: all bind buffers of the same shapes
  std::int32_t num_running = 0, most_running = 0;
};

std::vector<Use> uses_of(const plan::ExecutionPlan& plan, const plan::Role& role) {
  std::vector<Use> uses(plan.communications.size());
  for (const plan::Instruction& instruction : role.instructions) {
    if (instruction.kind != plan::InstructionKind::start &&
        instruction.kind != plan::InstructionKind::wait)
      continue;
    Use& use = uses[static_cast<std::size_t>(instruction.index)];
    if (instruction.kind == plan::InstructionKind::wait) {
      --use.num_running;
      continue;
    }
    use.start = &instruction;
    use.most_running = std::max(use.most_running, ++use.num_running);
  }
  return uses;
}

std::int32_t rank_of(DeviceId device, const plan::Communication& communication,
                     const TransportOptions& options) {
  const auto found = std::find(options.devices.begin(), options.devices.end(), device);
  if (found != options.devices.end())
    return static_cast<std::int32_t>(found - options.devices.begin());
  throw Error(fmt::format("communication '{}' names device {}, which no rank drives",
                          communication.name, device));
}

// All that decides how one rank communicates.
struct Setting {
  const plan::ExecutionPlan& plan;
  const TransportOptions& options;
  const std::vector<bool>& in_place;
  PipelineLimits limits;
  std::vector<std::vector<Use>> uses;  // by role and communication
};

// Whether all ranks of a group but this one share memory with it, and so with each other.
bool is_shared(const std::vector<std::int32_t>& ranks, const Setting& setting) {
  return ranks.size() > 1 && std::all_of(ranks.begin(), ranks.end(), [&](std::int32_t rank) {
           return rank == setting.options.rank || setting.in_place[static_cast<std::size_t>(rank)];
         });
}

/// Of this rank in a collective; empty: in none.
std::vector<DeviceId> own_group(const plan::Communication& communication, const Setting& setting) {
  const TransportOptions& options = setting.options;
  const DeviceId device = options.devices[static_cast<std::size_t>(options.rank)];
  for (const std::vector<DeviceId>& group :
       plan::stated_by(setting.plan.communications, communication).groups) {
    if (std::find(group.begin(), group.end(), device) != group.end()) return group;
  }
  return {};
}

TaskGraph collective_graph(const plan::Communication& communication, const Setting& setting) {
  const TransportOptions& options = setting.options;
  std::vector<std::int32_t> ranks;
  for (const DeviceId member : own_group(communication, setting))
    ranks.push_back(rank_of(member, communication, options));
  if (ranks.empty())
    return TaskGraphBuilder(static_cast<std::int32_t>(communication.parts.size())).finish();
  const auto place = static_cast<std::int32_t>(std::find(ranks.begin(), ranks.end(), options.rank) -
                                               ranks.begin());
  if (is_shared(ranks, setting))
    return build_shared_collective(communication, ranks, place, setting.limits.chunk_bytes);
  return build_collective(communication, ranks, place, setting.limits);
}

std::vector<const Shape*> tiles(const std::vector<std::int32_t>& buffers, std::size_t num_parts,
                                const plan::Role& role) {
  std::vector<const Shape*> shapes(num_parts, nullptr);
  for (std::size_t p = 0; p < std::min(num_parts, buffers.size()); ++p) {
    if (buffers[p] >= 0) shapes[p] = &role.buffers[static_cast<std::size_t>(buffers[p])].shape;
  }
  return shapes;
}

TransferTiles tiles_of(DeviceId device, std::size_t communication, const Setting& setting) {
  const std::size_t num_parts = setting.plan.communications[communication].parts.size();
  const plan::Role* role = find_role(setting.plan, device);
  const plan::Instruction* start = nullptr;
  if (role) start = setting.uses[index_of(*role, setting.plan)][communication].start;
  if (!start) return {tiles({}, num_parts, {}), tiles({}, num_parts, {})};
  return {tiles(start->inputs, num_parts, *role), tiles(start->outputs, num_parts, *role)};
}

TaskGraph transfer_graph(std::size_t communication, const Setting& setting) {
  TransferParty party{setting.options.rank, setting.options.devices, setting.in_place, {}};
  for (const DeviceId device : party.devices)
    party.tiles.push_back(tiles_of(device, communication, setting));
  return build_transfer(plan::expanded(setting.plan, setting.plan.communications[communication]),
                        party, setting.limits);
}

void check_message_count(const TaskGraph& graph, const std::string& name) {
  for (const Task& task : graph.tasks) {
    if (task.message < 1 << TagLayout::kMessageBits) continue;
    throw Error(fmt::format(
        "communication '{}' takes more than {} messages between two ranks: raise chunk_bytes", name,
        1 << TagLayout::kMessageBits));
  }
}

std::vector<bool> used_buffers(const TaskGraph& graph) {
  std::vector<bool> used(graph.num_buffers(), !graph.peers.empty());
  for (const Task& task : graph.tasks) {
    used[static_cast<std::size_t>(task.source.buffer)] = true;
    if (task.reduce) used[static_cast<std::size_t>(task.operand.buffer)] = true;
    if (task.kind != TaskKind::send) used[static_cast<std::size_t>(task.target.buffer)] = true;
  }
  return used;
}

// Buffers that the host reads or writes.
std::vector<bool> worked_on(const TaskGraph& graph) {
  std::vector<bool> worked(graph.num_buffers(), !graph.peers.empty());
  const auto note = [&](Region region) { worked[static_cast<std::size_t>(region.buffer)] = true; };
  note({graph.staging(), 0});
  for (const Region& region : graph.more_targets) note(region);
  for (const Task& task : graph.tasks) {
    if (task.kind != TaskKind::work && task.reduce == nullptr && task.box < 0) continue;
    note(task.source);
    note(task.target);
    if (task.reduce != nullptr) note(task.operand);
  }
  return worked;
}

}  // namespace

PreparedPlan::PreparedPlan(const plan::ExecutionPlan& plan, const TransportOptions& options,
                           const std::vector<bool>& in_place, SharedMemory& staging)
    : tags_(options.devices.size(), plan.communications.size()),
      communications_(plan.communications.size()) {
  for (std::size_t c = 0; c < plan.communications.size(); ++c)
    communications_[c].name = plan.communications[c].name;
  const plan::Role* role = find_role(plan, options.devices[static_cast<std::size_t>(options.rank)]);
  if (!role) return;
  Setting setting{plan, options, in_place, {}, {}};
  setting.limits = {std::max<std::int64_t>(64, options.chunk_bytes),
                    std::max<std::int64_t>(1, options.window_chunks)};
  for (const plan::Role& each : plan.roles) setting.uses.push_back(uses_of(plan, each));
  const std::vector<Use>& uses = setting.uses[index_of(*role, plan)];
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (!uses[c].start) continue;
    const plan::Communication& communication = plan.communications[c];
    Prepared& prepared = communications_[c];
    const bool is_transfer = communication.kind == plan::CommunicationKind::transfer;
    prepared.graph =
        is_transfer ? transfer_graph(c, setting) : collective_graph(communication, setting);
    check_message_count(prepared.graph, communication.name);
    prepared.used = used_buffers(prepared.graph);
    add_executions(static_cast<std::int32_t>(c), uses[c].most_running,
                   is_transfer ? -1 : queue_of(own_group(communication, setting)));
  }
  place_staging(staging);
}

/// Whatever the order in which it is named.
std::int32_t PreparedPlan::queue_of(std::vector<DeviceId> group) {
  std::sort(group.begin(), group.end());
  const auto [queue, is_new] =
      queues_.try_emplace(std::move(group), static_cast<std::int32_t>(num_queued_.size()));
  if (is_new) num_queued_.push_back(0);
  return queue->second;
}

void PreparedPlan::add_executions(std::int32_t communication, std::int32_t count,
                                  std::int32_t queue) {
  if (queue >= 0) num_queued_[static_cast<std::size_t>(queue)] += static_cast<std::size_t>(count);
  Prepared& prepared = communications_[static_cast<std::size_t>(communication)];
  for (std::int32_t i = 0; i < count; ++i) {
    Execution& execution = executions_.emplace_back();
    execution.index = static_cast<std::int64_t>(executions_.size()) - 1;
    execution.graph = &prepared.graph;
    execution.communication = communication;
    execution.queue = queue;
    execution.buffers.resize(prepared.graph.num_buffers());
    execution.places.resize(static_cast<std::size_t>(prepared.graph.staging()));
    execution.peer_places.resize(prepared.graph.peers.size() * execution.places.size());
    execution.num_before.resize(prepared.graph.tasks.size());
    execution.messages.resize(prepared.graph.tasks.size());
    prepared.free.push_back(&execution);
    num_tasks_ += prepared.graph.tasks.size();
  }
}

void PreparedPlan::hand_over_gpu_memory() {
  for (Prepared& prepared : communications_) {
    prepared.on_gpu = worked_on(prepared.graph);
    prepared.on_gpu.flip();
    for (Task& task : prepared.graph.tasks)
      task.is_on_gpu = prepared.on_gpu[static_cast<std::size_t>(task.source.buffer)];
  }
}

bool PreparedPlan::is_on_gpu(const Transport::Part& part) const {
  const Prepared& prepared = communications_.at(static_cast<std::size_t>(part.communication));
  if (prepared.on_gpu.empty()) return false;
  const std::int32_t buffer =
      part.is_output ? prepared.graph.output(part.number) : prepared.graph.input(part.number);
  return prepared.on_gpu.at(static_cast<std::size_t>(buffer));
}

void PreparedPlan::place_staging(SharedMemory& staging) {
  std::int64_t total = 64;  // empty messages point somewhere
  for (const Execution& execution : executions_) total += execution.graph->staging_bytes;
  staging.resize(total);
  std::memset(staging.data(), 0,
              static_cast<std::size_t>(total));  // in place before the first step
  std::byte* next = staging.data();
  for (Execution& execution : executions_) {
    execution.buffers[static_cast<std::size_t>(execution.graph->staging())] = next;
    next += execution.graph->staging_bytes;
  }
}

CommunicationHandle PreparedPlan::bind(const CommunicationBinding& binding) {
  Prepared& prepared = communications_.at(static_cast<std::size_t>(binding.communication));
  const auto num_parts = static_cast<std::size_t>(prepared.graph.num_parts);
  if (prepared.free.empty()) {
    throw Error(fmt::format(
        "communication '{}' (instance {}) is started more often at a time than the plan says",
        prepared.name, binding.instance));
  }
  Execution& execution = *prepared.free.back();
  for (std::size_t p = 0; p < num_parts; ++p) {
    execution.buffers[p] = p < binding.inputs.size()
                               ? static_cast<std::byte*>(const_cast<void*>(binding.inputs[p]))
                               : nullptr;
    execution.buffers[num_parts + p] =
        p < binding.outputs.size() ? static_cast<std::byte*>(binding.outputs[p]) : nullptr;
  }
  for (std::size_t b = 0; b < 2 * num_parts; ++b) {
    if (!prepared.used[b] || execution.buffers[b]) continue;
    throw Error(fmt::format(
        "communication '{}' (instance {}) is started without the {} buffer of part {}",
        prepared.name, binding.instance, b < num_parts ? "input" : "output", b % num_parts));
  }
  prepared.free.pop_back();
  execution.instance = binding.instance;
  execution.tag = tags_.use(binding.communication, binding.instance);
  execution.taken = true;
  execution.ended.store(false, std::memory_order_relaxed);
  return ++execution.generation * static_cast<std::int64_t>(executions_.size()) + execution.index;
}

Execution& PreparedPlan::execution(CommunicationHandle handle) {
  const auto count = static_cast<std::int64_t>(executions_.size());
  if (handle >= 0 && count > 0) {
    Execution& execution = executions_[static_cast<std::size_t>(handle % count)];
    if (execution.taken && execution.generation == handle / count) return execution;
  }
  throw Error(fmt::format("communication handle {} is not under way", handle));
}

void PreparedPlan::release(Execution& execution) {
  execution.taken = false;
  communications_[static_cast<std::size_t>(execution.communication)].free.push_back(&execution);
}

const std::string& PreparedPlan::name(std::int32_t communication) const {
  return communications_.at(static_cast<std::size_t>(communication)).name;
}

}  // namespace rhino::runtime
