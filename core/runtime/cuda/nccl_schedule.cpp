// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_schedule.hpp"

#include <algorithm>

#include "plan/shares.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/nccl_collective.hpp"
#include "runtime/cuda/nccl_ranks.hpp"
#include "runtime/cuda/nccl_transfer.hpp"

namespace rhino::runtime::cuda {
namespace {

const plan::Role* role_of(const plan::ExecutionPlan& plan, DeviceId device) {
  for (const plan::Role& role : plan.roles) {
    if (contains(role.mesh.devices, device)) return &role;
  }
  return nullptr;
}

/// The tiles that a role binds to a communication, by any of its Starts: all bind alike.
Tiles tiles_of(const plan::Role& role, std::size_t communication, std::size_t num_parts) {
  Tiles tiles{std::vector<const Shape*>(num_parts), std::vector<const Shape*>(num_parts)};
  const auto fill = [&](const std::vector<std::int32_t>& buffers, auto& shapes) {
    for (std::size_t part = 0; part < std::min(num_parts, buffers.size()); ++part) {
      if (buffers[part] >= 0) shapes[part] = &role.buffers[at(buffers[part])].shape;
    }
  };
  for (const plan::Instruction& instruction : role.instructions) {
    if (instruction.kind != plan::InstructionKind::start || at(instruction.index) != communication)
      continue;
    fill(instruction.inputs, tiles.sources);
    fill(instruction.outputs, tiles.targets);
    break;
  }
  return tiles;
}

}  // namespace

NcclPlan nccl_plan(const plan::ExecutionPlan& plan, const std::vector<DeviceId>& devices,
                   std::int32_t rank, const NcclOptions& options) {
  NcclPlan result;
  Ranks ranks(devices, rank);
  const plan::Role* role = role_of(plan, devices[at(rank)]);
  for (std::size_t c = 0; c < plan.communications.size(); ++c) {
    const plan::Communication& communication = plan.communications[c];
    NcclSchedule& schedule = result.schedules.emplace_back();
    if (communication.kind == plan::CommunicationKind::transfer) {
      const Tiles tiles = tiles_of(*role, c, communication.parts.size());
      const plan::Communication all = plan::expanded(plan, communication);
      schedule = transfer_schedule(all, tiles, ranks, options);
      continue;
    }
    for (const std::vector<DeviceId>& group :
         plan::stated_by(plan.communications, communication).groups) {
      RankGroup members;
      for (const DeviceId device : group) members.push_back(ranks.rank(device, communication));
      if (members.size() > 1) ranks.group(members);
      if (contains(members, rank)) schedule = collective_schedule(communication, group, ranks);
    }
  }
  result.groups = ranks.take_groups();
  return result;
}

}  // namespace rhino::runtime::cuda
