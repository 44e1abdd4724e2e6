// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "cost/cost.hpp"
#include "cost/loop_price.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

constexpr std::int64_t kSumElements = 1000;
constexpr double kSumBytes = 4.0 * kSumElements;

/// Latency 1, arithmetic for nothing; a byte is read in 1 s near by and 4 s far away, written, or
/// updated, in twice that.
Calibration with_reach() {
  Calibration calibration{.element_s = {{OpKind::add, 0}}, .memory_bytes_per_s = 0.01};
  calibration.reach = {{1e6, 1, 2, 2}, {4e6, 4, 8, 8}};
  calibration.kernel_latency_s = 1;
  return calibration;
}

Cluster sole_device() {
  Cluster cluster;
  cluster.hosts.emplace_back();
  cluster.host_of = cluster.model_of = {0};
  cluster.models.emplace_back();
  return cluster;
}

/// state + gradient, or what else is to be made of them, in place of the state or elsewhere.
lower::LoweredProgram sum(bool in_place, OpKind kind = OpKind::add) {
  ir::Builder b("sum");
  const Shape shape{DType::f32, {kSumElements}};
  const ValueId state = b.input(InputKind::optimizer_state, shape, {}, "state"),
                gradient = b.input(InputKind::batch, shape, {}, "gradient");
  const ValueId made = b.binary(kind, state, gradient);
  if (in_place) b.output(made, OutputKind::updated_state, 0);
  else b.output(made, OutputKind::value);
  return lower::lower(std::move(b).finish());
}

/// x w, where w is given as its columns.
lower::LoweredProgram product(bool transposed) {
  ir::Builder b("dot");
  const Shape shape{DType::f32, {8, 8}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x"),
                w = b.input(InputKind::parameter, shape, {}, "w");
  b.output(b.dot(x, w, {.lhs_contracting = {1}, .rhs_contracting = {transposed ? 1 : 0}}),
           OutputKind::value);
  return lower::lower(std::move(b).finish());
}

double behind(double arithmetic_s, double read_s) {
  return std::pow(std::pow(arithmetic_s, 1.5) + std::pow(read_s, 1.5), 2. / 3);
}

/// What the one kernel of a program touches, its inputs and outputs that far.
std::vector<std::vector<Touch>> far(const lower::LoweredProgram& lowered,
                                    const std::vector<double>& inputs,
                                    const std::vector<double>& outputs) {
  const auto bytes = [&](ValueId id) {
    return static_cast<double>(num_bytes(lowered.program.shape(id)));
  };
  std::vector<Touch> touches;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    touches.push_back({bytes(lowered.program.inputs[i].value), inputs[i], Touch::Kind::read});
  const ValueId made = lowered.groups.at(0).outputs.at(0);
  const bool is_over = lowered.placed_in[static_cast<std::size_t>(made)] != kNoValue;
  touches.push_back({bytes(made), outputs.at(0), is_over ? Touch::Kind::over : Touch::Kind::fresh});
  return {touches};
}

}  // namespace

TEST_CASE("a byte costs what was measured where as many others lie between its uses") {
  const Calibration calibration = with_reach();
  const CostModel cost(sole_device(), &calibration);
  const lower::LoweredProgram lowered = sum(true);
  const auto seconds = [&](double state, double gradient) {
    return cost.kernel_times(lowered, far(lowered, {state, gradient}, {state})).run_s;
  };
  CHECK(seconds(0, 0) == Approx(1 + 3 * kSumBytes));
  CHECK(seconds(1e6, 0) == seconds(0, 0));
  CHECK(seconds(0, 2e6) == Approx(1 + (1 + 2.5 + 1) * kSumBytes));  // half way, in octaves
  CHECK(seconds(4e6, 0) == Approx(1 + (4 + 1 + 4) * kSumBytes));
  CHECK(seconds(1e12, 1e12) == seconds(4e6, 4e6));
  double before_s = 0;
  for (double bytes = 1e5; bytes < 1e7; bytes *= 1.1) {
    CHECK(seconds(bytes, 0) >= before_s);
    before_s = seconds(bytes, 0);
  }
}

