// SPDX-License-Identifier: Apache-2.0
// What search/rhino finds without some of its ways.
#include <catch2/catch.hpp>

#include "layers.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

/// A program, and an option of the searcher that leaves out what it wants.
struct Ablation {
  const char* option;
  OptionValue without;
  std::int32_t num_devices = 2;
  std::int64_t stages = 1;
  std::vector<std::int64_t> micro_batch_counts;
  Program step;
  double memory_share = 1;  ///< that there is of what the quickest without it needs
  double least_loss = 1;    ///< of all steps without it, by what the program is made of
};

/// Heads of a fused projection are the only dims that 5 divides, and contiguous parts of the
/// projection are no heads.
Program fused_heads() {
  Layers net("fused heads", 64);
  const ValueId all = net.dot(net.input("x", {32}), 3 * 5 * 16);
  const ValueId parts = net.b.reshape(all, {64, 3, 5, 16});
  const auto part = [&](std::int64_t i) {
    return net.b.reshape(net.b.slice(parts, {0, i, 0, 0}, {64, i + 1, 5, 16}), {64, 5, 16});
  };
  return net.step(net.b.add(net.b.mul(part(0), part(1)), part(2)));
}

/// No dim divides by 4.
Program twice_odd() {
  Layers net("twice odd", 54);
  return net.step(net.dot(net.input("x", {50}), 54));
}

/// Weights whose states are worth cutting, and that would be gathered by each micro-batch.
Program wide_states() {
  Layers net("wide states", 256);
  return net.step(net.dot(net.dot(net.input("x", {48}), 48), 48));
}

/// Two chains, one op of either by turns, that meet at the end.
Program two_chains() {
  Layers net("two chains", 108);
  ValueId left = net.input("x", {9}), right = net.input("y", {9});
  for (int i = 0; i < 3; ++i) {
    left = net.b.unary(OpKind::tanh, net.dot(left, 9));
    right = net.b.unary(OpKind::tanh, net.dot(right, 9));
  }
  return net.step(net.b.add(left, right));
}

}  // namespace

TEST_CASE("each way that is left out costs where nothing stands in for it") {
  const auto& [option, without, num_devices, stages, counts, step, memory_share, least_loss] =
      GENERATE(Ablation{"strided", false, 5, 1, {1}, fused_heads(), 1, 1.05},
               Ablation{"joint_axes", false, 4, 1, {1}, twice_odd(), 1, 1.5},
               Ablation{"zero", false, 4, 1, {4}, wide_states(), 0.85, 1.03},
               Ablation{"pipeline", std::string("linear"), 2, 2, {1, 2, 4}, two_chains(), 1, 1.01});
  CAPTURE(option);
  const Cluster cluster = slow_cluster(num_devices, false);
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = counts;
  const std::map<std::string, OptionValue> options{{"stages", stages}};
  std::map<std::string, OptionValue> fewer = options;
  fewer[option] = without;
  const double memory_bytes = memory_share * toy.run("search/rhino", fewer, 1e12).peak_bytes;
  const Answer all = toy.run("search/rhino", options, memory_bytes);
  REQUIRE(all.reason.empty());
  const Answer less = toy.run("search/rhino", fewer, memory_bytes);
  INFO(all.strategy.name << ": " << all.step_s << " s, without: " << less.step_s << " s "
                         << less.reason);
  CHECK((!less.ok() || less.step_s > least_loss * all.step_s));
}

}  // namespace rhino::test
