// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine_probes.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "calibrate/probes.hpp"

using namespace rhino;
using namespace rhino::calibrate;

namespace {

WorkerSetup two_workers() {
  WorkerSetup setup;
  setup.num_ranks = 2;
  setup.session.device = "cpu";
  return setup;
}

/// A step whose Runs of program p take (p + 1) ms, or so many times that, all else 0.1 ms.
plan::StepTrace step_of(const plan::ExecutionPlan& plan, double longer) {
  plan::StepTrace step;
  for (std::int32_t device = 0; device < plan.cluster.num_devices(); ++device) {
    plan::DeviceTrace& own = step.devices.emplace_back();
    double now_s = 0;
    for (const plan::Instruction& instruction : plan.roles[0].instructions) {
      const bool runs = instruction.kind == plan::InstructionKind::run;
      const double end_s = now_s + (runs ? 1e-3 * longer * (instruction.index + 1) : 1e-4);
      own.events.push_back({.begin_s = now_s, .end_s = end_s});
      now_s = end_s;
    }
  }
  return step;
}

/// Two numbers that ought to be alike, but for so many times.
void check_times(double seconds, double before_s, double times) {
  CHECK(seconds == Approx(times * before_s).margin(1e-15));
}

}  // namespace

TEST_CASE("what holds all runs up is in the price of every kernel, and of no message") {
  const WorkerSetup setup = two_workers();
  MachineProbes probes(setup);
  const plan::ExecutionPlan& plan = probes.finish();
  const plan::StepTrace as_ever = step_of(plan, 1), held_up = step_of(plan, 3);
  const cost::Calibration calm = probes.read({as_ever, as_ever, as_ever}).calibration;
  const CalibrationRun run = probes.read({as_ever, as_ever, held_up});
  const cost::Calibration& now = run.calibration;
  constexpr double kTimes = (1 + 1 + 3) / 3.;
  CHECK(probes.read({as_ever}).disturbance == Approx(0).margin(1e-9));
  CHECK(run.disturbance == Approx(kTimes - 1));
  REQUIRE(now.dots.size() == calm.dots.size());
  const std::vector<cost::Calibration::Dot> transposed = transposed_grid(sizes_of(setup));
  REQUIRE(calm.dots_of_columns.size() == transposed.size());
  REQUIRE(calm.dots_of_rows.size() == transposed.size());
  std::size_t num_programs = 0, num_transposed = 0;
  // Of the first programs; those of columns and of rows follow the plain one.
  const auto check_next = [&](double seconds, const cost::Calibration::Dot& dot, Layout layout) {
    CHECK((plan.programs[num_programs] == dot_probe(dot, DType::f32, layout).program));
    CHECK(seconds == Approx(1e-3 * static_cast<double>(++num_programs)));
  };
  for (std::size_t i = 0; i < calm.dots.size(); ++i) {
    cost::Calibration::Dot dot = calm.dots[i];
    dot.seconds = 0;
    check_next(calm.dots[i].seconds, dot, Layout::plain);
    const auto found = std::ranges::find(transposed, dot);
    if (found != transposed.end()) {
      const auto index = static_cast<std::size_t>(found - transposed.begin());
      check_next(calm.dots_of_columns[index].seconds, dot, Layout::columns);
      check_next(calm.dots_of_rows[index].seconds, dot, Layout::rows);
      ++num_transposed;
    }
    check_times(now.dots[i].seconds, calm.dots[i].seconds, kTimes);
  }
  CHECK(num_transposed == transposed.size());
  for (const DType dtype : {DType::bf16, DType::f16}) {
    check_times(now.narrow_dots.at(dtype).dots.back().seconds,
                calm.narrow_dots.at(dtype).dots.back().seconds, kTimes);
  }
  check_times(now.dots_of_columns.back().seconds, calm.dots_of_columns.back().seconds, kTimes);
  check_times(now.dots_of_rows.back().seconds, calm.dots_of_rows.back().seconds, kTimes);
  CHECK(calm.kernel_latency_s > 0);
  check_times(now.kernel_latency_s, calm.kernel_latency_s, kTimes);
  for (const OpKind kind : {OpKind::add, OpKind::tanh, OpKind::transpose, OpKind::reduce})
    check_times(now.element_s.at(kind), calm.element_s.at(kind), kTimes);
  check_times(now.column_s, calm.column_s, kTimes);
  check_times(now.folds.back().seconds, calm.folds.back().seconds, kTimes);
  check_times(now.memory_bytes_per_s, calm.memory_bytes_per_s, 1 / kTimes);
  for (std::size_t i = 0; i < calm.reach.size(); ++i) {
    CHECK(calm.reach[i].update_s > 0);
    check_times(now.reach[i].update_s, calm.reach[i].update_s, kTimes);
  }
  // What is the best that a machine does, and what others do on links, is no kernel's price.
  CHECK(now.peak_flops == calm.peak_flops);
  CHECK(calm.intra_host.latency_s == Approx(2e-4));  // Start and Wait
  CHECK(now.intra_host.latency_s == Approx(2e-4));
}

