// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a Llama (Touvron et al. 2023): RMS norms before attention and feed-forward, rotary
/// positions, grouped-query attention, a gated feed-forward (SwiGLU), no biases.
struct LlamaConfig {
  std::string preset;
  std::int64_t num_layers = 2, hidden = 64, num_heads = 4;
  std::int64_t num_kv_heads = 2;  ///< heads of key and value; divides num_heads
  std::int64_t ffn = 176, vocabulary = 512, sequence = 32;
  double rope_theta = 1e4, epsilon = 1e-5;
  bool tied = false;  ///< the output embedding is the input one
  // A mixture of experts in every layer (Mixtral, Jiang et al. 2024): see Mixture.
  std::int64_t experts = 0;  ///< 0: none
  std::int64_t group = 32, capacity = 16;
  double balance = 0.02;  ///< what the mean imbalance of all mixtures adds to the loss, per 1
  DType dtype = DType::f32;
  bool operator==(const LlamaConfig&) const = default;

  std::int64_t head_dim() const { return hidden / num_heads; }
};

/// tiny, tinyllama_1.1b, mistral_7b, llama2_7b, llama2_13b, llama2_70b, llama3_8b, llama3_70b,
/// tiny_mixtral, mixtral_8x7b. Throws Error with the known names.
LlamaConfig llama_preset(const std::string& name);
std::vector<std::string> llama_presets();

/// Forward pass and mean cross-entropy of the next token. Heads that share a key are a dim of their
/// own: `h0.attn.query.weight` [hidden, heads, group, head_dim], `h0.attn.key.weight` and
/// `h0.attn.value.weight` [hidden, heads, head_dim], `h0.attn.out.weight` [heads, group, head_dim,
/// hidden], `h0.mlp.gate.weight` and `h0.mlp.up.weight` [hidden, ffn], `h0.mlp.down.weight` [ffn,
/// hidden], `h0.norm1.scale`, `h0.norm2.scale`, `norm_f.scale`, `wte` [vocabulary, hidden] and,
/// where it is not tied, `head.weight` [hidden, vocabulary]. With experts those of a mixture stand
/// in place of `mlp`: `h0.moe.gate.weight`, ... Batch inputs `tokens` and `labels`
/// [batch, sequence] s32. Activations: `embedding`, `h0.attn.query`, ..., `h0.mid`, `h0.out`,
/// `logits`. A position turns dims i and i + head_dim / 2 together, as Hugging Face's do. 16-bit
/// models keep norms, softmax and loss in f32. Throws Error where sizes do not fit.
Program llama_forward(const LlamaConfig& config, std::int64_t batch);

/// Closed formulas: parameters, and FLOPs of forward and backward dots of one step with the full
/// attention square.
std::int64_t llama_num_parameters(const LlamaConfig& config);
double llama_step_flops(const LlamaConfig& config, std::int64_t batch);

}  // namespace rhino::models
