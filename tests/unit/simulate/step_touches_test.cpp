// SPDX-License-Identifier: Apache-2.0
#include "simulate/step_touches.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "ir/builder.hpp"
#include "rhino/index.hpp"
#include "simulate/program_times.hpp"

using namespace rhino;

namespace {

constexpr std::int64_t kPage = 64;

/// x + y of so many elements: one kernel without a workspace.
Program sum(std::int64_t elements) {
  ir::Builder b("sum");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x"),
                y = b.input(InputKind::batch, shape, {}, "y");
  b.output(b.binary(OpKind::add, x, y), OutputKind::value);
  return std::move(b).finish();
}

/// Three such sums in any order, of buffers that may share memory, and what starts between them.
plan::ExecutionPlan plan_of_random_uses(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<std::int32_t>(random() % end); };
  constexpr std::int32_t kNumPages = 100, kMostPages = 20, kNumBuffers = 4;
  plan::ExecutionPlan plan;
  plan::Role role;
  role.mesh = {{{"rank", 2}}, {0, 1}};
  role.arena_bytes = kNumPages * kPage;
  for (int p = 0; p < 3; ++p) {
    const std::int64_t elements = kPage / 4 * (1 + below(kMostPages));
    plan.programs.push_back(sum(elements));
    for (int b = 0; b < kNumBuffers; ++b)
      role.buffers.push_back({{DType::f32, {elements}}, kPage * below(kNumPages - kMostPages + 1)});
  }
  for (int i = 0; i < 10; ++i) {
    const bool runs = below(4) > 0;
    const std::int32_t program = below(3), first = program * kNumBuffers;
    role.instructions.push_back(
        {.kind = runs ? plan::InstructionKind::run : plan::InstructionKind::start,
         .index = runs ? program : 0,
         .inputs = {first, first + 1 + below(kNumBuffers - 2)},
         .outputs = {runs ? first + kNumBuffers - 1 : -1}});
  }
  plan.roles.push_back(role);
  return plan;
}

using Pages = std::set<std::int64_t>;
Pages pages_of(const plan::PlanBuffer& buffer) {
  Pages pages;
  for (std::int64_t i = 0; i < num_bytes(buffer.shape) / kPage; ++i)
    pages.insert(buffer.offset / kPage + i);
  return pages;
}
Pages pages_of(const plan::Role& role, const plan::Instruction& instruction) {
  Pages pages;
  for (const auto* list : {&instruction.inputs, &instruction.outputs})
    for (const std::int32_t buffer : *list)
      if (buffer >= 0) pages.merge(pages_of(role.buffers[at(buffer)]));
  return pages;
}

/// Looks back from each Run of a program, page by page and instruction by instruction; `which`: an
/// input, or behind them the output.
double looked_up(const plan::ExecutionPlan& plan, std::int32_t program, std::size_t which) {
  const plan::Role& role = plan.roles[0];
  const std::size_t count = role.instructions.size();
  double sum = 0, num_pages = 0;
  for (std::size_t run = count; run < 2 * count; ++run) {
    const plan::Instruction& own = role.instructions[run - count];
    if (own.kind != plan::InstructionKind::run || own.index != program) continue;
    for (const std::int64_t page :
         pages_of(role.buffers[at(which < 2 ? own.inputs[which] : own.outputs[0])])) {
      Pages seen;
      for (std::size_t back = run; back-- > 0 && !seen.contains(page);)
        seen.merge(pages_of(role, role.instructions[back % count]));
      sum += static_cast<double>(kPage) * static_cast<double>(seen.size());
      ++num_pages;
    }
  }
  return num_pages == 0 ? 0 : sum / num_pages;
}

}  // namespace

TEST_CASE("between two uses lies what is touched from the one to the other, each byte once") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i) {
    const plan::ExecutionPlan plan = plan_of_random_uses(random);
    std::vector<std::shared_ptr<const lower::LoweredProgram>> lowered;
    for (const Program& program : plan.programs)
      lowered.push_back(std::make_shared<lower::LoweredProgram>(lower::lower(program)));
    const auto found = simulate::step_touches(plan, lowered);
    REQUIRE(found.size() == 3);
    for (std::int32_t p = 0; p < 3; ++p) {
      double expected = 0;  // over bytes and inputs and output
      for (std::size_t which = 0; which < 3; ++which) expected += looked_up(plan, p, which);
      REQUIRE(found[at(p)].size() == 1);
      if (found[at(p)][0].empty()) {
        CHECK(expected == 0);  // it never runs
        continue;
      }
      const auto own = static_cast<double>(num_bytes(plan.programs[at(p)].shape(0)));
      double bytes = 0, sum = 0;
      for (const cost::Touch& touch : found[at(p)][0]) {
        bytes += touch.bytes;
        sum += touch.bytes * touch.reuse_bytes;
      }
      CHECK(bytes == Approx(3 * own));
      CHECK(sum == Approx(own * expected));
    }
  }
}

