// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/gather.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "rhino/error.hpp"

namespace rhino {
namespace {

constexpr std::int64_t kRows = 8, kColumns = 6;

plan::Role two_by_three() {
  plan::Role role;
  role.mesh = {{{"a", 2}, {"b", 3}}, {0, 1, 2, 3, 4, 5}};
  return role;
}

/// What the device at `position` holds of a tensor whose elements are their own indices.
std::vector<std::int32_t> tile_of(const plan::Role& role, const ShardingSpec& spec,
                                  std::int32_t position) {
  const std::vector<std::int64_t> extents = tile_dims({kRows, kColumns}, spec, role.mesh);
  std::vector<std::int32_t> tile(static_cast<std::size_t>(num_elements(extents)));
  for (const TileBox& box : tile_boxes({kRows, kColumns}, spec, role.mesh, position)) {
    for (std::int64_t i = 0; i < box.global.size[0]; ++i) {
      for (std::int64_t j = 0; j < box.global.size[1]; ++j) {
        const std::int64_t local = (box.local.start[0] + i) * extents[1] + box.local.start[1] + j;
        const std::int64_t global = (box.global.start[0] + i) * kColumns + box.global.start[1] + j;
        tile[static_cast<std::size_t>(local)] = static_cast<std::int32_t>(global);
      }
    }
  }
  return tile;
}

runtime::Gather gathered(const plan::Role& role, const ShardingSpec& spec,
                         std::int32_t num_positions) {
  const plan::PlanOutput output{0, 0, {DType::s32, {kRows, kColumns}}, spec};
  runtime::Gather gather(0);
  for (std::int32_t position = 0; position < num_positions; ++position) {
    const std::vector<std::int32_t> tile = tile_of(role, spec, position);
    gather.add(role, position, output, reinterpret_cast<const std::byte*>(tile.data()));
  }
  return gather;
}

std::vector<double> indices() {
  std::vector<double> expected(kRows * kColumns);
  std::iota(expected.begin(), expected.end(), 0);
  return expected;
}

TEST_CASE("tiles of every layout make the whole tensor") {
  const plan::Role role = two_by_three();
  const std::vector<ShardingSpec> specs = {
      {{{}, {}}, {}},                         // replicated
      {{{{{0, kRows}}}, {}}, {}},             // rows in blocks
      {{{{{0, 4}}}, {{{1, kColumns}}}}, {}},  // strided rows, columns in blocks
      {{{{{0, 2}}}, {{{1, 3}}}}, {}},         // both strided
      {{{}, {{{1, kColumns}, {0, 2}}}}, {}},  // columns over both axes
  };
  for (const ShardingSpec& spec : specs) {
    const runtime::FetchedTensor whole = gathered(role, spec, 6).take();
    CHECK(whole.elements == indices());
    CHECK(whole.num_disagreeing == 0);
  }
}

TEST_CASE("an element that no tile held is named") {
  const ShardingSpec rows{{{{{0, kRows}}}, {}}, {}};
  CHECK_THROWS_WITH(gathered(two_by_three(), rows, 3).take(),
                    Catch::Contains("element 24 of output 0"));
}

TEST_CASE("replicas that differ in one bit are counted once per element") {
  const plan::Role role = two_by_three();
  const ShardingSpec replicated{{{}, {}}, {}};
  const plan::PlanOutput output{0, 0, {DType::s32, {kRows, kColumns}}, replicated};
  runtime::Gather gather = gathered(role, replicated, 2);
  std::vector<std::int32_t> tile = tile_of(role, replicated, 2);
  tile[5] ^= 1;
  tile[40] ^= 1 << 20;
  for (int i = 0; i < 2; ++i) {
    gather.add(role, 2, output, reinterpret_cast<const std::byte*>(tile.data()));
  }
  const runtime::FetchedTensor whole = gather.take();
  CHECK(whole.num_disagreeing == 2);
  CHECK(whole.elements == indices());
}

TEST_CASE("a scalar is gathered too") {
  const float value = 2.5F;
  runtime::Gather gather(3);
  gather.add(two_by_three(), 1, {3, 0, {DType::f32, {}}, {}},
             reinterpret_cast<const std::byte*>(&value));
  CHECK(gather.take().elements == std::vector<double>{2.5});
}

}  // namespace
}  // namespace rhino
