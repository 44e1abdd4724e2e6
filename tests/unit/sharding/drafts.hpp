// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rhino/strategy.hpp"

namespace rhino::test {

/// `num_chunks` meshes of axes `data` x `tensor`, one after the other; the batch is split over
/// data.
StrategyDraft make_draft(std::int32_t num_chunks, std::int64_t data, std::int64_t tensor,
                         std::int64_t num_micro_batches);

/// Splits the weights of every gpt layer over axis 1 as Megatron-LM does: by heads and by the ffn
/// dim.
void annotate_megatron(const Program& gpt, StrategyDraft& draft);

ValueId find_value(const Program& program, const std::string& name);

/// A value that is read otherwise than it is made; each pair once.
struct Mismatch {
  ValueId value = kNoValue;
  ShardingSpec made, read;  ///< without partial sums over micro-batches, which accumulate
  Phase reader = Phase::forward;
  /// Two readers of the same kind share what makes up for it.
  bool operator==(const Mismatch& other) const {
    return value == other.value && made == other.made && read == other.read;
  }
};
/// In the order of readers, within chunks alone.
std::vector<Mismatch> mismatches(const Program& program, const Strategy& strategy);

/// Micro-batches of the value are pieces of it, or terms of a sum.
bool is_micro(const ShardingSpec& spec);
bool is_split(const ShardingSpec& spec, AxisId axis);
bool is_partial(const ShardingSpec& spec, AxisId axis);

}  // namespace rhino::test
