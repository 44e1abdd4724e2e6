// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "rhino/error.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;
using namespace rhino::simulate;

namespace {

/// A device that does 1 FLOP per second and nothing else counts: a dot of [1,k] x [k,1] takes 2k
/// seconds.
Cluster slow_cluster(std::int32_t num_devices, double bytes_per_s) {
  Cluster cluster;
  cluster.models = {
      {.memory_bytes = 1e12, .memory_bytes_per_s = 1e18, .peak_flops = {{DType::f32, 1}}}};
  cluster.hosts = {{"h", {}}};
  cluster.intra_host = cluster.inter_host = {bytes_per_s, 0};
  for (DeviceId device = 0; device < num_devices; ++device) {
    cluster.hosts[0].devices.push_back(device);
    cluster.host_of.push_back(0);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

Program program_of_seconds(std::int64_t seconds) {
  ir::Builder b("work");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {1, seconds / 2}}, {}, "x");
  const ValueId y = b.input(InputKind::batch, {DType::f32, {seconds / 2, 1}}, {}, "y");
  b.output(b.dot(x, y, {.lhs_contracting = {1}, .rhs_contracting = {0}}), OutputKind::value);
  return std::move(b).finish();
}

/// A chain of stages with one device each: `forward` and `backward` seconds, messages of 4 bytes
/// each way, `warm_up(stage)` forwards first.
template <class WarmUp>
plan::ExecutionPlan pipeline(std::int32_t stages, std::int32_t micro_batches, std::int64_t forward,
                             std::int64_t backward, double bytes_per_s, WarmUp&& warm_up) {
  plan::ExecutionPlan plan;
  plan.num_micro_batches = micro_batches;
  plan.cluster = slow_cluster(stages, bytes_per_s);
  plan.programs = {program_of_seconds(forward), program_of_seconds(backward)};
  const auto transfer = [&](DeviceId from, DeviceId to) {
    const Box one{{0}, {1}};
    plan.communications.push_back(
        {.parts = {{DType::f32, {1}}},
         .steps = {{.from = from, .to = to, .global = one, .source = one, .target = one}}});
    return static_cast<std::int32_t>(plan.communications.size()) - 1;
  };
  std::vector<std::int32_t> ahead, back;
  for (std::int32_t s = 0; s + 1 < stages; ++s)
    ahead.push_back(transfer(s, s + 1)), back.push_back(transfer(s + 1, s));
  for (std::int32_t s = 0; s < stages; ++s) {
    plan::Role role;
    role.mesh = {{{"data", 1}}, {s}};
    const auto pass = [&](bool is_forward, std::int32_t micro) {
      const std::vector<std::int32_t>&in = is_forward ? ahead : back,
            &out = is_forward ? ahead : back;
      const std::int32_t from = is_forward ? s - 1 : s, to = is_forward ? s : s - 1;
      const bool receives = is_forward ? s > 0 : s + 1 < stages,
                 sends = is_forward ? s + 1 < stages : s > 0;
      const auto add = [&](plan::InstructionKind kind, std::int32_t index) {
        role.instructions.push_back({.kind = kind, .index = index, .instance = micro});
      };
      if (receives)
        add(plan::InstructionKind::start, in[static_cast<std::size_t>(from)]),
            add(plan::InstructionKind::wait, in[static_cast<std::size_t>(from)]);
      role.instructions.push_back(
          {.kind = plan::InstructionKind::run, .index = is_forward ? 0 : 1, .instance = micro});
      if (sends) add(plan::InstructionKind::start, out[static_cast<std::size_t>(to)]);
    };
    const std::int32_t first = std::min(micro_batches, warm_up(s));
    for (std::int32_t m = 0; m < first; ++m) pass(true, m);
    for (std::int32_t m = 0; m < micro_batches; ++m) {
      pass(false, m);
      if (first + m < micro_batches) pass(true, first + m);
    }
    plan.roles.push_back(std::move(role));
  }
  return plan;
}

double makespan(const plan::ExecutionPlan& plan) {
  return simulate::simulate(plan, cost::CostModel(plan.cluster)).makespan_s;
}

}  // namespace

TEST_CASE("GPipe and 1F1B have the bubble of the formula: (p - 1)(F + B)") {
  const auto [stages, micro_batches] =
      GENERATE(table<std::int32_t, std::int32_t>({{1, 4}, {2, 4}, {4, 4}, {4, 12}, {8, 24}}));
  CAPTURE(stages, micro_batches);
  const double expected = (micro_batches + stages - 1) * (10.0 + 20.0);
  CHECK(makespan(pipeline(stages, micro_batches, 10, 20, 1e18,
                          [&, m = micro_batches](int) { return m; })) == Approx(expected));
  CHECK(makespan(pipeline(stages, micro_batches, 10, 20, 1e18,
                          [&, p = stages](int s) { return p - s; })) == Approx(expected));
}

