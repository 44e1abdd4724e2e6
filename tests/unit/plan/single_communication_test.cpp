// SPDX-License-Identifier: Apache-2.0
#include "plan/single_communication.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "conformance/random_reshard.hpp"
#include "plan/plan_file.hpp"
#include "plan/transfer_steps.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "random_transfers.hpp"
#include "rhino/error.hpp"

namespace rhino::test {
namespace {

using Catch::Contains;

/// Every element another value, small enough for every dtype.
ir::Tensor numbered(const Shape& shape) {
  ir::Tensor tensor{shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))};
  for (std::size_t i = 0; i < tensor.elements.size(); ++i)
    tensor.elements[i] = static_cast<double>(i % 251);
  return tensor;
}

std::vector<ir::Tensor> numbered(const ReshardProblem& problem) {
  std::vector<ir::Tensor> tensors;
  for (const ReshardTensor& tensor : problem.tensors) tensors.push_back(numbered(tensor.shape));
  return tensors;
}

/// Runs the plan and compares every target tile with the tensor.
void check_arrives(const plan::ExecutionPlan& plan, const std::vector<ir::Tensor>& tensors) {
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late}) {
    PlanInterpreter interpreter(plan, tensors, eagerness);
    interpreter.run_step();
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      for (const auto& tile : interpreter.tiles(static_cast<std::int32_t>(t), tensors[t])) {
        INFO("tensor " << t << " on device " << tile.device);
        // Padding of uneven tiles is NaN on both sides.
        for (std::size_t i = 0; i < tile.actual.size(); ++i) {
          if (tile.actual[i] == tile.actual[i] || tile.expected[i] == tile.expected[i])
            REQUIRE(tile.actual[i] == tile.expected[i]);
        }
      }
    }
  }
}

ShardingSpec split(std::size_t rank, std::size_t dim, std::int64_t extent) {
  ShardingSpec spec{std::vector<DimSharding>(rank), {}};
  spec.dims[dim].splits = {{0, extent}};
  return spec;
}

/// Rows over devices 0 to 2 become columns over 1 to 3: sources, both, targets.
ReshardProblem overlapping() {
  ReshardProblem problem{{}, cluster_of(4)};
  problem.tensors = {{{DType::s32, {7, 5}},
                      make_mesh({3}, 0),
                      split(2, 0, 7),
                      {{make_mesh({3}, 1), split(2, 1, 5)}}}};
  return problem;
}

/// Those that the interpreter knows.
const std::vector<DType> kTypes{DType::s32, DType::f32, DType::u8, DType::f64};

}  // namespace

