// SPDX-License-Identifier: Apache-2.0
#include "calibrate/probe_plan.hpp"

#include <catch2/catch.hpp>

#include "calibrate/probes.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::calibrate;

namespace {

constexpr int kRepetitions = 8;
constexpr int kBarrier = 2;  // Start and Wait of the barrier that stands before a run's repetitions

Cluster two_devices() {
  Cluster cluster;
  cluster.hosts = {{"here", {0, 1}}};
  cluster.host_of = cluster.model_of = {0, 0};
  cluster.models.emplace_back();
  return cluster;
}

/// Of a plan: all instructions of both devices, of that many seconds each.
plan::StepTrace trace_of(const plan::ExecutionPlan& plan, const auto& seconds) {
  plan::StepTrace trace;
  for (std::int32_t device = 0; device < 2; ++device) {
    plan::DeviceTrace& own = trace.devices.emplace_back();
    double now_s = 0;
    for (std::int32_t i = 0; i < std::ssize(plan.roles[0].instructions); ++i) {
      const double end_s = now_s + seconds(device, i);
      own.events.push_back({0, i, now_s, end_s});
      now_s = end_s;
    }
  }
  return trace;
}

}  // namespace

TEST_CASE("a run takes the mean of all devices' repetitions, but for those held up") {
  ProbePlan probes(two_devices(), kRepetitions);
  const std::size_t probe = probes.add_run(update_probe(16));
  const plan::ExecutionPlan& plan = probes.finish();
  const std::vector<plan::Instruction>& list = plan.roles[0].instructions;
  REQUIRE(list.size() == kBarrier + 1 + kRepetitions);
  CHECK(list[0].kind == plan::InstructionKind::start);
  CHECK(plan.communications[at(list[0].index)].groups ==
        std::vector<std::vector<DeviceId>>{{0, 1}});
  CHECK(list[1].kind == plan::InstructionKind::wait);
  const auto seconds = [&](const auto& of) { return probes.seconds(trace_of(plan, of), probe); };
  // Each device is slow half of the time: neither the slower one of both nor a median tells that.
  const ProbeSeconds half =
      seconds([](int device, int i) { return (i + device) % 4 < 2 ? 1.0 : 1.2; });
  CHECK(half.typical == Approx(1.1));
  CHECK(half.best == Approx(1));  // both at once
  CHECK(seconds([](int device, int) { return device == 0 ? 1.0 : 1.2; }).typical == Approx(1.1));
  // The first repetition warms up; what happens now and then does not count.
  CHECK(seconds([](int, int i) { return i <= kBarrier ? 99.0 : 1.0; }).typical == Approx(1));
  CHECK(seconds([](int, int i) { return i == kBarrier + 3 ? 99.0 : 1.0; }).typical == Approx(1));
}

TEST_CASE("what holds runs up now and then is told of all of them together") {
  ProbePlan probes(two_devices(), kRepetitions);
  probes.add_run(update_probe(16));
  probes.add_run(update_probe(32));
  probes.add_message(0, 1, 16);
  const plan::ExecutionPlan& plan = probes.finish();
  const auto held_up = [&](const auto& of) {
    const plan::StepTrace trace = trace_of(plan, of);
    return probes.held_up({trace, trace});
  };
  CHECK(held_up([](int, int) { return 1.0; }) == Approx(1));
  CHECK(held_up([](int device, int) { return device == 0 ? 1.0 : 1.2; }) == Approx(1));
  // One repetition of the sixteen that two devices make of the first probe.
  const auto once = [](double seconds) {
    return
        [seconds](int device, int i) { return device == 1 && i == kBarrier + 4 ? seconds : 1.0; };
  };
  CHECK(held_up(once(9)) == Approx((2 * 16 + 8) / (2.0 * 16)));
  CHECK(held_up(once(1.4)) == Approx(1));  // in the mean of its probe
  // What gets warm, barriers and messages are no runs that count.
  CHECK(held_up([](int, int i) { return i <= kBarrier ? 9.0 : 1.0; }) == Approx(1));
  CHECK(held_up([&](int, int i) {
          return i >= 2 * (kBarrier + 1 + kRepetitions) ? 9.0 * i : 1.0;
        }) == Approx(1));
}