TEST_CASE("what the shared cache forgets by time lies as far as all others, a core's own is kept") {
  Calibration calibration = with_reach();
  calibration.reach = {{1e6, 1, 2, 2}, {4e6, 2, 4, 4}, {64e6, 6, 12, 12}};
  calibration.forgotten = {{4e6, 1e-3, 0.25}, {4e6, 4e-3, 0.75}};
  const CostModel cost(sole_device(), &calibration);
  const lower::LoweredProgram lowered = sum(true);
  const auto seconds = [&](double state, double gradient, double after_s) {
    auto touches = far(lowered, {state, gradient}, {state});
    for (Touch& touch : touches[0]) touch.reuse_s = after_s;
    return (cost.kernel_times(lowered, touches).run_s - 1) / kSumBytes;
  };
  CHECK(seconds(4e6, 1e6, 0) == Approx(2 + 1 + 2));
  CHECK(seconds(4e6, 1e6, 1e-3) == Approx(3 + 1 + 3));  // a quarter of the way to 6
  CHECK(seconds(4e6, 1e6, 0.5e-3) == Approx(2.5 + 1 + 2.5));
  CHECK(seconds(4e6, 1e6, 2e-3) == Approx(4 + 1 + 4));  // half way, in octaves
  CHECK(seconds(4e6, 1e6, 9) == Approx(5 + 1 + 5));
  CHECK(seconds(2e6, 1e6, 9) == Approx(1.5 + 0.375 * 4.5 + 1 + 1.5 + 0.375 * 4.5));
  CHECK(seconds(64e6, 1e6, 9) == Approx(6 + 1 + 6));
}

TEST_CASE("a dot reads what was forgotten by time from as far as all others") {
  Calibration calibration = with_reach();
  calibration.reach = {{1e6, 1, 2, 2}, {4e6, 2, 4, 4}, {64e6, 6, 12, 12}};
  calibration.far_reads_of_dots = {{4e6, 10, 15}, {64e6, 30, 45}};
  calibration.forgotten = {{4e6, 1e-3, 0.5}};
  const double bytes = 4 * 64;
  const auto read_s = [&](double reuse_bytes, double after_s, bool has_rhs_rows) {
    const std::vector<Touch> touches{{bytes, reuse_bytes, Touch::Kind::read, after_s}};
    return farther_of_dot(calibration, touches, has_rhs_rows).read_s / bytes;
  };
  CHECK(read_s(4e6, 0, false) == Approx(10));
  CHECK(read_s(4e6, 1, false) == Approx(20));
  CHECK(read_s(4e6, 1, true) == Approx(30));
  CHECK(read_s(64e6, 1, false) == Approx(30));
  CHECK(read_s(0, 1, false) == Approx(0).margin(1e-9));
}

TEST_CASE("what is not written over what was read is written anew") {
  const Calibration calibration = with_reach();
  const CostModel cost(sole_device(), &calibration);
  const lower::LoweredProgram lowered = sum(false);
  CHECK(cost.kernel_times(lowered, far(lowered, {0, 0}, {0})).run_s ==
        Approx(1 + (1 + 1 + 2) * kSumBytes));
  CHECK(cost.kernel_times(lowered, far(lowered, {0, 0}, {4e6})).run_s ==
        Approx(1 + (1 + 1 + 8) * kSumBytes));
}

TEST_CASE("no loop is quicker than at its least, and none knows of memory that was not measured") {
  Calibration calibration = with_reach();
  const lower::LoweredProgram lowered = sum(true);
  const CostModel cost(sole_device(), &calibration);
  CHECK(cost.least_stream_s(3 * kSumBytes) == Approx(3 * kSumBytes));
  CHECK(cost.stream_s(kSumBytes) == Approx((4 + 8) / 2.0 * kSumBytes));
  CHECK(cost.kernel_times(lowered, far(lowered, {0, 0}, {0})).run_s >=
        cost.least_stream_s(3 * kSumBytes));

  calibration.reach.clear();
  const CostModel flat(sole_device(), &calibration);
  CHECK_FALSE(flat.knows_reach());
  CHECK(flat.least_stream_s(kSumBytes) == flat.stream_s(kSumBytes));
  CHECK(flat.kernel_times(lowered, far(lowered, {1e12, 1e12}, {0})).run_s ==
        flat.kernel_times(lowered).run_s);
  const CostModel modelled(sole_device());
  CHECK_FALSE(modelled.knows_reach());
}