TEST_CASE("what a pause forgets is told of a loop that comes back behind it") {
  const Sizes& sizes = sizes_of(two_workers());
  ProbePlan plan(cluster_of(two_workers()));
  const MemoryProbes memory(sizes, plan);
  const std::size_t num_sizes = sizes.reuse_bytes.size();
  REQUIRE(sizes.reuse_bytes[2] == 4'000'000);
  const auto rate_s = [&](std::size_t size) { return 1e-11 * static_cast<double>(size + 1); };
  const auto forgotten_of = [&](const std::vector<double>& shares) {
    const auto seconds = [&](std::size_t probe) -> ProbeSeconds {
      // Of each size an update, a sum and a copy; then pairs of what comes back and of the pause.
      if (probe < 3 * num_sizes) {
        const double bytes = static_cast<double>(sizes.reuse_bytes[probe / 3]);
        const double own_s = bytes * rate_s(probe / 3) * (probe % 3 == 0 ? 1 : 0.75);
        return {own_s, own_s};
      }
      const std::size_t pause = (probe - 3 * num_sizes) / 2;
      if (pause >= shares.size()) return {1, 1};  // dots
      if ((probe - 3 * num_sizes) % 2 == 1) return {1e-3 * static_cast<double>(pause + 1), 1};
      return {4e6 * std::lerp(rate_s(2), rate_s(num_sizes - 1), shares[pause]), 1};
    };
    cost::Calibration result;
    memory.read(seconds, result);
    return result.forgotten;
  };
  const auto found = forgotten_of({0.125, 0.25, 0.5, 1});
  REQUIRE(found.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(found[i].reuse_bytes == 4e6);
    CHECK(found[i].after_s == Approx(1e-3 * static_cast<double>(i + 1)));
    CHECK(found[i].share == Approx(std::ldexp(0.125, static_cast<int>(i))));
  }
  // Where no reuse is measured, nothing is read.
  Sizes none = sizes;
  none.reuse_bytes.clear();
  cost::Calibration nothing;
  MemoryProbes(none, plan).read([](std::size_t) { return ProbeSeconds{}; }, nothing);
  CHECK(nothing == cost::Calibration{});
  // Never less than before, never less than nothing.
  const auto odd = forgotten_of({-0.5, 0.5, 0.25, 9});
  for (const auto& [i, share] :
       std::vector<std::pair<std::size_t, double>>{{0, 0}, {1, 0.5}, {2, 0.5}, {3, 2}}) {
    CHECK(odd[i].share == Approx(share).margin(1e-9));
  }
}

TEST_CASE("dots of a hot device are all as much slower as the largest, and none is quicker") {
  const cost::Calibration::NarrowDots cold{{{1, 8, 8, 8, 0.5}, {1, 64, 64, 64, 2}}, 1e9};
  const cost::Calibration::NarrowDots hot = heated(cold, 2.5);
  CHECK(hot.dots[0].seconds == Approx(0.5 * 1.25));
  CHECK(hot.dots[1].seconds == Approx(2.5));
  CHECK(hot.peak_flops == cold.peak_flops);
  CHECK(heated(cold, 1.9) == cold);
}

TEST_CASE("a convolution is told by its product, whatever holds the machine up") {
  const WorkerSetup setup = two_workers();
  MachineProbes probes(setup);
  const plan::ExecutionPlan& plan = probes.finish();
  const cost::Calibration calm = probes.read({step_of(plan, 1)}).calibration,
                          slow = probes.read({step_of(plan, 2)}).calibration;
  const auto& measured = calm.convolutions.at(DType::f32);
  const Sizes& sizes = sizes_of(setup);
  REQUIRE(measured.size() == 3 * sizes.images.size());
  cost::Calibration without = calm;
  without.convolutions.clear();
  const cost::CostModel products(cluster_of(setup), &without);
  constexpr std::array kPasses{Pass::forward, Pass::of_images, Pass::of_kernel};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& one = measured[i];
    const Probe probe = convolution_probe(sizes.images[i / 3], DType::f32, kPasses[i % 3]);
    const auto found = std::ranges::find(plan.programs, probe.program);
    REQUIRE(found != plan.programs.end());
    const double seconds = 1e-3 * static_cast<double>(found - plan.programs.begin() + 1);
    CHECK(one.times * products.convolution_s(DType::f32, {one.batch, one.m, one.n, one.k}) ==
          Approx(seconds));
    CHECK(slow.convolutions.at(DType::f32)[i].times == Approx(one.times));
  }
}
