// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "drafts.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/moe.hpp"
#include "sharding/complete.hpp"
#include "sharding/partition.hpp"

using namespace rhino;
using namespace rhino::sharding;
using namespace rhino::test;

namespace {

/// As strategies/moe_expert.yaml does.
StrategyDraft expert_draft(const Program& step, std::int64_t data) {
  StrategyDraft draft = make_draft(1, data, 1, 2);
  const auto annotate = [&](const std::string& name, std::vector<std::vector<AxisId>> dims) {
    draft.annotations.push_back({find_value(step, "h1.moe." + name), std::move(dims)});
  };
  for (const char* name :
       {"up.weight", "down.weight", "up.weight.gradient", "down.weight.gradient"})
    annotate(name, {{0}, {}, {}});
  for (const char* name : {"sent", "sent.gradient", "combine.gradient"})
    annotate(name, {{0}, {}, {}, {}});
  annotate("made.gradient", {{}, {0}, {}, {}});
  annotate("mixed", {{0}, {}, {}});
  return draft;
}

}  // namespace

TEST_CASE("tokens go to experts and come back by one all-to-all each, forward and backward") {
  const models::MoeConfig config = models::moe_preset("tiny");
  const std::int64_t data = 4, batch = 16;
  const Program step = ir::training_step(models::moe_forward(config, batch), {});
  std::int64_t num_moves = 0;
  for (const ChunkProgram& part : partition(step, complete(step, expert_draft(step, data)))) {
    if (part.phase == ChunkPhase::update || part.phase == ChunkPhase::prologue) continue;
    for (const Op& op : part.program.ops) {
      if (!ir::is_collective(op.kind)) continue;
      CHECK(op.kind == OpKind::all_to_all);
      // Slots of the groups of a device, of one of two micro-batches.
      const std::int64_t groups = batch * config.sequence / config.group;
      CHECK(num_elements(op.shape) ==
            groups / 2 / data * config.experts * config.capacity * config.hidden);
      ++num_moves;
    }
  }
  CHECK(num_moves == 4);
}
