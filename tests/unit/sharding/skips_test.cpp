// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "drafts.hpp"
#include "ir/training_step.hpp"
#include "models/u_transformer.hpp"
#include "sharding/complete.hpp"
#include "sharding/partition.hpp"

using namespace rhino;
using namespace rhino::sharding;
using namespace rhino::test;

TEST_CASE("each skip of a U-Transformer comes once to the one stage that reads it") {
  const std::int32_t num_chunks = GENERATE(2, 4);
  CAPTURE(num_chunks);
  const Program step =
      ir::training_step(models::u_transformer_forward(models::u_transformer_preset("tiny"), 8), {});
  const Strategy strategy = complete(step, make_draft(num_chunks, 1, 1, 2));
  // Per value the programs of other chunks that it comes to.
  std::map<std::string, std::vector<std::pair<std::int32_t, ChunkPhase>>> arrivals;
  std::set<std::string> crossing;
  for (const ChunkProgram& part : partition(step, strategy)) {
    for (const Port& port : part.inputs) {
      const std::string& name = step.producer(port.value).name;
      if (!name.starts_with("skip") || name.ends_with("gradient") || port.source < 0) continue;
      if (port.source != part.chunk) arrivals[name].emplace_back(part.chunk, part.phase);
    }
  }
  for (ValueId id = 0; id < step.size(); ++id) {
    const Op& op = step.op(id);
    if (!op.name.ends_with(".joined")) continue;
    const ValueId skip = op.operands[1];
    const auto chunk_of = [&](ValueId value) {
      return strategy.chunk_of[static_cast<std::size_t>(value)];
    };
    if (chunk_of(skip) != chunk_of(id)) crossing.insert(step.producer(skip).name);
  }
  CHECK(crossing.size() >= 3);
  for (const std::string& name : crossing) {
    CAPTURE(name);
    CHECK(arrivals[name].size() == 1);
    for (const auto& [chunk, phase] : arrivals[name]) CHECK(phase == ChunkPhase::forward);
  }
}
