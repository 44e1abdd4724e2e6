// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/execution_plan.hpp"

/// Plans of one transfer of one long vector: input 0 (uniform in [-1, 1]) lies whole on every
/// device that sends from its source tile, output 0 whole on every device that receives.
namespace rhino::toy {

/// `num_hosts` x `per_host` devices; d is on host d / per_host.
inline Cluster emulated_cluster(std::int32_t num_hosts, std::int32_t per_host,
                                const EmulatedNetwork& network) {
  Cluster cluster{.name = std::to_string(num_hosts) + "x" + std::to_string(per_host)};
  cluster.models = {DeviceModel{.kind = DeviceKind::cpu}};
  cluster.emulated = network;
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({"host" + std::to_string(host), {}});
    for (std::int32_t i = 0; i < per_host; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(host);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

/// Step of elements [begin, end); it comes after the steps of these indices.
inline plan::TransferStep step_of(DeviceId from, DeviceId to, std::int64_t begin, std::int64_t end,
                                  std::vector<std::int32_t> after = {}) {
  const Box box{{begin}, {end - begin}};
  return {.part = 0,
          .from = from,
          .to = to,
          .global = box,
          .source = box,
          .target = box,
          .relayed = !after.empty(),
          .after = std::move(after)};
}

/// A multicast in chunks along a chain of devices, the first of which holds the source.
inline std::vector<plan::TransferStep> chain(const std::vector<DeviceId>& devices,
                                             std::int64_t num_elements, std::int64_t num_chunks) {
  std::vector<plan::TransferStep> steps;
  for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) {
    for (std::size_t hop = 1; hop < devices.size(); ++hop) {
      std::vector<std::int32_t> after;
      if (hop > 1) after.push_back(static_cast<std::int32_t>(steps.size()) - 1);
      steps.push_back(step_of(devices[hop - 1], devices[hop], num_elements * chunk / num_chunks,
                              num_elements * (chunk + 1) / num_chunks, std::move(after)));
    }
  }
  return steps;
}

inline plan::ExecutionPlan transfer_plan(const Cluster& cluster, std::int64_t num_elements,
                                         std::vector<plan::TransferStep> steps) {
  const Shape shape{DType::f32, {num_elements}};
  const ShardingSpec whole{std::vector<DimSharding>(1), {}};
  std::set<DeviceId> sources, targets, all;
  for (const plan::TransferStep& step : steps) {
    if (!step.relayed) sources.insert(step.from);
    targets.insert(step.to);
    all.insert({step.from, step.to});
  }
  std::map<std::pair<bool, bool>, std::vector<DeviceId>> roles;
  for (const DeviceId device : all)
    roles[{sources.count(device) > 0, targets.count(device) > 0}].push_back(device);
  plan::ExecutionPlan plan;
  plan.name = "transfer";
  plan.cluster = cluster;
  plan.communications = {{.kind = plan::CommunicationKind::transfer,
                          .parts = {shape},
                          .steps = std::move(steps),
                          .name = "transfer"}};
  for (const auto& [kind, devices] : roles) {
    plan::Role role;
    role.mesh = {{{"rank", static_cast<std::int64_t>(devices.size())}}, devices};
    std::int32_t source = -1, target = -1;
    const auto add_buffer = [&](bool persistent) {
      role.buffers.push_back({shape, role.arena_bytes, persistent});
      role.arena_bytes += (num_bytes(shape) + 63) / 64 * 64;
      return static_cast<std::int32_t>(role.buffers.size()) - 1;
    };
    if (kind.first) {
      source = add_buffer(true);
      role.inputs = {{.input = 0,
                      .buffer = source,
                      .global = shape,
                      .spec = whole,
                      .initializer = {Initializer::Kind::uniform, -1, 1},
                      .kind = InputKind::batch}};
    }
    if (kind.second) {
      target = add_buffer(false);
      role.outputs = {{.output = 0, .buffer = target, .global = shape, .spec = whole}};
    }
    role.instructions = {
        {.kind = plan::InstructionKind::start, .index = 0, .inputs = {source}, .outputs = {target}},
        {.kind = plan::InstructionKind::wait, .index = 0}};
    plan.roles.push_back(std::move(role));
  }
  return plan;
}

}  // namespace rhino::toy
