// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "evaluation.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Row = std::vector<double>;

namespace {

const Mesh kMesh{{{"data", 2}, {"tensor", 3}}, {0, 1, 2, 3, 4, 5}};

Op op(OpKind kind, ValueId operand, std::vector<std::int32_t> axes, std::int64_t before) {
  return {.kind = kind,
          .operands = {operand},
          .attributes = CollectiveAttr{std::move(axes), Reduction::sum, before}};
}

// Results on all devices of a collective over `axes`, of n ranks, of one input per device.
std::vector<Row> run(OpKind kind, const std::vector<std::int32_t>& axes, std::int64_t n,
                     const Dims& dims, const std::function<double(int, const Dims&)>& value,
                     std::int64_t before = 0) {
  Builder builder("spmd");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, dims}, {}, "x");
  builder.output(builder.add(op(kind, x, axes, before), n), OutputKind::value);
  std::vector<std::vector<Tensor>> inputs;
  for (int rank = 0; rank < 6; ++rank) {
    inputs.push_back({tabulate({DType::f32, dims}, [&](const Dims& i) { return value(rank, i); })});
  }
  std::vector<Row> rows;
  for (const auto& result : evaluate_spmd(std::move(builder).finish(), kMesh, inputs)) {
    rows.push_back(result[0].elements);
  }
  return rows;
}

}  // namespace

TEST_CASE("axis_index counts row-major over its axes, major first") {
  const auto indices = [](const std::vector<std::int32_t>& axes) {
    Builder builder("spmd");
    builder.output(builder.axis_index(axes), OutputKind::value);
    Row row;
    for (const auto& result :
         evaluate_spmd(builder.program(), kMesh, std::vector<std::vector<Tensor>>(6))) {
      row.push_back(result[0].elements[0]);
    }
    return row;
  };
  CHECK(indices({0}) == Row{0, 0, 0, 1, 1, 1});
  CHECK(indices({1}) == Row{0, 1, 2, 0, 1, 2});
  CHECK(indices({0, 1}) == Row{0, 1, 2, 3, 4, 5});
  CHECK(indices({1, 0}) == Row{0, 2, 4, 1, 3, 5});
  CHECK(indices({}) == Row{0, 0, 0, 0, 0, 0});
}

TEST_CASE("all_reduce sums over the devices that differ in its axes alone") {
  const auto rank = [](int r, const Dims&) { return r; };
  CHECK(run(OpKind::all_reduce, {0}, 2, {1}, rank) ==
        std::vector<Row>{{3}, {5}, {7}, {3}, {5}, {7}});
  CHECK(run(OpKind::all_reduce, {1}, 3, {1}, rank) ==
        std::vector<Row>{{3}, {3}, {3}, {12}, {12}, {12}});
  CHECK(run(OpKind::all_reduce, {0, 1}, 6, {1}, rank) == std::vector<Row>(6, {15}));
}

TEST_CASE("all_gather lists the group by rank") {
  const auto rank = [](int r, const Dims&) { return r; };
  CHECK(run(OpKind::all_gather, {1}, 3, {1}, rank)[4] == Row{3, 4, 5});
  CHECK(run(OpKind::all_gather, {1, 0}, 6, {1}, rank)[0] == Row{0, 3, 1, 4, 2, 5});
}

TEST_CASE("reduce_scatter is an all_reduce of which each rank keeps its entry") {
  const auto value = [](int r, const Dims& i) { return 100.0 * r + 10.0 * i[0] + i[1]; };
  const auto whole = run(OpKind::all_reduce, {1}, 3, {3, 2}, value);
  const auto parts = run(OpKind::reduce_scatter, {1}, 3, {3, 2}, value);
  for (std::size_t r = 0; r < 6; ++r) {
    CHECK(parts[r] == Row{whole[r][r % 3 * 2], whole[r][r % 3 * 2 + 1]});
  }
}

TEST_CASE("all_to_all swaps entry and rank") {
  const auto value = [](int r, const Dims& i) { return 10.0 * r + static_cast<double>(i[0]); };
  const auto result = run(OpKind::all_to_all, {1}, 3, {3}, value);
  CHECK(result[1] == Row{1, 11, 21});
  CHECK(result[5] == Row{32, 42, 52});
}

TEST_CASE("halo_exchange takes entries of either neighbour, at an end its own") {
  const auto value = [](int r, const Dims& i) { return 10.0 * r + static_cast<double>(i[0]); };
  const auto result = run(OpKind::halo_exchange, {1}, 3, {3}, value, 2);
  CHECK(result[3] == Row{30, 31, 42});
  CHECK(result[4] == Row{30, 31, 52});
  CHECK(result[5] == Row{40, 41, 52});
  CHECK_THROWS_WITH(run(OpKind::halo_exchange, {1}, 3, {3}, value, 4),
                    Catch::Matchers::Contains("entries along dim 0"));
}

TEST_CASE("collectives that do not fit the mesh are refused") {
  const auto rank = [](int r, const Dims&) { return r; };
  CHECK_THROWS_WITH(run(OpKind::all_reduce, {2}, 2, {1}, rank),
                    Catch::Matchers::Contains("names axis 2 of a mesh with 2 axes"));
  CHECK_THROWS_WITH(run(OpKind::all_to_all, {1}, 2, {2}, rank),
                    Catch::Matchers::Contains("2 entries for a group of 3 devices"));
}
