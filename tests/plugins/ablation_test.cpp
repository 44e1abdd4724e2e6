// SPDX-License-Identifier: Apache-2.0
// What search/rhino finds without some of its ways.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <map>

#include "layers.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

constexpr double kBytes = sizeof(float);

/// Dots and what crosses take their time, all else hardly any.
Cluster cluster_of(std::int32_t num_devices) {
  Cluster made = slow_cluster(num_devices, false);
  made.models.front().memory_bytes_per_s = 1e10;
  made.models.front().kernel_latency_s = 1e-7;
  made.intra_host.bytes_per_s = 2.5e6;
  return made;
}

double dot_s(const Cluster& cluster, std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  return 2.0 * static_cast<double>(rows * depth * columns) /
         cluster.models.front().peak_flops.at(DType::f32);
}

/// Of what is no dot: its bytes, and one operation for each element that it makes.
double loop_s(const Cluster& cluster, double num_elements, double bytes) {
  const auto& device = cluster.models.front();
  return num_elements / device.peak_flops.at(DType::f32) + bytes / device.memory_bytes_per_s;
}

double sent_s(const Cluster& cluster, double bytes) {
  return bytes / cluster.intra_host.bytes_per_s + cluster.intra_host.latency_s;
}

/// Of a ring, per device: gathering what all have a part of, or scattering sums of it.
double ring_s(const Cluster& cluster, double num_devices, double bytes) {
  return (num_devices - 1) * sent_s(cluster, bytes / num_devices);
}

/// A program, an option of the searcher that leaves out what it wants, and what a step takes, by
/// what the program is made of: with it at the most, and without it, however it is cut, at the
/// least (infinite: nothing fits). `one_s`: of one device.
struct Ablation {
  const char* option;
  OptionValue without;
  std::int32_t num_devices = 2;
  std::int64_t stages = 1;
  std::vector<std::int64_t> micro_batch_counts;
  Program step;
  double memory_bytes = 1e12;
  std::vector<Pin> pins;
  std::function<double(const Cluster&, double one_s)> most_with_s, least_without_s;
};

/// Heads of a fused projection are the only dims that 5 divides, and contiguous parts of the
/// projection are no heads: it is gathered before anything else is made of it, or made whole.
Ablation fused_heads() {
  constexpr std::int64_t kBatch = 64, kWidth = 32, kHeads = 5, kColumns = 3 * kHeads * 16;
  Layers net("fused heads", kBatch);
  const ValueId all = net.dot(net.input("x", {kWidth}), kColumns);
  const ValueId parts = net.b.reshape(all, {kBatch, 3, kHeads, 16});
  const auto part = [&](std::int64_t i) {
    return net.b.reshape(net.b.slice(parts, {0, i, 0, 0}, {kBatch, i + 1, kHeads, 16}),
                         {kBatch, kHeads, 16});
  };
  return {.option = "strided",
          .without = false,
          .num_devices = kHeads,
          .micro_batch_counts = {1},
          .step = net.step(net.b.add(net.b.mul(part(0), part(1)), part(2))),
          // All that crosses is the loss.
          .most_with_s =
              [](const Cluster& cluster, double one_s) {
                return one_s / kHeads + 2 * ring_s(cluster, kHeads, kBytes);
              },
          .least_without_s =
              [](const Cluster& cluster, double one_s) {
                const double whole_s = dot_s(cluster, kBatch, kWidth, kColumns);
                return one_s / kHeads +
                       std::min(whole_s * (kHeads - 1) / kHeads,
                                ring_s(cluster, kHeads, kBatch * kColumns * kBytes));
              }};
}

/// No dim divides by 4, so that over one axis nothing is cut; over two, of 2 devices each, samples
/// and columns are, and terms of the weight's gradient are added up over one of them.
Ablation twice_odd() {
  constexpr std::int64_t kBatch = 54, kWidth = 50, kColumns = 54;
  Layers net("twice odd", kBatch);
  return {.option = "joint_axes",
          .without = false,
          .num_devices = 4,
          .micro_batch_counts = {1},
          .step = net.step(net.dot(net.input("x", {kWidth}), kColumns)),
          .most_with_s =
              [](const Cluster& cluster, double one_s) {
                return one_s / 4 + 2 * ring_s(cluster, 2, kWidth * kColumns / 2 * kBytes) +
                       2 * ring_s(cluster, 4, kBytes);
              },
          .least_without_s = [](const Cluster&, double one_s) { return one_s; }};
}

