// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a GPT whose every other feed-forward layer, from the second on, is a mixture of
/// experts.
struct MoeConfig {
  std::string preset;
  std::int64_t num_layers = 2, hidden = 64, num_heads = 4, vocabulary = 512, sequence = 32;
  std::int64_t ffn = 256;      ///< of every expert, and of layers that are none
  std::int64_t experts = 4;    ///< of each mixture
  std::int64_t group = 32;     ///< tokens that share slots: it divides sequence, or is a multiple
  std::int64_t capacity = 16;  ///< slots that an expert has for a group
  double balance = 0.01;       ///< what the mean imbalance of all mixtures adds to the loss, per 1
  DType dtype = DType::f32;
  bool operator==(const MoeConfig&) const = default;
};

/// tiny; rhino (Rhino's example); 380m, 690m, 1.3b, 2.4b, 10b, 27b, 70b (Alpa's evaluation). Throws
/// Error with the known names.
MoeConfig moe_preset(const std::string& name);
std::vector<std::string> moe_presets();

/// Forward pass, mean cross-entropy plus `balance` times the mixtures' mean imbalance (see Gating).
/// Pre-norm, causal, learned positions, GELU, output embedding tied. Tokens are taken in groups of
/// `group` [groups, tokens]: the batch is cut along groups, tokens of a group are not. Weights of a
/// mixture: `h1.moe.router.weight` [hidden, experts], `h1.moe.up.weight` [experts, hidden, ffn],
/// `h1.moe.down.weight` [experts, ffn, hidden], without biases; others as gpt's, but for
/// `h0.attn.query.weight`, `.key`, `.value` [hidden, heads, head_dim]. Dims of inputs: vocabulary,
/// hidden, sequence, heads, head_dim, ffn, expert, batch. Activations: `embedding`, `h0.mid`,
/// `h0.out`, `h1.moe.sent` (to experts), `h1.moe.made` (by them), `h1.moe.mixed`, `logits`. Throws
/// Error.
Program moe_forward(const MoeConfig& config, std::int64_t batch);

/// Closed formulas. FLOPs: dots of one step, forward and backward, attention full square, the dots
/// that send tokens to slots and back included.
std::int64_t moe_num_parameters(const MoeConfig& config);
double moe_step_flops(const MoeConfig& config, std::int64_t batch);

}  // namespace rhino::models
