// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "cost/cost.hpp"
#include "ir/builder.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

/// f32 at 1e9 FLOP/s; bf16 twice as fast where there is much to do, half as fast where there is
/// little.
Calibration measured() {
  Calibration calibration;
  calibration.peak_flops = 1e9;
  for (const std::int64_t size : {64, 256, 1024}) {
    const double flops = 2.0 * static_cast<double>(size * size * size);
    const double factor = size == 1024 ? 2 : 0.5;
    calibration.dots.push_back({1, size, size, size, flops / 1e9});
    if (size == 256) continue;
    calibration.narrow_dots[DType::bf16].dots.push_back(
        {1, size, size, size, flops / 1e9 / factor});
  }
  calibration.narrow_dots[DType::bf16].peak_flops = 2e9;
  return calibration;
}

Cluster one_device() {
  Cluster cluster;
  cluster.hosts.emplace_back();
  cluster.host_of = cluster.model_of = {0};
  cluster.models.emplace_back();
  return cluster;
}

}  // namespace

TEST_CASE("dots of 16 bits cost what was measured of them") {
  const Calibration calibration = measured();
  const CostModel cost(one_device(), &calibration);
  const auto relative = [&](DType dtype, std::int64_t size) {
    return cost.dot_s(dtype, 1, size, size, size) / cost.dot_s(DType::f32, 1, size, size, size);
  };
  CHECK(relative(DType::bf16, 64) == Approx(2).epsilon(0.01));
  CHECK(relative(DType::bf16, 1024) == Approx(0.5).epsilon(0.01));
  CHECK(relative(DType::bf16, 256) < 2);
  CHECK(relative(DType::bf16, 256) > 0.5);
  CHECK(relative(DType::f16, 256) == 1);  // not measured
  CHECK(relative(DType::f64, 256) == 2);
  Cluster cluster = one_device();
  apply(calibration, cluster);
  CHECK(cluster.models.front().peak_flops.at(DType::bf16) == 2e9);
}

TEST_CASE("a device without a rate for 16 bits computes them as f32") {
  Cluster cluster = one_device();
  cluster.models.front().memory_bytes_per_s = 1e30;
  cluster.models.front().peak_flops = {{DType::f32, 1e12}, {DType::f16, 4e12}};
  const CostModel cost(cluster);
  const auto seconds = [&](DType dtype) { return cost.dot_s(dtype, 1, 512, 512, 512); };
  CHECK(seconds(DType::bf16) == seconds(DType::f32));
  CHECK(seconds(DType::f16) == Approx(seconds(DType::f32) / 4));
}

TEST_CASE("a dot is priced by the dtype of its operands, not of its result") {
  const Calibration calibration = measured();
  const CostModel cost(one_device(), &calibration);
  const auto seconds = [&](DType operands, DType result) {
    ir::Builder b("dot");
    const Shape shape{operands, {1024, 1024}};
    const ValueId x = b.input(InputKind::batch, shape, {}, "x"),
                  y = b.input(InputKind::batch, shape, {}, "y");
    b.output(b.add(Op{.kind = OpKind::dot,
                      .shape = {result, {}},
                      .operands = {x, y},
                      .attributes = DotAttr{{}, {}, {1}, {0}}}),
             OutputKind::value);
    return cost.program_s(lower::lower(std::move(b).finish()));
  };
  CHECK(seconds(DType::bf16, DType::f32) == seconds(DType::bf16, DType::bf16));
  CHECK(seconds(DType::bf16, DType::f32) == Approx(seconds(DType::f32, DType::f32) / 2));
}
