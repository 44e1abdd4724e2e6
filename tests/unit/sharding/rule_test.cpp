// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "random_ops.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"
#include "sharding/complete.hpp"
#include "sharding/op_graph.hpp"

namespace rhino::test {
namespace {

// A random period that cuts `split.factor` for its axis; false if there is none.
bool draw_split(Random& random, const sharding::OpRule& rule,
                const std::vector<std::int64_t>& parts, sharding::FactorSplit split,
                sharding::OpSharding& sharding) {
  std::vector<std::int64_t> periods;
  for (std::int64_t period = 1; period <= rule.factors[at(split.factor)].size; ++period) {
    split.period = period;
    if (sharding::may_add(rule, sharding.splits, split, parts)) periods.push_back(period);
  }
  if (periods.empty()) return false;
  split.period = draw(random, 2)
                     ? periods.back()
                     : periods[at(draw(random, static_cast<std::int64_t>(periods.size())))];
  sharding.splits.push_back(split);
  return true;
}

bool draw_pass(Random& random, const sharding::OpRule& rule, AxisId axis,
               sharding::OpSharding& sharding) {
  std::vector<std::int32_t> operands;
  for (std::size_t i = 0; i < rule.passes_sum.size(); ++i) {
    if (rule.passes_sum[i]) operands.push_back(static_cast<std::int32_t>(i));
  }
  if (operands.empty()) return false;
  const auto any = at(draw(random, static_cast<std::int64_t>(operands.size())));
  sharding.linear.push_back({axis, operands[rule.sum_together ? 0 : any]});
  return true;
}

// Axes of more than one part on random factors, in any order of axes; `with_indexed`: those that
// need a shift or a halo too.
sharding::OpSharding random_sharding(Random& random, const sharding::OpRule& rule,
                                     const std::vector<std::int64_t>& parts, AxisId first_axis,
                                     bool with_indexed) {
  sharding::OpSharding sharding;
  std::vector<AxisId> axes;
  for (AxisId axis = first_axis; axis + 1 < static_cast<AxisId>(parts.size()); ++axis) {
    if (parts[at(axis + 1)] > 1) axes.push_back(axis);
  }
  std::shuffle(axes.begin(), axes.end(), random);
  for (AxisId axis : axes) {
    const std::int64_t choice = draw(random, 5);
    if (choice == 0) continue;
    if (choice == 1 && axis != kMicroAxis && draw_pass(random, rule, axis, sharding)) continue;
    if (rule.factors.empty()) continue;
    const auto factor =
        static_cast<std::int32_t>(draw(random, static_cast<std::int64_t>(rule.factors.size())));
    const bool indexed = rule.factors[at(factor)].kind == sharding::Factor::Kind::indexed ||
                         rule.factors[at(factor)].least_part > 0;
    if (indexed && !with_indexed) continue;
    draw_split(random, rule, parts, {axis, factor, 0}, sharding);
  }
  std::sort(sharding.splits.begin(), sharding.splits.end(),
            [](const sharding::FactorSplit& a, const sharding::FactorSplit& b) {
              return a.axis < b.axis;
            });
  std::sort(
      sharding.linear.begin(), sharding.linear.end(),
      [](const sharding::LinearPass& a, const sharding::LinearPass& b) { return a.axis < b.axis; });
  return sharding;
}

Mesh random_mesh(Random& random) {
  static const std::vector<std::vector<std::int64_t>> kSizes = {
      {2}, {3}, {2, 2}, {2, 3}, {2, 2, 2}};
  return make_mesh(kSizes[at(draw(random, static_cast<std::int64_t>(kSizes.size())))]);
}

// The op on tiles: extents in attributes become those of tiles where dims are taken whole.
Op local_op(Op op, const Shape& whole, const std::vector<Shape>& tiles, const Shape& result) {
  const auto shrink = [&](auto attributes, auto sizes) {
    for (std::size_t d = 0; d < whole.dims.size(); ++d) {
      if (tiles[0].dims[d] != whole.dims[d]) (attributes.*sizes)[d] = tiles[0].dims[d];
    }
    op.attributes = std::move(attributes);
  };
  if (const auto* slice = op.attributes.get_if<SliceAttr>()) shrink(*slice, &SliceAttr::limits);
  if (const auto* gather = op.attributes.get_if<GatherAttr>())
    shrink(*gather, &GatherAttr::slice_sizes);
  if (const auto* slice = op.attributes.get_if<DynamicSliceAttr>())
    shrink(*slice, &DynamicSliceAttr::sizes);
  if (const auto* convolution = op.attributes.get_if<ConvolutionAttr>()) {
    ConvolutionAttr attributes = *convolution;
    attributes.feature_groups =
        tiles[0].dims[at(attributes.input_feature)] / tiles[1].dims[at(attributes.kernel_input)];
    attributes.batch_groups =
        tiles[0].dims[at(attributes.input_batch)] / result.dims[at(attributes.output_batch)];
    op.attributes = std::move(attributes);
  }
  op.shape = result;
  return op;
}

Program local_program(const OneOp& one, const std::vector<Shape>& tiles, const Shape& result) {
  ir::Builder builder("local");
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Op& operand = one.program.op(static_cast<ValueId>(i));
    if (operand.kind == OpKind::parameter) {
      builder.input(InputKind::batch, tiles[i], {}, "tile");
    } else {
      builder.fill(tiles[i], operand.attributes.get<ConstantAttr>().elements[0]);
    }
  }
  std::vector<Shape> operands;
  for (ValueId id : one.op().operands) operands.push_back(tiles[at(id)]);
  const ValueId first = one.op().operands.empty() ? 0 : one.op().operands[0];
  builder.output(builder.add(local_op(one.op(), one.program.shape(first), operands, result)),
                 OutputKind::value);
  return std::move(builder).finish();
}

// The op computed on every device's tiles, joined.
ir::Tensor evaluate_on_tiles(Random& random, const OneOp& one, const sharding::OpRule& rule,
                             const sharding::OpSharding& sharding, const Mesh& mesh) {
  const std::vector<ir::Tensor> values =
      ir::evaluate_all(one.program, one.inputs, ir::Precision::f64);
  std::vector<Shape> shapes;
  std::vector<std::vector<ir::Tensor>> inputs(mesh.devices.size());
  for (ValueId id = 0; id < one.id(); ++id) {
    const auto& operands = one.op().operands;
    const auto place = std::find(operands.begin(), operands.end(), id) - operands.begin();
    const ShardingSpec spec =
        sharding::operand_spec(one.program, one.id(), rule, sharding, at(place), mesh, 1);
    const Shape& shape = one.program.shape(id);
    shapes.push_back({shape.dtype, tile_dims(shape.dims, spec, mesh)});
    if (one.program.op(id).kind != OpKind::parameter) continue;
    std::vector<ir::Tensor> tiles = scatter_tiles(random, values[at(id)], spec, mesh);
    for (std::size_t rank = 0; rank < tiles.size(); ++rank) inputs[rank].push_back(tiles[rank]);
  }
  const ShardingSpec spec = sharding::result_spec(one.program, one.id(), rule, sharding, mesh, 1);
  const Shape& global = one.op().shape;
  const Program local =
      local_program(one, shapes, {global.dtype, tile_dims(global.dims, spec, mesh)});
  std::vector<ir::Tensor> results;
  for (const auto& tiles : inputs)
    results.push_back(ir::evaluate(local, tiles, ir::Precision::f64)[0]);
  return join_tiles(results, global, spec, mesh);
}

// Cuts both operands of a product that are the same value alike.
bool reads_twice(const OneOp& one) {
  const auto& operands = one.op().operands;
  return operands.size() == 2 && operands[0] == operands[1];
}

}  // namespace