TEST_CASE("a plan of one communication moves random tensors between random meshes") {
  const auto seed = GENERATE(take(60, random(1u, 1000000u)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const ReshardProblem problem = conformance::random_reshard(
      {.devices_per_host = {1, 8}, .tensors = {1, 3}, .dtypes = kTypes}, random);
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, random_transfers(problem, random));
  REQUIRE_NOTHROW(plan::validate(plan));
  REQUIRE(plan::decode_plan(plan::encode(plan), "plan") == plan);
  REQUIRE(plan::plan_from_bytes(plan::to_bytes(plan), "plan") == plan);
  check_arrives(plan, numbered(problem));
}

TEST_CASE("there and back is the identity on every device") {
  const auto seed = GENERATE(take(60, random(1u, 1000000u)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  ReshardProblem there =
      conformance::random_reshard({.hosts = {3, 3}, .targets = {1, 1}, .dtypes = kTypes}, random);
  const ReshardProblem back = reversed(there);
  const std::vector<ir::Tensor> tensors = numbered(there);
  const plan::ExecutionPlan first = plan::reshard_plan(there, random_transfers(there, random));
  const plan::ExecutionPlan second = plan::reshard_plan(back, random_transfers(back, random));
  plan::validate(first);
  plan::validate(second);
  check_arrives(first, tensors);
  check_arrives(second, tensors);  // from tiles that the first has just been shown to fill
}

TEST_CASE("devices that take part alike share a role") {
  std::mt19937 random(1);
  const ReshardProblem problem = overlapping();
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, random_transfers(problem, random));
  REQUIRE(plan.roles.size() == 3);
  CHECK(plan.roles[0].mesh.devices == std::vector<DeviceId>{0});
  CHECK(plan.roles[1].mesh.devices == std::vector<DeviceId>{1, 2});
  CHECK(plan.roles[2].mesh.devices == std::vector<DeviceId>{3});
  CHECK(plan.roles[1].buffers.size() == 2);
  CHECK(plan.roles[1].inputs[0].mesh == problem.tensors[0].source_mesh);
  CHECK(plan.communications[0].layouts[0].source.role == -1);
}

TEST_CASE("disjoint meshes are the roles") {
  ReshardProblem problem = overlapping();
  problem.tensors[0].targets[0].mesh = make_mesh({1}, 3);
  std::mt19937 random(1);
  const plan::ExecutionPlan plan = plan::reshard_plan(problem, random_transfers(problem, random));
  REQUIRE(plan.roles.size() == 2);
  CHECK(plan.communications[0].layouts[0].source.role == 0);
  CHECK(plan.roles[0].inputs[0].mesh.devices.empty());
  CHECK(plan::explain(plan).find("reshard") != std::string::npos);
}

TEST_CASE("an element that stays where it is must be copied all the same") {
  const ReshardProblem problem = overlapping();
  TransferPlan transfers;
  const std::vector<std::pair<std::int64_t, std::int64_t>> rows = {{0, 3}, {3, 3}, {6, 1}};
  const std::vector<std::pair<std::int64_t, std::int64_t>> columns = {{0, 2}, {2, 2}, {4, 1}};
  for (DeviceId from = 0; from < 3; ++from) {
    for (DeviceId to = 1; to < 4; ++to) {
      const auto [row, num_rows] = rows[static_cast<std::size_t>(from)];
      const auto [column, num_columns] = columns[static_cast<std::size_t>(to - 1)];
      transfers.ops.push_back({0, Copy{from, to, {{row, column}, {num_rows, num_columns}}}, {}});
    }
  }
  REQUIRE_NOTHROW(plan::validate(plan::reshard_plan(problem, transfers)));
  std::erase_if(transfers.ops, [](const TransferOp& op) {
    const Copy& copy = std::get<Copy>(op.what);
    return copy.from == 1 && copy.to == 1;
  });
  CHECK_THROWS_WITH(plan::validate(plan::reshard_plan(problem, transfers)),
                    Contains("[3, 0]") && Contains("arrives at device 1 never"));
}

TEST_CASE(
    "what a device of both meshes lacks in its source tile it passes on from its target tile") {
  // Column 0 goes to device 1 first; devices 1 and 2 then have the same target.
  ReshardProblem problem = overlapping();
  problem.tensors[0].targets[0] = {make_mesh({2}, 1), {{{}, {}}, {}}};
  const Box first_rows{{0, 0}, {3, 5}};
  const std::vector<plan::TransferStep> steps = plan::transfer_steps(
      problem, {{{0, Copy{0, 1, first_rows}, {}}, {0, Copy{1, 2, first_rows}, {0}}}});
  REQUIRE(steps.size() == 2);
  CHECK(!steps[0].relayed);
  CHECK(steps[1].relayed);
  CHECK(steps[1].after == std::vector<std::int32_t>{0});
}

TEST_CASE("a device that is of two targets of one tensor is refused") {
  ReshardProblem problem = overlapping();
  problem.tensors[0].targets.push_back(problem.tensors[0].targets[0]);
  CHECK_THROWS_WITH(plan::reshard_plan(problem, {}), Contains("device 1 is of two targets"));
}

TEST_CASE("collectives give what their definition says") {
  const plan::CommunicationKind kind =
      GENERATE(plan::CommunicationKind::all_reduce, plan::CommunicationKind::all_gather,
               plan::CommunicationKind::reduce_scatter, plan::CommunicationKind::all_to_all);
  const std::int64_t n = GENERATE(1, 2, 3, 5);
  CAPTURE(static_cast<int>(kind), n);
  plan::CollectiveProblem problem{kind, 4 * 6 * n, DType::s32, {}, cluster_of(6)};
  for (std::int64_t i = 0; i < n; ++i) problem.group.push_back(static_cast<DeviceId>(n - i));
  const plan::ExecutionPlan plan = plan::collective_plan(problem);
  plan::validate(plan);
  const ir::Tensor input = numbered(plan.roles[0].inputs[0].global);
  ir::Tensor output = numbered(plan.roles[0].outputs[0].global);
  const std::size_t count = output.elements.size();
  REQUIRE(input.elements.size() % count == 0);
  for (std::size_t i = 0; i < count; ++i) {
    output.elements[i] = 0;
    for (std::size_t j = i; j < input.elements.size(); j += count)
      output.elements[i] += input.elements[j];
  }
  PlanInterpreter interpreter(plan, {input}, Eagerness::late);
  interpreter.run_step();
  for (const auto& tile : interpreter.tiles(0, output)) CHECK(tile.actual == tile.expected);
}

TEST_CASE("a collective of bytes that do not divide is refused") {
  plan::CollectiveProblem problem{
      plan::CommunicationKind::all_gather, 12, DType::f32, {0, 1}, cluster_of(2)};
  CHECK_THROWS_WITH(plan::collective_plan(problem),
                    Contains("12 bytes") && Contains("each of 2 devices"));
}

TEST_CASE("a quarter of a million copies become a step each") {
  constexpr std::int64_t kDevices = 512;
  ReshardProblem problem{{}, cluster_of(2 * kDevices)};
  problem.tensors = {{{DType::f32, {kDevices, kDevices}},
                      make_mesh({kDevices}, 0),
                      split(2, 0, kDevices),
                      {{make_mesh({kDevices}, kDevices), split(2, 1, kDevices)}}}};
  TransferPlan transfers;
  for (std::int64_t i = 0; i < kDevices * kDevices; ++i) {
    const std::int64_t row = i / kDevices, column = i % kDevices;
    transfers.ops.push_back({0,
                             Copy{static_cast<DeviceId>(row),
                                  static_cast<DeviceId>(kDevices + column),
                                  {{row, column}, {1, 1}}},
                             {}});
  }
  CHECK(plan::transfer_steps(problem, transfers).size() == transfers.ops.size());
}

}  // namespace rhino::test
