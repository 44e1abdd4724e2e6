// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "rhino/tile.hpp"
#include "sharding/rule.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

/// [input under `from`] → [output under `to`].
Program reshard_program(const Shape& global, const ShardingSpec& from, const ShardingSpec& to,
                        const Mesh& mesh) {
  ir::Builder builder("reshard");
  const Shape tile{global.dtype, tile_dims(global.dims, from, mesh)};
  const ValueId input = builder.input(InputKind::batch, tile, {}, "tile");
  builder.output(sharding::append_reshard(builder, input, global, from, to, mesh),
                 OutputKind::value);
  return std::move(builder).finish();
}

void check_reshard(Random& random, const Shape& global, const ShardingSpec& from,
                   const ShardingSpec& to, const Mesh& mesh) {
  const Program program = reshard_program(global, from, to, mesh);
  const bool logical = global.dtype == DType::pred;
  ir::Tensor whole = random_tensor(random, global);
  if (logical) {
    for (double& element : whole.elements) element = element != 0;
  }
  std::vector<std::vector<ir::Tensor>> inputs;
  for (ir::Tensor& tile : scatter_tiles(random, whole, from, mesh))
    inputs.push_back({std::move(tile)});
  std::vector<ir::Tensor> results;
  for (std::vector<ir::Tensor>& outputs :
       ir::evaluate_spmd(program, mesh, inputs, ir::Precision::f64)) {
    results.push_back(std::move(outputs[0]));
  }
  CHECK(join_tiles(results, global, to, mesh) == whole);
}

using Counts = std::map<OpKind, int>;

Counts collectives(const Shape& global, const ShardingSpec& from, const ShardingSpec& to,
                   const Mesh& mesh) {
  Counts counts;
  for (const Op& op : reshard_program(global, from, to, mesh).ops) {
    if (ir::is_collective(op.kind)) ++counts[op.kind];
  }
  return counts;
}

bool is_logical(const ShardingSpec& spec) {
  return !spec.partial.empty() && (spec.partial[0].reduction == Reduction::logical_and ||
                                   spec.partial[0].reduction == Reduction::logical_or);
}

void make_logical(ShardingSpec& spec) {
  if (is_logical(spec)) return;
  for (Partial& partial : spec.partial) partial.reduction = Reduction::logical_or;
}

DimSharding cut(std::vector<AxisSplit> splits) { return {std::move(splits)}; }

}  // namespace

TEST_CASE("resharding turns any tile into any other exactly") {
  const std::vector<std::vector<std::int64_t>> meshes = {
      {2}, {4}, {3}, {6}, {2, 2}, {2, 4}, {3, 2}, {1, 4}, {8}, {2, 2, 2}, {2, 1, 3}, {2, 3, 2}};
  const std::vector<std::vector<std::int64_t>> shapes = {{},         {24},    {12, 8},
                                                         {4, 6, 12}, {48, 2}, {2, 2, 3, 4}};
  const auto seed = GENERATE(range(1, 1501));
  Random random(static_cast<std::uint64_t>(seed));
  const Mesh mesh = make_mesh(meshes[static_cast<std::size_t>(draw(random, 12))]);
  const auto& dims = shapes[static_cast<std::size_t>(draw(random, 6))];
  ShardingSpec from = random_spec(random, dims, mesh, true);
  ShardingSpec to = random_spec(random, dims, mesh, draw(random, 4) == 0);
  const bool logical = is_logical(from) || is_logical(to);
  if (logical) make_logical(from), make_logical(to);
  CAPTURE(seed, to_string(Shape{DType::f32, dims}), sharding::to_string(from, mesh),
          sharding::to_string(to, mesh));
  check_reshard(random, {logical ? DType::pred : DType::f32, dims}, from, to, mesh);
}

