// SPDX-License-Identifier: Apache-2.0
#include "cost/cost.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "config/topology_file.hpp"
#include "cost/dot_tiles.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "ir/flops.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

Cluster topology(const std::string& name, std::int64_t num_hosts = 0) {
  return config::read_topology(RHINO_TEST_TOPOLOGIES "/" + name + ".yaml", num_hosts);
}

struct Published {
  std::int64_t m, n, k;
  double flops_per_s;
};

/// Shares of the published rates that the model gives, increasing.
std::vector<double> ratios(const DeviceModel& device, DType dtype,
                           const std::vector<Published>& dots) {
  Cluster cluster;
  cluster.models = {device};
  const CostModel cost(cluster);
  std::vector<double> found;
  for (const Published& dot : dots) {
    const DotExtents extents{1, dot.m, dot.n, dot.k};
    found.push_back(extents.flops() / cost.dot_s(dtype, 1, dot.m, dot.n, dot.k) / dot.flops_per_s);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

/// Azure/AI-benchmarking-guide: ND A100 v4 (f16) and ND H100 v5 (fp8; a byte per element at twice
/// the rate of bf16, so tiles are bounded alike).
TEST_CASE("dots of other shapes than the sustained rate is from are as quick as published ones") {
  const std::vector<double> a100 = ratios(topology("dgx_a100").models[0], DType::f16,
                                          {{1024, 1024, 1024, 119.4e12},
                                           {2048, 2048, 2048, 221.8e12},
                                           {4096, 4096, 4096, 228.0e12},
                                           {8192, 8192, 8192, 253.7e12},
                                           {16384, 16384, 16384, 256.5e12},
                                           {1024, 2145, 1024, 132.8e12},
                                           {6144, 12288, 12288, 250.8e12},
                                           {802816, 192, 768, 157.8e12}});
  DeviceModel fp8 = topology("dgx_h100").models[0];
  fp8.peak_flops = {{DType::s8, 1979e12}};
  fp8.sustained_flops = {{DType::s8, 1377e12}};
  const std::vector<double> h100 = ratios(fp8, DType::s8,
                                          {{1024, 1024, 1024, 274.1e12},
                                           {2048, 2048, 2048, 1011.3e12},
                                           {4096, 4096, 4096, 1216.9e12},
                                           {8192, 8192, 8192, 1290.1e12},
                                           {16384, 16384, 16384, 1377.3e12},
                                           {1024, 2145, 1024, 410.7e12},
                                           {6144, 12288, 12288, 1351.4e12},
                                           {802816, 192, 768, 663.8e12}});
  for (const std::vector<double>& shares : {a100, h100}) {
    CHECK(shares.front() > 0.8);
    CHECK(shares.back() < 1.4);
    CHECK(shares[shares.size() / 2] == Approx(1).margin(0.03));
  }
}

TEST_CASE("a dot takes whole waves of whole tiles, by hand") {
  DeviceModel device{.memory_bytes_per_s = 1e15,
                     .peak_flops = {{DType::f16, 10 * 2.0 * 128 * 128}},
                     .num_multiprocessors = 10};
  device.sustained_flops = device.peak_flops;  // a multiprocessor: 128 x 128 x 1 in a second
  const auto seconds = [&](std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
    return dot_arithmetic_s(device, DType::f16, {batch, m, n, k});
  };
  CHECK(seconds(1, 1280, 128, 100) == Approx(100));  // 10 tiles: one wave
  CHECK(seconds(10, 128, 128, 100) == Approx(100));  // of a batch as well
  // 44 tiles of 64 x 64: five waves of a quarter.
  CHECK(seconds(1, 1408, 128, 100) == Approx(1.25 * 100));
  CHECK(seconds(1, 10, 10, 100) == Approx(0.25 * 100));         // one tile of 64 x 64, mostly empty
  CHECK(seconds(1, 640, 640, 100) == Approx(0.25 * 10 * 100));  // 100 of them, exactly 10 waves
  // Two parts of k keep all ten busy where five tiles would not.
  CHECK(seconds(1, 640, 128, 512) == Approx(0.5 * 512).epsilon(1e-6));
  device.cache_bytes_per_s = 10 * 2 * 256.0 / 2;  // 128 x 128 now waits two seconds for operands
  CHECK(seconds(1, 1280, 128, 100) == Approx(200));
}

TEST_CASE("a convolution costs what the product of its patches does") {
  const DeviceModel device = topology("dgx_a100").models[0];
  Cluster cluster;
  cluster.models = {device};
  ConvolutionAttr attr;
  attr.input_spatial = attr.kernel_spatial = attr.output_spatial = {2, 3};
  attr.strides = attr.lhs_dilation = attr.rhs_dilation = attr.low = attr.high = {1, 1};
  Program program;
  const Shape image{DType::f16, {64, 256, 56, 56}}, kernel{DType::f16, {256, 256, 3, 3}};
  program.ops = {{.kind = OpKind::parameter, .shape = image},
                 {.kind = OpKind::parameter, .shape = kernel},
                 {.kind = OpKind::convolution, .shape = image, .operands = {0, 1}}};
  program.ops[2].attributes = attr;
  program.inputs = {{.value = 0}, {.value = 1}};
  program.outputs = {{2, OutputKind::value, -1}};
  const double seconds = CostModel(cluster).program_s(lower::lower(program));
  const double patches_s = dot_arithmetic_s(device, DType::f16, {1, 64 * 56 * 56, 256, 256 * 9}) +
                           device.kernel_latency_s;
  CHECK(seconds == Approx(patches_s));
  CHECK(seconds > ir::op_flops(program, 2) / 312e12);
}

TEST_CASE("a convolution costs as many times its product as the measured ones near it") {
  Calibration calibration;
  calibration.kernel_latency_s = 1e-3;
  for (const std::int64_t size : {64, 256, 1024})
    calibration.dots.push_back(
        {1, size, size, size, 2e-9 * static_cast<double>(size * size * size)});
  Cluster cluster;
  cluster.models.emplace_back();
  const auto product_s = [](std::int64_t size) {
    return 1e-3 + 2e-9 * static_cast<double>(size * size * size);
  };
  // Of 1 x 1: so many pixels and features of either side.
  const auto times = [&](std::int64_t size, DType dtype) {
    ir::Builder b("convolution");
    const ValueId x = b.input(InputKind::batch, {dtype, {size / 16, 4, 4, size}}, {}, "x"),
                  w = b.input(InputKind::parameter, {dtype, {1, 1, size, size}}, {}, "w");
    b.output(
        b.add(Op{
            .kind = OpKind::convolution, .operands = {x, w}, .attributes = ir::channels_last(2)}),
        OutputKind::value);
    return CostModel(cluster, &calibration).program_s(lower::lower(std::move(b).finish())) /
           product_s(size);
  };
  CHECK(times(256, DType::f32) == Approx(1));
  calibration.convolutions[DType::f32] = {{1, 64, 64, 64, 3}, {1, 1024, 1024, 1024, 1.5}};
  CHECK(times(64, DType::f32) == Approx(3).epsilon(1e-4));
  CHECK(times(1024, DType::f32) == Approx(1.5).epsilon(1e-4));
  CHECK(times(256, DType::f32) == Approx(2.25));
  CHECK(times(64, DType::f16) == Approx(3).epsilon(1e-4));
  calibration.convolutions[DType::bf16] = {{1, 64, 64, 64, 7}};
  CHECK(times(64, DType::f32) == Approx(3).epsilon(1e-4));
  for (const DType narrow : {DType::bf16, DType::f16}) CHECK(times(256, narrow) == Approx(7));
}

TEST_CASE("a gather reads what it takes of its table") {
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 1, .kernel_latency_s = 5}};
  Program program;
  program.ops.push_back({.kind = OpKind::parameter, .shape = {DType::f32, {1000, 8}}});
  program.ops.push_back({.kind = OpKind::parameter, .shape = {DType::s32, {4}}});
  program.ops.push_back(
      {.kind = OpKind::gather, .shape = {DType::f32, {4, 8}}, .operands = {0, 1}});
  GatherAttr attr;
  attr.offset_dims = {1};
  attr.collapsed_slice_dims = attr.start_index_map = {0};
  attr.index_vector_dim = 1;
  attr.slice_sizes = {1, 8};
  program.ops[2].attributes = attr;
  program.inputs = {{.value = 0}, {.value = 1}};
  program.outputs = {{2, OutputKind::value, -1}};
  CHECK(CostModel(cluster).program_s(lower::lower(program)) == Approx(5 + 2 * 128 + 16));
}

