// SPDX-License-Identifier: Apache-2.0
/// What plans hold under ZeRO (Rajbhandari et al. 2020, section 5) against its closed formula.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kDevices = 4;

/// Bytes of all of a step, or of what lies on one device throughout.
struct Held {
  double parameters = 0, states = 0, gradients = 0;
};

Held whole_of(const Program& program) {
  Held whole;
  for (const Input& input : program.inputs) {
    const auto bytes = static_cast<double>(num_bytes(program.shape(input.value)));
    if (input.kind == InputKind::optimizer_state) whole.states += bytes;
    if (input.kind == InputKind::parameter) whole.parameters += bytes;
  }
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::gradient)
      whole.gradients += static_cast<double>(num_bytes(program.shape(output.value)));
  }
  return whole;
}

/// By the buffers of its inputs, and of those outputs that are gradients.
Held held_by(const Program& program, const plan::Role& role) {
  Held held;
  std::set<std::int32_t> counted;
  const auto bytes_of = [&](std::int32_t buffer) {
    return counted.insert(buffer).second
               ? static_cast<double>(num_bytes(role.buffers[at(buffer)].shape))
               : 0.0;
  };
  for (const plan::PlanInput& input : role.inputs) {
    if (input.kind == InputKind::optimizer_state) held.states += bytes_of(input.buffer);
    if (input.kind == InputKind::parameter) held.parameters += bytes_of(input.buffer);
  }
  for (const plan::PlanOutput& output : role.outputs) {
    if (program.outputs[at(output.output)].kind == OutputKind::gradient)
      held.gradients += bytes_of(output.buffer);
  }
  return held;
}

}  // namespace

TEST_CASE("ZeRO takes the memory of its formula and of the buckets under way") {
  constexpr std::int64_t kWidth = 1024;
  const std::string model =
      GENERATE("branching", "gpt", "gpt of f16 with masters", "gpt of bf16 with masters");
  const std::int64_t zero_stage = GENERATE(0, 1, 2, 3), num_micro_batches = GENERATE(1, 2);
  CAPTURE(model, zero_stage, num_micro_batches);
  // Activations are of a row or two of a thousand.
  models::GptConfig config{.num_layers = 12, .hidden = kWidth, .num_heads = 8, .sequence = 1};
  const bool has_masters = model.ends_with("masters"), is_wide = model == "gpt of f16 with masters";
  if (has_masters) config.dtype = is_wide ? DType::f16 : DType::bf16;
  const Program program = ir::training_step(
      model == "branching" ? models::branching_forward(2 * kDevices, kWidth, 64)
                           : models::gpt_forward(config, 2 * kDevices),
      {.learning_rate = 0.1, .master_weights = has_masters, .wide_gradients = is_wide});
  StrategyDraft draft;
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on({{kDevices}});
  draft.batch_axis = 0;
  draft.zero_stage = static_cast<std::int32_t>(zero_stage);
  SendRecv resharding;
  const plan::ExecutionPlan plan =
      plan_of(program, sharding::complete(program, draft), "1f1b", resharding);
  plan::validate(plan);
  const Held step = whole_of(program), held = held_by(program, plan.roles[0]);
  std::int64_t largest = 0;  // elements
  for (const Input& input : program.inputs)
    if (input.kind == InputKind::parameter)
      largest = std::max(largest, num_elements(program.shape(input.value)));
  const auto part = [&](double bytes, std::int64_t split_from) {
    return bytes / (zero_stage >= split_from ? kDevices : 1);
  };
  // Few and small values do not divide.
  CHECK(held.parameters == Approx(part(step.parameters, 3)).epsilon(0.02));
  CHECK(held.states == Approx(part(step.states, 1)).epsilon(0.02));
  CHECK(held.gradients == Approx(part(step.gradients, 1)).epsilon(0.02));
  // Masters and both moments in 32 bits, beside parameters in 16.
  CHECK(step.states == Approx((has_masters ? 6 : 2) * step.parameters).epsilon(1e-3));
  // Sums of several micro-batches are whole under ZeRO 1, beside the parts of them that are read.
  const bool is_summed = zero_stage == 1 && num_micro_batches > 1;
  const double gradients = part(step.gradients, 1) + (is_summed ? step.gradients : 0);
  const double whole = part(step.parameters, 3) + gradients + part(step.states, 1);
  // New parameters that are gathered: one bucket under way, one that is copied. Gradients that are
  // scattered: one under way, one that is made. Parameters that are gathered: one under way, one in
  // use. A bucket may be fuller by the parameter that fills it.
  const auto buckets = [&](double bytes, double element_bytes) {
    return 2 * (std::max(bytes / 128, 4.0 * 1024 * 1024) +
                element_bytes * static_cast<double>(largest));
  };
  const double gathered = buckets(step.parameters, has_masters ? 2 : 4),
               scattered = buckets(step.gradients, 4);
  const double of_either = std::max(gathered, scattered);
  const double under_way =
      std::array{0.0, of_either, of_either, gathered + scattered}[at(zero_stage)];
  const auto arena_bytes = static_cast<double>(plan.roles[0].arena_bytes);
  CAPTURE(step.parameters, step.gradients, step.states, arena_bytes / whole);
  CHECK(arena_bytes >= whole);
  CHECK(arena_bytes <= 1.02 * (whole + under_way));
}

}  // namespace rhino::test
