// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "sharding/rule.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

/// Draws a way to cut one op, given how it is cut over micro-batches.
class ShardingDraw {
 public:
  ShardingDraw(Random& random, const Program& program, const Strategy& strategy, ValueId id)
      : random_(random),
        strategy_(strategy),
        chunk_(strategy.chunk_of[static_cast<std::size_t>(id)]),
        op_(program.op(id)),
        rule_(sharding::op_rule(program, id)),
        mesh_(strategy.chunks[static_cast<std::size_t>(chunk_)].mesh),
        parts_(sharding::axis_parts(mesh_, strategy.num_micro_batches)) {
    const sharding::OpSharding base = sharding::op_sharding(program, strategy, id);
    for (const sharding::FactorSplit& split : base.splits) {
      if (split.axis == kMicroAxis) sharding_.splits.push_back(split);
    }
  }

  sharding::OpSharding run() {
    for (AxisId axis = 0; axis < static_cast<AxisId>(mesh_.axes.size()); ++axis) {
      if (mesh_.axes[static_cast<std::size_t>(axis)].size == 1) continue;
      const std::int64_t choice = draw(random_, 4);
      if (choice == 0) continue;
      if (choice == 1 && pass_sum(axis)) continue;
      add_split(axis);
    }
    return sharding_;
  }

 private:
  bool is_sum(ValueId operand, AxisId axis) const {
    const auto index = static_cast<std::size_t>(operand);
    const auto& partial = strategy_.specs[index].partial;
    return strategy_.chunk_of[index] == chunk_ &&
           std::find(partial.begin(), partial.end(), Partial{axis, Reduction::sum}) !=
               partial.end();
  }

  bool pass_sum(AxisId axis) {
    std::optional<std::int32_t> first;
    for (std::size_t i = 0; i < op_.operands.size(); ++i) {
      if (!rule_.passes_sum[i]) continue;
      const bool sum = is_sum(op_.operands[i], axis);
      if (rule_.sum_together && !sum) return false;
      if (sum && !first) first = static_cast<std::int32_t>(i);
    }
    if (first) sharding_.linear.push_back({axis, *first});
    return first.has_value();
  }

  void add_split(AxisId axis) {
    std::vector<sharding::FactorSplit> legal;
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      for (std::int64_t period = 1; period <= rule_.factors[f].size; ++period) {
        const sharding::FactorSplit split{axis, static_cast<std::int32_t>(f), period};
        if (sharding::may_add(rule_, sharding_.splits, split, parts_)) legal.push_back(split);
      }
    }
    if (legal.empty()) return;
    sharding_.splits.push_back(
        legal[static_cast<std::size_t>(draw(random_, static_cast<std::int64_t>(legal.size())))]);
  }

  Random& random_;
  const Strategy& strategy_;
  const std::int32_t chunk_;
  const Op& op_;
  const sharding::OpRule rule_;
  const Mesh& mesh_;
  const std::vector<std::int64_t> parts_;
  sharding::OpSharding sharding_;
};

ShardingSpec drawn_spec(Random& random, const Program& program, const Strategy& strategy,
                        ValueId id) {
  const auto chunk = strategy.chunk_of[static_cast<std::size_t>(id)];
  const sharding::OpSharding sharding = ShardingDraw(random, program, strategy, id).run();
  return sharding::result_spec(program, id, sharding::op_rule(program, id), sharding,
                               strategy.chunks[static_cast<std::size_t>(chunk)].mesh,
                               strategy.num_micro_batches);
}

/// Specs of partial sums do not tell which loop is cut: what op_sharding() makes of one may not
/// exist.
bool has_sharding(const Program& program, const Strategy& strategy, ValueId id) {
  try {
    sharding::op_sharding(program, strategy, id);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Strategy random_strategy(Random& random, const Program& program, const StrategyDraft& draft) {
  // Completed for single devices: what remains in the specs is the micro axis.
  StrategyDraft single = draft;
  for (Chunk& chunk : single.chunks) chunk.mesh = make_mesh({1}, chunk.mesh.devices[0]);
  Strategy strategy = sharding::complete(program, single);
  strategy.chunks = draft.chunks;
  for (ValueId id = 0; id < program.size(); ++id) {
    const auto index = static_cast<std::size_t>(id);
    if (strategy.chunk_of[index] < 0) continue;
    const ShardingSpec completed = strategy.specs[index];
    do {
      strategy.specs[index] = completed;
      strategy.specs[index] = drawn_spec(random, program, strategy, id);
    } while (!has_sharding(program, strategy, id));
  }
  return strategy;
}

}  // namespace rhino::test
