// SPDX-License-Identifier: Apache-2.0
// Strategies written as a person would.
#include "common/written.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "toys.hpp"

namespace rhino::test {
namespace {

/// Megatron's cut of the toy on four devices, as annotations.
StrategyDraft megatron(const Program& step, Strategies& strategies) {
  StrategyDraft draft{.name = "made",
                      .num_micro_batches = 1,
                      .chunks = strategies.chunks(1, {{"a", 4}}),
                      .batch_axis = -2};
  const auto cut = [&](const std::string& end, std::size_t dim) {
    for (ValueId id = 0; id < step.size(); ++id) {
      const Op& op = step.op(id);
      if (!op.name.ends_with(end) || dim >= op.shape.dims.size()) continue;
      draft.annotations.push_back({id, std::vector<std::vector<AxisId>>(op.shape.dims.size())});
      draft.annotations.back().dims[dim] = {0};
    }
  };
  cut("attn.heads", 3), cut("attn.qkv.weight", 2), cut("attn.out.weight", 0);
  cut("mlp.up.weight", 1), cut("mlp.down.weight", 0);
  return draft;
}

}  // namespace

TEST_CASE("weights as they are cut, written with sums that lie split along the sequence") {
  const Program step = gpt({.num_layers = 2, .batch = 1});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  const auto value = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(step.ops, name, &Op::name) -
                                    step.ops.begin());
  };
  toy.ask(1e12, [&](const SearchProblem&, Strategies& strategies) {
    const Strategy made = strategies.complete(megatron(step, strategies));
    const std::vector<StrategyDraft> ways = common::written_ways(step, made);
    REQUIRE(ways.size() == 4);
    CHECK(strategies.complete(ways[0]).specs == made.specs);
    const Strategy scattered = strategies.complete(ways[1]);
    for (const char* name : {"h0.mid", "h0.out", "h1.mid", "h1.out"}) {
      CAPTURE(name);
      CHECK(made.specs[value(name)].dims[1].splits.empty());
      CHECK(scattered.specs[value(name)].dims[1].splits.size() == 1);
    }
    CHECK(toy.error_of(scattered) < 1e-5);
  });
}

TEST_CASE("a weight that strides split is written by what is made of it") {
  const Program step = ir::training_step(models::gpt_forward({.preset = "toy",
                                                              .num_layers = 2,
                                                              .hidden = 24,
                                                              .num_heads = 4,
                                                              .vocabulary = 64,
                                                              .sequence = 12,
                                                              .fused_qkv = true},
                                                             1),
                                         {});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem&, Strategies& strategies) {
    const Strategy made = strategies.complete(megatron(step, strategies));
    const auto weight = static_cast<std::size_t>(
        std::ranges::find(step.ops, "h1.attn.qkv.weight", &Op::name) - step.ops.begin());
    REQUIRE(made.specs[weight].dims[1].splits.size() == 1);
    REQUIRE(made.specs[weight].dims[1].splits.front().period == 24);
    CHECK(strategies.complete(common::written_ways(step, made).front()).specs == made.specs);
  });
}

}  // namespace rhino::test
