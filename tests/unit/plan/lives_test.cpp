// SPDX-License-Identifier: Apache-2.0
#include "plan/lives.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "refusals.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// Two stages of two devices each, with transfers and collectives.
plan::ExecutionPlan make_plan(const std::string& schedule) {
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = chunks_on({{2}, {2}});
  draft.batch_axis = 0;
  Chain resharding;
  return plan_of(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), schedule, resharding);
}
const plan::ExecutionPlan& some_plan() {
  static const plan::ExecutionPlan plan = make_plan("1f1b");
  return plan;
}

/// (instruction, buffer) of every last use, by looking ahead from every write.
std::set<std::pair<std::size_t, std::int32_t>> expected_ends(const plan::Role& role) {
  const std::vector<plan::Instruction>& list = role.instructions;
  const auto uses = [&](std::size_t i, std::int32_t buffer) {
    if (list[i].kind == plan::InstructionKind::free) return false;
    if (list[i].kind != plan::InstructionKind::wait)
      return contains(list[i].inputs, buffer) || contains(list[i].outputs, buffer);
    return std::any_of(list.begin(), list.end(), [&](const plan::Instruction& start) {
      return start.kind == plan::InstructionKind::start && start.index == list[i].index &&
             start.instance == list[i].instance &&
             (contains(start.inputs, buffer) || contains(start.outputs, buffer));
    });
  };
  std::set<std::pair<std::size_t, std::int32_t>> ends;
  for (std::int32_t buffer = 0; buffer < std::ssize(role.buffers); ++buffer) {
    const bool lasts =
        role.buffers[at(buffer)].persistent ||
        std::any_of(role.inputs.begin(), role.inputs.end(),
                    [&](const plan::PlanInput& input) { return input.buffer == buffer; });
    const bool is_output =
        std::any_of(role.outputs.begin(), role.outputs.end(),
                    [&](const plan::PlanOutput& output) { return output.buffer == buffer; });
    std::size_t last_use = list.size();
    for (std::size_t i = 0; i < list.size() && !lasts; ++i) {
      const bool begins = contains(list[i].outputs, buffer) && !contains(list[i].inputs, buffer);
      if (begins && last_use < list.size()) ends.insert({last_use, buffer});
      if (uses(i, buffer)) last_use = i;
    }
    if (!lasts && !is_output && last_use < list.size()) ends.insert({last_use, buffer});
  }
  return ends;
}

}  // namespace

TEST_CASE("a Free stands right behind the last use of every value, and nowhere else") {
  const plan::ExecutionPlan plan = make_plan(GENERATE("gpipe", "1f1b", "eager_1f1b"));
  for (const plan::Role& role : plan.roles) {
    std::set<std::pair<std::size_t, std::int32_t>> ends;
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      if (role.instructions[i].kind != plan::InstructionKind::free) continue;
      for (const std::int32_t buffer : role.instructions[i].inputs)
        REQUIRE(ends.insert({i - 1, buffer}).second);
    }
    CHECK(ends.size() > 20);
    CHECK(ends == expected_ends(role));
  }
}

TEST_CASE("the bytes alive are those between writes and Frees, and fit the arena") {
  for (const plan::Role& role : some_plan().roles) {
    const std::vector<std::int64_t> bytes = plan::live_bytes(role);
    REQUIRE(bytes.size() == role.instructions.size());
    std::set<std::int32_t> alive;
    for (std::int32_t b = 0; b < std::ssize(role.buffers); ++b) {
      if (role.buffers[at(b)].persistent) alive.insert(b);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const plan::Instruction& instruction = role.instructions[i];
      for (const std::int32_t buffer : instruction.outputs) {
        if (buffer >= 0) alive.insert(buffer);
      }
      std::int64_t sum = 0;
      for (const std::int32_t buffer : alive) sum += num_bytes(role.buffers[at(buffer)].shape);
      REQUIRE(bytes[i] == sum);
      REQUIRE(bytes[i] <= role.arena_bytes);
      if (instruction.kind != plan::InstructionKind::free) continue;
      for (const std::int32_t buffer : instruction.inputs) alive.erase(buffer);
    }
  }
}

TEST_CASE("a Free that is missing, doubled or a step early is refused") {
  REQUIRE(refusal_of(some_plan()) == "accepted");
  using Catch::Contains;
  for (std::size_t r = 0; r < some_plan().roles.size(); ++r) {
    for (std::size_t i = 0; i < some_plan().roles[r].instructions.size(); i += 5) {
      if (some_plan().roles[r].instructions[i].kind != plan::InstructionKind::free) continue;
      INFO("role " << r << ", instruction " << i);
      plan::ExecutionPlan plan = some_plan();
      std::vector<plan::Instruction>& list = plan.roles[r].instructions;
      const auto free = list.begin() + static_cast<std::ptrdiff_t>(i);
      list.insert(free, plan::Instruction(*free));
      CHECK_THAT(refusal_of(plan), Contains("frees buffer") && Contains("has freed"));
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i),
                 list.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      CHECK_THAT(refusal_of(plan),
                 Contains("which nothing has freed") || Contains("is never freed"));
      plan = some_plan();
      std::swap(plan.roles[r].instructions[i], plan.roles[r].instructions[i - 1]);
      CHECK_THAT(refusal_of(plan), Contains("has freed") || Contains("still uses") ||
                                       Contains("nothing has written") ||
                                       Contains("is never freed"));
    }
  }
}

TEST_CASE("what is persistent is not freed") {
  plan::ExecutionPlan plan = some_plan();
  plan::Role& role = plan.roles[0];
  role.instructions.push_back(
      {.kind = plan::InstructionKind::free, .inputs = {role.inputs.front().buffer}, .outputs = {}});
  CHECK_THAT(refusal_of(plan), Catch::Contains("which keeps its content from step to step"));
}

}  // namespace rhino::test