TEST_CASE("every op computed on tiles is the tile of the op") {
  const auto index = GENERATE(range<std::int64_t>(0, num_op_cases()));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed * 1000 + static_cast<std::uint64_t>(index));
    const OneOp one = random_op(random, index);
    const Mesh mesh = random_mesh(random);
    const sharding::OpRule rule = sharding::op_rule(one.program, one.id());
    const sharding::OpSharding sharding =
        random_sharding(random, rule, sharding::axis_parts(mesh, 1), 0, false);
    if (reads_twice(one) && !sharding.linear.empty()) continue;
    INFO("case " << index << ", seed " << seed << ": " << ir::op_name(one.op().kind) << " yields "
                 << sharding::to_string(
                        sharding::result_spec(one.program, one.id(), rule, sharding, mesh, 1),
                        mesh));
    const ir::Tensor whole = ir::evaluate(one.program, one.inputs, ir::Precision::f64)[0];
    const ir::Tensor joined = evaluate_on_tiles(random, one, rule, sharding, mesh);
    REQUIRE(relative_error(joined, whole) < 1e-12);
  }
}

TEST_CASE("forward and backward inference agree on every op") {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    const OneOp one = random_op(random);
    const Mesh mesh = random_mesh(random);
    const sharding::OpRule rule = sharding::op_rule(one.program, one.id());
    const auto parts = sharding::axis_parts(mesh, 2);
    const sharding::OpSharding sharding = random_sharding(random, rule, parts, kMicroAxis, true);
    INFO("seed " << seed << ": " << ir::op_name(one.op().kind));
    const auto check = [&](const sharding::TensorFactors& dims, const ShardingSpec& spec) {
      for (std::size_t d = 0; d < spec.dims.size(); ++d) {
        for (const AxisSplit& split : spec.dims[d].splits) {
          const auto found = sharding::find_factor(rule, dims[d], split, parts[at(split.axis + 1)]);
          REQUIRE(found);
          REQUIRE(std::count(sharding.splits.begin(), sharding.splits.end(), *found) == 1);
        }
      }
    };
    const ShardingSpec result =
        sharding::result_spec(one.program, one.id(), rule, sharding, mesh, 2);
    sharding::check_spec(one.op().shape, result, mesh, 2);
    check(rule.result, result);
    for (std::size_t i = 0; i < rule.operands.size(); ++i) {
      const ShardingSpec spec =
          sharding::operand_spec(one.program, one.id(), rule, sharding, i, mesh, 2);
      sharding::check_spec(one.program.shape(one.op().operands[i]), spec, mesh, 2);
      check(rule.operands[i], spec);
    }
  }
}

