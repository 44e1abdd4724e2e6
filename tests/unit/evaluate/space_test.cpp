// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "../sharding/spmd_harness.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "models/moe.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"
#include "rhino/strategy_space.hpp"
#include "sharding/partition.hpp"

namespace rhino::test {
namespace {

/// Specs of the result and of all operands, as text.
using Specs = std::vector<std::string>;

/// All ways to cut one op, over any factor in blocks of any size, in any order of the axes.
class AllShardings {
 public:
  AllShardings(const Program& program, ValueId id, const SpaceOptions& options)
      : program_(program),
        id_(id),
        options_(options),
        rule_(sharding::op_rule(program, id)),
        parts_(sharding::axis_parts(options.mesh, options.num_micro_batches)) {}

  /// `micro`: how micro-batches cut it, given.
  void run(const sharding::OpSharding& micro) { add(0, micro, true); }

  std::map<Specs, sharding::OpSharding> all, plain;  ///< plain: contiguous, lower axes major

 private:
  void add(AxisId axis, const sharding::OpSharding& so_far, bool is_plain) {
    if (at(axis) == options_.mesh.axes.size()) {
      all.emplace(specs(so_far), so_far);
      if (is_plain) plain.emplace(specs(so_far), so_far);
      return;
    }
    add(axis + 1, so_far, is_plain);
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      std::int64_t block = rule_.factors[f].size;
      for (const auto& split : so_far.splits)
        if (at(split.factor) == f)
          block = std::min(block, split.period / parts_[at(split.axis + 1)]);
      for (std::int64_t period = 1; period <= rule_.factors[f].size; ++period) {
        const sharding::FactorSplit split{axis, static_cast<std::int32_t>(f), period};
        if (!sharding::may_add(rule_, so_far.splits, split, parts_)) continue;
        sharding::OpSharding more = so_far;
        more.splits.push_back(split);
        add(axis + 1, more, is_plain && period == block);
      }
    }
    for (std::size_t i = 0; i < rule_.passes_sum.size(); ++i) {
      if (!rule_.passes_sum[i]) continue;
      sharding::OpSharding more = so_far;
      more.linear.push_back({axis, static_cast<std::int32_t>(i)});
      add(axis + 1, more, is_plain);
    }
  }

  Specs specs(sharding::OpSharding sharding) const {
    std::ranges::sort(sharding.splits, {}, &sharding::FactorSplit::axis);
    const std::int64_t count = options_.num_micro_batches;
    Specs text{sharding::to_string(
        result_spec(program_, id_, rule_, sharding, options_.mesh, count), options_.mesh)};
    for (std::size_t i = 0; i < program_.op(id_).operands.size(); ++i)
      text.push_back(sharding::to_string(
          operand_spec(program_, id_, rule_, sharding, i, options_.mesh, count), options_.mesh));
    return text;
  }

  const Program& program_;
  ValueId id_;
  const SpaceOptions& options_;
  sharding::OpRule rule_;
  std::vector<std::int64_t> parts_;
};

Specs specs_of(const StrategySpace& space, const OpClass& op, const OpStrategy& strategy,
               const Mesh& mesh) {
  const auto text = [&](std::int32_t set, std::int32_t layout) {
    return set < 0 ? std::string("any")
                   : sharding::to_string(space.layouts[at(set)].specs[at(layout)], mesh);
  };
  Specs specs{text(op.result_set, strategy.result)};
  for (std::size_t i = 0; i < strategy.operands.size(); ++i)
    specs.push_back(text(op.operand_sets[i], strategy.operands[i]));
  return specs;
}

/// A value that is made anew wherever it is read has any layout.
Specs without_copied(const OpClass& op, Specs specs) {
  for (std::size_t i = 0; i < op.operand_sets.size(); ++i) {
    if (op.operand_sets[i] < 0) specs[i + 1] = "any";
  }
  return specs;
}

/// How micro-batches cut an op, by its completed spec.
sharding::OpSharding micro_of(const Program& program, const Strategy& strategy, ValueId id) {
  sharding::OpSharding sharding = sharding::op_sharding(program, strategy, id);
  std::erase_if(sharding.splits, [](const auto& split) { return split.axis != kMicroAxis; });
  sharding.linear.clear();
  return sharding;
}

/// Memory takes no time: what is left of a reshard are collectives.
Cluster quick_memory(std::int32_t num_devices) {
  Cluster cluster = modelled_cluster(num_devices);
  cluster.models[0].memory_bytes_per_s = 1e30;
  return cluster;
}

}  // namespace

