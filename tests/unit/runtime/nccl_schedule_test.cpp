// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_schedule.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "rhino/index.hpp"

namespace rhino {
namespace {

using namespace runtime::cuda;

constexpr std::int64_t kElements = 1000;

/// A vector that device 0 holds whole goes along a chain of all others.
plan::ExecutionPlan chain(std::int32_t num_devices) {
  plan::ExecutionPlan plan;
  const Shape vector{DType::f32, {kElements}};
  plan::Communication transfer{.parts = {vector}, .groups = {}, .steps = {}, .name = "chain"};
  const Box box{{0}, {kElements}};
  for (std::int32_t to = 1; to < num_devices; ++to) {
    transfer.steps.push_back({.part = 0,
                              .from = to - 1,
                              .to = to,
                              .global = box,
                              .source = box,
                              .target = box,
                              .relayed = to > 1,
                              .after = {}});
    if (to > 1) transfer.steps.back().after = {to - 2};
  }
  plan.communications = {transfer};
  plan.roles.resize(2);
  plan.roles[0].mesh.devices = {0};
  for (std::int32_t device = 1; device < num_devices; ++device)
    plan.roles[1].mesh.devices.push_back(device);
  for (std::size_t role = 0; role < 2; ++role) {
    plan.roles[role].buffers = {{vector, 0, false}};
    plan.roles[role].instructions = {{.kind = plan::InstructionKind::start,
                                      .index = 0,
                                      .inputs = {role == 0 ? 0 : -1},
                                      .outputs = {role == 0 ? -1 : 0}}};
  }
  return plan;
}

std::vector<NcclPlan> plans_of(const plan::ExecutionPlan& plan, std::int32_t num_devices,
                               const NcclOptions& options) {
  std::vector<DeviceId> devices(at(num_devices));
  std::iota(devices.begin(), devices.end(), 0);
  std::vector<NcclPlan> plans;
  for (std::int32_t rank = 0; rank < num_devices; ++rank)
    plans.push_back(nccl_plan(plan, devices, rank, options));
  return plans;
}

TEST_CASE("a multicast of k pieces over a chain of n hops takes n + k - 1 phases") {
  constexpr std::int32_t kDevices = 4;
  constexpr std::int64_t kPieces = 5;
  const auto plans = plans_of(chain(kDevices), kDevices,
                              {.piece_bytes = kElements * 4 / kPieces, .broadcasts = false});
  for (std::int32_t rank = 0; rank < kDevices; ++rank) {
    const NcclPlan& plan = plans[at(rank)];
    CHECK(plan.groups == std::vector<RankGroup>{{0, 1, 2, 3}});
    const std::vector<NcclPhase>& phases = plan.schedules[0].phases;
    // Each rank is in one phase per piece it gets, and one more in which it passes on the last.
    const bool is_end = rank == 0 || rank + 1 == kDevices;
    CHECK(std::ssize(phases) == (is_end ? kPieces : kPieces + 1));
    std::int64_t received = 0, sent = 0;
    for (const NcclPhase& phase : phases) {
      for (const NcclCall& call : phase.calls) {
        if (call.kind == NcclCallKind::receive) {
          CHECK((call.peer == rank - 1 && call.to.offset == received));
          received += call.count;
        } else {
          // What it passes on came in a phase before.
          CHECK((call.peer == rank + 1 && call.from.offset == sent));
          sent += call.count;
          CHECK((rank == 0 || sent <= received));
        }
      }
    }
    CHECK(received == (rank == 0 ? 0 : kElements * 4));
    CHECK(sent == (rank + 1 == kDevices ? 0 : kElements * 4));
  }
}

TEST_CASE("by option a multicast is one broadcast among those on its chain") {
  constexpr std::int32_t kDevices = 3;
  const auto plans = plans_of(chain(kDevices), kDevices, {.broadcasts = true});
  for (std::int32_t rank = 0; rank < kDevices; ++rank) {
    CHECK(plans[at(rank)].groups == std::vector<RankGroup>{{0, 1, 2}});
    const std::vector<NcclPhase>& phases = plans[at(rank)].schedules[0].phases;
    REQUIRE(phases.size() == 1);
    REQUIRE(phases[0].calls.size() == 1);
    const NcclCall& call = phases[0].calls[0];
    CHECK(call.kind == NcclCallKind::broadcast);
    CHECK((call.peer == 0 && call.count == kElements * 4));
    CHECK(call.to.buffer == (rank == 0 ? 0 : 1));  // the input of the first, the output of others
  }
}

TEST_CASE("ranks know the same groups in the same order, and their own calls alone") {
  plan::ExecutionPlan plan;
  const Shape shape{DType::bf16, {4, 6}};
  plan.communications = {{.kind = plan::CommunicationKind::reduce_scatter,
                          .parts = {shape},
                          .groups = {{0, 2}, {1, 3}},
                          .steps = {}},
                         {.kind = plan::CommunicationKind::all_reduce,
                          .parts = {shape, shape},
                          .groups = {{0, 1, 2, 3}},
                          .steps = {}}};
  plan.communications[0].parts[0].dims = {2, 12};
  plan.roles.resize(1);
  plan.roles[0].mesh.devices = {0, 1, 2, 3};
  const auto plans = plans_of(plan, 4, {});
  for (std::size_t rank = 0; rank < 4; ++rank) {
    CHECK(plans[rank].groups == std::vector<RankGroup>{{0, 2}, {1, 3}, {0, 1, 2, 3}});
    const NcclPhase& scatter = plans[rank].schedules[0].phases.at(0);
    CHECK(scatter.group == static_cast<std::int32_t>(rank % 2));
    CHECK(scatter.calls.at(0).count == 12);
    CHECK(plans[rank].schedules[1].phases.at(0).calls.size() == 2);
  }
}

}  // namespace
}  // namespace rhino
