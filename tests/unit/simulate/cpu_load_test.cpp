// SPDX-License-Identifier: Apache-2.0
#include "simulate/cpu_load.hpp"

#include <catch2/catch.hpp>

#include "conformance/random_reshard.hpp"
#include "plan/single_communication.hpp"

using namespace rhino;

TEST_CASE("the work of messages is that of their bytes and pieces, on all cores") {
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(2, 2);
  const ShardingSpec whole{{{}}, {}};
  const std::int64_t count = (5 << 20) / 4 / 2;  // 2.5 MiB: three pieces
  problem.tensors.push_back(
      {{DType::f32, {count}}, {{{"x", 1}}, {0}}, whole, {{{{{"x", 2}}, {2, 3}}, whole}}});
  const Box all{{0}, {count}};
  const TransferPlan transfers{{{0, Copy{0, 2, all}, {}}, {0, Copy{2, 3, all}, {0}}}};
  cost::Calibration calibration;
  calibration.intra_host = {1e9, 0};
  calibration.network_cpu_s_per_byte = 2e-9;
  calibration.network_cpu_s_per_piece = 1e-3;
  const double bytes = 4.0 * static_cast<double>(count);
  CHECK(simulate::cpu_s(plan::reshard_plan(problem, transfers), calibration, 2) ==
        Approx((bytes * 2e-9 + 3 * 1e-3 + bytes / 1e9) / 2));
}