TEST_CASE("a space has every contiguous way to cut an op, and none that the rules do not have") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 6));
  const auto axes = GENERATE(std::vector<std::int64_t>{2}, std::vector<std::int64_t>{2, 2},
                             std::vector<std::int64_t>{2, 3});
  const bool strided = GENERATE(false, true);
  CAPTURE(seed, axes, strided);
  const Program step = ir::training_step(models::random_forward(seed, 4, 8), {});
  const SpaceOptions options{make_mesh(axes), 2, strided};
  Planning planning(step, quick_memory(6));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const StrategySpace& space = evaluator.space(options);
  CHECK(&space == &evaluator.space(options));
  const Strategy whole =
      evaluator.complete({.num_micro_batches = 2, .chunks = {{options.mesh, false}}});
  std::int64_t num_strided = 0;
  for (ValueId id = 0; id < step.size(); ++id) {
    if (space.class_of[at(id)] < 0) continue;
    CAPTURE(id, step.op(id).name);
    const OpClass& op = space.classes[at(space.class_of[at(id)])];
    AllShardings known(step, id, options);
    known.run(micro_of(step, whole, id));
    std::set<Specs> all, plain, found;
    for (const auto& [specs, sharding] : known.all) all.insert(without_copied(op, specs));
    for (const auto& [specs, sharding] : known.plain) plain.insert(without_copied(op, specs));
    for (const OpStrategy& strategy : op.strategies)
      CHECK(found.insert(specs_of(space, op, strategy, options.mesh)).second);
    REQUIRE(std::ranges::includes(all, found));
    // Sums of values that are made anew wherever they are read are never passed on.
    std::erase_if(plain, [&](const Specs& specs) {
      return specs[0].find("partial") != std::string::npos && !found.contains(specs);
    });
    REQUIRE(std::ranges::includes(found, plain));
    if (!strided) CHECK(found == plain);
    num_strided += static_cast<std::int64_t>(found.size() - plain.size());
  }
  CHECK((strided || num_strided == 0));
}