TEST_CASE(
    "a dot waits for what is farther than after itself, and longer where operands lie badly") {
  Calibration calibration = with_reach();
  const double near_s = 1000, bytes = 4.0 * 8 * 8;
  calibration.dots = {{1, 8, 8, 8, near_s}};
  calibration.dots_of_rows = {{1, 8, 8, 8, 1.25 * near_s}};
  const CostModel cost(sole_device(), &calibration);
  const auto seconds = [&](bool transposed, double x, double w, double y) {
    const lower::LoweredProgram lowered = product(transposed);
    return cost.kernel_times(lowered, far(lowered, {x, w}, {y})).run_s;
  };
  CHECK(seconds(false, 0, 1e6, 0) == Approx(near_s));
  CHECK(seconds(false, 0, 4e6, 0) == Approx(behind(near_s, 3 * bytes)));
  CHECK(seconds(false, 0, 0, 4e6) == Approx(near_s + 6 * bytes));
  CHECK(seconds(true, 0, 0, 0) == Approx(1.25 * near_s));
  CHECK(seconds(false, 4e6, 4e6, 4e6) == Approx(behind(near_s, 6 * bytes) + 6 * bytes));
  calibration.far_reads_of_dots = {{4e6, 6, 15}, {16e6, 8, 25}};
  CHECK(seconds(false, 0, 4e6, 0) == Approx(behind(near_s, 6 * bytes)));
  CHECK(seconds(false, 0, 2e6, 0) == Approx(behind(near_s, 3 * bytes)));  // as loops on the way
  CHECK(seconds(false, 0, 8e6, 0) == Approx(behind(near_s, 7 * bytes)));  // half way, in octaves
  CHECK(seconds(true, 0, 4e6, 0) == Approx(behind(1.25 * near_s, 15 * bytes)));
  CHECK(seconds(true, 0, 1e9, 0) == Approx(behind(1.25 * near_s, 25 * bytes)));
  CHECK(seconds(true, 0, 0, 0) == Approx(1.25 * near_s));
  CHECK(cost::read_s_of_dot(near_s, behind(near_s, 7)) == Approx(7).epsilon(1e-3));
  CHECK(cost::read_s_of_dot(near_s, 0.99 * near_s) == 0);
  // One that fills all caches never found its bytes near.
  calibration.reach = {{bytes, 1, 2, 2}, {3 * bytes, 4, 8, 8}};
  calibration.far_reads_of_dots = {{3 * bytes, 6, 15}};
  CHECK(seconds(false, 0, 1e9, 1e9) == Approx(near_s));
  // Who does not know how they lie takes the least.
  CHECK(cost.kernel_times(product(true)).run_s == Approx(near_s));
  calibration.dots_of_rows.front().seconds = 0.5 * near_s;
  CHECK(seconds(true, 0, 0, 0) == Approx(near_s));
}

TEST_CASE("a convolution reads kernels and writes images from afar as a dot does") {
  Calibration calibration = with_reach();
  constexpr double kNear_s = 1000, kTensorBytes = 4 * 8 * 8;
  calibration.dots = {{1, 8, 8, 8, 500}};
  calibration.convolutions[DType::f32] = {{1, 8, 8, 8, kNear_s / (1 + 500)}};  // of a latency of 1
  const CostModel cost(sole_device(), &calibration);
  ir::Builder b("convolution");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {2, 2, 2, 8}}, {}, "x"),
                w = b.input(InputKind::parameter, {DType::f32, {1, 1, 8, 8}}, {}, "w");
  b.output(
      b.add(
          Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = ir::channels_last(2)}),
      OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  const auto seconds = [&](double kernel, double image) {
    return cost.kernel_times(lowered, far(lowered, {0, kernel}, {image})).run_s;
  };
  CHECK(seconds(0, 0) == Approx(kNear_s));
  CHECK(seconds(4e6, 0) == Approx(behind(kNear_s, kTensorBytes * (4 - 1))));
  CHECK(seconds(0, 4e6) == Approx(kNear_s + kTensorBytes * (8 - 2)));
}

