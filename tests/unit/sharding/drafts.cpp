// SPDX-License-Identifier: Apache-2.0
#include "drafts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sharding/complete.hpp"

namespace rhino::test {

StrategyDraft make_draft(std::int32_t num_chunks, std::int64_t data, std::int64_t tensor,
                         std::int64_t num_micro_batches) {
  StrategyDraft draft;
  draft.name = "draft";
  draft.num_micro_batches = num_micro_batches;
  draft.batch_axis = 0;
  DeviceId next = 0;
  for (std::int32_t c = 0; c < num_chunks; ++c) {
    Chunk chunk;
    chunk.mesh.axes = {{"data", data}, {"tensor", tensor}};
    for (std::int64_t i = 0; i < data * tensor; ++i) chunk.mesh.devices.push_back(next++);
    draft.chunks.push_back(chunk);
  }
  return draft;
}

void annotate_megatron(const Program& gpt, StrategyDraft& draft) {
  for (const Input& input : gpt.inputs) {
    if (input.kind != InputKind::parameter) continue;
    const std::string& name = gpt.producer(input.value).name;
    if (name.ends_with("qkv.weight")) {
      draft.annotations.push_back({input.value, {{}, {}, {1}, {}}});
    }
    if (name.ends_with("attn.out.weight")) {
      draft.annotations.push_back({input.value, {{1}, {}, {}}});
    }
    if (name.ends_with("up.weight")) draft.annotations.push_back({input.value, {{}, {1}}});
    if (name.ends_with("down.weight")) draft.annotations.push_back({input.value, {{1}, {}}});
  }
}

ValueId find_value(const Program& program, const std::string& name) {
  for (ValueId id = 0; id < program.size(); ++id) {
    if (program.op(id).name == name) return id;
  }
  FAIL("no value is named " << name);
  return kNoValue;
}

std::vector<Mismatch> mismatches(const Program& program, const Strategy& strategy) {
  std::vector<Mismatch> found;
  for (ValueId id = 0; id < program.size(); ++id) {
    const sharding::OpRule rule = sharding::op_rule(program, id);
    const sharding::OpSharding sharding = sharding::op_sharding(program, rule, strategy, id);
    const std::int32_t chunk = strategy.chunk_of[static_cast<std::size_t>(id)];
    const auto& operands = program.op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Mesh& mesh = strategy.chunks[static_cast<std::size_t>(std::max(chunk, 0))].mesh;
      Mismatch pair{
          operands[i], strategy.specs[static_cast<std::size_t>(operands[i])],
          sharding::operand_spec(program, id, rule, sharding, i, mesh, strategy.num_micro_batches),
          program.op(id).phase};
      std::erase_if(pair.made.partial, [](const Partial& p) { return p.axis == kMicroAxis; });
      if (pair.made == pair.read ||
          strategy.chunk_of[static_cast<std::size_t>(operands[i])] != chunk) {
        continue;
      }
      if (std::find(found.begin(), found.end(), pair) == found.end()) found.push_back(pair);
    }
  }
  return found;
}

bool is_partial(const ShardingSpec& spec, AxisId axis) {
  return std::any_of(spec.partial.begin(), spec.partial.end(),
                     [&](const Partial& partial) { return partial.axis == axis; });
}

bool is_split(const ShardingSpec& spec, AxisId axis) {
  return std::any_of(spec.dims.begin(), spec.dims.end(), [&](const DimSharding& dim) {
    return std::any_of(dim.splits.begin(), dim.splits.end(),
                       [&](const AxisSplit& split) { return split.axis == axis; });
  });
}

bool is_micro(const ShardingSpec& spec) {
  return is_split(spec, kMicroAxis) || is_partial(spec, kMicroAxis);
}

}  // namespace rhino::test
