// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "models/layers.hpp"

namespace rhino::models {

/// A batch input of s32 below `vocabulary`; its dims are `batch` and `sequence`, as far as it has
/// them.
ValueId token_input(ir::Builder& builder, const std::string& name, std::vector<std::int64_t> dims,
                    std::int64_t vocabulary);

/// x [batch, positions, hidden] plus learned vectors `name` [sequence, hidden].
ValueId with_positions(ir::Builder& builder, ValueId x, const std::string& name);

/// Projections `<name>.query`, `.key`, `.value` [hidden, heads, head_dim], attention, and
/// `<name>.out` [heads, head_dim, hidden].
struct MultiHead {
  std::string name = "attn";
  std::int64_t heads = 1;
  std::int64_t head_dim = 0;  ///< 0: hidden / heads
  bool is_causal = false, has_bias = true;
  double deviation = kDeviation;  ///< of `<name>.out`
};
/// Positions of `x` [batch, positions, hidden] look at those of `memory` [batch, positions of it,
/// hidden of it]: x itself, or what another stack made. As x.
ValueId multi_head_attention(ir::Builder& builder, ValueId x, ValueId memory,
                             const MultiHead& layer);

/// `mlp.up` [hidden, ffn], GELU, `mlp.down` [ffn, hidden] of `deviation`, with biases.
ValueId feed_forward(ir::Builder& builder, ValueId x, std::int64_t ffn, double deviation);

}  // namespace rhino::models
