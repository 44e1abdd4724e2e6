// SPDX-License-Identifier: Apache-2.0
#include "check/device_cases.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/training_step.hpp"
#include "lower/lower.hpp"
#include "models/catalog.hpp"

using namespace rhino;
using namespace rhino::check;

namespace {

Program small_gpt() {
  const Options sizes({{"preset", std::string("1m")},
                       {"num_layers", std::int64_t{1}},
                       {"hidden", std::int64_t{8}},
                       {"num_heads", std::int64_t{2}},
                       {"vocabulary", std::int64_t{11}},
                       {"sequence", std::int64_t{5}}});
  return ir::training_step(models::build_forward("gpt", sizes, 2, DType::f32).program, {});
}

/// Groups of attention among those that the device makes of a case.
std::ptrdiff_t num_attentions(const runtime::DeviceCase& one) {
  const lower::LoweredProgram lowered =
      lower::lower(one.program, {.attention = !one.gpu.keeps_scores});
  return std::ranges::count(lowered.groups, lower::KernelGroup::Kind::attention,
                            &lower::KernelGroup::kind);
}

bool computes(const runtime::DeviceCase& one, OpKind kind) {
  return std::ranges::count(one.program.ops, kind, &Op::kind) > 0;
}

}  // namespace

TEST_CASE("a step is checked with attention as one kernel, and with its scores in memory") {
  const StepCases cases = step_cases(small_gpt(), 1);
  const auto named = [&](const std::string& name) {
    return std::ranges::count_if(cases.kernels, [&](const runtime::DeviceCase& one) {
      return one.name.starts_with(name) && num_attentions(one) == 1;
    });
  };
  CHECK(named("attention [") + named("attention f32") == 1);
  CHECK(named("derivatives of attention") == 1);
  CHECK(std::ranges::any_of(cases.kernels, [](const runtime::DeviceCase& one) {
    return one.gpu.keeps_scores && computes(one, OpKind::exponential);
  }));
  REQUIRE(cases.whole.size() == 2);
  CHECK(num_attentions(cases.whole[0]) == 1);
  CHECK(num_attentions(cases.whole[1]) == 0);
  CHECK(cases.whole[0].expected == cases.whole[1].expected);
}

TEST_CASE("the kernels of attention alone are those of a step") {
  const Program step = small_gpt();
  const std::vector<runtime::DeviceCase> alone = attention_cases(step, 1);
  REQUIRE(alone.size() == 2);
  for (const runtime::DeviceCase& one : alone) {
    CHECK(num_attentions(one) == 1);
    CHECK(std::ranges::any_of(step_cases(step, 1).kernels, [&](const runtime::DeviceCase& kernel) {
      return kernel.name == one.name && kernel.expected == one.expected;
    }));
  }
}