TEST_CASE("a slice reads what it takes of what it is cut from") {
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 1, .kernel_latency_s = 5}};
  ir::Builder b("slice");
  const ValueId whole = b.input(InputKind::batch, {DType::f32, {1000, 8}}, {}, "x"),
                first = b.input(InputKind::batch, {DType::s32, {}}, {}, "first");
  b.output(b.dynamic_slice(whole, {first, first}, {4, 8}), OutputKind::value);
  CHECK(CostModel(cluster).program_s(lower::lower(std::move(b).finish())) == Approx(5 + 2 * 128));
}

TEST_CASE("kernels are issued in order, ahead of a device that executes them in order") {
  std::mt19937 random(GENERATE(range(1, 21)));
  ir::Builder b("work");
  ValueId x = b.input(InputKind::batch, {DType::f32, {8, 8}}, {}, "x");
  for (int layer = 0; layer < 6; ++layer) {
    const std::int64_t wide = 1 + random() % 64;
    const ValueId up = b.input(InputKind::batch, {DType::f32, {8, wide}}, {}, "up");
    const ValueId down = b.input(InputKind::batch, {DType::f32, {wide, 8}}, {}, "down");
    const DotAttr rows_by_columns{.lhs_contracting = {1}, .rhs_contracting = {0}};
    x = b.dot(b.unary(OpKind::tanh, b.dot(x, up, rows_by_columns)), down, rows_by_columns);
  }
  b.output(b.unary(OpKind::tanh, x), OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 256, .kernel_latency_s = 1}};
  cluster.software = {.kernel_issue_s = static_cast<double>(random() % 16), .kernels_per_loop = 3};
  const CostModel cost(cluster);
  double run_s = 0, issue_s = 0, end_s = 0;
  std::set<lower::KernelGroup::Kind> kinds;
  for (const lower::KernelGroup& group : lowered.groups) {
    kinds.insert(group.kind);
    const int count = group.kind == lower::KernelGroup::Kind::loop ? 3 : 1;
    for (int kernel = 0; kernel < count; ++kernel) {
      const double seconds = cost.group_s(lowered, group) / count;
      issue_s += cluster.software.kernel_issue_s;
      run_s += seconds;
      end_s = std::max(end_s, issue_s) + seconds;
    }
  }
  CHECK(kinds.size() == 2);
  const KernelTimes times = cost.kernel_times(lowered);
  CHECK(times.run_s == Approx(run_s));
  CHECK(times.issue_s == Approx(issue_s));
  CHECK(times.alone_s == Approx(end_s));
}

