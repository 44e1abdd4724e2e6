// SPDX-License-Identifier: Apache-2.0
#include "simulate/reuse.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "rhino/index.hpp"

using namespace rhino;

namespace {

constexpr std::int64_t kMost = 60'000;

plan::ExecutionPlan plan_of_random_uses(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<std::int32_t>(random() % end); };
  plan::ExecutionPlan plan;
  plan::Role role;
  role.mesh = {{{"rank", 2}}, {0, 1}};
  role.arena_bytes = kMost - 1000;
  role.workspace_bytes = 1000;
  for (int b = 0; b < 6; ++b) role.buffers.push_back({{DType::f32, {1 + below(5000)}}});
  for (int p = 0; p < 3; ++p) {
    Program program;
    program.inputs.resize(2);
    program.outputs.resize(1);
    plan.programs.push_back(program);
  }
  for (int i = 0; i < 8; ++i) {
    const bool runs = below(4) > 0;
    role.instructions.push_back(
        {.kind = runs ? plan::InstructionKind::run : plan::InstructionKind::start,
         .index = runs ? below(3) : 0,
         .inputs = {below(6), below(6)},
         .outputs = {runs ? below(6) : -1}});
  }
  plan.roles.push_back(role);
  return plan;
}

/// Looks back from each Run, instruction by instruction; `which`: an input, or behind them the
/// output.
double looked_up(const plan::ExecutionPlan& plan, const std::vector<std::int64_t>& workspace_bytes,
                 std::int32_t program, std::size_t which) {
  const plan::Role& role = plan.roles[0];
  const std::size_t count = role.instructions.size();
  double sum = 0, num_runs = 0;
  for (std::size_t at_run = count; at_run < 2 * count; ++at_run) {
    const plan::Instruction& run = role.instructions[at_run - count];
    if (run.kind != plan::InstructionKind::run || run.index != program) continue;
    const std::int32_t wanted = which < 2 ? run.inputs[which] : run.outputs[0];
    std::int64_t bytes = 0;
    for (std::size_t back = at_run; back-- > 0;) {
      const plan::Instruction& other = role.instructions[back % count];
      std::set<std::int32_t> buffers(other.inputs.begin(), other.inputs.end());
      buffers.insert(other.outputs.begin(), other.outputs.end());
      buffers.erase(-1);
      for (const std::int32_t buffer : buffers) bytes += num_bytes(role.buffers[at(buffer)].shape);
      if (other.kind == plan::InstructionKind::run) bytes += workspace_bytes[at(other.index)];
      if (buffers.contains(wanted)) break;
    }
    sum += static_cast<double>(std::min(bytes, kMost));
    ++num_runs;
  }
  return num_runs == 0 ? 0 : sum / num_runs;
}

}  // namespace

TEST_CASE("between two uses lies what is touched from the one to the other, step after step") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i) {
    const plan::ExecutionPlan plan = plan_of_random_uses(random);
    const std::vector<std::int64_t> workspace_bytes = {0, 1000, 300};
    const auto found = simulate::reuse_of(plan, workspace_bytes);
    for (std::int32_t program = 0; program < 3; ++program) {
      const cost::Reuse& reuse = found[at(program)];
      for (std::size_t input = 0; input < 2; ++input)
        CHECK(reuse.inputs[input] == Approx(looked_up(plan, workspace_bytes, program, input)));
      CHECK(reuse.outputs[0] == Approx(looked_up(plan, workspace_bytes, program, 2)));
    }
  }
}