TEST_CASE("eager-1F1B hides forward transfers that 1F1B exposes") {
  // A message takes 8 s of the 30 s that a stage works on a micro-batch.
  const auto time = [](auto warm_up) { return makespan(pipeline(4, 16, 10, 20, 0.5, warm_up)); };
  const double eager = time([](int s) { return 2 * (4 - s) - 1; }),
               plain = time([](int s) { return 4 - s; });
  CHECK(eager < plain);
  CHECK(eager >= (16 + 3) * 30.0);
}

TEST_CASE("a host that issues more slowly than its device works is what a step waits for") {
  const auto steps = [](std::int32_t stages, std::int32_t micro_batches, double issue_s) {
    plan::ExecutionPlan plan =
        pipeline(stages, micro_batches, 10, 20, 1e18, [=](int s) { return stages - s; });
    plan.cluster.software.kernel_issue_s = issue_s;
    return simulate::simulate(plan, cost::CostModel(plan.cluster), {.num_steps = 2});
  };
  // 16 kernels, of which the first or the last one is waited for.
  CHECK(steps(1, 8, 1).makespan_s == Approx(1 + 8 * 30));
  CHECK(steps(1, 8, 100).makespan_s == Approx(16 * 100 + 20));
  CHECK(steps(1, 8, 100).step_s == Approx(16 * 100 + 20));
  CHECK(steps(1, 8, 100).devices[0].compute_s == Approx(8 * 30));
  // A kernel and a message that is begun when it is issued; hosts wait for what they receive, and
  // issue from then on two kernels and a message, and the last kernel.
  CHECK(steps(2, 1, 100).makespan_s == Approx(2 * 100 + 3 * 100 + 120));
  CHECK(steps(2, 1, 0).makespan_s == Approx(60));
}

TEST_CASE("bubble, compute and period of a step add up on every device") {
  const plan::ExecutionPlan plan = pipeline(4, 8, 10, 20, 1e18, [](int s) { return 4 - s; });
  const plan::StepTrace trace =
      simulate::simulate(plan, cost::CostModel(plan.cluster), {.num_steps = 3});
  for (const plan::DeviceTrace& device : trace.devices) {
    CHECK(device.compute_s == Approx(8 * 30));
    CHECK(device.step_end_s.size() == 3);
    CHECK(device.compute_s + device.bubble_s ==
          Approx(device.step_end_s[2] - device.step_end_s[1]));
  }
  CHECK(trace.makespan_s == Approx((8 + 3) * 30));
}

TEST_CASE("a plan whose devices wait for each other stands still with a sentence") {
  plan::ExecutionPlan plan = pipeline(2, 1, 10, 20, 1e18, [](int) { return 1; });
  std::erase_if(plan.roles[0].instructions, [](const plan::Instruction& i) {
    return i.kind == plan::InstructionKind::start && i.index == 0;
  });
  CHECK_THROWS_WITH(makespan(plan), Catch::Matchers::Contains("simulation stands still: device"));
}

TEST_CASE("a collective waits for its last member and takes the ring's time") {
  plan::ExecutionPlan plan;
  plan.cluster = slow_cluster(4, 100);
  plan.programs = {program_of_seconds(10), program_of_seconds(30)};
  plan.communications = {{.kind = plan::CommunicationKind::all_reduce,
                          .parts = {{DType::f32, {100}}},
                          .groups = {{0, 1, 2, 3}}}};
  for (DeviceId device = 0; device < 4; ++device) {
    plan::Role role;
    role.mesh = {{{"data", 1}}, {device}};
    role.instructions = {{.kind = plan::InstructionKind::run, .index = device == 2 ? 1 : 0},
                         {.kind = plan::InstructionKind::start, .index = 0},
                         {.kind = plan::InstructionKind::wait, .index = 0}};
    plan.roles.push_back(std::move(role));
  }
  // 2 (n - 1) / n of 400 bytes at 100 bytes/s, after 30 s.
  CHECK(makespan(plan) == Approx(30 + 6));
}