/// Two matrices of 64 columns beside each other, each product written to columns of its own.
TEST_CASE("a dot by heads is priced as a product each") {
  Calibration calibration = with_reach();
  calibration.dots = {{1, 8, 16, 8, 1000}, {2, 8, 8, 8, 3000}};
  const CostModel cost(sole_device(), &calibration);
  ir::Builder b("heads");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {8, 8}}, {}, "x"),
                w = b.input(InputKind::parameter, {DType::f32, {8, 2, 8}}, {}, "w");
  const ValueId y = b.dot(x, w, {.lhs_contracting = {1}, .rhs_contracting = {0}});
  b.output(y, OutputKind::value);
  lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(cost.kernel_times(lowered, far(lowered, {0, 0}, {0})).run_s == Approx(1000));  // [8, 16]
  const ValueId dot = lowered.groups.at(0).ops.front();
  REQUIRE(lowered.views[static_cast<std::size_t>(dot)].strides ==
          std::vector<std::int64_t>{16, 8, 1});
  lowered.views[static_cast<std::size_t>(dot)].strides = {8, 64, 1};  // head by head
  CHECK(cost.kernel_times(lowered, far(lowered, {0, 0}, {0})).run_s == Approx(3000).epsilon(1e-3));
}

TEST_CASE("a loop hides parts of its bytes and of what it computes behind each other") {
  Calibration calibration = with_reach();
  const auto seconds = [&](double arithmetic_s, double state) {
    calibration.element_s = {{OpKind::add, 4 * arithmetic_s / kSumBytes}};
    const lower::LoweredProgram lowered = sum(true);
    return CostModel(sole_device(), &calibration)
        .kernel_times(lowered, far(lowered, {state, 0}, {state}))
        .run_s;
  };
  CHECK(seconds(4 * kSumBytes, 0) == Approx(1 + behind(4 * kSumBytes, 3 * kSumBytes)));
  CHECK(seconds(12 * kSumBytes, 4e6) == Approx(1 + behind(12 * kSumBytes, 9 * kSumBytes)));
  CHECK(seconds(0, 0) == Approx(1 + 3 * kSumBytes));
}

/// It waits for a row before it goes over it again.
TEST_CASE("a loop that folds rows hides nothing") {
  Calibration calibration = with_reach();
  calibration.folds = {{50, 1e5}};
  const CostModel cost(sole_device(), &calibration);
  ir::Builder b("reduce");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {40, 50}}, {}, "x");
  b.output(b.reduce(x, {1}, Reduction::sum), OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(cost.kernel_times(lowered, far(lowered, {0}, {0})).run_s ==
        Approx(1 + 40 * 1e5 + 4 * (40 * 50 * 1 + 40 * 2)));
}

TEST_CASE("a reduction of a row takes what rows of its length took") {
  Calibration calibration = with_reach();
  calibration.folds = {{10, 5e6}, {1000, 20e6}};
  const CostModel cost(sole_device(), &calibration);
  const auto seconds = [&](std::int64_t row) {
    ir::Builder b("reduce");
    const ValueId x = b.input(InputKind::batch, {DType::f32, {40, row}}, {}, "x");
    b.output(b.reduce(x, {1}, Reduction::sum), OutputKind::value);
    return cost.kernel_times(lower::lower(std::move(b).finish())).run_s;
  };
  const auto moving = [&](std::int64_t row) { return cost.stream_s(4. * (40. * row + 40)); };
  CHECK(seconds(5) == Approx(1 + 40 * 5e6 + moving(5)).epsilon(1e-12));
  CHECK(seconds(10) == Approx(1 + 40 * 5e6 + moving(10)).epsilon(1e-12));
  CHECK(seconds(100) == Approx(1 + 40 * 12.5e6 + moving(100)).epsilon(1e-12));  // half the octaves
  CHECK(seconds(1000) == Approx(1 + 40 * 20e6 + moving(1000)).epsilon(1e-12));
  CHECK(seconds(3000) == Approx(1 + 40 * 60e6 + moving(3000)).epsilon(1e-12));
}