TEST_CASE("partial to split is one reduce-scatter") {
  const Mesh mesh = make_mesh({2, 4});
  const Shape shape{DType::f32, {16, 8}};
  const ShardingSpec partial{{{}, {}}, {{1, Reduction::sum}}};
  CHECK(collectives(shape, partial, {{cut({{1, 16}}), {}}, {}}, mesh) ==
        Counts{{OpKind::reduce_scatter, 1}});
  CHECK(collectives(shape, partial, {{{}, cut({{1, 4}})}, {}}, mesh) ==
        Counts{{OpKind::reduce_scatter, 1}});
  const ShardingSpec both{{{}, {}}, {{0, Reduction::sum}, {1, Reduction::sum}}};
  CHECK(collectives(shape, both, {{cut({{0, 16}}), cut({{1, 8}})}, {}}, mesh) ==
        Counts{{OpKind::reduce_scatter, 1}});
  CHECK(collectives(shape, both, {{cut({{0, 16}}), {}}, {}}, mesh) ==
        Counts{{OpKind::reduce_scatter, 1}, {OpKind::all_reduce, 1}});
}

TEST_CASE("partial over several axes to replicated is one all-reduce") {
  const Mesh mesh = make_mesh({2, 4});
  const ShardingSpec partial{{{}, {}}, {{0, Reduction::sum}, {1, Reduction::sum}}};
  CHECK(collectives({DType::f32, {16, 8}}, partial, sharding::replicated(2), mesh) ==
        Counts{{OpKind::all_reduce, 1}});
}

TEST_CASE("replicated to split communicates nothing") {
  const Mesh mesh = make_mesh({2, 4});
  const Shape shape{DType::f32, {16, 8}};
  CHECK(collectives(shape, sharding::replicated(2), {{cut({{0, 16}, {1, 4}}), {}}, {}}, mesh)
            .empty());
  CHECK(collectives(shape, sharding::replicated(2), {{cut({{1, 8}}), cut({{0, 4}})}, {}}, mesh)
            .empty());
  CHECK(reshard_program(shape, sharding::replicated(2), sharding::replicated(2), mesh).ops.size() ==
        1);
}

TEST_CASE("split to another dim or stride is one all-to-all, to replicated one all-gather") {
  const Mesh mesh = make_mesh({2, 2});
  const Shape shape{DType::f32, {16, 8}};
  const ShardingSpec rows{{cut({{0, 16}, {1, 8}}), {}}, {}};
  CHECK(collectives(shape, rows, {{{}, cut({{0, 8}, {1, 4}})}, {}}, mesh) ==
        Counts{{OpKind::all_to_all, 1}});
  CHECK(collectives(shape, rows, {{cut({{0, 16}, {1, 4}}), {}}, {}}, mesh) ==
        Counts{{OpKind::all_to_all, 1}});
  CHECK(collectives(shape, rows, sharding::replicated(2), mesh) == Counts{{OpKind::all_gather, 1}});
}

TEST_CASE("strides that share factors go through a gather") {
  const Mesh mesh = make_mesh({4});
  CHECK(collectives({DType::f32, {16}}, {{cut({{0, 16}})}, {}}, {{cut({{0, 8}})}, {}}, mesh) ==
        Counts{{OpKind::all_gather, 1}});
}

TEST_CASE("slices come before gathers") {
  const Mesh mesh = make_mesh({2, 2});
  const Shape shape{DType::f32, {16, 8}};
  const Program program =
      reshard_program(shape, {{cut({{0, 16}}), {}}, {}}, {{{}, cut({{1, 8}})}, {}}, mesh);
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::all_gather) CHECK(num_elements(op.shape) == 64);
  }
}

TEST_CASE("contiguous gathers of the first dim need no transposes") {
  const Mesh mesh = make_mesh({4});
  const Program program = reshard_program({DType::f32, {16, 8}}, {{cut({{0, 16}}), {}}, {}},
                                          sharding::replicated(2), mesh);
  CHECK(program.ops.size() == 3);
}

}  // namespace rhino::test