namespace {

/// Two devices begin an all-reduce of 400 bytes, 4 s over their link, and then run for `run_s`.
plan::ExecutionPlan overlapping(std::int64_t run_s, bool one_host) {
  plan::ExecutionPlan plan;
  plan.cluster = slow_cluster(2, 100);
  if (!one_host) {
    plan.cluster.hosts = {{"a", {0}}, {"b", {1}}};
    plan.cluster.host_of = {0, 1};
  }
  plan.programs = {program_of_seconds(run_s)};
  plan.communications = {{.kind = plan::CommunicationKind::all_reduce,
                          .parts = {{DType::f32, {100}}},
                          .groups = {{0, 1}}}};
  plan::Role role;
  role.mesh = {{{"data", 2}}, {0, 1}};
  role.instructions = {{.kind = plan::InstructionKind::start, .index = 0},
                       {.kind = plan::InstructionKind::run, .index = 0},
                       {.kind = plan::InstructionKind::wait, .index = 0}};
  plan.roles = {role};
  return plan;
}

}  // namespace

TEST_CASE("what workers do for a collective beside a Run, the Run takes longer") {
  const auto seconds = [](std::int64_t run_s, bool one_host, double network_s_per_byte) {
    const plan::ExecutionPlan plan = overlapping(run_s, one_host);
    cost::Calibration calibration;
    calibration.network_beside_s_per_byte = network_s_per_byte;
    const plan::StepTrace trace =
        simulate::simulate(plan, cost::CostModel(plan.cluster, &calibration));
    CHECK(trace.devices[0].compute_s + trace.devices[0].exposed_communication_s ==
          Approx(trace.makespan_s));
    return trace.makespan_s;
  };
  CHECK(makespan(overlapping(30, true)) == Approx(30));  // a device has others for that
  CHECK(seconds(30, true, 0) == Approx(34));             // a core copies all
  CHECK(seconds(2, true, 0) == Approx(6));
  CHECK(seconds(30, false, 0) == Approx(30));
  CHECK(seconds(30, false, 0.0025) == Approx(31));  // a quarter of the time of the network
  CHECK(seconds(2, false, 0.0025) == Approx(4));    // and makes up for it while it waits
}

TEST_CASE("a collective takes its host as long as the cluster's software says of its kind") {
  plan::ExecutionPlan plan = overlapping(30, true);
  plan.cluster.software = {.kernel_issue_s = 1};
  CHECK(makespan(plan) == Approx(1 + 1 + 30));  // the collective, then the kernel
  plan.cluster.software.collective_issue_s = {{OpKind::all_reduce, 50}};
  CHECK(makespan(plan) == Approx(50 + 1 + 30));
  plan.cluster.software.collective_issue_s = {{OpKind::all_gather, 50}};
  CHECK(makespan(plan) == Approx(1 + 1 + 30));
  // It begins when it is issued, and takes 4 s, in which the kernel behind it is issued.
  std::swap(plan.roles[0].instructions[1], plan.roles[0].instructions[2]);
  plan.cluster.software.collective_issue_s = {{OpKind::all_reduce, 50}};
  CHECK(makespan(plan) == Approx(50 + 4 + 30));
}

TEST_CASE("collectives of other groups go on beside one that takes long") {
  plan::ExecutionPlan plan;
  plan.cluster = slow_cluster(4, 100);
  plan.cluster.inter_host = {1, 0};
  plan.cluster.hosts = {{"a", {0, 1}}, {"b", {2, 3}}};
  plan.cluster.host_of = {0, 0, 1, 1};
  plan.programs = {program_of_seconds(10)};
  const auto all_reduce = [](std::vector<std::vector<DeviceId>> groups) {
    return plan::Communication{.kind = plan::CommunicationKind::all_reduce,
                               .parts = {{DType::f32, {100}}},
                               .groups = std::move(groups)};
  };
  plan.communications = {all_reduce({{0, 2}, {1, 3}}), all_reduce({{0, 1}, {2, 3}}),
                         all_reduce({{0, 2}, {1, 3}})};
  plan::Role role;
  role.mesh = {{{"data", 2}, {"tensor", 2}}, {0, 1, 2, 3}};
  role.instructions = {{.kind = plan::InstructionKind::start, .index = 0},
                       {.kind = plan::InstructionKind::start, .index = 1},
                       {.kind = plan::InstructionKind::wait, .index = 1},
                       {.kind = plan::InstructionKind::run, .index = 0},
                       {.kind = plan::InstructionKind::start, .index = 2},
                       {.kind = plan::InstructionKind::wait, .index = 0},
                       {.kind = plan::InstructionKind::wait, .index = 2}};
  plan.roles = {role};
  const plan::StepTrace trace = simulate::simulate(plan, cost::CostModel(plan.cluster));
  // Two of 400 bytes over an interface of 1 byte/s that two groups share, one after the other.
  CHECK(trace.makespan_s == Approx(1600));
  CHECK(trace.devices[0].events[3].begin_s == Approx(4));
}