TEST_CASE("reshards of a space cost what the collectives of the partitioner's take") {
  const auto axes = GENERATE(std::vector<std::int64_t>{4}, std::vector<std::int64_t>{2, 2});
  const Program step = ir::training_step(models::branching_forward(4, 8, 1), {});
  const SpaceOptions options{make_mesh(axes), 2};
  Planning planning(step, quick_memory(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  std::int64_t num_compared = 0;
  for (const LayoutSet& set : evaluator.space(options).layouts) {
    for (std::size_t from = 0; from < set.specs.size(); ++from) {
      for (std::size_t to = 0; to < set.specs.size(); ++to) {
        const auto view = [&](std::size_t i) {
          return sharding::micro_view(set.shape, set.specs[i], 2);
        };
        const Shape shape = view(from).shape;
        ir::Builder builder("reshard");
        const ValueId tile = builder.input(
            InputKind::batch, {shape.dtype, tile_dims(shape.dims, view(from).spec, options.mesh)},
            {}, "tile");
        sharding::append_reshard(builder, tile, shape, view(from).spec, view(to).spec,
                                 options.mesh);
        const evaluate::ChunkPrice price =
            evaluate::price({.program = builder.program()}, options.mesh, planning.cost());
        REQUIRE(set.reshard(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)) ==
                Approx(price.collectives_s).margin(1e-15));
        ++num_compared;
      }
    }
  }
  CHECK(num_compared > 100);
}

TEST_CASE("equal layers share their classes and stand together; states stand with parameters") {
  const auto step_of = [](std::int64_t num_layers) {
    return ir::training_step(models::gpt_forward({.num_layers = num_layers,
                                                  .hidden = 32,
                                                  .num_heads = 4,
                                                  .vocabulary = 64,
                                                  .sequence = 16},
                                                 8),
                             {});
  };
  const Program small = step_of(8), large = step_of(16);
  std::vector<std::size_t> num_classes;
  for (const Program* program : {&small, &large}) {
    Planning planning(*program, modelled_cluster(4));
    evaluate::PlanEvaluator evaluator(planning.context(), 0);
    const StrategySpace& space = evaluator.space({make_mesh({2, 2}), 2});
    num_classes.push_back(space.classes.size());
    std::size_t most = 0;
    for (const auto& values : space.repeats) {
      CHECK(values.size() > 1);
      for (const ValueId id : values)
        CHECK(space.class_of[at(id)] == space.class_of[at(values.front())]);
      most = std::max(most, values.size());
    }
    CHECK(most >= (program == &small ? 4 : 12));  // but for those next to the ends
    const auto num_parameters =
        std::ranges::count(program->inputs, InputKind::parameter, &Input::kind);
    CHECK(static_cast<std::int64_t>(space.states.size()) == 2 * num_parameters);
    CHECK(space.updates.size() >= space.states.size() + at(num_parameters));
    for (const auto& [parameter, state] : space.states) {
      CHECK(space.keeps[at(parameter)] == Keeping::state);
      CHECK(space.keeps[at(state)] == Keeping::state);
      CHECK(program->shape(parameter).dims == program->shape(state).dims);
    }
    CHECK(std::ranges::count(space.keeps, Keeping::gradient) >= num_parameters);
    CHECK(std::ranges::count(space.keeps, Keeping::activation) > 8);
  }
  CHECK(num_classes[0] == num_classes[1]);
}

/// Per value the seconds of its runs where it is a dot or convolution, cut as is quickest; else 0.
std::vector<double> least_of_dots(evaluate::PlanEvaluator& evaluator, const Program& step,
                                  const SpaceOptions& options) {
  std::vector<double> seconds(at(step.size()));
  for (const OpClass& op : evaluator.space(options).classes) {
    const OpKind kind = step.op(op.values.front()).kind;
    if (kind != OpKind::dot && kind != OpKind::convolution) continue;
    const auto times = static_cast<double>(op.per_micro_batch ? options.num_micro_batches : 1);
    for (const ValueId id : op.values)
      seconds[at(id)] = times * std::ranges::min(op.strategies, {}, &OpStrategy::seconds).seconds;
  }
  return seconds;
}

TEST_CASE("the least seconds of a space are those of its dots, and no strategy takes less") {
  const auto num_layers = GENERATE(0, 1, 3);
  const auto num_micro_batches = GENERATE(1, 4);
  CAPTURE(num_layers, num_micro_batches);
  const Program step = num_layers == 0
                           ? small_gpt_step()
                           : ir::training_step(models::branching_forward(8, 16, num_layers), {});
  Planning planning(step, modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  for (const std::int32_t num_meshes : {1, 2}) {
    StrategyDraft draft{.num_micro_batches = num_micro_batches,
                        .chunks = planning.chunks(num_meshes, {{"x", 2}, {"y", 2 / num_meshes}})};
    const SpaceOptions options{draft.chunks.front().mesh, num_micro_batches};
    const double least_s = evaluator.least_s(options);
    const std::vector<double> dots = least_of_dots(evaluator, step, options);
    CHECK(least_s == Approx(std::accumulate(dots.begin(), dots.end(), 0.0)).epsilon(1e-12));
    for (const AxisId axis : {-2, 0, 1}) {
      draft.batch_axis = axis;
      const Evaluation evaluation = evaluator.evaluate(evaluator.complete(draft));
      REQUIRE(evaluation.feasible);
      CHECK(least_s / num_meshes <= evaluation.step_s * (1 + 1e-9));
    }
  }
}

// Gathers of masks, and what moves them about.
TEST_CASE("of truth values no layout is in terms of a sum") {
  const Program step = ir::training_step(models::moe_forward(models::moe_preset("tiny"), 8), {});
  Planning planning(step, modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  int num_layouts = 0;
  for (const LayoutSet& set :
       evaluator.space({planning.chunks(1, {{"x", 2}, {"y", 2}}).front().mesh}).layouts) {
    if (set.shape.dtype != DType::pred) continue;
    for (const ShardingSpec& spec : set.specs) {
      ++num_layouts;
      CHECK(std::ranges::count(spec.partial, Reduction::sum, &Partial::reduction) == 0);
    }
  }
  CHECK(num_layouts > 0);
}

TEST_CASE("seconds of devices are those of each dot on the mesh that wastes the least of them") {
  const auto num_micro_batches = GENERATE(1, 2);
  const Program step = ir::training_step(models::branching_forward(8, 16, 2), {});
  Planning planning(step, modelled_cluster(4));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  std::vector<SpaceOptions> meshes;
  std::vector<double> least(at(step.size()), std::numeric_limits<double>::infinity());
  for (const std::int64_t count : {4, 3, 2}) {
    meshes.push_back({planning.chunks(1, {{"x", count}}).front().mesh, num_micro_batches});
    const std::vector<double> dots = least_of_dots(evaluator, step, meshes.back());
    for (std::size_t id = 0; id < dots.size(); ++id)
      least[id] = std::min(least[id], static_cast<double>(count) * dots[id]);
    CHECK(evaluator.least_device_s({meshes.back()}) ==
          Approx(static_cast<double>(count) * evaluator.least_s(meshes.back())).epsilon(1e-12));
  }
  CHECK(evaluator.least_device_s(meshes) ==
        Approx(std::accumulate(least.begin(), least.end(), 0.0)).epsilon(1e-12));
}

/// What `strategy` takes on the fullest mesh by the bytes that its space and its flow tell.
double choice_bytes(evaluate::PlanEvaluator& evaluator, const Program& step,
                    const Strategy& strategy) {
  const StrategySpace& space =
      evaluator.space({strategy.chunks.front().mesh, strategy.num_micro_batches});
  const ChunkFlow flow = evaluator.flow(strategy);
  const std::vector<std::int32_t> mesh_of = evaluate::mesh_numbers(strategy.chunks);
  const auto class_of = [&](ValueId id) -> const OpClass& {
    return space.classes[at(space.class_of[at(id)])];
  };
  const auto tile_bytes = [&](ValueId id) {
    const LayoutSet& set = space.layouts[at(class_of(id).result_set)];
    const auto found = std::ranges::find(set.specs, strategy.specs[at(id)]);
    REQUIRE(found != set.specs.end());
    return set.tile_bytes[at(found - set.specs.begin())];
  };
  std::vector<double> lasting(mesh_of.size()), working(mesh_of.size());
  for (ValueId id = 0; id < step.size(); ++id) {
    if (space.class_of[at(id)] < 0) continue;
    const std::size_t mesh = at(mesh_of[at(std::max(strategy.chunk_of[at(id)], 0))]);
    const OpClass& op = class_of(id);
    if (space.keeps[at(id)] == Keeping::state || space.keeps[at(id)] == Keeping::gradient)
      lasting[mesh] += tile_bytes(id);
    else if (step.op(id).operands.empty() && op.per_micro_batch)
      lasting[mesh] += static_cast<double>(strategy.num_micro_batches) * tile_bytes(id);
    double least = std::numeric_limits<double>::infinity();
    for (const OpStrategy& own : op.strategies) {
      if (space.layouts[at(op.result_set)].specs[at(own.result)] == strategy.specs[at(id)])
        least = std::min(least, own.working_bytes);
    }
    working[mesh] = std::max(working[mesh], least);
  }
  for (const ChunkFlow::Kept& kept : flow.kept)
    lasting[at(mesh_of[at(kept.chunk)])] += kept.num_tiles * tile_bytes(kept.value);
  double most = 0;
  for (std::size_t mesh = 0; mesh < lasting.size(); ++mesh)
    most = std::max(most, lasting[mesh] + working[mesh]);
  return most;
}

TEST_CASE("what values of a choice keep and ops work with is near what its plan needs") {
  const std::string schedule = GENERATE("gpipe", "1f1b");
  const std::int32_t num_meshes = GENERATE(1, 2, 4);
  for (const std::int64_t num_micro_batches : {4, 8}) {
    CAPTURE(schedule, num_meshes, num_micro_batches);
    Planning planning(small_gpt_step(), modelled_cluster(4 * num_meshes), "schedule/" + schedule);
    evaluate::PlanEvaluator evaluator(planning.context(), 0);
    const Strategy strategy =
        evaluator.complete({.num_micro_batches = num_micro_batches,
                            .chunks = planning.chunks(num_meshes, {{"data", 1}, {"tensor", 4}})});
    const Evaluation evaluation = evaluator.evaluate(strategy);
    const double bytes = choice_bytes(evaluator, small_gpt_step(), strategy);
    CHECK(bytes == Approx(evaluation.peak_bytes).epsilon(0.2));
  }
}

TEST_CASE("a head split passes through a fused projection as a strided cut") {
  ir::Builder builder("fused");
  const Initializer any{Initializer::Kind::normal, 0, 1};
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {4, 16}}, any, "x");
  const ValueId w = builder.input(InputKind::parameter, {DType::f32, {16, 96}}, any, "w");
  const ValueId fused = builder.dot(x, w, {{}, {}, {1}, {0}});
  const ValueId heads = builder.reshape(fused, {4, 3, 4, 8});
  builder.output(builder.reduce(heads, {0, 1, 2, 3}, Reduction::sum), OutputKind::loss);
  const Program program = std::move(builder).finish();
  Planning planning(program, modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const auto has_strided = [&](bool strided) {
    const StrategySpace& space = evaluator.space({make_mesh({2}), 2, strided});
    const OpClass& dot = space.classes[at(space.class_of[at(fused)])];
    return std::ranges::any_of(dot.strategies, [&](const OpStrategy& strategy) {
      const ShardingSpec& spec = space.layouts[at(dot.result_set)].specs[at(strategy.result)];
      return spec.dims[1] == DimSharding{{{0, 32}}};
    });
  };
  CHECK(has_strided(true));
  CHECK_FALSE(has_strided(false));
}

TEST_CASE("terms of a sum do not go on into a difference with what each reader makes anew") {
  ir::Builder builder("difference");
  const Initializer any{Initializer::Kind::normal, 0, 1};
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {4, 16}}, any, "x");
  const ValueId w = builder.input(InputKind::parameter, {DType::f32, {16, 8}}, any, "w");
  const ValueId dot = builder.dot(x, w, {{}, {}, {1}, {0}});
  const ValueId twice = builder.add(dot, dot);
  const ValueId less = builder.sub(twice, builder.fill({DType::f32, {4, 8}}, 3));
  builder.output(builder.reduce(less, {0, 1}, Reduction::sum), OutputKind::loss);
  const Program program = std::move(builder).finish();
  Planning planning(program, modelled_cluster(2));
  evaluate::PlanEvaluator evaluator(planning.context(), 0);
  const StrategySpace& space = evaluator.space({make_mesh({2}), 1});
  const auto has_terms = [&](ValueId id) {
    const OpClass& op = space.classes[at(space.class_of[at(id)])];
    return std::ranges::any_of(op.strategies, [&](const OpStrategy& strategy) {
      return !space.layouts[at(op.result_set)].specs[at(strategy.result)].partial.empty();
    });
  };
  CHECK(has_terms(twice));
  CHECK_FALSE(has_terms(less));
}

}  // namespace rhino::test