TEST_CASE("repetitions that warm up do not count") {
  ProbePlan probes(two_devices(), kRepetitions);
  const std::size_t probe = probes.add_run(update_probe(16), {.warm = 3});
  const plan::ExecutionPlan& plan = probes.finish();
  REQUIRE(plan.roles[0].instructions.size() == kBarrier + kRepetitions + 3);
  const auto trace = trace_of(plan, [](int, int i) { return i < kBarrier + 3 ? 99.0 : 1.0; });
  CHECK(probes.seconds(trace, probe).typical == Approx(1));
}

TEST_CASE("a probe may be run more often than others") {
  ProbePlan probes(two_devices(), 2);
  const std::size_t usual = probes.add_run(update_probe(16)),
                    often = probes.add_run(update_probe(32), {.warm = 2, .timed = 5});
  const plan::ExecutionPlan& plan = probes.finish();
  const int begin = kBarrier + 3;  // of the second one's barrier
  REQUIRE(plan.roles[0].instructions.size() == begin + kBarrier + 7);
  const auto trace = trace_of(plan, [&](int, int i) {
    return i < begin ? 1.0 : i < begin + kBarrier + 2 ? 99.0 : 2.0 + 0.1 * (i % 5);
  });
  CHECK(probes.seconds(trace, usual).typical == Approx(1));
  CHECK(probes.seconds(trace, often).typical == Approx(2.2));  // the mean of all five
}

TEST_CASE("of a message both ends wait for the slower one") {
  ProbePlan probes(two_devices(), kRepetitions);
  const std::size_t probe = probes.add_message(0, 1, 16);
  const plan::ExecutionPlan& plan = probes.finish();
  const auto trace = trace_of(plan, [](int device, int) { return device == 0 ? 1.0 : 1.2; });
  CHECK(probes.seconds(trace, probe).typical == Approx(2 * 1.2));  // Start and Wait
}

TEST_CASE("weights that lie apart are buffers of their own") {
  for (const bool is_apart : {false, true}) {
    ProbePlan probes(two_devices());
    probes.add_run(products_probe(4, 8, 5, Layout::plain, is_apart));
    // x, weights, and what comes out; both ends of the barrier.
    CHECK(probes.finish().roles[0].buffers.size() == (is_apart ? 7 : 3) + 2);
  }
}

/// Of two that lie in one place one would be read for nothing.
TEST_CASE("a sum reads another buffer than it writes over") {
  ProbePlan probes(two_devices());
  probes.add_run(sum_probe(16));
  const plan::Instruction run = probes.finish().roles[0].instructions.back();
  REQUIRE(run.inputs.size() == 2);
  CHECK(run.inputs[0] != run.inputs[1]);
  CHECK(run.outputs == std::vector{run.inputs[0]});
}

TEST_CASE("runs beside a reduction are timed, not their barrier nor what goes on beside them") {
  constexpr std::size_t kTurns = 3;
  ProbePlan probes(two_devices(), kRepetitions);
  const std::size_t probe = probes.add_runs_beside({update_probe(16), sum_probe(16)}, kTurns, 16);
  const plan::ExecutionPlan& plan = probes.finish();
  const std::vector<plan::Instruction>& list = plan.roles[0].instructions;
  REQUIRE(list.size() == (kRepetitions + 1) * (4 + 2 * kTurns));
  CHECK(list[2].kind == plan::InstructionKind::start);
  CHECK(plan.communications[at(list[2].index)].parts == std::vector<Shape>{{DType::f32, {16}}});
  const auto trace = trace_of(plan, [&](int, int i) {
    const plan::Instruction& own = list[at(i)];
    return own.kind == plan::InstructionKind::run ? 1.0 + own.index : 50.0;
  });
  CHECK(probes.seconds(trace, probe).typical == Approx(kTurns * (1 + 2)));
}

