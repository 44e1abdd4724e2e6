// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a BERT (Devlin et al. 2019). `ffn` is 4 * hidden.
struct BertConfig {
  std::string preset;
  std::int64_t num_layers = 2, hidden = 64, num_heads = 4, vocabulary = 512, sequence = 32;
  double epsilon = 1e-5;
  DType dtype = DType::f32;
  bool operator==(const BertConfig&) const = default;
};

/// tiny, base, large. Throws Error with the known names.
BertConfig bert_preset(const std::string& name);
std::vector<std::string> bert_presets();

/// Forward pass and mean cross-entropy of the words at all positions: which of them are masked is a
/// matter of the data. Words, positions and one of two segments are added up and normed; layers
/// norm what they add to; the head has a layer of its own before the tied embedding. No dropout, no
/// prediction of the next sentence. Names: `wte`, `wpe`, `segment`, `ln_e.scale`,
/// `h0.attn.query.weight` [hidden, heads, head_dim], `h0.ln1.scale`, `h0.mlp.up.weight`, ...,
/// `head.dense.weight`, `head.ln.scale`, `head.bias`. Batch inputs `tokens`, `segments` and
/// `labels` [batch, sequence] s32. Activations: `embedding`, `h0.mid`, `h0.out`, `logits`. Throws
/// Error.
Program bert_forward(const BertConfig& config, std::int64_t batch);

/// Closed formulas: parameters, and FLOPs of forward and backward dots of one step.
std::int64_t bert_num_parameters(const BertConfig& config);
double bert_step_flops(const BertConfig& config, std::int64_t batch);

}  // namespace rhino::models
