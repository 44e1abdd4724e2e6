// SPDX-License-Identifier: Apache-2.0
#include "cost/attention_price.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "config/topology_file.hpp"
#include "cost/cost.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

constexpr std::int64_t kBatch = 2, kHeads = 3;

/// Of one layer of a gpt, forward and backward.
struct Attentions {
  Attentions(std::int64_t depth, std::int64_t sequence)
      : lowered(lower::lower(ir::training_step(models::gpt_forward({.num_layers = 1,
                                                                    .hidden = kHeads * depth,
                                                                    .num_heads = kHeads,
                                                                    .vocabulary = 64,
                                                                    .sequence = sequence,
                                                                    .dtype = DType::bf16},
                                                                   kBatch),
                                               {}),
                             {.attention = true})) {
    for (const lower::KernelGroup& group : lowered.groups) {
      if (group.attention) groups.push_back(&group);
    }
  }
  lower::LoweredProgram lowered;
  std::vector<const lower::KernelGroup*> groups;
};

/// Those of FlashAttention-2 on A100, with exponentials in no time.
constexpr AttentionRates kKnown{.forward = 0.73, .backward = 0.63};

Cluster cluster_of(const AttentionRates& attention, std::int32_t num_multiprocessors = 0) {
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 1e30,
                                .kernel_latency_s = 0,
                                .peak_flops = {{DType::bf16, 1e12}},
                                .sustained_flops = {{DType::bf16, 0.9e12}},
                                .num_multiprocessors = num_multiprocessors,
                                .attention = attention}};
  return cluster;
}

/// That a causal mask lets see.
double num_scores(double sequence) { return kBatch * kHeads * sequence * (sequence + 1) / 2; }

}  // namespace

TEST_CASE("attention takes what its dots take at published rates, of the scores that are seen") {
  const Attentions made(128, 64);
  REQUIRE(made.groups.size() == 2);
  const double flops = 2 * 128 * num_scores(64);
  const CostModel known(cluster_of(kKnown)), unknown(cluster_of({}));
  CHECK(known.group_s(made.lowered, *made.groups[0]) == Approx(2 * flops / 0.73e12));
  CHECK(known.group_s(made.lowered, *made.groups[1]) == Approx(5 * flops / 0.63e12));
  CHECK(unknown.group_s(made.lowered, *made.groups[0]) == Approx(2 * flops / 0.9e12));
}

/// A backward pass that makes its forward one anew.
TEST_CASE("attention takes what it was measured to reach at the nearest depth of its dtype") {
  const Attentions made(128, 64);
  REQUIRE(made.groups.size() == 2);
  const double forward = 2 * 2 * 128 * num_scores(64), backward = 5 * 2 * 128 * num_scores(64);
  const Calibration measured{.attentions = {{DType::f32, 128, 1e9, 1e9},
                                            {DType::bf16, 32, 2e9, 2e9},
                                            {DType::bf16, 96, 3e9, 4e9}},
                             .memory_bytes_per_s = 1e30,
                             .kernel_latency_s = 1};
  const Cluster cluster = cluster_of(kKnown);
  const CostModel cost(cluster, &measured);
  CHECK(cost.group_s(made.lowered, *made.groups[0]) == Approx(1 + forward / 3e9));
  CHECK(cost.group_s(made.lowered, *made.groups[1]) == Approx(1 + backward / 4e9));
}

TEST_CASE("attention both ways in one group takes what its two kernels take") {
  const Attentions made(128, 64);
  const CostModel known(cluster_of(kKnown));
  lower::LoweredProgram joined = made.lowered;
  lower::KernelGroup both = *made.groups[1];
  const lower::Attention& forward = *made.groups[0]->attention;
  REQUIRE(forward.members.back().part == lower::Attention::Part::row_result);
  // Its result as one of the other's scores.
  Op result = joined.program.op(forward.members.back().op);
  const auto column =
      std::ranges::find(both.attention->members, lower::Attention::Part::column_result,
                        &lower::Attention::Member::part);
  result.operands[0] = joined.program.op(column->op).operands[0];
  joined.program.ops.push_back(result);
  both.attention->members.push_back(forward.members.back());
  both.attention->members.back().op = joined.program.size() - 1;
  CHECK(known.group_s(joined, both) ==
        Approx(known.group_s(joined, *made.groups[0]) + known.group_s(joined, *made.groups[1])));
}

TEST_CASE("exponentials take as long at any depth of an attention") {
  Cluster cluster;
  cluster.models = {config::read_topology(RHINO_TEST_TOPOLOGIES "/a100_fsdp.yaml").models[0]};
  DeviceModel& device = cluster.models[0];
  device.num_multiprocessors = 0;
  device.memory_bytes_per_s = device.stream_bytes_per_s = 1e30;
  device.kernel_latency_s = 0;
  const AttentionRates rates = device.attention;
  const double alone_s = num_scores(64) / rates.exponentials_per_s,
               dots_s = 2 * 2 * 128 * num_scores(64) / (rates.forward * 312e12);
  for (const std::int64_t depth : {64, 128, 256}) {
    const Attentions made(depth, 64);
    REQUIRE(made.groups.size() == 2);
    CHECK(CostModel(cluster).group_s(made.lowered, *made.groups[0]) ==
          Approx((dots_s - alone_s) * static_cast<double>(depth) / 128 + alone_s));
  }
}

TEST_CASE("blocks of an attention go over multiprocessors in waves") {
  const Attentions made(64, 256);
  const double all_s = CostModel(cluster_of({})).group_s(made.lowered, *made.groups[0]);
  // Two blocks of rows of each of 6 heads.
  for (const std::int32_t number : {1, 6, 12})
    CHECK(CostModel(cluster_of({}, number)).group_s(made.lowered, *made.groups[0]) ==
          Approx(all_s));
  CHECK(CostModel(cluster_of({}, 11)).group_s(made.lowered, *made.groups[0]) ==
        Approx(all_s * 2 * 11 / 12));
}
