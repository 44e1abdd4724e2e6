// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/training_step.hpp"
#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a pre-norm GPT. `ffn` is 4 * hidden.
struct GptConfig {
  std::string preset;
  std::int64_t num_layers = 2, hidden = 128, num_heads = 4, vocabulary = 1024, sequence = 64;
  DType dtype = DType::f32;
  bool fused_qkv = false;  ///< weights of query, key and value are columns of one matrix
  bool operator==(const GptConfig&) const = default;
};

/// 1m, 15m, 125m, 350m, 760m, 1.3b, 2.6b, 6.7b, 15b, 39b, 76b, 175b. Throws Error with the known
/// names.
GptConfig gpt_preset(const std::string& name);
std::vector<std::string> gpt_presets();

/// Forward pass and mean cross-entropy: learned positions, causal attention, GELU, output embedding
/// tied to the input one. Weights: qkv [hidden, 3, heads, head_dim], attention out [heads,
/// head_dim, hidden], so that a head split never cuts across Q, K and V; fused, qkv is [hidden, 3 *
/// hidden], of which a head split is a strided one. Names: `wte`, `wpe`, `h0.ln1.scale`,
/// `h0.attn.qkv.weight`, `h0.attn.qkv.bias`, `h0.attn.out.weight`, `h0.mlp.up.weight`,
/// `h0.mlp.down.weight`, ..., `ln_f.bias`; batch inputs `tokens` and `labels` [batch, sequence]
/// s32. Dims of inputs: vocabulary, hidden, sequence, qkv, heads, head_dim, ffn, batch.
/// Activations, as far as named: `embedding`, `h0.attn.qkv`, `h0.attn.heads` (fused: qkv as
/// [batch, sequence, 3, heads, head_dim]), `h0.attn.out`, `h0.mid` (x + attention), `h0.mlp.up`,
/// `h0.mlp.down`, `h0.out` (`h0.mid` + mlp), `logits`. 16-bit models keep layer norm, softmax and
/// loss in f32.
Program gpt_forward(const GptConfig& config, std::int64_t batch);

/// Closed formulas, for the tests and for records: parameters, and FLOPs of forward + backward dots
/// of one step with the full attention square (6 * tokens * matmul weights + 12 * layers * tokens *
/// sequence * hidden).
std::int64_t gpt_num_parameters(const GptConfig& config);
double gpt_step_flops(const GptConfig& config, std::int64_t batch);

/// Two branches of dots that split, cross and join, with a skip across all of it: not a chain, no
/// convolution. Batch inputs `x` and `target` [batch, width]; mean squared error. `dtype`: of
/// parameters, dots and activations; batch inputs and the loss of a 16-bit one are f32.
Program branching_forward(std::int64_t batch, std::int64_t width, std::int64_t depth,
                          DType dtype = DType::f32);

/// `depth` layers of `width` with ReLU, a layer to `classes`, and mean cross-entropy.
struct MlpConfig {
  std::int64_t inputs = 784, width = 1024, depth = 4, classes = 10;
  DType dtype = DType::f32;
};
/// Batch inputs `x` [batch, inputs] and `labels` [batch] s32; weights `layer0.weight` [inputs,
/// outputs], `layer0.bias`, ..., `head.weight`; activations `layer0` and, behind ReLU,
/// `layer0.out`. Throws Error.
Program mlp_forward(const MlpConfig& config, std::int64_t batch);

/// A random DAG of elementwise ops, dots, reshapes, transposes, reductions, slices and
/// concatenations over [batch, ...] values, with a scalar loss that is a mean over the batch. Same
/// seed, same program, whatever the batch. `num_ops` is the rough number of ops. Extents divide by
/// mixes of 2, 3 and 4; values stay finite; every parameter has a gradient.
Program random_forward(std::uint64_t seed, std::int64_t batch, std::int64_t num_ops);

}  // namespace rhino::models