TEST_CASE("a run that comes back after others is timed alone, and so are those") {
  constexpr std::size_t kOthers = 3;
  constexpr int kWarm = 4;
  ProbePlan probes(two_devices(), kRepetitions);
  const Paused paused = probes.add_paused_run(update_probe(16), update_probe(32), kOthers, kWarm);
  const std::size_t next = probes.add_run(update_probe(16));
  const plan::ExecutionPlan& plan = probes.finish();
  const std::vector<plan::Instruction>& list = plan.roles[0].instructions;
  constexpr std::size_t kTurn = kOthers + kBarrier + 1;
  REQUIRE(list.size() == (kRepetitions + kWarm) * kTurn + kBarrier + 1 + kRepetitions);
  CHECK(plan.num_micro_batches == kRepetitions + kWarm);  // instances of the barriers
  for (std::size_t i = 0; i < kRepetitions + kWarm; ++i) {
    const auto instance = static_cast<std::int32_t>(i);
    CHECK(list[i * kTurn + kOthers].kind == plan::InstructionKind::start);
    CHECK(list[i * kTurn + kOthers].instance == instance);
    CHECK(list[i * kTurn + kOthers + 1].kind == plan::InstructionKind::wait);
    CHECK(list[i * kTurn + kOthers + 1].instance == instance);
  }
  const std::int32_t own = list[kTurn - 1].index, other = list[0].index;
  const auto num_cold = static_cast<int>(kWarm * kTurn);
  const auto trace = trace_of(plan, [&](int, int i) {
    const plan::Instruction& of = list[at(i)];
    if (of.kind != plan::InstructionKind::run || i < num_cold) return 50.0;
    return of.index == own ? 2.0 : of.index == other ? 7.0 : 1.0;
  });
  CHECK(probes.seconds(trace, paused.probe).typical == Approx(2));
  CHECK(probes.seconds(trace, paused.pause).typical == Approx(kOthers * 7));
  CHECK(probes.seconds(trace, next).typical == Approx(1));
}

TEST_CASE("a hot run is timed alone, behind many turns without a barrier") {
  constexpr int kTurns = 5;
  ProbePlan probes(two_devices(), kRepetitions);
  const std::size_t hot = probes.add_hot_run(update_probe(16), update_probe(32), kTurns);
  const std::size_t next = probes.add_run(update_probe(16));
  const plan::ExecutionPlan& plan = probes.finish();
  const std::vector<plan::Instruction>& list = plan.roles[0].instructions;
  constexpr std::size_t kAll = kBarrier + 2 * (kTurns + kRepetitions);
  REQUIRE(list.size() == kAll + kBarrier + 1 + kRepetitions);
  for (std::size_t i = kBarrier; i < kAll; ++i) {
    CHECK(list[i].kind == plan::InstructionKind::run);
    CHECK((list[i].index == list[kBarrier].index) == ((i - kBarrier) % 2 == 0));
  }
  const auto trace = trace_of(plan, [&](int, int i) {
    if (at(i) < kBarrier + 2 * kTurns) return 50.0;
    return at(i) >= kAll ? 1.0 : list[at(i)].index == list[kBarrier].index ? 7.0 : 2.0;
  });
  CHECK(probes.seconds(trace, hot).typical == Approx(2));
  CHECK(probes.seconds(trace, next).typical == Approx(1));
}

TEST_CASE("numbers of matrices have both signs, and what streams is all ones") {
  Cluster cluster = two_devices();
  cluster.hosts = {{"here", {0}}}, cluster.host_of = cluster.model_of = {0};
  ProbePlan probes(std::move(cluster), kRepetitions);
  probes.add_run(dot_probe({1, 2048, 2048, 2048, 0}, DType::bf16));
  probes.add_run(update_probe(1 << 23));
  probes.add_run(update_probe(1 << 10));
  const std::vector<plan::PlanInput>& inputs = probes.finish().roles[0].inputs;
  REQUIRE(inputs.size() == 3);  // both operands are one
  CHECK(inputs[0].initializer.kind == Initializer::Kind::uniform);
  CHECK(inputs[0].initializer.a == -inputs[0].initializer.b);
  CHECK(inputs[1].initializer.kind == Initializer::Kind::constant);
  CHECK(inputs[2].initializer.kind == Initializer::Kind::uniform);
  CHECK(inputs[2].initializer.a > 0);  // of which loops take roots
}