TEST_CASE("the sharding of an op is read back from the specs it makes") {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    const OneOp one = random_op(random);
    const Mesh mesh = random_mesh(random);
    const sharding::OpRule rule = sharding::op_rule(one.program, one.id());
    const sharding::OpSharding sharding =
        random_sharding(random, rule, sharding::axis_parts(mesh, 2), kMicroAxis, true);
    if (reads_twice(one)) continue;
    INFO("seed " << seed << ": " << ir::op_name(one.op().kind));
    Strategy strategy{.name = "one op",
                      .num_micro_batches = 2,
                      .chunks = {{mesh, false}},
                      .chunk_of = std::vector<std::int32_t>(one.program.ops.size(), 0),
                      .specs = std::vector<ShardingSpec>(one.program.ops.size())};
    strategy.specs.back() = sharding::result_spec(one.program, one.id(), rule, sharding, mesh, 2);
    for (std::size_t i = 0; i < rule.operands.size(); ++i) {
      strategy.specs[at(one.op().operands[i])] =
          sharding::operand_spec(one.program, one.id(), rule, sharding, i, mesh, 2);
    }
    const sharding::OpSharding read = sharding::op_sharding(one.program, strategy, one.id());
    REQUIRE(sharding::result_spec(one.program, one.id(), rule, read, mesh, 2) ==
            strategy.specs.back());
    for (std::size_t i = 0; i < rule.operands.size(); ++i) {
      REQUIRE(sharding::to_string(
                  sharding::operand_spec(one.program, one.id(), rule, read, i, mesh, 2), mesh) ==
              sharding::to_string(strategy.specs[at(one.op().operands[i])], mesh));
    }
    REQUIRE(read == sharding);
  }
}

// A spec of partial sums does not tell which loop is cut: one axis is read of what one operand is,
// in strides of 5, within which another axis of 2 has no room, and around which it has.
TEST_CASE("sums of which one operand tells the strides of one axis are made along another, too") {
  ir::Builder builder("sums");
  const ValueId left = builder.input(InputKind::batch, {DType::f32, {64, 320}}, {}, "x");
  const ValueId right = builder.input(InputKind::parameter, {DType::f32, {128, 320}}, {}, "w");
  const ValueId dot = builder.dot(left, right, {{}, {}, {1}, {1}});
  const Program& program = builder.program();
  const Mesh mesh{{{"a", 2}, {"b", 2}}, {0, 1, 2, 3}};
  Strategy strategy{.name = "sums",
                    .num_micro_batches = 1,
                    .chunks = {{mesh, false}},
                    .chunk_of = std::vector<std::int32_t>(program.ops.size(), 0),
                    .specs = std::vector<ShardingSpec>(program.ops.size())};
  for (ShardingSpec& spec : strategy.specs) spec.dims.resize(2);
  strategy.specs[at(left)].dims[0].splits = {{0, 64}, {1, 32}};
  strategy.specs[at(right)].dims[1].splits = {{1, 10}};
  strategy.specs[at(dot)].partial = {{0, Reduction::sum}, {1, Reduction::sum}};
  const sharding::OpRule rule = sharding::op_rule(program, dot);
  const sharding::OpSharding read = sharding::op_sharding(program, strategy, dot);
  CHECK(sharding::result_spec(program, dot, rule, read, mesh, 1) == strategy.specs[at(dot)]);
  for (std::size_t i = 0; i < 2; ++i) {
    const ShardingSpec own = sharding::operand_spec(program, dot, rule, read, i, mesh, 1);
    CHECK(sharding::to_string(own, mesh) == "[-, a:320/2 b:10/2]");
  }
}