TEST_CASE("a reduction along columns adds rows to each other, one along rows folds each") {
  Calibration calibration = with_reach();
  calibration.element_s = {{OpKind::add, 1e3}, {OpKind::reduce, 1e5}};
  const CostModel cost(sole_device(), &calibration);
  const auto seconds = [&](std::int64_t dim) {
    ir::Builder b("reduce");
    const ValueId x = b.input(InputKind::batch, {DType::f32, {40, 50}}, {}, "x");
    b.output(b.reduce(x, {dim}, Reduction::sum), OutputKind::value);
    return cost.kernel_times(lower::lower(std::move(b).finish())).run_s;
  };
  const double along_s = cost.stream_s(4. * (2000 + 50)), rows_s = cost.stream_s(4. * (2000 + 40));
  const auto beside = [&](double adding_s) {
    return 1 + std::pow(std::pow(adding_s, 1.5) + std::pow(along_s, 1.5), 2. / 3);
  };
  CHECK(seconds(0) == Approx(beside(2000 * 1e3)).epsilon(1e-12));
  calibration.column_s = 3e3;
  CHECK(seconds(0) == Approx(beside(2000 * 3e3)).epsilon(1e-12));
  CHECK(seconds(1) == Approx(1 + 2000 * 1e5 + rows_s).epsilon(1e-12));
}

TEST_CASE("one rate of memory is hidden behind a loop by parts, behind rows that fold not at all") {
  Calibration calibration;
  calibration.kernel_latency_s = 1;
  calibration.memory_bytes_per_s = 4;
  calibration.element_s = {{OpKind::add, 5}, {OpKind::reduce, 7}};
  const CostModel cost(sole_device(), &calibration);
  const auto seconds = [&](const auto& op) {
    ir::Builder b("loop");
    const ValueId x = b.input(InputKind::batch, {DType::f32, {40, 50}}, {}, "x");
    b.output(op(b, x), OutputKind::value);
    const lower::LoweredProgram loop = lower::lower(std::move(b).finish());
    REQUIRE(loop.groups.size() == 1);
    return cost.group_s(loop, loop.groups[0]);
  };
  CHECK(seconds([](ir::Builder& b, ValueId x) { return b.reduce(x, {1}, Reduction::sum); }) ==
        Approx(1 + 2000 * 7 + 2040));
  CHECK(seconds([](ir::Builder& b, ValueId x) { return b.add(x, x); }) ==
        Approx(1 + std::pow(std::pow(2000 * 5, 1.5) + std::pow(4000, 1.5), 2. / 3)));
}

TEST_CASE("a sum inside a calibrated host takes what sums of its size took") {
  cost::Calibration calibration;
  calibration.intra_host = {1e9, 1e-6, 0};
  calibration.collective_shares = {{1e3, 2, 2}, {1e6, 0.5, 2}};
  Cluster cluster;
  cluster.hosts = {{"here", {0, 1}}};
  cluster.host_of = cluster.model_of = {0, 0};
  cluster.models.emplace_back();
  cost::apply(calibration, cluster);
  const cost::CostModel cost(cluster, &calibration);
  const std::vector<DeviceId> both{0, 1};
  // Of an operand each member sends and adds all in two rounds, half of it at a time.
  CHECK(cost.collective_s(OpKind::all_reduce, 2e3, both) == Approx(2e-6 + 2e3 / 2e9));
  CHECK(cost.collective_s(OpKind::all_reduce, 2e6, both) == Approx(2e-6 + 2e6 / 0.5e9));
  // Of each what the other has; as sums where it was not measured by itself.
  CHECK(cost.collective_s(OpKind::all_gather, 2e6, both) == Approx(1e-6 + 2e6 / 0.5e9));
  CHECK(cost.core_s({OpKind::all_reduce, 2e6, both}) == Approx(2e6 / 0.5e9));
  calibration.shares_of_kind = {{OpKind::all_gather, {{1e6, 0.25, 2}}}};
  cost::apply(calibration, cluster);
  const cost::CostModel by_kind(cluster, &calibration);
  CHECK(by_kind.collective_s(OpKind::all_reduce, 2e6, both) == Approx(2e-6 + 2e6 / 0.5e9));
  CHECK(by_kind.collective_s(OpKind::all_gather, 2e6, both) == Approx(1e-6 + 2e6 / 0.25e9));
  CHECK(by_kind.core_s({OpKind::all_gather, 2e6, both}) == Approx(2e6 / 0.25e9));
}
