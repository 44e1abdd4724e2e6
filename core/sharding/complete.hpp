// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/strategy.hpp"

namespace rhino {

/// Forward ops into `num_chunks` pieces of equal dot work, in an order that respects dependencies, cut where the fewest bytes cross (each
/// value counted once). Backward ops follow their origin, gradients' sums and updates the owner of the parameter; -1 for what is cheap to
/// copy. Any DAG. Throws Error when there are fewer dots than chunks.
std::vector<std::int32_t> cut_into_chunks(const Program& program, std::int32_t num_chunks);

/// Completes a draft: chunks, micro-batching of batch inputs, annotations propagated forward and backward to every value, gradients and
/// optimizer state by zero_stage. Throws Error where the batch does not divide, an op couples the batch, or an annotation does not fit.
Strategy complete(const Program& program, const StrategyDraft& draft);

/// Throws Error unless `strategy` is one for `program`: sizes, chunk order, specs that fit, op shardings that exist.
void check_strategy(const Program& program, const Strategy& strategy);

/// The way op `id` is cut under `strategy`: the one whose result is specs[id] and that asks least of its operands' specs.
struct OpSharding;
OpSharding op_sharding(const Program& program, const Strategy& strategy, ValueId id);

}  // namespace rhino