TEST_CASE("what kernels between two uses take makes a program slower where caches forget by time") {
  constexpr std::int64_t kElements = 1 << 20;
  constexpr double kBytes = 4 * kElements;
  plan::ExecutionPlan plan;
  plan.cluster.hosts.emplace_back();
  plan.cluster.host_of = plan.cluster.model_of = {0};
  plan.cluster.models.emplace_back();
  plan.programs = {sum(kElements), sum(kElements)};
  plan::Role role;
  role.mesh = {{{"rank", 1}}, {0}};
  for (std::int32_t program = 0; program < 2; ++program) {
    for (int b = 0; b < 3; ++b) {
      role.buffers.push_back({{DType::f32, {kElements}}, role.arena_bytes});
      role.arena_bytes += 4 * kElements;
    }
    role.instructions.push_back({.kind = plan::InstructionKind::run,
                                 .index = program,
                                 .inputs = {3 * program, 3 * program + 1},
                                 .outputs = {3 * program + 2}});
  }
  plan.roles.push_back(role);
  cost::Calibration calibration{.element_s = {{OpKind::add, 0}}, .memory_bytes_per_s = 1};
  calibration.reach = {{1e6, 1, 2, 2}, {64e6, 2, 4, 4}, {256e6, 6, 12, 12}};
  lower::Lowerings lowerings{lower::Kernels()};
  const auto seconds = [&] {
    return simulate::ProgramTimes(plan, cost::CostModel(plan.cluster, &calibration), lowerings)
        .of(0, 0)
        .run_s;
  };
  CHECK(seconds() < kBytes * (2 + 2 + 4));
  // The other program takes millions of seconds, so everything is forgotten.
  calibration.forgotten = {{64e6, 1, 0.5}, {64e6, 1000, 1}};
  const double own_share =
      std::log(24 * (1 << 20) / 1e6) / std::log(64.);  // of the way from 1 to 2
  const double near_s = 1 + own_share, forgotten = own_share;
  CHECK(seconds() ==
        Approx(kBytes * (4 * near_s + forgotten * (6 + 6 + 12 - 4 * near_s))).epsilon(0.01));
}

TEST_CASE("bytes that some Runs find near and others far are parts of either") {
  plan::ExecutionPlan plan;
  plan.programs = {sum(1024), sum(64 * 1024)};
  plan::Role role;
  role.mesh = {{{"rank", 1}}, {0}};
  for (const std::int64_t elements : {1024, 64 * 1024}) {
    for (int b = 0; b < 3; ++b) {
      role.buffers.push_back({{DType::f32, {elements}}, role.arena_bytes});
      role.arena_bytes += 4 * elements;
    }
  }
  const auto run = [&](std::int32_t program) {
    const std::int32_t first = 3 * program;
    role.instructions.push_back({.kind = plan::InstructionKind::run,
                                 .index = program,
                                 .inputs = {first, first + 1},
                                 .outputs = {first + 2}});
  };
  for (const std::int32_t program : {0, 0, 0, 1}) run(program);
  plan.roles.push_back(role);
  std::vector<std::shared_ptr<const lower::LoweredProgram>> lowered;
  for (const Program& program : plan.programs)
    lowered.push_back(std::make_shared<lower::LoweredProgram>(lower::lower(program)));
  const auto touches = simulate::step_touches(plan, lowered)[0][0];
  REQUIRE(touches.size() == 6);
  for (std::size_t i = 0; i < touches.size(); i += 2) {
    CHECK(touches[i].bytes == Approx(4096. / 3));  // the first of three, behind the other program
    CHECK(touches[i].reuse_bytes == Approx(3 * 4 * 65 * 1024).epsilon(0.01));
    CHECK(touches[i + 1].bytes == Approx(2 * 4096. / 3));
    CHECK(touches[i + 1].reuse_bytes == Approx(3 * 4096).epsilon(0.05));
  }
  // The same with 1 s for each of the three, and 5 s for the other.
  const auto timed = simulate::step_touches(plan, lowered, {{1}, {5}})[0][0];
  REQUIRE(timed.size() == 6);
  for (std::size_t i = 0; i < timed.size(); i += 2) {
    CHECK(timed[i].bytes == Approx(4096. / 3));
    CHECK(timed[i].reuse_s == Approx(5).epsilon(0.05));
    CHECK(timed[i + 1].reuse_s < 0.05);  // it was the last
  }
}