/// Weights that are pinned to be whole, of which, with their moments, sums of gradients and a
/// device's samples, there is just no room on a device. With ZeRO gradients are scattered as each
/// micro-batch makes them, and new weights gathered once; without it nothing fits.
Ablation wide_states() {
  constexpr std::int64_t kNumLayers = 8, kWidth = 48, kMicroBatches = 8, kDevices = 4;
  constexpr std::int64_t kBatch = 2 * kWidth * kMicroBatches;
  constexpr double kWeight = kWidth * kWidth * kBytes;
  Layers net("wide states", kBatch);
  ValueId x = net.input("x", {kWidth});
  for (int i = 0; i < kNumLayers; ++i) x = net.dot(x, kWidth);
  Ablation made{.option = "zero",
                .without = false,
                .num_devices = kDevices,
                .micro_batch_counts = {kMicroBatches},
                .step = net.step(x),
                .memory_bytes = kNumLayers * 4 * kWeight + kBatch / kDevices * kWidth * kBytes,
                .most_with_s =
                    [](const Cluster& cluster, double one_s) {
                      return one_s / kDevices +
                             kNumLayers * (kMicroBatches + 1) * ring_s(cluster, kDevices, kWeight) +
                             kMicroBatches * 2 * ring_s(cluster, kDevices, kBytes);
                    },
                .least_without_s = [](const Cluster&,
                                      double) { return std::numeric_limits<double>::infinity(); }};
  for (const Input& input : made.step.inputs) {
    if (input.kind == InputKind::parameter) made.pins.push_back({input.value, {}});
  }
  return made;
}

/// Two chains, one op of either by turns, that meet at the end. Each on a device of its own run
/// side by side, and what crosses is the end of one and its gradient. Stages that are runs of the
/// program take turns where there is one micro-batch: all passes forward, and all that lead to
/// gradients of what crosses, lie one behind the other.
Ablation two_chains() {
  constexpr std::int64_t kBatch = 108, kWidth = 9, kLength = 3;
  constexpr double kTile = kBatch * kWidth * kBytes;
  Layers net("two chains", kBatch);
  ValueId left = net.input("x", {kWidth}), right = net.input("y", {kWidth});
  for (int i = 0; i < kLength; ++i) {
    left = net.b.unary(OpKind::tanh, net.dot(left, kWidth));
    right = net.b.unary(OpKind::tanh, net.dot(right, kWidth));
  }
  return {.option = "pipeline",
          .without = std::string("linear"),
          .num_devices = 2,
          .stages = 2,
          .micro_batch_counts = {1},
          .step = net.step(net.b.add(left, right)),
          // What follows where they meet is on one device: no more than ten loops.
          .most_with_s =
              [](const Cluster& cluster, double one_s) {
                return one_s / 2 + 2 * sent_s(cluster, kTile) +
                       10 * loop_s(cluster, kBatch * kWidth, 3 * kTile) / 2;
              },
          .least_without_s =
              [](const Cluster& cluster, double) {
                const int num_dots = 2 * kLength + 2 * (kLength - 1);
                return num_dots * dot_s(cluster, kBatch, kWidth, kWidth) +
                       2 * sent_s(cluster, kTile);
              }};
}

}  // namespace

TEST_CASE("each way that is left out costs where nothing stands in for it") {
  const Ablation one =
      GENERATE(as<Ablation (*)()>(), fused_heads, twice_odd, wide_states, two_chains)();
  CAPTURE(one.option);
  const Cluster cluster = cluster_of(one.num_devices), alone = cluster_of(1);
  Toy toy(plugins(), one.step, cluster), single(plugins(), one.step, alone);
  toy.micro_batch_counts = single.micro_batch_counts = one.micro_batch_counts;
  toy.pins = one.pins;
  const double one_s = single.run("search/rhino", {}, 1e12).step_s;
  REQUIRE(one_s > 0);
  std::map<std::string, OptionValue> options{{"stages", one.stages}};
  const Answer all = toy.run("search/rhino", options, one.memory_bytes);
  options[one.option] = one.without;
  const Answer less = toy.run("search/rhino", options, one.memory_bytes);
  REQUIRE(all.reason.empty());
  INFO(all.strategy.name << ": " << all.step_s << " s; without: " << less.strategy.name << ", "
                         << less.step_s << " s " << less.reason << "; one device: " << one_s);
  // Kernels take their latency, however little they do.
  const double latencies_s = static_cast<double>(one.step.size()) *
                             static_cast<double>(one.micro_batch_counts.front()) *
                             cluster.models.front().kernel_latency_s;
  const double most_s = one.most_with_s(cluster, one_s) + latencies_s,
               least_s = one.least_without_s(cluster, one_s);
  CAPTURE(most_s, least_s, latencies_s);
  CHECK(all.step_s <= most_s);
  CHECK((!less.ok() || less.step_s >= least_s * (1 - 1e-9)));
  CHECK(most_s < least_s);
}

}  // namespace rhino::test