TEST_CASE("what a framework does not fuse reads and writes more often, and starts more often") {
  ir::Builder b("loop");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {100}}, {}, "x");
  b.output(b.unary(OpKind::tanh, x), OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 8, .kernel_latency_s = 3}};
  CHECK(CostModel(cluster).program_s(lowered) == Approx(3 + 100));
  cluster.software = {.kernels_per_loop = 2, .passes_per_loop = 1.5};
  CHECK(CostModel(cluster).program_s(lowered) == Approx(2 * 3 + 150));
}

TEST_CASE("loops that are no kernels of their own take the time of their memory") {
  ir::Builder b("loop");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {100}}, {}, "x");
  b.output(b.unary(OpKind::tanh, x), OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  Cluster cluster;
  cluster.models = {DeviceModel{.memory_bytes_per_s = 8, .kernel_latency_s = 0}};
  cluster.software = {.kernel_issue_s = 1, .kernels_per_loop = 0};
  const KernelTimes times = CostModel(cluster).kernel_times(lowered);
  CHECK(times.issue_s == 0);
  CHECK(times.alone_s == Approx(100));
}

TEST_CASE("each class of devices has its own prices") {
  Cluster cluster;
  cluster.models = {topology("dgx_a100").models[0], topology("p3_16xlarge").models[0]};
  const CostModel cost(cluster);
  CHECK(cost.dot_s(DType::f16, 1, 8192, 8192, 8192, 0) ==
        Approx(83.0 / 256.5 * cost.dot_s(DType::f16, 1, 8192, 8192, 8192, 1)).epsilon(0.05));
  CHECK(cost.stream_s(1.7e12, 0) == Approx(1));
  CHECK(cost.stream_s(790e9, 1) == Approx(1));
  const double bf16_s = cost.dot_s(DType::bf16, 1, 8192, 8192, 8192, 1);  // a V100 has none
  CHECK(bf16_s == Approx(DotExtents{1, 8192, 8192, 8192}.flops() / 15.7e12).epsilon(0.02));
}
