// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

void check_against_reference(const ExecutionPlan& plan, const Program& program,
                             std::vector<Tensor> inputs, Eagerness eagerness) {
  PlanInterpreter interpreter(plan, inputs, eagerness);
  for (int step = 0; step < 2; ++step) {
    const std::vector<Tensor> expected = evaluate(program, inputs);
    interpreter.run_step();
    for (std::size_t o = 0; o < expected.size(); ++o) {
      CAPTURE(step, o, program.op(program.outputs[o].value).name);
      const auto tiles = interpreter.tiles(static_cast<std::int32_t>(o), expected[o]);
      CHECK(!tiles.empty());
      for (const PlanInterpreter::Tile& tile : tiles) {
        CAPTURE(tile.device);
        CHECK(relative_error(tile.actual, tile.expected) < 1e-8);
      }
    }
    for (std::size_t o = 0; o < expected.size(); ++o) {
      if (program.outputs[o].kind == OutputKind::updated_state)
        inputs[static_cast<std::size_t>(program.outputs[o].input)] = expected[o];
    }
  }
}

void check(const Program& program, const Strategy& strategy, const std::string& schedule,
           Resharding& resharding) {
  const ExecutionPlan plan = plan_of(program, strategy, schedule, resharding);
  validate(plan);
  const std::vector<Tensor> inputs = random_inputs(program, 5);
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, program, inputs, eagerness);
}

}  // namespace

TEST_CASE("an assembled gpt step equals the single device, step after step") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}}, {{2}}, {{2}, {2}}, {{2, 2}, {2, 2}}, {{4}, {2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const auto num_micro_batches = GENERATE(1, 2, 4);
  const auto zero_stage = GENERATE(0, 3);
  const std::string schedule = GENERATE("gpipe", "1f1b", "eager_1f1b");
  CAPTURE(meshes, num_micro_batches, zero_stage, schedule);
  if (num_micro_batches * meshes[0][0] > 8 || (meshes.size() == 1 && schedule != "1f1b")) return;
  StrategyDraft draft;
  draft.name = "gpt";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  SendRecv resharding;
  check(tiny_gpt_step(), complete(tiny_gpt_step(), draft), schedule, resharding);
}

}  // namespace rhino::test
