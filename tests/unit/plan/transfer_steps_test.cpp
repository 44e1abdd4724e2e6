// SPDX-License-Identifier: Apache-2.0
#include "plan/transfer_steps.hpp"

#include <catch2/catch.hpp>

#include "plan_harness.hpp"
#include "rhino/error.hpp"

namespace rhino::test {
namespace {

ShardingSpec rows(std::int64_t extent) { return {{{{{0, extent}}}, {}}, {}}; }
ShardingSpec whole() { return {{{}, {}}, {}}; }

/// [8, 6] from two devices that split rows to three that each want all of it.
ReshardProblem problem() {
  ReshardProblem problem;
  problem.cluster = cluster_of(5);
  problem.tensors = {
      {{DType::f32, {8, 6}}, make_mesh({2}, 0), rows(8), {{make_mesh({3}, 2), whole()}}}};
  return problem;
}

std::string refusal(TransferOp op) {
  try {
    plan::transfer_steps(problem(), {{std::move(op)}});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

using Catch::Contains;

}  // namespace

TEST_CASE("a copy is one step in the tiles of both ends") {
  const std::vector<plan::TransferStep> steps =
      plan::transfer_steps(problem(), {{{0, Copy{1, 2, {{4, 0}, {4, 6}}}, {}}}});
  REQUIRE(steps.size() == 1);
  CHECK(steps[0] == plan::TransferStep{
                        0, 1, 2, {{4, 0}, {4, 6}}, {{0, 0}, {4, 6}}, {{4, 0}, {4, 6}}, false, {}});
}

TEST_CASE("a copy between strided tiles is cut where they are") {
  ReshardProblem strided = problem();
  strided.tensors[0].source_spec.dims[0].splits = {{0, 4}};  // device 0 holds rows 0, 1, 4, 5
  strided.tensors[0].source_mesh = make_mesh({2}, 0);
  const std::vector<plan::TransferStep> steps = plan::transfer_steps(
      strided, {{{0, Copy{0, 3, {{0, 0}, {2, 6}}}, {}}, {0, Copy{0, 3, {{4, 0}, {2, 6}}}, {}}}});
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].source.start == std::vector<std::int64_t>{2, 0});
  CHECK(steps[1].global.start == std::vector<std::int64_t>{4, 0});
}

TEST_CASE("a multicast is a chain of pieces, each passed on when it has come") {
  const std::vector<plan::TransferStep> steps =
      plan::transfer_steps(problem(), {{{0, Multicast{0, {2, 3, 4}, {{0, 0}, {4, 6}}, 2}, {}}}});
  REQUIRE(steps.size() == 6);
  for (std::size_t piece = 0; piece < 2; ++piece) {
    const plan::TransferStep* hop = &steps[3 * piece];
    CHECK(hop[0].from == 0);
    CHECK(!hop[0].relayed);
    CHECK(hop[1].from == 2);
    CHECK(hop[1].relayed);
    CHECK(hop[1].after == std::vector<std::int32_t>{static_cast<std::int32_t>(3 * piece)});
    CHECK(hop[2].to == 4);
    CHECK(hop[2].global.size == std::vector<std::int64_t>{2, 6});
  }
}

TEST_CASE("an all-gather is a ring, after the copies it comes after") {
  std::vector<TransferOp> ops;
  AllGather gather{{2, 3, 4}, {{{0, 0}, {1, 6}}, {{1, 0}, {1, 6}}, {{2, 0}, {2, 6}}}};
  for (std::size_t i = 0; i < 3; ++i)
    ops.push_back({0, Copy{0, gather.group[i], gather.boxes[i]}, {}});
  ops.push_back({0, gather, {0, 1, 2}});
  const std::vector<plan::TransferStep> steps = plan::transfer_steps(problem(), {ops});
  REQUIRE(steps.size() == 3 + 6);
  CHECK(steps[3].from == 2);
  CHECK(steps[3].to == 3);
  CHECK(steps[3].after == std::vector<std::int32_t>{0, 1, 2});
  CHECK(steps[6].from == 3);
  CHECK(steps[6].global == gather.boxes[0]);
  CHECK(steps[6].after == std::vector<std::int32_t>{3});
}

TEST_CASE("a plan that names what its problem lacks is refused") {
  const Box box{{0, 0}, {4, 6}};
  CHECK_THAT(refusal({1, Copy{0, 2, box}, {}}),
             Contains("op 0 of the transfer plan names tensor 1 of 1"));
  CHECK_THAT(refusal({0, Copy{9, 2, box}, {}}), Contains("names device 9"));
  CHECK_THAT(refusal({0, Copy{0, 1, box}, {}}), Contains("device 1, which is no target"));
  CHECK_THAT(refusal({0, Copy{2, 2, box}, {}}), Contains("holds no source tile"));
  CHECK_THAT(refusal({0, Copy{0, 2, {{5, 0}, {4, 6}}}, {}}), Contains("no part of its tensor"));
  CHECK_THAT(refusal({0, Copy{0, 2, {{0}, {4}}}, {}}), Contains("no part of its tensor"));
  CHECK_THAT(refusal({0, Copy{0, 2, {{0, 0}, {0, 6}}}, {}}), Contains("no part of its tensor"));
  CHECK_THAT(refusal({0, Copy{0, 2, {{-1, 0}, {2, 6}}}, {}}), Contains("no part of its tensor"));
  CHECK_THAT(refusal({0, Multicast{0, {2}, box, 0}, {}}), Contains("in 0 pieces"));
  CHECK_THAT(refusal({0, AllGather{{2, 3}, {box}}, {}}),
             Contains("gathers 1 boxes over 2 devices"));
  CHECK_THAT(refusal({0, Copy{0, 2, box}, {0}}), Contains("which is no earlier one"));
  CHECK(refusal({0, Multicast{0, {}, box, 4}, {}}) == "accepted");
}

TEST_CASE("a device sends no more than it holds") {
  CHECK_THAT(refusal({0, Copy{1, 2, {{0, 0}, {4, 6}}}, {}}),
             Contains("sends elements from device 1 that are outside of its tile"));
}

}  // namespace rhino::test
