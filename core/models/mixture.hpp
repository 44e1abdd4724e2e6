// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/builder.hpp"
#include "models/layers.hpp"

namespace rhino::models {

/// A feed-forward layer of experts, of which two take each token (see Gating).
struct Mixture {
  std::int64_t experts = 2;
  std::int64_t group = 1;     ///< tokens that share slots: it divides a sample, or is a multiple
  std::int64_t capacity = 1;  ///< slots that an expert has for a group
  std::int64_t ffn = 1;       ///< of every expert
  bool is_gated = false;      ///< SiLU of one matrix times another (Mixtral) in place of GELU
  double deviation = kDeviation;  ///< of `moe.down.weight`
};
struct Mixed {
  ValueId value = kNoValue;      ///< as the input
  ValueId imbalance = kNoValue;  ///< scalar, a sum over groups (see Gating)
};
/// x [batch, positions, hidden] in groups of tokens [groups, tokens]: the batch is cut along
/// groups, tokens of a group are not. Weights: `moe.router.weight` [hidden, experts],
/// `moe.up.weight` and, gated, `moe.gate.weight` [experts, hidden, ffn], `moe.down.weight`
/// [experts, ffn, hidden], without biases. Activations: `moe.sent` (to experts), `moe.combine`,
/// `moe.made` (by them), `moe.mixed`.
Mixed mixture_of_experts(ir::Builder& builder, ValueId x, const Mixture& mixture);

/// Throws Error that begins with `model` where there are not two experts, or groups are no whole
/// samples, nor whole parts of them.
void check_mixture(const std::string& model, const Mixture& mixture, std::int64_t batch,
                   std::int64_t sequence);

/// Products per token of a forward pass, where a step has three of that: of the router, experts'
/// slots, empty ones too, and of the dots that send tokens to slots and back.
double mixture_weights(const Mixture& mixture, std::int64_t hidden);

}  // namespace rhino::models