TEST_CASE("a reshape keeps a cut of an inner dim as a strided one") {
  ir::Builder builder("merge heads");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {8, 6, 5}}, {}, "x");
  const ValueId merged = builder.reshape(x, {48, 5});
  const Program& program = builder.program();
  const Mesh mesh = make_mesh({4, 2});
  const sharding::OpRule rule = sharding::op_rule(program, merged);
  const auto rows = sharding::find_factor(rule, rule.operands[0][0], {0, 8}, 4);
  const auto heads = sharding::find_factor(rule, rule.operands[0][1], {1, 6}, 2);
  REQUIRE(rows);
  REQUIRE(heads);
  const sharding::OpSharding sharding{{*rows, *heads}, {}};
  const ShardingSpec spec = sharding::result_spec(program, merged, rule, sharding, mesh, 1);
  CHECK(spec.dims[0].splits == std::vector<AxisSplit>{{0, 48}, {1, 6}});
  CHECK(sharding::to_string(spec, mesh) == "[axis0:48/4 axis1:6/2, -]");
}

TEST_CASE("a split across factors has no factor") {
  ir::Builder builder("split heads");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {12}}, {}, "x");
  const ValueId y = builder.reshape(x, {2, 6});
  const sharding::OpRule rule = sharding::op_rule(builder.program(), y);
  CHECK(sharding::find_factor(rule, rule.operands[0][0], {0, 12}, 2));
  CHECK_FALSE(sharding::find_factor(rule, rule.operands[0][0], {0, 12}, 4));
  CHECK(sharding::find_factor(rule, rule.operands[0][0], {0, 6}, 3));
  CHECK_FALSE(sharding::find_factor(rule, rule.operands[0][0], {0, 4}, 2));
}

TEST_CASE("indexed factors are cut in blocks and never over micro-batches") {
  ir::Builder builder("positions");
  const ValueId iota = builder.iota({DType::s32, {8, 3}}, 0);
  const sharding::OpRule rule = sharding::op_rule(builder.program(), iota);
  const auto parts = sharding::axis_parts(make_mesh({2}), 2);
  CHECK(sharding::may_add(rule, {}, {0, 0, 8}, parts));
  CHECK_FALSE(sharding::may_add(rule, {}, {0, 0, 4}, parts));
  CHECK_FALSE(sharding::may_add(rule, {}, {kMicroAxis, 0, 8}, parts));
}

TEST_CASE("collectives have no rule") {
  ir::Builder builder("partitioned");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {8}}, {}, "x");
  Op op;
  op.kind = OpKind::all_reduce;
  op.shape = builder.shape(x);
  op.operands = {x};
  op.attributes = CollectiveAttr{{0}, Reduction::sum};
  const ValueId reduced = builder.add(op, 2);
  CHECK_THROWS_WITH(sharding::op_rule(builder.program(), reduced),
                    Catch::Contains("the program is partitioned already"));
}

TEST_CASE("ops of one class have the rule that each has alone") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 12));
  CAPTURE(seed);
  // A pad with zeros and one with ones are alike but for what passes through as a sum.
  ir::Builder builder("pads");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {8}}, {}, "x");
  for (const double fill : {0.0, 1.0})
    builder.pad(x, builder.constant(DType::f32, fill), {1}, {1}, {0});
  const Program program =
      seed == 0 ? builder.program() : ir::training_step(models::random_forward(seed, 8, 40), {});
  const sharding::OpGraph graph(program);
  CHECK((seed == 0 || graph.num_classes() < program.size()));
  for (ValueId id = 0; id < program.size(); ++id) {
    CAPTURE(id, program.op(id).name);
    REQUIRE(graph.rule(id) == sharding::op_rule(program, id));
  }
  if (seed == 0) CHECK(graph.class_of(2) != graph.class_of(4));
}

}  // namespace rhino::test
