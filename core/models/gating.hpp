// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/builder.hpp"

namespace rhino::models {

/// Where the tokens of each group go: experts have as many slots for a group as the capacity says.
struct Gating {
  ValueId dispatch = kNoValue;  ///< [groups, tokens, experts, slots]: 1 where a token lies, else 0
  ValueId combine = kNoValue;   ///< likewise: the weight of that expert for the token, else 0
  /// Scalar, sum over groups of experts * sum over experts of (mean gate * share of tokens whose
  /// first expert it is): `experts` times a dot of two distributions, at least 1 where they are
  /// balanced.
  ValueId imbalance = kNoValue;
};

/// Top-2 gating (GShard, Lepikhin et al. 2021, algorithm 1) of `logits` [groups, tokens, experts],
/// in f32 or f64: each token goes to the two experts of its largest softmax gates, which are
/// weighted in proportion to these. Tokens take slots in their order, all first choices before the
/// second ones; who finds no slot below `capacity` is dropped there. Equal gates: the earlier
/// expert. Second choices are never dropped by chance. Tokens may not be cut.
Gating top2_gating(ir::Builder& builder, ValueId logits, std::int64_t capacity);

}  // namespace rhino::models
